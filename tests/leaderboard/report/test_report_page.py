"""The page as a file: self-contained, safe with any name, small, the same every time."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from gridjoust.leaderboard.report import page as report
from gridjoust.leaderboard.report.source import load_source
from gridjoust.runner.results.tables.columns import METRICS, TURNS
from gridjoust.runner.results.tables.datapackage import write_datapackage
from gridjoust.runner.results.tables.frames import FEW_ROWS, strings_for
from gridjoust.runner.results.tables.schedule_file import Decision, Encounter, Place, Planned, Round, write_planned
from gridjoust.runner.results.tables.text import read_rows
from tests.leaderboard.report.made_results import PLANNERS, MadeBot, MadeGame, make_bots, make_results
from tests.leaderboard.report.scopes import scope_of
from tests.runner.results.records.records_builder import make_record

ROOT = Path(__file__).parents[3]
NASTY = ("<script>window.hacked=1</script>", "NA", '"><img src=x onerror=alert(1)>', "nan", "{{ 7*7 }}", "x" * 64)
SIX_GAMES = (
    MadeGame("bomber"),
    MadeGame("heroquest"),
    MadeGame("ricochet", "table", ("a", "b")),
    MadeGame("eidolon", "team"),
    MadeGame("placement", "solo"),
    MadeGame("navigation", "solo", ("maze", "rooms", "open")),
)
VOID_ELEMENTS = {"meta", "link", "br", "img", "input", "hr"}


class Reader(HTMLParser):
    """Everything in a page that a test asks about; fails on tags that do not match."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.sources: list[str] = []
        self.inline: list[str] = []
        self.texts: dict[str, list[str]] = {}
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.tags.add(tag)
        self.ids += [values["id"] or ""] if "id" in values else []
        self.links += [values["href"] or ""] if "href" in values else []
        self.sources += [values[name] or "" for name in ("src", "srcset", "data", "action", "poster") if name in values]
        self.inline += [name for name in values if name.startswith("on") or name == "style"]
        if tag not in VOID_ELEMENTS:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID_ELEMENTS:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and data.strip():
            self.texts.setdefault(self.open[-1], []).append(data.strip())


def make_report(folder: Path) -> str:
    return report.make_report(load_source(folder))


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    return reader


