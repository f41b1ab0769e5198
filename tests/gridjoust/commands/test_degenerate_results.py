"""Every command that reads a results folder, on folders at the edge: it answers, and its answer can be parsed."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping
from html.parser import HTMLParser
from pathlib import Path
from subprocess import CompletedProcess
from typing import NoReturn

import pytest

from tests.joust_here import joust
from tests.leaderboard.degenerate import NAMES, make_degenerate
from tests.tiers import gate_but

Parse = Callable[[str], object]
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
    **{(command, "--", "m1"): parse_words for command in ("replay", "analyse", "rerun", "look")},
}
MAY_REFUSE = {"--price", "report", "verify", "replay", "analyse", "rerun", "look", "pack", "unpack"}
TELLING = (
    "no match",
    "all pairs alike",
    "bots that share no seed",
    "a bot with void matches only",
    "a knockout with a bot that rested",
    "names that look like something else",
)


def _typed(words: tuple[str, ...], cup: Path) -> CompletedProcess[str]:
    command, *options = words
    return joust(command, "cup", *(one for one in options if one != "--"), folder=cup.parent)


def check_answer(words: tuple[str, ...], cup: Path) -> None:
    """The command either answers, or says in one line why not."""
    done = _typed(words, cup)
    assert "Traceback" not in done.stderr
    if done.returncode:
        assert MAY_REFUSE & set(words), done.stderr
        assert (done.stderr or done.stdout).strip()
        assert words[0] == "verify" or done.stderr.count("\n") == 1
        ANSWERS[words](done.stdout)
        return
    assert done.stdout.strip(), words
    ANSWERS[words](done.stdout)


def check_files(cup: Path) -> None:
    """The picture is XML, the page is HTML without an unclosed table."""
    if (cup.parent / "table.svg").is_file():
        ET.parse(cup.parent / "table.svg")
    if (cup / "report.html").is_file():
        _Tables().feed((cup / "report.html").read_text(encoding="utf-8"))


class _Tables(HTMLParser):
    """Counts tables that are open; a page that shows no number must not show nan either."""

    def handle_data(self, data: str) -> None:
        assert not {"nan", "None", "inf"} & set(data.split()), data


@pytest.mark.parametrize("name", gate_but(TELLING, ("no match", "names that look like something else")))
def test_a_telling_folder_is_answered_by_the_leaderboard_and_the_report(name: str, tmp_path: Path) -> None:
    cup = make_degenerate(name, tmp_path)
    for words in ANSWERS:
        if words[0] in ("leaderboard", "report") and ("--by" not in words or "planner" in words):
            check_answer(words, cup)
    check_files(cup)


@pytest.mark.gate
@pytest.mark.parametrize("name", NAMES)
def test_every_command_answers_every_folder(name: str, tmp_path: Path) -> None:
    cup = make_degenerate(name, tmp_path)
    for words in ANSWERS:
        check_answer(words, cup)
    check_files(cup)
