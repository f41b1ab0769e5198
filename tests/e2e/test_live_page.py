"""The live page in a browser: boards that move, a break in mid-match, hostile texts, the keyboard, small screens.

The matches are recorded ones, whose lines are sent as a run sends them, turn by turn as the tests say.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import TypeVar

import msgspec
import pytest

from gridjoust.runner.results.records.file import write_record
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.results.tables.schedule_file import Planned, write_planned
from gridjoust.runner.results.tables.writer import TableWriter
from gridjoust.runner.wire.protocol import lines_topic
from gridjoust.simulation import play
from tests.e2e.chromium import FOUND, open_browser
from tests.e2e.joust_process import wait_until

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import Browser, Page, expect

from gridjoust.viewer.address import listen
from gridjoust.viewer.live_page.live import Live
from gridjoust.viewer.server import PageServer, make_app

PHONE, DESK = 390, 1280
CODE = '<img src=x onerror="window.hacked=1">'
PATIENT = """{  // boards that are over stay, however slow the machine is
    const later = window.setTimeout;
    window.setTimeout = (act, ms, ...rest) => (ms >= 5000 ? 0 : later(act, ms, ...rest));
}"""
HOSTS = ["127.0.0.1"]

pytestmark = [pytest.mark.e2e, pytest.mark.skipif(FOUND is None, reason="no Chromium on PATH")]
expect.set_options(timeout=60_000)  # a busy machine is slow, not wrong


def renamed(record: MatchRecord, *names: str) -> MatchRecord:
    seats = [msgspec.structs.replace(seat, bot=name) for seat, name in zip(record.header.seats, names, strict=True)]
    header = msgspec.structs.replace(record.header, seats=seats, map=CODE)
    end = msgspec.structs.replace(record.end, reason=f"{record.end.reason} {CODE}", faults=[1, 0])
    return msgspec.structs.replace(record, header=header, end=end)


@pytest.fixture(scope="module")
def records() -> list[MatchRecord]:
    bots = ["bomber/wanderer", "random"]
    made = [play("bomber", bots, seed=seed, params={"max_ticks": 30}).record for seed in (1, 2)]
    return [renamed(made[0], "ann", CODE), renamed(made[1], "ben", "cy")]


T = TypeVar("T")


class Venue:
    """A server in a thread, whose run is these tests; it can be broken off and goes on at the same address."""

    def __init__(self, results: Path) -> None:
        self.live_results = results
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.live = self.call(lambda: Live(results, is_live=True))
        self._listening = listen("127.0.0.1", 0)
        self.address = f"http://127.0.0.1:{self._listening.getsockname()[1]}/"
        self.serve()

    def call(self, act: Callable[[], T]) -> T:
        """Do it where the server runs."""
        done: Future[T] = Future()
        self._loop.call_soon_threadsafe(lambda: done.set_result(act()))
        return done.result(timeout=60)

    def serve(self) -> None:
        app = make_app(self.live_results, hosts=HOSTS, log=self.live.log)
        self._server = PageServer(app, on_exit=lambda: None)
        own = socket.socket(fileno=socket.dup(self._listening.fileno()))
        self._serving = asyncio.run_coroutine_threadsafe(self._server.serve(sockets=[own]), self._loop)

    def break_off(self) -> None:
        self._server.should_exit = True
        self.call(self._drop_connections)
        self._serving.result(timeout=60)

    def _drop_connections(self) -> None:
        for one in list(self._server.server_state.connections):
            one.transport.abort()

    def send(self, record: MatchRecord, *lines: msgspec.Struct) -> None:
        payload = b"\n".join(map(msgspec.json.encode, lines))
        self.call(lambda: self.live.boards.on_message(lines_topic("run", record.header.match_id), payload))

    def look(self) -> None:
        self.call(self.live.look)

    def draw(self, record: MatchRecord) -> None:
        """Now, whenever it is due."""
        boards = self.live.boards
        self.call(lambda: boards._draw(boards._boards[record.header.match_id]))

    def count_frames(self) -> int:
        """How many drawings there have been."""
        return self.call(lambda: sum(b'"frame"' in entry.text for entry in self.live.log._entries))

    def close(self) -> None:
        self.call(self.live.log.close)
        self.break_off()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=60)
        self._listening.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as opened:
        yield opened


@pytest.fixture
def venue(tmp_path: Path) -> Iterator[Venue]:
    results = tmp_path / "club <night>"
    (results / "records").mkdir(parents=True)
    write_planned(results, Planned(matches=5, is_exact=True))
    opened = Venue(results)
    yield opened
    opened.close()


def open_page(browser: Browser, venue: Venue, *, width: int = DESK, address: str = "live") -> tuple[Page, list[str]]:
    """The page, and what it complains of."""
    page = browser.new_page(viewport={"width": width, "height": 800})
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.add_init_script(PATIENT)
    page.goto(venue.address + address)
    page.wait_for_selector("html[data-ready]")
    return page, complaints


def card(page: Page, record: MatchRecord) -> str:
    return f'.board-card[data-match="{record.header.match_id}"]'


def drawn(page: Page, record: MatchRecord) -> str:
    return page.locator(f"{card(page, record)} .board").inner_html()


def frames_of(page: Page, record: MatchRecord) -> int:
    """How many drawings have come to the page."""
    return int(page.evaluate(f"window.livePage.boards.get('{record.header.match_id}').turns"))


@pytest.mark.gate
def test_boards_move_and_tables_follow_on_every_screen_whatever_bots_are_called(
    browser: Browser, venue: Venue, records: list[MatchRecord]
) -> None:
    first, second = records
    page, complaints = open_page(browser, venue)
    venue.send(first, first.header)
    venue.send(first, *first.lines[:10])
    page.wait_for_selector(f'{card(page, first)}[data-turn="10"]')
    before = drawn(page, first)
    venue.send(first, *first.lines[10:], first.end)
    page.wait_for_selector(f'{card(page, first)}[data-turn="{first.end.turns}"]')
    assert drawn(page, first) != before
    expect(page.locator(".ending")).to_contain_text(CODE)
    expect(page.locator(".live-seats")).to_contain_text(CODE)
    results = venue.live_results
    with TableWriter(results) as tables:
        for record in records:
            write_record(results / "records" / f"{record.header.match_id}.jsonl", record)
            tables.add(record)
    venue.look()
    expect(page.locator("#progress")).to_contain_text("2 of 5 matches")
    expect(page.locator("#standings tbody tr")).to_have_count(4)
    expect(page.locator("#standings")).to_contain_text(CODE)
    expect(page.locator("#last li")).to_have_count(2)
    expect(page.locator("#faulty")).to_contain_text("ann: 1")
    for width in (PHONE, DESK):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    write_planned(results, Planned(matches=5, is_exact=True, is_over=True))  # no seed is still to be played
    page.locator("#last a").first.click()
    page.wait_for_selector("html[data-ready] #board [data-layer=blocks] rect")
    expect(page.locator("#title")).to_contain_text(second.header.seats[0].bot)
    assert page.evaluate("window.hacked") is None
    assert complaints == []
    page.close()


@pytest.mark.gate
def test_after_a_break_in_mid_match_no_frame_is_missing(
    browser: Browser, venue: Venue, records: list[MatchRecord]
) -> None:
    record = records[0]
    page, _ = open_page(browser, venue)
    venue.send(record, record.header)
    venue.send(record, *record.lines[:5])
    page.wait_for_selector(f'{card(page, record)}[data-turn="5"]')
    venue.break_off()
    expect(page.locator("#notice")).to_be_visible()
    for line in record.lines[5:20]:
        venue.send(record, line)
        venue.draw(record)
    venue.serve()
    page.wait_for_selector(f'{card(page, record)}[data-turn="20"]')
    expect(page.locator("#notice")).to_be_hidden()
    venue.send(record, *record.lines[20:25])
    page.wait_for_selector(f'{card(page, record)}[data-turn="25"]')
    wait_until(lambda: frames_of(page, record) == venue.count_frames(), "as many frames as were drawn")
    assert frames_of(page, record) >= 17
    other, _ = open_page(browser, venue)
    other.wait_for_selector(f'{card(other, record)}[data-turn="25"]')
    assert drawn(other, record) == drawn(page, record)
    other.close()
    page.close()


def test_the_page_is_used_with_the_keyboard_alone(browser: Browser, venue: Venue, records: list[MatchRecord]) -> None:
    page, _ = open_page(browser, venue)
    for record in records:
        venue.send(record, record.header)
    cards, press = page.locator(".board-card:visible"), page.keyboard.press
    expect(cards).to_have_count(2)
    press("ArrowRight")
    expect(cards).to_have_count(1)
    expect(page.locator(card(page, records[0]))).to_be_visible()
    press("ArrowRight")
    expect(page.locator(card(page, records[1]))).to_be_visible()
    press("Escape")
    expect(cards).to_have_count(2)
    press("p")
    expect(page.locator("body")).to_have_attribute("data-projector", "yes")
    expect(cards).to_have_count(1)
    expect(page.locator("nav")).to_be_hidden()
    press("Escape")
    expect(cards).to_have_count(2)
    press("?")
    expect(page.locator("#help")).to_be_visible()
    press("Escape")
    expect(page.locator("#help")).to_be_hidden()
    page.locator(".board-head").first.focus()
    press("Enter")
    expect(cards).to_have_count(1)
    page.close()


@pytest.mark.gate
def test_a_projector_shows_one_board_and_the_list_of_matches_grows_by_itself(
    browser: Browser, venue: Venue, records: list[MatchRecord]
) -> None:
    results = venue.live_results
    for record in records:
        write_record(results / "records" / f"{record.header.match_id}.jsonl", record)
    with TableWriter(results) as tables:
        tables.add(records[0])
        listed, complaints = open_page(browser, venue, address="")
        expect(listed.locator("#matches tbody tr")).to_have_count(1)
        tables.add(records[1])
    venue.look()
    expect(listed.locator("#matches tbody tr")).to_have_count(2)
    for record in records:
        venue.send(record, record.header)
    page, more = open_page(browser, venue, address="live?projector=1")
    expect(page.locator(".board-card:visible")).to_have_count(1)
    expect(page.locator("#standings tbody tr")).to_have_count(4)
    assert complaints + more == []
    listed.close()
    page.close()


@pytest.mark.gate
def test_a_projector_shows_all_rows_of_a_class_of_32_and_the_last_board_stays(
    browser: Browser, venue: Venue, records: list[MatchRecord]
) -> None:
    first = records[0]
    with TableWriter(venue.live_results) as tables:
        for number in range(16):
            header = msgspec.structs.replace(first.header, match_id=f"m{number}")
            tables.add(
                renamed(msgspec.structs.replace(first, header=header), f"bot {2 * number}", f"bot {2 * number + 1}")
            )
    venue.look()
    page = browser.new_page(viewport={"width": DESK, "height": 800})
    page.clock.install()
    page.goto(f"{venue.address}live?projector=1")
    expect(page.locator("#standings tbody tr")).to_have_count(32)
    box = page.locator("#standings tbody tr").last.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 800
    for record in records:
        venue.send(record, record.header)
        venue.send(record, *record.lines, record.end)
    expect(page.locator(".board-card")).to_have_count(2)
    for record in records:
        expect(page.locator(f"{card(page, record)} .ending")).not_to_be_empty()
    page.clock.run_for(7000)
    expect(page.locator(".board-card")).to_have_count(1)
    expect(page.locator("#idle")).to_be_hidden()
    page.close()
