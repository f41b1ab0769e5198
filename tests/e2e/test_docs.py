"""The README and the documentation, each page in a folder: files saved, commands and snippets run, links followed."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from html.parser import HTMLParser
from pathlib import Path

import pytest
import yaml

from docs import make_reference
from gridjoust.runner.results.tables.frames import load
from tests.e2e.chromium import FOUND, open_browser
from tests.joust_here import joust

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).parents[2]
DOCS, README = ROOT / "docs", ROOT / "README.md"
BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block. Words: `run` (do it), `file=NAME` (save it), `in=FOLDER` (where), `exit=CODE` (expected)."""

    language: str
    words: Mapping[str, str]
    text: str


def blocks_of(path: Path) -> list[Block]:
    """Every block of a page, in order."""
    found = BLOCK.findall(path.read_text(encoding="utf-8"))
    return [
        Block(language, {name: value for name, _, value in (word.partition("=") for word in words.split())}, text)
        for language, words, text in found
    ]


PAGES = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
RUNNABLE = [page for page in PAGES if any("run" in block.words for block in blocks_of(DOCS / page))]
MARKUP = re.compile(r"```|~~~|^#{1,6} |\]\(|\*\*|^\|[ -]|:---", re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")


@pytest.fixture(scope="module")
def shims(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the PATH in which `joust`, `python` and `python3` are those under test.

    `pip install -e .` only writes the metadata into the folder of the page, which is on the path of its commands.
    """
    folder = tmp_path_factory.mktemp("bin")
    main = '-P -c "from gridjoust.commands import main; main()"'
    metadata = '-c "import setuptools; setuptools.setup()" -q egg_info #'
    for name, call in {"joust": main, "python": "", "python3": "", "pip": metadata}.items():
        shim = folder / name
        shim.write_text(f'#!/bin/sh\nexec {sys.executable} {call} "$@"\n')
        shim.chmod(0o755)
    return folder


def patient(tournament: str) -> str:
    """Return the file with limits that no busy machine exceeds, if it names none itself."""
    return (
        tournament
        if "time:" in tournament
        else f"{tournament}\ntime: {{turn_ms: 30000, start_ms: 60000, grace_ms: 20000}}\n"
    )


def save(block: Block, folder: Path) -> None:
    """Save the block if it is a file."""
    if "file" in block.words:
        path = folder / block.words["file"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(patient(block.text) if path.suffix == ".yaml" else block.text)


def follow_here(block: Block, folder: Path) -> str:
    """Do in this process what the block says, which are snippets and commands of `joust` alone; what it prints."""
    save(block, folder)
    if "run" not in block.words:
        return ""
    if block.language == "sh":
        done = [joust(*words, folder=folder) for _, *words in map(shlex.split, block.text.splitlines())]
        assert [(one.returncode, one.stderr) for one in done] == [(0, "")] * len(done)
        return "".join(one.stdout for one in done)
    printed = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(printed):
        exec(compile(block.text, "a block of the page", "exec"), {"__name__": "__main__"})
    return printed.getvalue()


def follow(block: Block, folder: Path, shims: Path) -> str:
    """Do what the block says as a user does, each in a process of its own; what it prints."""
    save(block, folder)
    if "run" not in block.words:
        return ""
    shell = ["bash", "-euo", "pipefail", "-c", block.text]
    command = shell if block.language == "sh" else [sys.executable, "-c", block.text]
    environment = os.environ | {"PATH": f"{shims}:{os.environ['PATH']}", "PYTHONPATH": str(folder)}
    done = subprocess.run(
        command,
        cwd=folder / block.words.get("in", "."),
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == int(block.words.get("exit", 0)), f"{block.text}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.mark.gate
@pytest.mark.parametrize("where", ["here", pytest.param("processes", marks=pytest.mark.gate)])
def test_everything_that_the_readme_says_works_and_its_bot_of_ten_lines_plays(
    where: str, tmp_path: Path, shims: Path
) -> None:
    do = partial(follow, shims=shims) if where == "processes" else follow_here
    shown = [(block, do(block, folder=tmp_path)) for block in blocks_of(README)]
    snippets = [
        (block.text, printed) for block, printed in shown if block.language == "python" and "run" in block.words
    ]
    assert snippets
    for text, printed in snippets:
        assert ("gambit" if "joust.load" in text else "[1.0, 0.0]") in printed
    bot = (tmp_path / "my_bots" / "first.py").read_text()
    assert 5 <= len([line for line in bot.splitlines() if line.strip()]) <= 10
    mine = load(tmp_path / "results" / "cup").results.query("bot == 'mine'")
    assert (len(mine), mine["faults"].sum(), set(mine["termination"])) == (8, 0, {"completed"})


def test_what_the_readme_does_not_run_is_right_too() -> None:
    make, entry_point = [block for block in blocks_of(README) if not block.words]
    assert (make.language, entry_point.language) == ("sh", "toml")
    assert tomllib.loads(entry_point.text)["project"]["entry-points"]["joust.games"] == {"race": "race:Race"}
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert {"run", "test"} <= set(re.findall(r"\bmake (\w+)", README.read_text())) <= targets


@pytest.mark.gate
@pytest.mark.parametrize("page", RUNNABLE)
def test_everything_that_a_page_says_works(page: str, tmp_path: Path, shims: Path) -> None:
    blocks = blocks_of(DOCS / page)
    if any("run" in block.words and "pip install -e ." in block.text for block in blocks):
        pytest.importorskip("setuptools")
    for block in blocks:
        follow(block, tmp_path, shims)


@pytest.mark.gate
def test_five_commands_lead_from_a_copy_of_the_repository_to_an_own_bot_on_the_leaderboard(tmp_path: Path) -> None:
    """The copy's `.venv` is this interpreter's, so that nothing is downloaded."""
    if shutil.which("make") is None or not Path(sys.prefix, "bin", "activate").is_file():
        pytest.skip("expected make, and a virtual environment")
    for name in ("Makefile", "pyproject.toml", "configs/quickstart.yaml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / ".venv").mkdir()
    for entry in Path(sys.prefix).iterdir():
        if not entry.name.startswith("ready-to-"):
            (tmp_path / ".venv" / entry.name).symlink_to(entry)
    (tmp_path / ".venv" / "ready-to-run").touch()
    tutorial = [block for block in blocks_of(DOCS / "tutorial" / "five-minutes.md") if block.language == "sh"]
    five, changed, *_ = [block.text for block in tutorial if not block.words]
    assert (len(five.splitlines()), five.splitlines()[0]) == (5, "make run")
    shown, own = typed(five, tmp_path).split("results: results/quickstart")
    assert not re.search(r"\bfirst\b", shown)
    assert re.search(r"^│ +\d │ first +│", own, re.MULTILINE)
    bot = tmp_path / "my-cup" / "my_bots" / "first.py"
    bot.write_text(
        bot.read_text().replace('return "bomb"', 'return "up"')
    )  # of another length: bytecode is told apart by size and second
    again = typed(f"source ../.venv/bin/activate\n{changed}", tmp_path / "my-cup")
    assert re.search(r"^│ +\d │ first +│", again, re.MULTILINE)


def typed(commands: str, folder: Path) -> str:
    """What commands print that somebody types one after the other."""
    environment = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "MAKEFLAGS")}
    done = subprocess.run(
        ["bash", "-ec", commands],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_pages_with_things_to_do_are_found() -> None:
    assert {"tutorial/first-bot.md", "how-to/add-a-game.md", "how-to/find-out-why-a-bot-lost.md"} <= set(RUNNABLE)


@pytest.mark.parametrize("name", make_reference.PAGES)
def test_a_page_made_from_the_code_is_current(name: str) -> None:
    made = (make_reference.FOLDER / name).read_text(encoding="utf-8")
    assert made == make_reference.page(name), "run `python -m docs.make_reference`"


@pytest.mark.parametrize("page", [*PAGES, "../README.md"])
def test_every_link_within_the_documentation_leads_somewhere(page: str) -> None:
    links = LINK.findall((DOCS / page).read_text(encoding="utf-8"))
    assert links or page != "../README.md"
    for link in links:
        target = link.partition("#")[0]
        if target and "://" not in target:
            assert (DOCS / page).parent.joinpath(target).exists(), link


def test_every_page_is_in_the_table_of_contents() -> None:
    text = (ROOT / "properdocs.yml").read_text(encoding="utf-8")
    named = set(re.findall(r"[\w/-]+\.md", text))
    assert named == set(PAGES)


def test_the_site_fetches_nothing_from_elsewhere() -> None:
    settings = yaml.safe_load((ROOT / "properdocs.yml").read_text(encoding="utf-8"))
    assert settings["theme"]["font"] is False
    assert "extra_javascript" not in settings
    styles = [(DOCS / name).read_text(encoding="utf-8") for name in settings["extra_css"]]
    assert styles
    assert not any("url(" in style or "@import" in style for style in styles)
    assert not any("```mermaid" in (DOCS / page).read_text(encoding="utf-8") for page in PAGES)  # comes from a CDN


class _Prose(HTMLParser):
    """The text of a page's article outside code blocks, and what stands in the blocks."""

    def __init__(self) -> None:
        super().__init__()
        self.prose: list[str] = []
        self.blocks: list[str] = []
        self._depths = {"article": 0, "code": 0, "pre": 0}

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "pre":
            self.blocks.append("")
        if tag in self._depths:
            self._depths[tag] += 1

    def handle_endtag(self, tag: str) -> None:
        if tag in self._depths:
            self._depths[tag] -= 1

    def handle_data(self, data: str) -> None:
        if self._depths["pre"]:
            self.blocks[-1] += data
        elif self._depths["article"] and not self._depths["code"]:
            self.prose.append(data)


def unrendered(html: str) -> list[str]:
    """Traces of Markdown that reached the reader: fences, headings, links, emphasis, table rules."""
    page = _Prose()
    page.feed(html)
    return MARKUP.findall("".join(page.prose)) + [block for block in page.blocks if "```" in block]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    pytest.importorskip("properdocs")
    folder = tmp_path_factory.mktemp("built") / "site"
    build = [sys.executable, "-m", "properdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.mark.gate
def test_the_site_builds_without_a_warning_and_fetches_nothing(site: Path) -> None:
    home = (site / "index.html").read_text(encoding="utf-8")
    assert "Joust runs bot tournaments" in home
    fetched = re.findall(r'<(?:script|link)[^>]+(?:src|href)="(https?:[^"]+)"', home)
    assert fetched == []
    for page in re.findall(r'href="(example/[^"]+)"', home):
        html = (site / page).read_text(encoding="utf-8")
        assert len(html) > 50_000
        assert tempfile.gettempdir() not in html
    assert 'href="example/report.html"' in home


@pytest.mark.gate
def test_no_built_page_shows_a_fence_or_markup(site: Path) -> None:
    for page in PAGES:
        html = (site / page).with_suffix(".html").read_text(encoding="utf-8")
        assert unrendered(html) == [], page
        shown = _Prose()
        shown.feed(html)
        text = "".join(shown.blocks)
        assert all(block.text.split("\n")[0].strip() in text for block in blocks_of(DOCS / page)), page


@pytest.mark.gate
@pytest.mark.skipif(FOUND is None, reason="needs Chromium")
def test_the_search_finds_a_page_of_a_site_opened_from_disk(site: Path) -> None:
    pytest.importorskip("playwright.sync_api")
    with open_browser() as browser:
        page = browser.new_page()
        page.goto((site / "how-to" / "resume.html").as_uri())
        page.locator("[data-md-component=search-query]").focus()
        page.keyboard.type("lockstep")
        found = page.locator(".md-search-result__item a").first
        found.wait_for()
        assert (found.get_attribute("href") or "").startswith(site.as_uri())


def test_markup_that_reaches_the_reader_is_found() -> None:
    assert unrendered("<article><p>```sh run\njoust run</p></article>") == ["```"]
    assert unrendered("<article><pre>a\n```\nb</pre></article>") == ["a\n```\nb"]
    assert unrendered("<article><p>see [here](there.md), **now**</p></article>") == ["](", "**", "**"]
    assert unrendered("<article><p>a <code>**kwargs</code></p><pre>x ** 2</pre></article>") == []
