"""The page on records says of every format whether it is read, and names folders and messages as they are."""

from __future__ import annotations

import re

import pytest

from docs.make_reference import FOLDER
from gridjoust import __version__
from gridjoust.runner.results.kept_records import STALE
from gridjoust.runner.results.records.file import list_records, parse_header, read_bytes
from gridjoust.runner.results.records.lines import FORMAT, READABLE
from gridjoust.runner.wire.errors import OtherVersionError

PAGE = (FOLDER / "records.md").read_text("utf-8")
SAMPLE = list_records(FOLDER.parents[1] / "results" / "sample")[0]


def test_every_format_up_to_now_is_in_the_table_and_is_read_as_it_says() -> None:
    rows = dict(re.findall(r"^\| (\d+) \|.*\| (yes|no)\b[^|]*\|$", PAGE, re.MULTILINE))
    assert {int(number) for number in rows} == set(range(1, FORMAT + 1))
    assert {int(number) for number, answer in rows.items() if answer == "yes"} == READABLE
    assert f"| format | written by | read by {__version__} |" in PAGE


def test_a_record_of_an_unknown_format_is_refused_in_the_words_of_the_page() -> None:
    line = read_bytes(SAMPLE).partition(b"\n")[0].replace(f'"format":{FORMAT}'.encode(), b'"format":1')
    with pytest.raises(OtherVersionError, match=f"expected record format {FORMAT}, got 1") as refused:
        parse_header(SAMPLE, line)
    assert str(refused.value).rpartition(": ")[2] in PAGE


def test_the_folder_for_records_of_other_rules_has_its_name() -> None:
    assert f"`records/{STALE}/`" in PAGE
