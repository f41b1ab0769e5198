"""A real contest in a browser: join, hand in, be admitted or not, play, be ranked, replay, hand in by a command."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from gridjoust.serve.contest import Contest
from tests.e2e.chromium import FOUND, open_browser
from tests.gridjoust.serve.classroom import BOT, CODE, TOURNAMENT, open_class
from tests.gridjoust.serve.site import Site, serve
from tests.joust_here import joust

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import BrowserContext, Page, expect

pytestmark = [pytest.mark.gate, pytest.mark.e2e, pytest.mark.skipif(FOUND is None, reason="no Chromium on PATH")]
PATIENCE_MS = 240_000  # an admission on a busy machine
CRASHES = BOT.replace(
    "return observation.legal[0]", 'print("so far, so good")\n        raise ValueError("not yet written")'
)


@pytest.fixture(scope="module")
def contest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Contest]:
    with open_class(tmp_path_factory.mktemp("term"), WITHOUT_DEADLINE) as contest:
        yield contest


@pytest.fixture(scope="module")
def site(contest: Contest) -> Iterator[Site]:
    with serve(contest, plays=True) as site:
        yield site


@pytest.fixture(scope="module")
def ada(site: Site) -> Iterator[BrowserContext]:
    with open_browser() as browser, browser.new_context(base_url=site.address) as context:
        context.set_default_timeout(PATIENCE_MS)
        yield context


WITHOUT_DEADLINE = f"""{TOURNAMENT}contest:
  code: {CODE}
  admission_s: 300
  grades: {{pairs: 1, thresholds: [{{grade: pass, score: 0}}]}}
"""


def drop(page: Page, name: str, text: str) -> None:
    page.goto("/hand-in")
    expect(page.locator("html")).to_have_attribute("data-ready", "yes", timeout=PATIENCE_MS)
    page.locator("#files").set_input_files({"name": name, "mimeType": "text/x-python", "buffer": text.encode()})


def test_a_term_from_the_join_code_to_a_replay(ada: BrowserContext, contest: Contest, tmp_path: Path) -> None:
    page = ada.new_page()
    join(page, tmp_path / "joust.key")

    drop(page, "bot.py", BOT)
    page.wait_for_url("**/bot/ada/1")
    expect(page.locator("#admission")).to_contain_text("Admitted", timeout=PATIENCE_MS)
    assert page.locator(".steps .passed").count() == len(contest.about.admission_steps)

    drop(page, "bot.py", CRASHES)
    page.wait_for_url("**/bot/ada/2")
    expect(page.locator(".steps .failed")).to_contain_text("not yet written", timeout=PATIENCE_MS)
    expect(page.locator("#admission")).to_contain_text("ada@1 plays on")

    page.goto("/")
    expect(page.locator('[data-bot="ada"]')).to_contain_text("ada@1", timeout=PATIENCE_MS)
    page.goto("/grades")
    expect(page.locator('[data-bot="ada"]')).to_contain_text("pass", timeout=PATIENCE_MS)
    replay(page)

    admitted = submit(tmp_path, BOT + "\n# again\n")
    assert (admitted.returncode, admitted.stderr) == (0, "")
    assert re.search(r"received as ada@3: http://127.0.0.1:\d+/bot/ada/3", admitted.stdout)
    assert admitted.stdout.splitlines()[-1].startswith("ada@3: admitted")
    refused = submit(tmp_path, CRASHES + "\n# again\n")
    assert (refused.returncode, "not yet written" in refused.stdout) == (1, True)


def join(page: Page, key_file: Path) -> None:
    page.goto("/join")
    page.get_by_label("Join code").fill(CODE)
    page.get_by_label("Name of you and your bot").fill("ada")
    page.get_by_role("button", name="Join").click()
    expect(page.locator("#key-box")).to_be_visible(timeout=PATIENCE_MS)
    with page.expect_download() as saved:
        page.get_by_text("save it as joust.key").click()
    saved.value.save_as(key_file)


def replay(page: Page) -> None:
    """Watch a match from the list to its end."""
    page.goto("/matches?name=ada")
    page.get_by_role("link", name="watch").first.click()
    expect(page.locator("#title")).to_contain_text("ada-1", timeout=PATIENCE_MS)
    page.get_by_role("button", name="To the end").click()
    expect(page.locator("#board > *").first).to_be_attached()


def submit(folder: Path, text: str) -> CompletedProcess[str]:
    (folder / "bot.py").write_text(text)
    return joust("submit", "bot.py", folder=folder)
