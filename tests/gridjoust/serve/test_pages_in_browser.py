"""The pages of a contest in a browser: joining, handing in, admission, boards, the reveal, phones, the keyboard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest

from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.serve.values import Phase, Version
from tests.e2e.chromium import FOUND, open_browser
from tests.gridjoust.serve.fake_contest import CODE, FakeContest, renamed, short_match
from tests.gridjoust.serve.site import Site, serve

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import Browser, BrowserContext, Page, expect

PHONE, DESK = 390, 1280
HOSTILE = '"><img src=x onerror="window.hacked=1">'
pytestmark = [pytest.mark.gate, pytest.mark.e2e, pytest.mark.skipif(FOUND is None, reason="no Chromium on PATH")]
expect.set_options(timeout=60_000)  # a busy machine is slow, not wrong
DROP = """name => {
    const moved = new DataTransfer();
    moved.items.add(new File(["import gridjoust"], name));
    document.getElementById("drop").dispatchEvent(new DragEvent("drop", { dataTransfer: moved, bubbles: true }));
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as opened:
        yield opened


@pytest.fixture
def contest(tmp_path: Path) -> FakeContest:
    return FakeContest(tmp_path)


@pytest.fixture
def site(contest: FakeContest) -> Iterator[Site]:
    with serve(contest) as site:
        yield site


@pytest.fixture
def address(site: Site) -> str:
    return site.address


@pytest.fixture
def problems() -> list[str]:
    """Errors of pages and their scripts; checked at the end of `person`."""
    return []


@pytest.fixture
def person(browser: Browser, address: str, problems: list[str]) -> Iterator[BrowserContext]:
    """The browser of one person; no page of it may have had an error, or run foreign code."""
    with browser.new_context(base_url=address, viewport={"width": DESK, "height": 800}) as context:
        context.on("weberror", lambda error: problems.append(str(error.error)))
        context.on(
            "console",
            lambda said: (
                problems.append(said.text) if said.type == "error" and "status of 4" not in said.text else None
            ),
        )
        yield context
        assert problems == []
        assert not any(page.evaluate("window.hacked") for page in context.pages)


def ready(page: Page, path: str) -> Page:
    page.goto(path)
    expect(page.locator("html")).to_have_attribute("data-ready", "yes")
    return page


def listening(page: Page) -> Page:
    """Open the page of boards, and wait until it hears what begins: a match that ended before is not shown."""
    with page.expect_response(re.compile("/events")):
        return ready(page, "/live")


def join(context: BrowserContext, name: str) -> Page:
    page = ready(context.new_page(), "/join")
    page.get_by_label("Join code").fill(CODE)
    page.get_by_label("Name of you and your bot").fill(name)
    page.get_by_role("button", name="Join").click()
    expect(page.locator("#key-box")).to_be_visible()
    return page


def sign_in_staff(context: BrowserContext, address: str) -> None:
    context.add_cookies([{"name": "joust_key", "value": "staff-key", "url": address}])


def admit(contest: FakeContest) -> None:
    """Let every version pass as soon as it is received."""
    contest.on_receive = lambda version: contest.decide(version.label)


def test_who_joins_sees_the_key_once_can_save_it_and_is_signed_in(person: BrowserContext) -> None:
    page = join(person, "ada")
    expect(page.locator("#key")).to_have_text("key-of-ada-1")
    with page.expect_download() as saved:
        page.get_by_text("save it as joust.key").click()
    assert Path(saved.value.path()).read_text().split() == ["key-of-ada-1", page.url.removesuffix("join")]
    ready(page, "/join")
    expect(page.locator("main")).to_contain_text("You are signed in as ada")
    expect(page.locator("#key")).to_be_hidden()


def test_a_wrong_code_is_said_on_the_page(person: BrowserContext) -> None:
    page = ready(person.new_page(), "/join")
    page.get_by_label("Join code").fill("guess")
    page.get_by_label("Name of you and your bot").fill("eve")
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("alert")).to_have_text(re.compile("this is not the join code"))


