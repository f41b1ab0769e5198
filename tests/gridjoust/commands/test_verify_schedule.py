"""`joust verify` computes seeds, meetings and the format's order again: it believes results and the seed alone."""

from __future__ import annotations

import functools
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from gridjoust.runner.results.records.file import list_records, read_record
from gridjoust.runner.results.secrets import load_secrets, save_secrets
from gridjoust.runner.results.tables.frames import load
from gridjoust.runner.results.tables.schedule_file import FILE, Planned, read_planned, write_planned
from gridjoust.runner.results.tables.writer import TableWriter
from gridjoust.runner.seeds import SEED_RULE
from tests.gridjoust.commands.desk import Desk

CUP = Path("results/cup")
TEXT = """tournament: cup
seed: {seed}
games: {games}
bots: [{{name: a, bot: random}}, {{name: b, bot: bomber/wanderer}}, {{name: c, bot: random}}, {{name: d, bot: random}}]
execution: {{isolation: none}}
time: {{turn_ms: null}}
{format}
"""
TICKS = "[{game: bomber, params: {max_ticks: 8}}]"
MAPS = "[{game: bomber, params: {max_ticks: 5}, maps: [random, two.txt]}]"
KNOCKOUT, SWISS = "format: {type: knockout}", "format: {type: swiss, rounds: 3, seeding: hash}"
LADDER = "format: {type: ladder, rounds: 2}"
DOUBLE = "format: {type: double_elimination, pairs: 3, stop_decided: true}"
STAGES = "format: {type: stages, advance: 1, rounds: 2}"
STOPPED = "stop: {when: resolved, max_matches: 36}"


Play = Callable[[str], Desk]


@pytest.fixture(scope="session")
def play_once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    @functools.cache
    def played(form: str) -> Path:
        desk = Desk(tmp_path_factory.mktemp("played"))
        code, told = desk.run(TEXT.format(seed="secret" if form == KNOCKOUT else 7, games=TICKS, format=form))
        assert code == 0, told
        return desk.folder

    return played


@pytest.fixture
def play(desk: Desk, play_once: Callable[[str], Path]) -> Play:
    """With results of a format."""

    def copied(form: str) -> Desk:
        shutil.copytree(play_once(form), desk.folder, dirs_exist_ok=True)
        return desk

    return copied


def verify(desk: Desk) -> tuple[int, str]:
    """Exit code and the first line."""
    code, lines = desk.joust("verify", str(CUP))
    return code, lines.partition("\n")[0]


def rewrite(desk: Desk, old: str, new: str) -> None:
    file = desk.folder / CUP / "tournament.yaml"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


@pytest.mark.gate
@pytest.mark.parametrize(
    "form",
    [
        *(KNOCKOUT, SWISS, LADDER, STOPPED, DOUBLE, STAGES),
        "format: {type: gauntlet, challengers: [c], rounds: 2, swap_seats: false}",
    ],
)
def test_what_was_played_is_what_the_seed_and_the_results_ask_for(play: Play, form: str) -> None:
    desk = play(form)
    assert verify(desk) == (0, "")


@pytest.mark.gate
@pytest.mark.parametrize(
    ("form", "told", "place"),
    [
        (DOUBLE, "double elimination, seeded as listed", "upper semi-final: "),
        (STAGES, "stages, 2 groups, then a knockout, seeded as listed", "group 1 (a "),
    ],
)
def test_rounds_and_format_are_shown_in_terminal_and_report(play: Play, form: str, told: str, place: str) -> None:
    desk = play(form)
    shown = desk.read("leaderboard", str(CUP))[1]
    assert any(line.startswith(place) for line in shown.splitlines())
    report = (desk.folder / CUP / "report.html").read_text(encoding="utf-8")
    assert told in report
    assert place.rstrip(": ") in report


