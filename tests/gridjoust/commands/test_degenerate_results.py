"""Every command that reads a results folder, on folders at the edge: it answers, and its answer can be parsed."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from subprocess import CompletedProcess
from typing import NoReturn

import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from gridjoust.viewer.live_page.live import Live
from gridjoust.viewer.server import make_app
from tests.gridjoust.commands.degenerate_matches import PLAYED, play_degenerate
from tests.gridjoust.viewer.test_server import ask
from tests.joust_here import joust
from tests.leaderboard.degenerate import NAMES, make_degenerate, write_records
from tests.tiers import gate_but

Parse = Callable[[str], object]
FIRST, LAST = "cup/FIRST", "cup/LAST"  # matches of the folder, by the order of its table
BY = ("game", "variant", "map", "role", "planner")


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


def parse_json_lines(text: str) -> list[object]:
    """One value a line, without the constants that JSON does not have."""
    return [json.loads(line, parse_constant=_refuse) for line in text.splitlines()]


def parse_csv(text: str) -> list[dict[str, str]]:
    rows = list(csv.DictReader(io.StringIO(text), strict=True))
    assert all(None not in row and None not in row.values() for row in rows)
    return rows


def parse_words(text: str) -> str:
    assert "Traceback" not in text
    assert not {"nan", "None", "inf"} & set(text.replace("│", " ").split()), text
    return text


def parse_output(text: str) -> str:
    """Text that may quote what a bot wrote, its traceback too."""
    return parse_words(text.replace("Traceback", ""))


ANSWERS: Mapping[tuple[str, ...], Parse] = {
    ("leaderboard",): parse_words,
    ("leaderboard", "--json", "--metrics"): parse_json_lines,
    ("leaderboard", "--csv"): parse_csv,
    ("leaderboard", "--metrics"): parse_words,
    ("leaderboard", "--price"): parse_words,
    ("leaderboard", "--svg", "table.svg"): parse_words,
    **{("leaderboard", "--by", by): parse_words for by in BY},
    **{("leaderboard", "--by", by, "--json"): parse_json_lines for by in BY},
    **{("leaderboard", "--by", by, "--csv"): parse_csv for by in BY},
    ("report",): parse_words,
    ("export", "--parquet"): parse_words,
    ("verify",): parse_words,
    ("verify", "--json"): parse_json_lines,
    ("verify", "--tables-only"): parse_words,
    ("pack",): parse_words,
    ("unpack",): parse_words,
}
OF_A_MATCH: Mapping[tuple[str, ...], Parse] = {
    ("ask", "--yes", "--turn", "1", "--record", FIRST): parse_output,
    ("ask", "--yes", "--turn", "9999", "--record", FIRST, "--json"): parse_json_lines,
    ("ask", "random", "--turn", "1", "--record", LAST, "--save", "question.json"): parse_output,
    ("compare", FIRST, FIRST): parse_words,
    ("compare", FIRST, LAST, "--html", "pair.html"): parse_words,
    ("replay", FIRST): parse_words,
    ("replay", FIRST, "--turn", "0"): parse_words,
    ("replay", FIRST, "--html", "match.html"): parse_words,
    ("replay", FIRST, "--film", "match.gif"): parse_words,
    ("analyse", FIRST, "--turns", "2", "--playouts", "5"): parse_words,
    ("rerun", FIRST, "--yes"): parse_words,
    ("rerun", LAST, "--yes", "--json"): parse_json_lines,
    ("look", FIRST, "--yes", "--bot", "a"): parse_words,
    ("look", LAST, "--yes", "--bot", "b", "--film", "look.gif"): parse_words,
}
MAY_REFUSE = {"--price", "report", "verify", "pack", "unpack", *(words[0] for words in OF_A_MATCH)}
MAY_DIFFER = ("ask", "compare", "rerun", "verify")
"""Commands that answer with exit code 1 that something is not as it should be, or not alike."""
TELLING = (
    "no match",
    "all pairs alike",
    "bots that share no seed",
    "a bot with void matches only",
    "a knockout with a bot that rested",
    "names that look like something else",
)


def matches_in(cup: Path) -> list[str]:
    """Ids of the matches in the order of the table; one that is not there if there is none."""
    with (cup / "results.csv").open(encoding="utf-8", newline="") as file:
        return list(dict.fromkeys(row["match_id"] for row in csv.DictReader(file))) or ["m1"]


def _typed(words: tuple[str, ...], cup: Path) -> CompletedProcess[str]:
    matches = matches_in(cup)
    command, *options = (word.replace("FIRST", matches[0]).replace("LAST", matches[-1]) for word in words)
    folder = () if words in OF_A_MATCH else ("cup",)
    return joust(command, *folder, *options, folder=cup.parent)


def check_answer(words: tuple[str, ...], cup: Path) -> None:
    """The command answers, or says in one line why not."""
    done = _typed(words, cup)
    parse = {**ANSWERS, **OF_A_MATCH}[words]
    assert "Traceback" not in done.stderr
    if done.returncode == 0 or (done.returncode == 1 and words[0] in MAY_DIFFER and done.stdout):
        assert done.stdout.strip(), words
        parse(done.stdout)
        return
    assert MAY_REFUSE & set(words), done.stderr
    assert done.stderr.strip()
    if words[0] != "verify":  # which has a line for each problem
        assert (done.stdout, done.stderr.count("\n")) == ("", 1), done.stderr


def check_files(cup: Path) -> None:
    """Pictures are XML or GIF, pages are HTML with data that can be parsed."""
    for path in (*cup.parent.glob("*.*"), *cup.glob("report.html")):
        if path.suffix == ".svg":
            ET.parse(path)
        elif path.suffix == ".html":
            _Page().feed(path.read_text(encoding="utf-8"))
        elif path.suffix == ".json":
            json.loads(path.read_text(encoding="utf-8"), parse_constant=_refuse)
        elif path.suffix == ".gif":
            assert path.read_bytes().startswith(b"GIF89a")


class _Page(HTMLParser):
    """Reads what a page shows: a number that is not known is not shown, and data are JSON."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._is_json = tag == "script" and ("type", "application/json") in attrs

    def handle_data(self, data: str) -> None:
        if self.lasttag == "script" and self._is_json and data.strip():
            json.loads(data, parse_constant=_refuse)
        elif self.lasttag not in ("script", "style"):
            assert not {"nan", "None", "inf"} & set(data.split()), data