def test_a_dropped_file_is_handed_in_and_its_admission_appears_by_itself(
    person: BrowserContext, contest: FakeContest
) -> None:
    page = join(person, "ada")
    ready(page, "/hand-in").evaluate(DROP, "bot.py")
    page.wait_for_url("**/bot/ada/1")
    expect(page.locator("#admission")).to_contain_text("waiting for admission, place 1")
    contest.decide("ada@1")
    expect(page.locator("#admission")).to_contain_text("Admitted: its matches begin now.")
    assert contest.received["ada@1"].read_bytes() == b"import gridjoust"


def test_a_failed_admission_shows_its_log_to_the_owner_and_to_nobody_else(
    person: BrowserContext, browser: Browser, address: str, contest: FakeContest
) -> None:
    contest.on_receive = lambda version: contest.decide(version.label, failed="doctor", log="ValueError: my secret")
    page = join(person, "ada")
    ready(page, "/hand-in").evaluate(DROP, "bot.py")
    page.wait_for_url("**/bot/ada/1")
    expect(page.locator(".failed")).to_contain_text("ValueError: my secret")
    expect(page.locator(".failed code")).to_have_text("joust ask bot.py --turn 3")
    with browser.new_context(base_url=address) as other:
        seen = ready(other.new_page(), "/bot/ada/1")
        expect(seen.locator(".failed")).to_contain_text("doctor")
        assert "my secret" not in seen.content()


def test_several_files_and_folders_arrive_as_one_zip(
    person: BrowserContext, contest: FakeContest, tmp_path: Path
) -> None:
    folder = tmp_path / "mine"
    (folder / "lib" / "__pycache__").mkdir(parents=True)
    for name, text in {"bot.py": "a", "lib/täst.py": "b" * 1000, "lib/__pycache__/x.pyc": "c", ".env": "d"}.items():
        (folder / name).write_text(text)
    page = join(person, "ada")
    ready(page, "/hand-in").locator("#folder").set_input_files(folder)
    page.wait_for_url("**/bot/ada/1")
    with ZipFile(contest.received["ada@1"]) as archive:
        assert archive.testzip() is None
        assert sorted(archive.namelist()) == ["bot.py", "lib/täst.py"]
        assert archive.read("lib/täst.py") == b"b" * 1000


def test_two_tabs_of_one_person_show_the_same_version(person: BrowserContext, contest: FakeContest) -> None:
    one = join(person, "ada")
    other = ready(person.new_page(), "/bot/ada")
    expect(other.locator("#versions")).to_contain_text("Nothing has been handed in yet.")
    ready(one, "/hand-in").evaluate(DROP, "bot.py")
    one.wait_for_url("**/bot/ada/1")
    other.bring_to_front()
    expect(other.locator('[data-version="ada@1"]')).to_be_visible()


def test_a_match_is_replayed_from_the_list_and_shows_the_own_log_alone(
    person: BrowserContext, contest: FakeContest
) -> None:
    admit(contest)
    page = join(person, "ada")
    ready(page, "/hand-in").evaluate(DROP, "bot.py")
    page.wait_for_url("**/bot/ada/1")
    match_id = contest.enter_match("ada@1", "random")
    contest.logs[match_id, "ada@1"] = "what ada printed"
    ready(page, "/matches?name=ada").get_by_role("link", name="watch").click()
    expect(page.locator("html")).to_have_attribute("data-ready", "yes")
    expect(page.locator("#title")).to_have_text("bomber: ada-1 – random")
    expect(page.locator("#logs")).to_contain_text("what ada printed")
    page.get_by_role("button", name="To the end").click()
    expect(page.locator("#board > *").first).to_be_attached()
    page.get_by_role("link", name="All matches").click()
    expect(page.locator("#ladder")).to_be_visible()


def test_a_running_match_appears_on_the_live_page(person: BrowserContext, site: Site, contest: FakeContest) -> None:
    page = listening(person.new_page())
    expect(page.locator("#idle")).to_be_visible()
    record = renamed(short_match(5), "ada@1", "eve@2")
    play_live(site, contest, record)
    expect(page.locator(".board-card")).to_contain_text("ada-1 – eve-2")
    expect(page.locator(".board-card .ending")).to_be_visible()


