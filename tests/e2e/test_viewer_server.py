"""`joust view` as a reader meets it: list, a bot, a match and back, in a browser that obeys the pages' policy."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import msgspec
import pytest

from gridjoust.runner.results.records.file import read_record, write_record
from gridjoust.runner.results.tables.writer import TableWriter
from gridjoust.simulation import play
from gridjoust.viewer.export import export_pages
from tests.e2e.chromium import FLAGS, FOUND

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import Page, expect, sync_playwright

PHONE, DESK = 390, 1280
CODE = '<img src=x onerror="window.hacked=1">'

expect.set_options(timeout=60_000)  # a busy machine is slow, not wrong

pytestmark = [pytest.mark.e2e, pytest.mark.skipif(FOUND is None, reason="no Chromium on PATH")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two matches of a knockout between three bots, one of which has code for a name."""
    folder = tmp_path / "cup"
    (folder / "records").mkdir(parents=True)
    with TableWriter(folder) as tables:
        for number, names in enumerate([("ann", CODE), ("ann", "cy")]):
            made = play("bomber", ["random", "random"], seed=number, params={"max_ticks": 20}).record
            pairs = zip(made.header.seats, names, strict=True)
            seats = [msgspec.structs.replace(seat, bot=name) for seat, name in pairs]
            why = f"knockout {('semi-final', 'final')[number]}: seed 1 against seed 2"
            header = msgspec.structs.replace(made.header, seats=seats, schedule_reason=why)
            record = msgspec.structs.replace(made, header=header)
            write_record(folder / "records" / f"{header.match_id}.jsonl", record)
            tables.add(record)
    return folder


@pytest.fixture
def address(folder: Path) -> Iterator[str]:
    command = [sys.executable, "-c", "from gridjoust.commands import main; main()", "view", str(folder), "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    yield process.stdout.readline().split()[1]
    process.terminate()
    process.wait()
    process.stdout.close()


def go_to_its_pair(page: Page) -> None:
    """From a match by its keys, to both side by side."""
    page.keyboard.press("?")
    expect(page.locator("#help[open] dt").first).to_have_text("space")
    page.keyboard.press("Escape")
    page.click("#compare-box summary")
    expect(page.locator("#compare-with option")).to_have_count(1)
    page.click("#compare-link")
    expect(page.locator("#told")).to_contain_text("other seed; first different turn ")
    expect(page.locator("#pair .half h2")).to_have_count(2)


@pytest.mark.gate
def test_a_reader_goes_from_the_list_to_a_bot_to_its_match_and_back(address: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=FOUND, args=list(FLAGS))
        page = browser.new_page(viewport={"width": PHONE, "height": 900})
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address)
        expect(page.locator("#matches tbody tr")).to_have_count(2)
        expect(page.locator("#bracket h3")).to_have_text(["semi-final", "final"])
        page.select_option("select[name=bot]", "cy")
        expect(page.locator("#matches tbody tr")).to_have_count(1)
        expect(page.locator("#bot-title")).to_have_text("cy")
        page.goto(address)
        page.locator("#meetings a", has_text=CODE).click()
        expect(page.locator("#bot-title")).to_have_text(CODE)
        for width in (PHONE, DESK):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        page.locator("#matches tbody a").first.click()
        page.wait_for_selector("html[data-ready] #board [data-layer=blocks] rect")
        expect(page.locator("#title")).to_contain_text(CODE)
        page.keyboard.press("End")
        expect(page.locator("#where")).to_have_text("turn 20 of 20")
        go_to_its_pair(page)
        page.click("#back")
        expect(page.locator("#matches tbody tr")).to_have_count(2)
        assert page.evaluate("window.hacked") is None
        assert complaints == []
        browser.close()


@pytest.mark.gate
def test_a_folder_of_pages_is_read_from_disk_without_a_server(folder: Path, tmp_path: Path) -> None:
    with TableWriter(folder) as tables:
        for path in sorted((folder / "records").iterdir()):
            tables.add(read_record(path))
        for seed in range(60):
            made = play("bomber", ["random", "random"], seed=seed, params={"max_ticks": 1}).record
            tables.add(
                msgspec.structs.replace(made, header=msgspec.structs.replace(made.header, match_id=f"more{seed}"))
            )
    list(export_pages(folder, tmp_path / "out"))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=FOUND, args=list(FLAGS))
        page = browser.new_page(viewport={"width": PHONE, "height": 900})
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto((tmp_path / "out" / "index.html").as_uri())
        expect(page.locator("#found")).to_have_text("62 of 62 matches, 1 to 50, newest first")
        page.click("#older")
        expect(page.locator("#found")).to_have_text("62 of 62 matches, 51 to 62, newest first")
        expect(page.locator("#older")).to_be_disabled()
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        expect(page.locator(".thumb")).to_have_count(2)  # the others have no record
        assert page.evaluate("[...document.images].every(picture => picture.complete && picture.naturalWidth > 0)")
        page.locator(".thumb").first.click()
        page.wait_for_selector("html[data-ready] #board [data-layer=blocks] rect")
        page.click("#back")
        expect(page.locator(".thumb")).to_have_count(2)
        assert page.evaluate("window.hacked") is None
        assert complaints == []
        browser.close()


def test_two_matches_that_cannot_stand_side_by_side_are_refused_in_one_line(folder: Path, address: str) -> None:
    record = play("navigation", ["random", "random"], seats=2, seed=1).record
    one, walk = next((folder / "records").glob("*.jsonl")).stem, record.header.match_id
    write_record(folder / "records" / f"{walk}.jsonl", record)

    def refusal_of(other: str) -> tuple[int, str]:
        with pytest.raises(HTTPError) as refused:
            urlopen(f"{address}compare/{one}/{other}.json")
        return refused.value.code, refused.value.read().decode()

    told = "expected two matches with equal game and number of seats, got game bomber and navigation"
    assert refusal_of(walk) == (409, told)
    assert refusal_of("nothing") == (404, "cup has no match 'nothing'")
