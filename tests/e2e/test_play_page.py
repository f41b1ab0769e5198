"""`joust play --browser`: a person plays with the keyboard in a browser, and nobody else gets at the seat."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from subprocess import Popen

import pytest

from gridjoust.runner.results.records.file import list_records, read_record
from gridjoust.runner.results.records.lines import TurnLine
from gridjoust.runner.results.replay import verify
from tests.e2e.chromium import FOUND, open_browser
from tests.e2e.joust_process import start_joust

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import Page, expect
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

pytestmark = pytest.mark.e2e
expect.set_options(timeout=60_000)  # a busy machine is slow, not wrong

MAP = ("--param", "map=.....", "--param", "start=0,0", "--param", "goal=4,0", "--param", "connectivity=4")
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def played(tmp_path: Path) -> Iterator[tuple[Popen[str], str]]:
    """The process and the address of its page."""
    process = start_joust("play", "navigation", *MAP, "--browser", folder=tmp_path)
    assert process.stdout is not None
    yield process, process.stdout.readline().split()[1]
    process.terminate()
    process.communicate()


def recorded(folder: Path) -> list[str]:
    """The answers of seat 0 in the only match, whose record is right."""
    [results] = (folder / "results").iterdir()
    [path] = list_records(results)
    record = read_record(path)
    assert verify(record) is None
    return [line.actions["0"] for line in record.lines if isinstance(line, TurnLine) and "0" in line.actions]


def expect_turn(page: Page, number: int) -> None:
    expect(page.locator("#asked")).to_have_text(f"Turn {number}: your answer")


def play_with_keys(page: Page) -> None:
    press = page.keyboard.press
    expect_turn(page, 1)
    page.click("[data-line=hint]")
    expect(page.locator(".action[aria-pressed=true]")).to_contain_text("E")
    press("ArrowRight")
    expect_turn(page, 2)
    page.reload()
    expect_turn(page, 2)
    expect(page.locator(".board-card")).to_have_attribute("data-turn", "1")
    press("d")
    expect_turn(page, 3)
    page.click("[data-line=undo]")
    expect_turn(page, 2)
    press("/")
    page.keyboard.type("d")
    press("Enter")
    expect_turn(page, 3)
    press("Escape")
    page.locator(".action", has_text="E").first.click()
    expect_turn(page, 4)
    press("ArrowRight")


@pytest.mark.gate
@pytest.mark.skipif(FOUND is None, reason="no Chromium on PATH")
def test_a_person_plays_with_keys_asks_takes_back_and_comes_back(
    played: tuple[Popen[str], str], tmp_path: Path
) -> None:
    process, address = played
    with open_browser() as browser:
        page = browser.new_page(viewport=PHONE)  # type: ignore[arg-type]
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address)
        play_with_keys(page)
        expect(page.locator("#asked")).to_have_text("The match is over")
        expect(page.locator("#said")).to_contain_text("record: ")
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        assert complaints == []
    assert process.wait(timeout=60) == 0
    assert recorded(tmp_path) == ["E"] * 4


def test_the_seat_is_for_who_knows_the_address_and_for_no_page_of_another_site(
    played: tuple[Popen[str], str],
) -> None:
    base, _, key = played[1].partition("/?key=")
    socket = base.replace("http:", "ws:") + "/play?key="
    for wanted, origin in ((socket + "guess", base), (socket, base), (socket + key, "http://evil.example")):
        with pytest.raises(WebSocketException):
            connect(wanted, origin=origin)  # type: ignore[arg-type]
    with connect(socket + key, origin=base) as seat:  # type: ignore[arg-type]
        assert b'"kind"' in bytes(seat.recv(timeout=60))  # type: ignore[arg-type]


ROOM = """\
+---+---+---+---+
|R            rt|
+   +   +   +   +
|G   B   Y      |
+---+---+---+---+"""


@pytest.mark.gate
@pytest.mark.skipif(FOUND is None, reason="no Chromium on PATH")
def test_ricochet_is_played_by_keyboard_alone_and_every_robot_can_be_clicked(tmp_path: Path) -> None:
    rules = ("--seats", "1", "--param", f"map={ROOM}", "--param", "min_optimum=1")
    process = start_joust("play", "ricochet", *rules, "--browser", folder=tmp_path)
    assert process.stdout is not None
    with open_browser() as browser:
        page = browser.new_page()
        page.goto(process.stdout.readline().split()[1])
        expect_turn(page, 1)
        page.locator("summary").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#words")).to_contain_text("3,0")
        expect(page.locator("#told")).to_contain_text("bring red to triangle")
        robots = page.locator("[data-layer=robots] text")
        robots.nth(1).click()
        robots.nth(3).click()
        page.locator("[data-layer=targets] path").first.click()
        expect(page.locator("#typed")).to_have_value("yN")
        page.locator("#asked").click()
        for key in ("Backspace", "r", "ArrowRight"):
            page.keyboard.press(key)
        expect(page.locator("#typed")).to_have_value("rE")
        expect(page.locator("[data-layer=solution] polyline")).to_have_count(1)
        expect(page.locator(".where")).to_contain_text("s left")
        page.keyboard.press("Enter")
        page.keyboard.press("p")
        expect(page.locator("#asked")).to_have_text("Turn 3: your answer")
        page.keyboard.press("Enter")
        expect(page.locator("#asked")).to_have_text("The match is over")
    process.communicate()
    assert recorded(tmp_path) == ["bid 1", "pass", "solve red E"]


MOVABLE = {  # game -> what makes it short
    "bomber": ("--param", "max_ticks=30"),
    "eidolon": ("--preset", "exp1", "--heroes", "1"),
    "heroquest": (),
    "navigation": ("--param", "width=12", "--param", "height=12"),
    "placement": (),
}
CHOSEN = "() => document.activeElement?.dataset.action ?? ''"


def next_turn(page: Page, number: int) -> int:
    """Wait for the question after that of a turn; return its number."""
    asked = page.locator("#asked")
    expect(asked).to_have_text(re.compile(rf"Turn (?!{number}:)\d+: your answer"))
    return int(asked.inner_text().split()[1].rstrip(":"))


@pytest.mark.gate
@pytest.mark.parametrize("game", MOVABLE)
@pytest.mark.skipif(FOUND is None, reason="no Chromium on PATH")
def test_every_game_is_played_with_tab_and_enter_by_its_keys_and_by_typing(game: str, tmp_path: Path) -> None:
    process = start_joust("play", game, *MOVABLE[game], "--browser", folder=tmp_path)
    assert process.stdout is not None
    with open_browser() as browser:
        page = browser.new_page()
        press = page.keyboard.press
        page.goto(process.stdout.readline().split()[1])
        turn = next_turn(page, 0)
        while not (first := page.evaluate(CHOSEN)):
            press("Tab")
        press("Enter")
        turn = next_turn(page, turn)
        second = page.evaluate(CHOSEN)  # the focus is where it was
        press("Enter")
        turn = next_turn(page, turn)
        press("/")
        third = page.locator(".action").first.get_attribute("data-action") or ""
        page.keyboard.type(third)
        press("Enter")
        next_turn(page, turn)
        press("Escape")
        press("?")
        expect(page.locator("#help")).to_be_visible()
        press("Escape")
        press("/")
        page.keyboard.type("quit")
        press("Enter")
        expect(page.locator("#asked")).to_have_text("The match is over")
    process.communicate()
    assert recorded(tmp_path)[:3] == [first, second, third]