def play_live(site: Site, contest: FakeContest, record: MatchRecord) -> None:
    """Send a whole match as a run does, in the thread of the server."""

    def send() -> None:
        contest.live.boards.hear(record.header.match_id, [record.header])
        contest.live.boards.hear(record.header.match_id, [*record.lines, record.end])

    site.call(send)


def test_a_match_on_demand_is_asked_for_on_the_queue(person: BrowserContext, contest: FakeContest) -> None:
    admit(contest)
    page = join(person, "ada")
    ready(page, "/hand-in").evaluate(DROP, "bot.py")
    page.wait_for_url("**/bot/ada/1")
    ready(page, "/queue")
    page.get_by_label("Seed").fill("7")
    page.get_by_role("button", name="Play it").click()
    expect(page.locator("#queue")).to_contain_text("on demand")
    expect(page.locator("#next")).to_contain_text("ada@1 – random")


def test_staff_reveal_the_final_by_keys_and_everybody_sees_each_place(
    person: BrowserContext, browser: Browser, address: str, contest: FakeContest
) -> None:
    admit(contest)
    for name in ("ada", "eve", "bob"):
        contest.receive(contest.join(CODE, name)[0], upload_of(contest), filename="bot.py")
    contest.now = Phase.FROZEN
    contest.start_final(contest.staff)
    contest.finish_final()
    sign_in_staff(person, address)
    projector = ready(person.new_page(), "/final")
    with browser.new_context(base_url=address) as other:
        phone = ready(other.new_page(), "/final")
        for name in ("bob", "eve", "ada"):
            assert (
                projector.locator("#final .place").count() == 0
                or name not in projector.locator("#final .place").inner_text()
            )
            projector.keyboard.press("ArrowRight")
            expect(projector.locator("#final .place")).to_contain_text(name)
            expect(phone.locator("#final .place")).to_contain_text(name)
        projector.keyboard.press("ArrowLeft")
        expect(phone.locator("#final .place")).to_contain_text("eve")


def upload_of(contest: FakeContest) -> Path:
    path = contest.uploads / "upload"
    path.write_bytes(b"import gridjoust")
    return path


def test_a_new_key_is_asked_for_and_shown_to_staff(person: BrowserContext, address: str, contest: FakeContest) -> None:
    contest.join(CODE, "ada")
    sign_in_staff(person, address)
    page = ready(person.new_page(), "/staff")
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="New key").click()
    expect(page.locator("#key")).to_have_text("new-key-of-ada")


def test_staff_move_an_entrant_and_everybody_looks_at_the_ladder_of_one_track(
    person: BrowserContext, address: str, contest: FakeContest
) -> None:
    admit(contest)
    contest.codes = {"students": CODE, "guests": "everybody-else"}
    contest.about = replace(contest.about, tracks=("students", "guests"))
    for name in ("ada", "bob"):
        contest.receive(contest.join(CODE, name)[0], upload_of(contest), filename="bot.py")
    sign_in_staff(person, address)
    page = ready(person.new_page(), "/staff")
    page.set_viewport_size({"width": PHONE, "height": 800})
    page.get_by_label("Track of bob").select_option("guests")
    page.locator("#move-bob").click()
    expect(page.locator("#move-bob")).to_be_enabled()
    assert [contest.person(name).track for name in ("ada", "bob")] == ["students", "guests"]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE
    ready(page, "/").get_by_role("link", name="guests").click()
    expect(page.locator("#ladder-title")).to_have_text("Ladder of guests")
    expect(page.locator("#ladder [data-bot]")).to_have_count(1)
    expect(page.locator("#ladder [data-bot]")).to_contain_text("bob@1")


def test_a_file_dropped_after_the_deadline_is_received_and_marked(person: BrowserContext, contest: FakeContest) -> None:
    admit(contest)
    contest.now = Phase.FROZEN
    page = join(person, "ada")
    expect(ready(page, "/hand-in").locator("#phase")).to_contain_text("meets the staff bots alone")
    page.evaluate(DROP, "bot.py")
    page.wait_for_url("**/bot/ada/1")
    expect(page.locator("#admission-title")).to_contain_text("after the deadline")
    expect(ready(page, "/grades").locator("h3 ~ div [data-bot=ada]")).to_be_visible()
    expect(ready(page, "/").locator("#ladder [data-bot]")).to_have_count(0)