def check_view(cup: Path) -> None:
    """Every path of the server answers with something that can be parsed, or with one line why not."""
    live = Live(cup, is_live=False)
    app = make_app(cup, hosts=["localhost"], log=live.log)
    states = re.findall(r"^data: (.*)$", asyncio.run(_events(live)), re.MULTILINE)
    assert [json.loads(one, parse_constant=_refuse)["tournament"] for one in states] == ["cup"]
    for path in _paths(app, matches_in(cup)):
        status, headers, text = ask(app, path, host="localhost")
        kind = headers["content-type"].partition(";")[0]
        assert text.strip(), path
        if kind == "application/json":
            json.loads(text, parse_constant=_refuse)
        elif kind == "text/html":
            _Page().feed(text)
        else:
            assert status == 200 or (status in (404, 409) and "\n" not in text.strip()), (path, status, text)


async def _events(live: Live) -> str:
    """Everything that a page reads which comes when all is over."""
    live.look()
    live.log.close()
    return b"".join([part async for part in live.log.stream("")]).decode()


def _paths(app: Starlette, matches: list[str]) -> Iterator[str]:
    """Yield every path that the server has, with matches of the folder where it wants some."""
    for route in app.routes:
        assert isinstance(route, Route)
        for match in dict.fromkeys((matches[0], matches[-1])):
            named = route.path.replace("{match_id}", match).replace("{one}", matches[0]).replace("{other}", match)
            if route.path != "/events":
                yield named.replace("{name}", "viewer.css")


@pytest.mark.gate
@pytest.mark.parametrize("name", gate_but(TELLING, ("no match", "names that look like something else")))
def test_a_telling_folder_is_answered_by_the_leaderboard_and_the_report(name: str, tmp_path: Path) -> None:
    cup = make_degenerate(name, tmp_path)
    for words in ANSWERS:
        if words[0] in ("leaderboard", "report") and ("--by" not in words or "planner" in words):
            check_answer(words, cup)
    check_files(cup)


@pytest.mark.parametrize("name", gate_but(NAMES, ("no match", "a last match that was cut short")))
def test_the_server_of_the_viewer_answers_every_folder(name: str, tmp_path: Path) -> None:
    cup = make_degenerate(name, tmp_path)
    check_view(cup)
    write_records(cup, name)
    check_view(cup)


@pytest.mark.gate
@pytest.mark.parametrize("name", NAMES)
def test_every_command_answers_every_folder(name: str, tmp_path: Path) -> None:
    cup = make_degenerate(name, tmp_path)
    for words in (*ANSWERS, *OF_A_MATCH):
        check_answer(words, cup)
    write_records(cup, name)
    for words in (("verify",), ("verify", "--json"), *OF_A_MATCH, ("pack",), ("unpack",)):
        check_answer(words, cup)
    check_files(cup)


@pytest.mark.gate
@pytest.mark.parametrize("name", PLAYED)
def test_every_command_answers_of_a_played_match(name: str, tmp_path: Path) -> None:
    cup = play_degenerate(name, tmp_path)
    for words in OF_A_MATCH:
        check_answer(words, cup)
    check_view(cup)
    check_files(cup)


@pytest.mark.gate
@pytest.mark.parametrize("name", PLAYED)
def test_every_other_command_answers_of_a_played_match(name: str, tmp_path: Path) -> None:
    cup = play_degenerate(name, tmp_path)
    for words in ANSWERS:
        check_answer(words, cup)
    done = joust("run", "cup.yaml", "--out", ".", "--resume", "--json", folder=tmp_path)
    assert done.returncode == 0
    assert parse_json_lines(done.stdout)
    check_view(cup)
    check_files(cup)
