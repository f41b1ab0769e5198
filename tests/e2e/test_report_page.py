"""The report as people look at it: in a browser, on a phone and a desk, in light and dark, by mouse and keyboard."""

from __future__ import annotations

import base64
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from gridjoust.leaderboard.report.page import write_report
from gridjoust.leaderboard.report.source import load_source
from tests.e2e.chromium import FOUND, open_browser
from tests.leaderboard.report.made_results import PLANNERS, MadeBot, MadeGame, make_bots, make_results

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import Browser, Page

SAMPLE = Path(__file__).parents[2] / "results" / "sample"
PHONE, DESK = 390, 1280
PAPER = 718  # A4 between the usual margins
HEIGHT = 900
NAMES = ("sample", "six", "solo", "nasty")

pytestmark = [pytest.mark.e2e, pytest.mark.gate, pytest.mark.skipif(FOUND is None, reason="no Chromium on PATH")]

CLIPPED = """() => [...document.querySelectorAll("h1, h2, h3, p, li, dt, dd, figcaption, button")]
  .filter(one => one.getClientRects().length && !one.closest("nav") && one.scrollWidth > one.clientWidth + 1)
  .map(one => one.textContent.slice(0, 60))"""

OUTSIDE = """() => [...document.querySelectorAll("svg.plot text")].filter(one => {
    const own = one.getBoundingClientRect(), room = document.documentElement.clientWidth;
    return own.width && (own.right > room + 0.5 || own.left < -0.5);
  }).map(one => one.textContent)"""

FAINT = """() => {
  const numbers = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const found = numbers(getComputedStyle(at).backgroundColor);
      if (found.length < 4 || found[3] > 0) return found;
    }
    return [255, 255, 255];
  };
  const found = [];
  for (const one of document.querySelectorAll("body *")) {
    const hasText = [...one.childNodes].some(child => child.nodeType === 3 && child.textContent.trim());
    if (!hasText || !one.getClientRects().length || one.closest("script, style, title, desc, .skip, caption")) continue;
    const style = getComputedStyle(one);
    const colour = one instanceof SVGElement ? style.fill : style.color;
    const [bright, dark] = [light(numbers(colour)), light(behind(one))].sort((a, b) => b - a);
    if ((bright + 0.05) / (dark + 0.05) < 4.5) found.push(one.tagName + "." + one.getAttribute("class") + " " + colour);
  }
  return [...new Set(found)];
}"""

SPOIL = """() => {  // by script: the page allows no styles in attributes
  const add = (html, style) => {
    document.querySelector("main").insertAdjacentHTML("afterbegin", html);
    Object.assign(document.querySelector("main").firstElementChild.style, style);
  };
  add("<p>far too long</p>", { width: "20px", overflow: "hidden", whiteSpace: "nowrap" });
  add("<p>hardly there</p>", { background: "#fff", color: "#eee" });
  add('<svg class="plot"><text x="-400" y="9">left of it all</text></svg>', { overflow: "visible" });
}"""

COLOURS = """async (data) => {
  const image = await createImageBitmap(await (await fetch(data)).blob());
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const pixels = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  return { colours: counts.size, most: Math.max(...counts.values()) / pixels.length };
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as started:
        yield started


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Reports by name: the sample, many bots in many games, one solo game, names that are code."""
    folder = tmp_path_factory.mktemp("pages")
    nasty = ("<script>window.hacked=1</script>", "NA", "x" * 64, '"><img src=x onerror="window.hacked=1">')
    games = (
        MadeGame("bomber"),
        MadeGame("ricochet", "table", ("a", "b")),
        MadeGame("eidolon", "team"),
        MadeGame("placement", "solo"),
        MadeGame("a_game_with_quite_a_long_name_for_a_phone"),
        MadeGame("navigation", "solo", tuple(f"maze-{at}" for at in range(6))),
    )
    bots = [MadeBot(name, PLANNERS[at % 5], 1 - at / 2, 1.0, 0.2) for at, name in enumerate(nasty)]
    made = {
        "sample": SAMPLE,
        "six": make_results(folder / "six", bots=make_bots(16), games=games, rounds=2, turns=3),
        "solo": make_results(folder / "solo", bots=make_bots(5), games=games[5:], rounds=24, turns=3),
        "nasty": make_results(folder / ("n" * 64), bots=bots, games=games[:1], rounds=6, turns=3),
    }
    return {name: write_report(load_source(results), folder / f"{name}.html") for name, results in made.items()}