@pytest.mark.default("format: {type: swiss, rounds: 3, seeding: hash}", "stop: {when: resolved, max_matches: 36}")
@pytest.mark.parametrize("form", [LADDER, SWISS, STOPPED, ""])
def test_matches_on_other_seeds_than_the_published_one_gives(play: Play, form: str) -> None:
    desk = play(form)
    rewrite(desk, "seed: 7", "seed: 8")
    code, line = verify(desk)
    first = load(desk.folder / CUP).results.iloc[0]
    assert code == 1
    assert line.startswith(f"match {first['match_id']}: ")
    if form != SWISS:  # its order of bots is drawn from the seed too
        assert ": seed: expected " in line
        assert line.endswith(f", as follows from tournament.yaml, got {first['seed']}")


def test_meetings_that_the_results_before_them_do_not_ask_for(play: Play) -> None:
    desk = play(KNOCKOUT)
    rewrite(desk, "name: d", "name: e")
    rewrite(desk, "name: c", "name: d")
    rewrite(desk, "name: e", "name: c")
    code, line = verify(desk)
    assert (code, 'bot: expected ["' in line or 'bot[0]: expected "' in line) == (1, True), line
    assert ", as follows from tournament.yaml, got " in line


def swapped(planned: Planned) -> Planned:
    """With the first two bots in each other's place."""
    assert planned.decision is not None
    first, second, *others = planned.decision.places
    moved = (msgspec.structs.replace(first, bot=second.bot), msgspec.structs.replace(second, bot=first.bot), *others)
    return msgspec.structs.replace(planned, decision=msgspec.structs.replace(planned.decision, places=moved))


def undecided(planned: Planned) -> Planned:
    return msgspec.structs.replace(planned, decision=None)


def longer(planned: Planned) -> Planned:
    return msgspec.structs.replace(planned, matches=planned.matches + 1)


@pytest.mark.gate
@pytest.mark.parametrize(
    ("change", "said"),
    [(swapped, "decision: places[0]: bot: "), (undecided, "decision: "), (longer, "matches: ")],
)
@pytest.mark.parametrize("form", [KNOCKOUT, SWISS])
def test_an_order_that_the_results_do_not_give(
    play: Play, form: str, change: Callable[[Planned], Planned], said: str
) -> None:
    desk = play(form)
    planned = read_planned(desk.folder / CUP)
    assert planned is not None
    write_planned(desk.folder / CUP, change(planned))
    code, line = verify(desk)
    assert (code, line.startswith(f"{FILE}: {said}expected ")) == (1, True), line
    assert ", as the results say, got " in line
    write_planned(desk.folder / CUP, planned)
    assert verify(desk) == (0, "")


@pytest.mark.gate
@pytest.mark.parametrize("form", [KNOCKOUT, ""])
def test_a_finished_tournament_without_its_last_match(play: Play, form: str) -> None:
    desk = play(form)
    folder = desk.folder / CUP
    [*kept, last] = dict.fromkeys(load(folder).results["match_id"])
    by_id = {path.stem: path for path in list_records(folder)}
    round_number = read_record(by_id[last]).header.round
    by_id[last].unlink()
    with TableWriter(folder) as tables:
        for match_id in kept:
            tables.add(read_record(by_id[match_id]))
    code, line = verify(desk)
    assert (code, line.startswith("results.csv: the match of ")) == (1, True), line
    assert line.endswith(f" in round {round_number} is missing")
    planned = read_planned(folder)
    assert planned is not None
    write_planned(folder, msgspec.structs.replace(planned, is_over=False, decision=None))
    assert "expected a match" not in verify(desk)[1]  # a run that was cut short has played no more


@pytest.mark.gate
def test_neither_the_bots_nor_the_maps_are_needed(desk: Desk) -> None:
    desk.write("two.txt", "0...\n.ss.\n...1\n")
    desk.write("own_bot.py", "from gridjoust.bots.random_bot import RandomBot\nclass Own(RandomBot): ...\n")
    text = TEXT.format(seed="secret", games=MAPS, format="")
    assert desk.run(text.replace("bot: bomber/wanderer", "path: own_bot.py:Own"))[0] == 0
    for name in ("two.txt", "own_bot.py"):
        (desk.folder / name).unlink()
    assert verify(desk) == (0, "")
    assert set(load(desk.folder / CUP).results["map"].dropna()) == {"random", "two"}


