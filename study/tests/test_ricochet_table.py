"""The table of the report: every search on the same positions, and people by their records."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gridjoust import ParamValue, play
from gridjoust.bots.ricochet.astar import AStar
from gridjoust.runner.results.records.file import record_path, write_record
from study.ricochet_table import SEARCHES, main, positions_of_file, positions_of_records, rows

SOLO: dict[str, ParamValue] = {"mode": "solve", "positions": 2, "optima": "2,3", "tiles": "1A 3B 4A 2A"}


class Person(AStar):
    """Stands in for one."""


def write_match(folder: Path) -> str:
    """One match in a results folder; the name of whoever played it."""
    record = play("ricochet", [Person], params=SOLO, seed=3).record
    path = record_path(folder, record.header.match_id)
    path.parent.mkdir()
    write_record(path, record)
    return record.header.seats[0].bot


def test_every_search_answers_every_position_and_the_manhattan_bound_may_be_too_long(tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    shipped = json.loads((Path(__file__).parents[2] / "configs" / "ricochet-positions.json").read_text("utf-8"))
    shipped["positions"] = [one for one in shipped["positions"] if one["id"] in ("three", "four")]
    file.write_text(json.dumps(shipped))
    table = rows(positions_of_file(file))
    assert [row[:4] for row in table] == [
        *(["3", name, "1/1", "8" if "Manhattan" in name else "3"] for name in SEARCHES),
        *(["4", name, "1/1", "4"] for name in SEARCHES),
    ]


def test_a_person_is_a_row_of_its_own(tmp_path: Path) -> None:
    name = write_match(tmp_path)
    table = rows(list(positions_of_records([tmp_path], name)))
    assert [row[:4] for row in table if row[1] == "a person"] == [[n, "a person", "1/1", n] for n in ("2", "3")]
    assert not list(positions_of_records([tmp_path], "somebody else"))


def test_without_a_match_of_the_person_it_says_so_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_match(tmp_path)
    assert main([str(tmp_path), "--person", "nobody"]) == 2
    assert capsys.readouterr().err == "ricochet_table: expected matches of ricochet with 'nobody', got none\n"
