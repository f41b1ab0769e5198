"""A match in a browser, on a phone and a desk: by keyboard alone, 1,800 turns, names and texts that are code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from gridjoust import games
from gridjoust.games.api import ParamValue
from gridjoust.games.bomber.rules import Bomber
from gridjoust.games.bomber.view import cells_by_kind
from gridjoust.runner.results.records.lines import FaultLine, MatchRecord, TurnLine
from gridjoust.runner.results.replay import game_of, replay
from gridjoust.simulation import Played, play
from gridjoust.viewer.compare_page import comparison_page
from gridjoust.viewer.match import match_view
from gridjoust.viewer.page import match_page
from tests.e2e.chromium import FOUND, open_browser

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import Browser, Page, expect

PHONE, DESK = 390, 1280
CODE = '<script>window.hacked=1</script><img src=x onerror="window.hacked=1">'
TURNS = 1800
SHOWN = "[...document.querySelectorAll('#board [data-layer]')].map(layer => layer.childNodes.length)"
GO_TO = """turn => {
  const slider = document.getElementById("turn");
  slider.value = turn;
  slider.dispatchEvent(new Event("input"));
}"""

expect.set_options(timeout=60_000)  # a busy machine is slow, not wrong

pytestmark = [pytest.mark.e2e, pytest.mark.skipif(FOUND is None, reason="no Chromium on PATH")]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as started:
        yield started


@pytest.fixture(scope="module")
def record() -> MatchRecord:
    """A match to the last tick; in every field that bots and people fill is code."""
    params: dict[str, ParamValue] = {"preset": "coderone", "max_ticks": TURNS, "player_hp": 63, "hidden": True}
    made = play("bomber", ["random", "random"], seed=7, params=params).record
    header, replace = made.header, msgspec.structs.replace
    seats = [replace(seat, bot=f"{number}{CODE}", planner=CODE, role=CODE) for number, seat in enumerate(header.seats)]
    fault = msgspec.convert({"turn": 3, "seat": 1, "fault": "late", "detail": CODE}, FaultLine)
    return replace(
        made,
        header=replace(header, seats=seats, tournament=CODE, variant=CODE, match_id=f"m{CODE}"),
        lines=[fault, *made.lines],
        answers=[replace(answer, action=CODE) if answer.turn == 5 else answer for answer in made.answers],
        end=replace(made.end, reason=CODE),
    )


@pytest.fixture(scope="module")
def shown(record: MatchRecord) -> dict[str, Any]:
    return match_view(record, named=CODE, logs={0: CODE, 1: CODE})


@pytest.fixture(scope="module")
def file(shown: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("viewer") / "match.html"
    path.write_text(match_page(shown), encoding="utf-8")
    return path


@pytest.mark.gate
def test_a_notebooks_frame_replays_the_match_and_cannot_reach_the_notebook(
    browser: Browser, record: MatchRecord
) -> None:
    page = browser.new_page(viewport={"width": DESK, "height": 900})
    page.set_content(Played(record)._repr_html_())
    frame = page.frame_locator("iframe")
    expect(frame.locator("#board [data-layer]").first).to_be_attached()
    go_to = "(slider, turn) => { slider.value = turn; slider.dispatchEvent(new Event('input')); }"
    frame.locator("#turn").evaluate(go_to, 12)
    expect(frame.locator("#turn")).to_have_value("12")
    assert page.evaluate("window.hacked") is None
    reach = "() => { try { return parent.document.title; } catch { return null; } }"
    assert frame.locator("#turn").evaluate(reach) is None
    page.close()


def open_page(browser: Browser, file: Path, *, width: int = DESK, address: str = "") -> Page:
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.goto(file.as_uri() + address)
    page.wait_for_selector("html[data-ready]")
    return page


@pytest.fixture
def page(browser: Browser, file: Path) -> Iterator[Page]:
    opened = open_page(browser, file)
    yield opened
    opened.close()


def turn_of(page: Page) -> int:
    return int(page.input_value("#turn"))


def layers(shown: dict[str, Any], track: int, turn: int) -> list[int]:
    """How many shapes each layer has, by the frames."""
    counts = [0] * len(shown["tracks"][track]["layers"])
    for frame in shown["tracks"][track]["frames"][: turn + 1]:
        for layer, gone, put in frame:
            counts[layer] += len(put) // 2 - len(gone)
    return counts


@pytest.mark.gate
@pytest.mark.parametrize("width", [PHONE, pytest.param(DESK, marks=pytest.mark.gate)])
def test_names_and_texts_that_are_code_are_shown_as_they_are_and_nothing_overflows(
    browser: Browser, file: Path, width: int
) -> None:
    page = open_page(browser, file, width=width, address="#turn=3")
    for details in page.query_selector_all("summary"):
        details.click()
    assert page.evaluate("window.hacked") is None
    assert page.locator("img, main script").count() == 0
    text = page.inner_text("body")
    assert text.count(CODE) > 10
    assert f"late: {CODE}" in text
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    board = page.locator("#board").bounding_box()
    assert board is not None
    assert board["width"] > 0.5 * min(width, 900)
    page.close()


@pytest.mark.gate
def test_a_match_is_watched_with_the_keyboard_alone(page: Page, record: MatchRecord) -> None:
    press = page.keyboard.press
    press("End")
    assert turn_of(page) == record.end.turns == TURNS
    press("ArrowLeft")
    assert turn_of(page) == TURNS - 1
    press("Home")
    press("e")
    first = next(event for event in match_view(record)["events"] if event[0] > 0)
    assert turn_of(page) == first[0]
    press("q")
    assert turn_of(page) == 0
    press("ArrowDown")  # the first answer of the first turn, then the second one
    press("ArrowDown")
    assert (turn_of(page), page.locator(".looked-at .role").inner_text()) == (1, "seat 1")
    press("2")
    assert page.locator("input[name=view]:checked").get_attribute("value") == "0"
    press("b")
    assert page.is_checked("#belief")
    press("?")
    assert page.is_visible("#help")
    press("Escape")
    assert not page.is_visible("#help")
    expect(page.locator("#help :focus")).to_have_count(0)  # its button has the focus for a moment more
    press("+")
    assert page.input_value("#speed") == "2"
    press(" ")
    assert page.inner_text("#play") == "Pause"
    expect(page.locator("#turn")).not_to_have_value("1")
    press(" ")
    assert page.inner_text("#play") == "Play"


@pytest.mark.gate
@pytest.mark.parametrize("turn", [0, 700, TURNS])
def test_what_is_drawn_at_a_turn_is_what_the_frames_say_whatever_was_shown_before(
    page: Page, shown: dict[str, Any], turn: int
) -> None:
    page.evaluate(GO_TO, turn)
    straight = page.evaluate("document.getElementById('board').innerHTML")
    assert page.evaluate(SHOWN) == layers(shown, 0, turn)
    for other in (TURNS - turn, 3, turn):
        page.evaluate(GO_TO, other)
    assert page.evaluate("document.getElementById('board').innerHTML") == straight
    page.keyboard.press("3")
    assert page.evaluate(SHOWN) == layers(shown, 2, turn)


@pytest.mark.gate
def test_the_score_stands_above_the_board_with_a_bar_of_its_shares(page: Page, shown: dict[str, Any]) -> None:
    for turn in (0, TURNS):
        page.evaluate(GO_TO, turn)
        standings = [panels for at, panels in shown["tracks"][0]["panels"] if at <= turn][-1]
        scores = [standing[3] for standing in standings]
        assert page.locator("#score-line b").all_inner_texts() == scores
        points = [int(score.split()[0]) for score in scores]
        shares = page.evaluate(
            "[...document.querySelectorAll('#balance span')].map(part => Number(part.style.flexGrow))"
        )
        assert shares == (points if any(points) else [])
    assert page.get_attribute("#balance", "aria-label") == f"scores: {', '.join(scores)}"


@pytest.mark.gate
def test_an_analysis_fills_the_bar_in_place_of_the_scores(
    browser: Browser, shown: dict[str, Any], tmp_path: Path
) -> None:
    sides = [{"name": "one", "seats": [0]}, {"name": "two", "seats": [1]}]
    points = [
        {"turn": turn, "shares": [share, 1 - share], "lows": [0, 0], "highs": [1, 1]}
        for turn, share in ((0, 0.5), (9, 0.8))
    ]
    analysed = {**shown, "analysis": {"goal": "", "bots": ["random"], "sides": sides, "points": points}}
    (tmp_path / "match.html").write_text(match_page(analysed), encoding="utf-8")
    page = open_page(browser, tmp_path / "match.html", address="#turn=8")
    assert page.get_attribute("#balance", "aria-label") == "wins in playouts: one 50 %, two 50 %"
    page.keyboard.press("ArrowRight")
    assert page.get_attribute("#balance", "aria-label") == "wins in playouts: one 80 %, two 20 %"
    page.close()


@pytest.mark.gate
def test_board_and_strips_fit_a_desk_and_their_labels_lie_on_nothing(browser: Browser, tmp_path: Path) -> None:
    plain = play("bomber", ["random", "random"], seed=7, params={"preset": "coderone", "max_ticks": 100})
    (tmp_path / "match.html").write_text(match_page(match_view(plain.record)), encoding="utf-8")
    page = open_page(browser, tmp_path / "match.html")
    strips = page.locator("#strips").bounding_box()
    assert strips is not None
    assert strips["y"] + strips["height"] <= 900
    labels = page.evaluate("parseFloat(document.getElementById('left').style.getPropertyValue('--labels'))")
    assert labels > 0
    page.mouse.click(strips["x"] + labels + 1, strips["y"] + 5)
    assert turn_of(page) <= 1
    page.mouse.click(strips["x"] + strips["width"] - 1, strips["y"] + 5)
    assert turn_of(page) >= plain.turns - 1
    page.close()


@pytest.mark.gate
@pytest.mark.parametrize("game", ["bomber", "heroquest", "navigation"])
def test_the_whole_screen_is_for_the_board_and_the_strips_come_back_after_it(
    browser: Browser, tmp_path: Path, game: str
) -> None:
    record = play(game, ["random"] * games.make(game).seats, seed=7, faults={"limit": 1}).record
    (tmp_path / "match.html").write_text(match_page(match_view(record)), encoding="utf-8")
    page = open_page(browser, tmp_path / "match.html")
    page.keyboard.press("f")
    expect(page.locator("#strips")).to_be_hidden()
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.wait_for_function("document.getElementById('board').clientHeight > 0.6 * innerHeight")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    page.keyboard.press("f")
    expect(page.locator("#strips")).to_be_visible()
    page.close()


@pytest.mark.gate
def test_the_link_of_a_turn_is_copied_and_opens_at_that_turn_and_view(browser: Browser, file: Path) -> None:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(file.as_uri() + "#turn=21&seat=1")
    page.click("#share")
    expect(page.locator("#share")).to_have_text("Link copied")
    other = context.new_page()
    other.goto(page.evaluate("navigator.clipboard.readText()"))
    other.wait_for_selector("html[data-ready]")
    assert (turn_of(other), other.locator("input[name=view]:checked").get_attribute("value")) == (21, "1")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#share")).to_have_text("Copy the link")
    context.close()


@pytest.mark.gate
def test_without_access_to_the_clipboard_the_address_bar_has_the_link(page: Page) -> None:
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")  # as on a page over plain HTTP
    page.evaluate(GO_TO, 21)
    page.click("#share")
    expect(page.locator("#share")).to_have_text("Copy it from the address bar")
    assert "turn=21" in page.url


@pytest.mark.gate
@pytest.mark.parametrize("game", ["bomber", "heroquest", "placement"])
def test_the_board_is_told_in_words(browser: Browser, tmp_path: Path, game: str) -> None:
    made = play(game, ["random", "random"], seed=7)
    (tmp_path / "match.html").write_text(match_page(match_view(made.record)), encoding="utf-8")
    page = open_page(browser, tmp_path / "match.html", address="#turn=1")
    page.click("#words-box summary")
    expect(page.locator("#words dd").first).to_be_visible()
    told = dict(
        zip(page.locator("#words dt").all_inner_texts(), page.locator("#words dd").all_inner_texts(), strict=True)
    )
    assert all(re.fullmatch(r"\d+,\d+( \(.+\))?", cell) for cells in told.values() for cell in cells.split("; "))
    figures = [name for name in told if "(seat" in name]
    assert "random (seat 0)" in figures
    if game == "bomber":
        [state] = [moment.state for moment in replay(made.record) if moment.turn == 1]
        places = cast(Bomber, game_of(made.record)).rules.board.places
        x, y = places[state.players[0].cell]
        assert told["random (seat 0)"] == f"{x},{y} (0)"
        metal = {"{},{}".format(*places[cell]) for cell in cells_by_kind(state.blocks).metal}
        assert set(told["metal"].split("; ")) == metal
    page.close()


@pytest.mark.gate
def test_an_address_leads_to_a_turn_through_a_seats_eyes_and_the_address_follows(browser: Browser, file: Path) -> None:
    page = open_page(browser, file, address="?theme=dark&coords=1&fps=30#match=x&turn=12&seat=1")
    assert turn_of(page) == 12
    assert page.locator("input[name=view]:checked").get_attribute("value") == "1"
    assert page.get_attribute("html", "data-theme") == "dark"
    assert page.locator("#board .axes text").count() > 10
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**turn=13&seat=1")
    page.close()


@pytest.mark.gate
def test_an_embedded_board_is_alone_and_plays_by_itself_unless_the_reader_wants_no_motion(
    browser: Browser, file: Path
) -> None:
    page = open_page(browser, file, address="?controls=0&autoplay=1&fps=60")
    assert not page.is_visible("header")
    assert not page.is_visible("#side")
    expect(page.locator("#turn")).not_to_have_value("0")
    page.close()
    calm = browser.new_context(reduced_motion="reduce")
    still = calm.new_page()
    still.goto(file.as_uri() + "?autoplay=1")
    still.wait_for_selector("html[data-ready]")
    assert still.inner_text("#play") == "Play"
    calm.close()


def test_the_record_is_long_enough_to_mean_something(record: MatchRecord) -> None:
    assert sum(isinstance(line, TurnLine) for line in record.lines) == TURNS


@pytest.mark.gate
def test_what_a_seat_does_not_know_is_laid_over_what_it_sees(browser: Browser, tmp_path: Path) -> None:
    """A robot that has not come near the one wall."""
    params: dict[str, Any] = {"map": "0....#a", "knowledge": "unknown", "sensor": 1}
    made = play("navigation", ["navigation/astar"], seed=1, params=params).record
    shown = match_view(made)
    path = tmp_path / "match.html"
    path.write_text(match_page(shown), encoding="utf-8")
    page = open_page(browser, path, address="#turn=0&seat=0")
    assert page.locator("#board .over g > *").count() == 0
    page.keyboard.press("b")
    assert [page.locator(f"#board .{name} > *").count() for name in ("ghost", "fuller", "wrong")] == [1, 0, 0]
    page.close()


@pytest.mark.gate
def test_layers_of_a_bots_search_are_drawn_over_the_board_turn_by_turn(
    browser: Browser, shown: dict[str, Any], tmp_path: Path
) -> None:
    heat = {"name": CODE, "kind": "heat", "data": [0, 0, 1.5, 1, 0, -2]}
    way = {"name": "way", "kind": "path", "data": [0, 0, 1, 0, 1, 1]}
    words = {"name": "way", "kind": "text", "data": CODE}
    search = {"bot": CODE, "layers": {"1": {"3": [heat, way, words]}}, "answered": 9, "left_out": 0, "differences": []}
    path = tmp_path / "match.html"
    path.write_text(match_page(shown | {"search": search}), encoding="utf-8")
    page = open_page(browser, path, address="#turn=2")
    assert page.locator("#board .search rect").count() == 2
    below = "([cells, figures]) => cells.compareDocumentPosition(figures) & Node.DOCUMENT_POSITION_FOLLOWING"
    cells, figures = (
        page.locator(f"#board {one}").first.element_handle() for one in (".search rect", "[data-layer=figures]")
    )
    assert page.evaluate(below, [cells, figures])  # who stands there is seen
    assert page.inner_text("#search-key") == "blue: low, red: high"
    page.keyboard.press("m")
    assert page.locator("#board .search polyline").get_attribute("points") == "0.5,0.5 1.5,0.5 1.5,1.5"
    assert page.inner_text("#search-words") == CODE
    page.keyboard.press("ArrowRight")
    assert page.locator("#board .search > *").count() == 0
    assert page.inner_text("#search-words") == "nothing shown for this turn"
    assert page.evaluate("window.hacked") is None
    page.close()


@pytest.mark.gate
def test_two_matches_go_side_by_side_from_their_first_difference_on(
    browser: Browser, record: MatchRecord, tmp_path: Path
) -> None:
    """Names and texts are code here too; the second match ends after four turns, and its second seat waits in two."""
    replace = msgspec.structs.replace
    lines = [line for line in record.lines if isinstance(line, TurnLine)][:4]
    moved = [line.turn for line in lines if line.actions.get("1") != "wait"]
    waiting = [replace(line, actions=line.actions | {"1": "wait"}) for line in lines]
    path = tmp_path / "both.html"
    path.write_text(comparison_page(record, replace(record, lines=waiting)), encoding="utf-8")
    page = open_page(browser, path, width=PHONE)
    assert turn_of(page) == moved[0]
    assert page.locator(".board").count() == 2
    assert page.locator(".half .other").count() == 2  # what the seat did here, and there
    page.keyboard.press("e")
    assert turn_of(page) == [*moved, 5][1]
    page.keyboard.press("Home")
    assert page.inner_text("#where") == f"turn 0 of {TURNS}"
    page.get_by_role("button", name="First difference").click()
    assert turn_of(page) == moved[0]
    page.keyboard.press("End")
    assert page.locator(".half .standings li").count() == 4
    assert page.evaluate("window.hacked") is None
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE
    page.close()


@pytest.mark.gate
def test_an_analysis_is_a_strip_with_its_moments_among_the_events(
    browser: Browser, shown: dict[str, Any], tmp_path: Path
) -> None:
    ends = {"playouts": 9, "lows": [0.4, 0.1], "highs": [0.9, 0.6]}
    points = [{"turn": turn, "shares": [0.7, 0.3], **ends} for turn in (0, 900, TURNS)]
    sides = [{"name": CODE, "seats": [0]}, {"name": CODE, "seats": [1]}]
    analysis = {"goal": "", "bots": [CODE], "sides": sides, "points": points}
    events = [[900, "decisive", 1, CODE], *shown["events"]]
    path = tmp_path / "match.html"
    path.write_text(match_page(shown | {"analysis": analysis, "events": events}), encoding="utf-8")
    page = open_page(browser, path)
    assert "share of wins in playouts" in str(page.get_attribute("#strips", "aria-label"))
    assert page.locator("#events .decisive").text_content() == f"turn 900: decisive 1{CODE} (seat 1): {CODE}"
    assert page.evaluate("window.hacked") is None
    page.close()