@pytest.fixture(scope="module")
def six(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Thirty bots in six games."""
    folder = tmp_path_factory.mktemp("six")
    return make_report(make_results(folder, bots=make_bots(30), games=SIX_GAMES, rounds=1, turns=3))


@pytest.mark.gate
def test_the_tags_match_and_nothing_is_styled_or_scripted_in_an_attribute(six: str) -> None:
    reader = read(six)
    assert (reader.open, reader.inline) == ([], [])


@pytest.mark.gate
def test_nothing_is_fetched_and_every_link_inside_leads_to_one_place(six: str) -> None:
    reader = read(six)
    assert reader.sources == []
    assert not [link for link in reader.links if ":" in link and not link.startswith("data:,")]
    assert not re.search(r"https?:|@import|url\(", six)
    inside = [link[1:] for link in reader.links if link.startswith("#")]
    assert len(inside) > 10
    assert set(inside) <= set(reader.ids)
    assert len(reader.ids) == len(set(reader.ids))


@pytest.mark.gate
def test_only_the_pages_own_style_and_script_may_take_effect(six: str) -> None:
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', six)
    for kind, tag in (("style-src", "style"), ("script-src", "script")):
        [inside] = re.findall(rf"<{tag}>(.*?)</{tag}>", six, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{kind} &#39;sha256-{digest}&#39;" in policy or f"{kind} 'sha256-{digest}'" in policy
    assert "default-src" in policy


@pytest.mark.gate
def test_the_verdict_comes_first_then_the_tables_then_a_chapter_for_each_game(six: str) -> None:
    assert six.index('id="verdict"') < six.index("<table")
    names = [game.name for game in SIX_GAMES]
    assert [text for text in read(six).texts["h2"] if text in names] == names


@pytest.mark.gate
def test_thirty_bots_in_six_games_fit_in_a_megabyte_and_no_value_is_shown_as_nan(six: str) -> None:
    assert len(six.encode()) <= 1_000_000
    assert not re.search(r"\bnan\b|\binf\b|\bNone\b|&lt;NA&gt;", six)


@pytest.mark.gate
def test_any_name_is_shown_as_it_is_and_none_becomes_a_tag(tmp_path: Path) -> None:
    bots = [MadeBot(name, PLANNERS[at % 5], 1 - at / 3, 1.0, 0.2) for at, name in enumerate(NASTY)]
    page = make_report(make_results(tmp_path, bots=bots, games=SIX_GAMES[:1], rounds=4))
    assert set(NASTY) <= set(read(page).texts["span"])
    assert "img" not in read(page).tags
    assert page.count("<script>") == 1


@pytest.mark.gate
def test_a_page_is_the_same_however_pandas_holds_text(tmp_path: Path) -> None:
    folder = make_results(tmp_path, bots=make_bots(4), games=SIX_GAMES[:2], rounds=2, turns=3)
    pages = []
    for rows in (FEW_ROWS, FEW_ROWS + 1):
        with strings_for(rows):
            pages.append(make_report(folder))
    assert pages[0] == pages[1]


@pytest.mark.gate
def test_a_match_comes_with_what_replays_it_and_no_link_leads_to_a_raw_record(tmp_path: Path) -> None:
    folder = make_results(tmp_path / "my cup", bots=make_bots(6), games=SIX_GAMES[:1], rounds=6)
    page = report.write_report(load_source(folder), tmp_path / "pages" / "cup.html").read_text()
    assert not [link for link in read(page).links if link.endswith(".jsonl")]
    assert f'<code class="copy">joust replay &#39;{folder}&#39; ' in page
    assert report.write_report(load_source(folder)) == folder / "report.html"  # unless told otherwise
    assert not list(tmp_path.rglob("*.part"))


@pytest.mark.gate
def test_a_page_of_a_run_that_goes_on_says_so_and_names_no_winner(tmp_path: Path) -> None:
    bots = [replace(bot, strength=4.0 - 8 * at) for at, bot in enumerate(make_bots(2))]
    folder = make_results(tmp_path, bots=bots, games=SIX_GAMES[:1], rounds=20)
    assert " wins: a rating of" in make_report(folder)
    write_planned(folder, Planned(matches=552, is_exact=True))
    page = make_report(folder)
    assert " leads so far: a rating of" in page
    assert "of 552 matches played: nothing here is final." in page


def test_the_standings_come_first_what_qualifies_them_is_folded_and_words_are_explained(tmp_path: Path) -> None:
    page = make_report(make_results(tmp_path, bots=make_bots(3), games=SIX_GAMES[:1], rounds=6))
    before = page[: page.index('id="all-standings"')]
    assert before.count("<details>") == before.count("</details>") == 2
    assert "What else the results say" in before
    assert "How it was played: round robin, 6 rounds" in before
    words = page[page.index('id="glossary"') :]
    assert all(f"<span>{word}</span>" in words for word in ("rating", "returns", "points", "P(better)", "forfeit"))


@pytest.mark.gate
def test_a_page_is_always_the_same_also_of_the_tables_alone_and_before_the_first_answers(tmp_path: Path) -> None:
    folder = make_results(tmp_path, bots=make_bots(3), games=SIX_GAMES, rounds=2)
    assert make_report(folder) == make_report(folder)
    (folder / "tournament.yaml").unlink()
    (folder / "environment.json").unlink()
    assert "3 bots" in make_report(folder)
    (folder / METRICS.file).write_text((folder / METRICS.file).read_text().splitlines()[0] + "\n")
    (folder / TURNS.file).write_bytes(b"")
    write_datapackage(folder)  # as a run that has just begun
    assert "Standings" in make_report(folder)


@pytest.mark.gate
@pytest.mark.parametrize("kind", ["duel", "table", "solo", "team"])
def test_every_kind_of_game_makes_a_page(tmp_path: Path, kind: str) -> None:
    game = MadeGame("game", kind, ("a", "b"))  # type: ignore[arg-type]
    page = make_report(make_results(tmp_path, bots=make_bots(5), games=[game], rounds=6))
    assert read(page).texts["h2"][0] == "Standings"


@pytest.mark.gate
def test_a_mixed_team_without_opponents_makes_a_page(tmp_path: Path) -> None:
    teams = [("a", "b", "c"), ("a", "c", "c"), ("b", "b", "a")]
    matches = [(teams[at % 3], (at % 2,) * 3, [{"won": float(at % 2), "turns": float(at)}] * 3) for at in range(8)]
    records = [
        make_record(f"m{at}", bots=bots, teams=(0,) * 3, returns=returns, metrics=won, header={"seed": at})
        for at, (bots, returns, won) in enumerate(matches)
    ]
    page = report.make_report(scope_of(tmp_path, records).source)
    assert "won %" in page
    assert "Head to head" not in page


@pytest.mark.gate
def test_the_committed_sample_makes_a_page() -> None:
    sample = ROOT / "results" / "sample"
    rating = round(float(next(read_rows(sample / "standings.csv"))["rating"]))
    assert f"a rating of +{rating}" in make_report(sample)  # whoever leads: it is played anew when bots change


@pytest.mark.gate
def test_titles_stand_beside_the_names_of_bots_wherever_people_read_them(tmp_path: Path) -> None:
    bots = [replace(bot, strength=4.0 - 8 * at) for at, bot in enumerate(make_bots(2))]
    folder = make_results(tmp_path, bots=bots, games=(MadeGame("bomber"), MadeGame("placement")), rounds=20)
    assert 'class="also"' not in make_report(folder)
    first = bots[0].name
    write_planned(folder, Planned(matches=80, is_exact=True, is_over=True, titles={first: "Ада <b>"}))
    page = make_report(folder)
    shown = '<small class="also">Ада &lt;b&gt;</small>'
    assert f'<p class="headline">{first} (Ада &lt;b&gt;) ' in page
    assert f'<span class="who">{first} {shown}</span>' in page  # the podium
    table = page[page.index('id="all-duels"') :]
    assert f"<span>{first}</span> {shown}</th>" in table
    assert f'title="{first}, Ада &lt;b&gt;"' in table
    chapter = page[page.index('id="g1-standings"') :]
    assert "Ада &lt;b&gt;" in chapter[: chapter.index("</table>")]


@pytest.mark.gate
def test_a_bracket_says_below_what_people_call_the_bots(tmp_path: Path) -> None:
    bots = make_bots(2)
    one, two = (bot.name for bot in bots)
    folder = make_results(tmp_path, bots=bots, games=SIX_GAMES[:1], rounds=6)
    met = Round("final", (Encounter((one, two), (0.75, 0.25), winner=one),))
    decision = Decision("knockout", "reached", (Place(1, one, "winner"), Place(2, two, "final")), (met,))
    write_planned(folder, Planned(matches=12, is_exact=False, is_over=True, decision=decision, titles={two: "李世石"}))
    page = make_report(folder)
    assert f"{one} wins the knockout, ahead of {two} (李世石)." in page
    assert f"<p>{two}: 李世石</p>" in page