def show(browser: Browser, path: Path, *, width: int = DESK, scheme: str = "light") -> Iterator[Page]:
    context = browser.new_context(
        viewport={"width": width, "height": HEIGHT},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    try:
        page = context.new_page()
        page.goto(path.as_uri())
        yield page
    finally:
        context.close()


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(
    scope="module",
    params=[(name, width) for name in NAMES for width in (PHONE, DESK)],
    ids=[f"{name}-{width}" for name in NAMES for width in ("phone", "desk")],
)
def page(request: pytest.FixtureRequest, browser: Browser, pages: dict[str, Path]) -> Iterator[Page]:
    """Every report at both widths, to be looked at only."""
    name, width = request.param
    yield from show(browser, pages[name], width=width)


@pytest.fixture
def six(browser: Browser, pages: dict[str, Path]) -> Iterator[Page]:
    yield from show(browser, pages["six"])


def test_a_page_does_not_scroll_sideways_and_neither_words_nor_labels_are_cut(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert page.evaluate(CLIPPED) == []
    assert page.evaluate(OUTSIDE) == []


def test_what_is_clipped_outside_or_faint_would_be_found(six: Page) -> None:
    six.evaluate(SPOIL)
    assert six.evaluate(CLIPPED) == ["far too long"]
    assert six.evaluate(OUTSIDE) == ["left of it all"]
    assert six.evaluate(FAINT) == ["P.null rgb(238, 238, 238)"]


def test_the_verdict_is_on_the_first_screen_and_sections_charts_and_strips_have_sane_sizes(page: Page) -> None:
    box = page.locator(".headline").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < HEIGHT
    heights = page.evaluate("[...document.querySelectorAll('main section')].map(one => one.offsetHeight)")
    assert len(heights) > 5
    assert min(heights) > 50

    plots = page.evaluate(
        "[...document.querySelectorAll('svg.plot')].map(o => o.getBoundingClientRect()).map(r => [r.width, r.height])"
    )
    assert plots
    assert all(width >= 300 and 120 <= height <= 400 for width, height in plots)

    widths = page.evaluate("[...document.querySelectorAll('svg.strip')].map(o => o.getBoundingClientRect().width)")
    assert widths
    assert min(widths) >= 100


def test_a_screenshot_shows_more_than_a_background(page: Page, browser: Browser, tmp_path: Path) -> None:
    shot = tmp_path / "page.png"
    page.screenshot(path=shot)
    data = shot.read_bytes()
    width, height = struct.unpack(">II", data[16:24])
    assert (width, height) == (page.evaluate("innerWidth"), HEIGHT)
    blank = browser.new_page()
    seen = blank.evaluate(COLOURS, f"data:image/png;base64,{base64.b64encode(data).decode()}")
    blank.close()
    assert seen["colours"] > 50
    assert 0.4 < seen["most"] < 0.99  # mostly background, not only


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_stands_out_from_its_background(
    browser: Browser, pages: dict[str, Path], name: str, scheme: str
) -> None:
    for shown in show(browser, pages[name], scheme=scheme):
        assert shown.evaluate(FAINT) == []


def test_dark_is_dark_where_the_reader_prefers_it(browser: Browser, pages: dict[str, Path]) -> None:
    for shown in show(browser, pages["sample"], scheme="dark"):
        assert background(shown) == "rgb(17, 22, 28)"


def test_the_button_goes_round_the_themes_and_a_chosen_one_is_kept(six: Page) -> None:
    seen = []
    for _ in range(3):
        six.click("#theme")
        seen.append((six.inner_text("#theme"), background(six)))
    white, dark = "rgb(255, 255, 255)", "rgb(17, 22, 28)"
    assert seen == [("Theme: light", white), ("Theme: dark", dark), ("Theme: auto", white)]
    six.click("#theme")
    six.click("#theme")
    six.reload()
    assert background(six) == dark


def test_print_is_black_on_white_without_controls_and_fits_the_paper(
    browser: Browser, pages: dict[str, Path], name: str
) -> None:
    for shown in show(browser, pages[name], width=PAPER, scheme="dark"):
        shown.emulate_media(media="print")
        assert background(shown) == "rgb(255, 255, 255)"
        assert not shown.is_visible("#theme")
        assert not shown.is_visible("nav")
        assert shown.evaluate("document.documentElement.scrollWidth") <= PAPER


def test_nothing_but_the_file_is_asked_for_and_the_browser_does_not_complain(
    browser: Browser, pages: dict[str, Path], name: str
) -> None:
    shown = browser.new_page()
    asked: list[str] = []
    said: list[str] = []
    shown.on("request", lambda request: asked.append(request.url))
    shown.on("console", lambda message: said.append(message.text))
    shown.on("pageerror", lambda error: said.append(str(error)))
    shown.goto(pages[name].as_uri())
    shown.close()
    assert [url for url in asked if not url.startswith("data:")] == [pages[name].as_uri()]
    assert said == []


def test_a_name_that_is_code_does_nothing(browser: Browser, pages: dict[str, Path]) -> None:
    for shown in show(browser, pages["nasty"]):
        assert shown.evaluate("window.hacked") is None
        assert shown.locator("th", has_text="<script>").first.is_visible()


def test_a_table_sorts_by_the_column_pressed_also_from_the_keyboard_and_says_so(six: Page) -> None:
    six.click("#all-standings thead button:text-is('ms/turn')")
    falling = column(six, "ms/turn")
    six.click("#all-standings thead button:text-is('ms/turn')")
    rising = column(six, "ms/turn")
    assert falling == sorted(falling, reverse=True)
    assert rising == sorted(rising)
    assert len(set(rising)) > 5
    six.focus("#all-standings thead button:text-is('bot')")
    six.keyboard.press("Enter")
    names = six.locator("#all-standings tbody th").all_inner_texts()
    assert names == sorted(names)
    heading = six.locator("#all-standings thead th.name")
    assert heading.get_attribute("aria-sort") == "ascending"


def test_the_contents_lead_to_the_sections(six: Page) -> None:
    six.click("nav a:text-is('Search cost')")
    box = six.locator("#all-cost h2").bounding_box()
    assert box is not None
    assert 0 <= box["y"] < HEIGHT / 2


def test_every_table_has_a_caption_and_row_headings_and_every_chart_a_title(six: Page) -> None:
    assert six.evaluate(
        "[...document.querySelectorAll('table')].every(o => o.caption?.textContent && o.querySelector('tbody th'))"
    )
    assert six.evaluate(
        "[...document.querySelectorAll('svg[role=img]')].every(o => o.querySelector('title')?.textContent)"
    )


def background(page: Page) -> str:
    return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))


def column(page: Page, title: str) -> list[float]:
    """The numbers of a column of the standings as they stand."""
    texts = page.evaluate(
        """title => {
          const table = document.querySelector("#all-standings table");
          const at = [...table.tHead.rows[0].cells].findIndex(one => one.textContent.trim() === title);
          return [...table.tBodies[0].rows].map(row => row.cells[at].textContent.trim());
        }""",
        title,
    )
    return [float(text.replace(",", "")) for text in texts]