def test_a_secret_seed_that_is_nowhere_is_one_line(play: Play) -> None:
    desk = play(KNOCKOUT)
    secrets = load_secrets(desk.folder / CUP)
    assert secrets is not None
    rewrite(desk, f"seed: {secrets.seed}", "seed: secret")
    assert verify(desk) == (0, "")  # as before the end, to who may read the secrets
    save_secrets(desk.folder / CUP, msgspec.structs.replace(secrets, seed=""))
    expected = "the seed is secret, and secret.json does not contain it"
    assert verify(desk) == (2, f"joust: {CUP}/tournament.yaml: {expected}")


def test_without_a_schedule_the_seeds_are_said_not_to_be_looked_at(play: Play) -> None:
    desk = play("")
    counted = f"{CUP}: 12 records verified: every turn, hash and table row agrees with the rules"
    assert desk.read("verify", str(CUP)) == (0, f"{counted}, every match with the seed\n")
    (desk.folder / CUP / FILE).unlink()
    said = f"{counted}\n{CUP}: seeds and pairings were not checked: there is no schedule.json\n"
    assert desk.read("verify", str(CUP)) == (0, said)


@pytest.mark.gate
def test_resuming_after_an_imported_module_was_edited_plays_the_matches_of_its_bot_again_and_no_others(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "own_helper", raising=False)
    desk.write(
        "own_bot.py", "from gridjoust.bots.random_bot import RandomBot\nimport own_helper\nclass Own(RandomBot): ...\n"
    )
    desk.write("own_helper.py", "DEPTH = 1\n")
    text = TEXT.format(seed=7, games=TICKS, format="").replace("bot: bomber/wanderer", "path: own_bot.py:Own")
    assert desk.run(text)[0] == 0
    before = {path.stem: read_record(path) for path in list_records(desk.folder / CUP)}
    of_own = {name for name, record in before.items() if "b" in [seat.bot for seat in record.header.seats]}
    assert (len(before), len(of_own)) == (12, 6)
    desk.write("own_helper.py", "DEPTH = 2\n")
    assert desk.joust("run", "cup.yaml", "--resume")[0] == 0
    now = set(load(desk.folder / CUP).results["match_id"])
    assert before.keys() & now == before.keys() - of_own
    assert len(now) == 12
    kept = {path.stem: read_record(path).usage.started_utc for path in list_records(desk.folder / CUP)}
    assert [kept[name] for name in before] == [record.usage.started_utc for record in before.values()]
    assert set((desk.folder / CUP / "unused.txt").read_text().split()) == of_own
    assert verify(desk) == (0, "")


@pytest.mark.gate
def test_a_folder_begun_by_the_former_rule_for_seeds_goes_on_by_it_and_is_verified_by_it(desk: Desk) -> None:
    folder = desk.folder / CUP
    desk.write("cup.yaml", TEXT.format(seed=7, games=TICKS, format=""))
    folder.mkdir(parents=True)
    (folder / FILE).write_text('{"matches": 12, "is_exact": true}')  # as earlier versions wrote it
    assert desk.joust("run", "cup.yaml", "--resume")[0] == 0
    assert load(folder).results["seed"].nunique() == 1
    assert verify(desk) == (0, "")

    planned = read_planned(folder)
    assert planned is not None
    write_planned(folder, msgspec.structs.replace(planned, seed_rule=SEED_RULE))
    code, line = verify(desk)
    assert (code, ": seed: expected " in line) == (1, True), line


def test_a_rule_for_seeds_of_a_later_version_is_one_line(play: Play) -> None:
    desk = play("")
    file = desk.folder / CUP / FILE
    file.write_text(file.read_text().replace(f'"seed_rule": {SEED_RULE}', f'"seed_rule": {SEED_RULE + 1}'))
    code, line = verify(desk)
    assert (
        code,
        line.endswith(f"expected a schedule as Joust writes it, got: Expected `int` <= {SEED_RULE} - at `$.seed_rule`"),
    ) == (2, True), line