def test_everything_can_be_done_with_the_keyboard_alone(person: BrowserContext, contest: FakeContest) -> None:
    page = ready(person.new_page(), "/")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    press_on(page, "Join or sign in")
    page.wait_for_url("**/join")
    expect(page.locator("html")).to_have_attribute("data-ready", "yes")
    tab_to(page, '[name="code"]')
    page.keyboard.type(CODE)
    page.keyboard.press("Tab")
    page.keyboard.type("ada")
    page.keyboard.press("Enter")
    expect(page.locator("#key-box")).to_be_focused()
    tab_to(page, "#key-box a[href='/hand-in']")
    page.keyboard.press("Enter")
    page.wait_for_url("**/hand-in")
    tab_to(page, "#files")


def tab_to(page: Page, selector: str) -> None:
    for _ in range(40):
        if page.evaluate("one => document.activeElement?.matches(one)", selector):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"the tab key does not lead to {selector}")


def press_on(page: Page, text: str) -> None:
    for _ in range(40):
        if page.evaluate("document.activeElement?.textContent") == text:
            page.keyboard.press("Enter")
            return
        page.keyboard.press("Tab")
    pytest.fail(f"the tab key does not lead to {text}")


PATHS = (
    "/",
    "/grades",
    "/queue",
    "/matches",
    "/hand-in",
    "/join",
    "/live",
    "/final",
    "/guide/bomber",
    "/bot/ada",
    "/bot/ada/1",
)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_page_is_wider_than_a_phone_and_texts_stand_out(
    person: BrowserContext, address: str, contest: FakeContest, theme: str
) -> None:
    full(contest)
    page = join(person, "bob")
    page.set_viewport_size({"width": PHONE, "height": 800})
    sign_in_staff(person, address)
    for path in (*PATHS, "/staff"):
        ready(page, f"{path}?theme={theme}")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE, path
        assert contrast(page) > 4.5, path


def contrast(page: Page) -> float:
    """Return the contrast of the page's text to its background, as WCAG 2.2 defines it."""
    parts = page.evaluate("[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]")
    text, ground = sorted(map(luminance, parts), reverse=True)
    return (text + 0.05) / (ground + 0.05)


def luminance(colour: str) -> float:
    linear = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (int(part) / 255 for part in re.findall(r"\d+", colour)[:3])
    ]
    return sum(weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def full(contest: FakeContest) -> Version:
    """Fill a contest with long names, versions, and a match."""
    admit(contest)
    for name in ("ada", "w" * 32):
        person = contest.join(CODE, name)[0]
        contest.receive(person, upload_of(contest), filename="bot.py")
        contest.receive(person, upload_of(contest), filename="bot.py")
    contest.enter_match("ada@1", f"{'w' * 32}@2")
    return contest.version("ada@1")


def test_a_hostile_entrant_runs_no_code_in_any_field(person: BrowserContext, site: Site, contest: FakeContest) -> None:
    full(contest)
    contest.about = replace(contest.about, title=HOSTILE)
    contest.decide("ada@1", failed="doctor", log=HOSTILE)
    contest.persons["ada"] = replace(contest.persons["ada"], name=HOSTILE)
    contest.keep(renamed(short_match(9), HOSTILE, HOSTILE), reason=HOSTILE)
    sign_in_staff(person, site.address)
    page = person.new_page()
    for path in (*PATHS, "/staff"):
        ready(page, path)
        assert page.evaluate("window.hacked ?? 0") == 0, path
        assert page.locator("img[src=x]").count() == 0, path
        assert "onerror" in page.content(), path
    listening(page)
    play_live(site, contest, renamed(short_match(10), HOSTILE, HOSTILE))
    expect(page.locator(".board-card")).to_contain_text("onerror")
    ready(page, f"/watch#match={contest.played[-1].match_id}")
    expect(page.locator("#title")).to_contain_text("onerror")
