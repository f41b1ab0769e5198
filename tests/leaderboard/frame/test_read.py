"""From tables to standings: in any order of rows, from files as from memory."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from gridjoust.leaderboard.board import make_leaderboard
from gridjoust.leaderboard.frame.codes import Growing, code_ids, combine, find_ids, first_of, pack_ids
from gridjoust.leaderboard.frame.seats import read_seats
from gridjoust.leaderboard.standings import Leaderboard
from gridjoust.runner.results.records.lines import AnswerLine, MatchRecord
from gridjoust.runner.results.tables.writer import TableWriter
from gridjoust.runner.wire.errors import ConfigError
from tests.leaderboard.seats_builder import board_of
from tests.runner.results.records.records_builder import duels, make_record, solo


def _cup() -> list[MatchRecord]:
    """Every kind of match, a void one, a bot called NA, odd texts, search costs and a metric `won`."""
    rng = random.Random(3)
    crowd = [
        make_record(
            f"ffa{at}",
            bots=("NA", "b", "c", 'é,"x"'),
            returns=[rng.random() for _ in range(4)],
            answers=[AnswerLine(turn=1, seat=0, planning_ms=round(1 / (at + 1), 3))],
            turns=[{0: f"N{at}"}],
        )
        for at in range(8)
    ]
    alone = [*solo("b", [0.1, 1 / 3, 0.7]), *solo("NA", [0.2, 1 / 3, 0.9])]
    won = [
        make_record(f"won{at}", bots=("b",), metrics=[{"won": float(at % 2)}], header={"seed": at}) for at in range(4)
    ]
    return [*duels("b", "c", [1, 0.5, 0, 1, 1, 1]), *crowd, *alone, *won, make_record("void", counted=False)]


def _write(folder: Path, records: Sequence[MatchRecord]) -> Path:
    with TableWriter(folder) as tables:
        for record in records:
            tables.add(record)
    return folder


def _read(folder: Path) -> Leaderboard:
    return make_leaderboard(read_seats(folder))


@pytest.mark.gate
@pytest.mark.parametrize("records", [_cup(), duels("a", "b", [1, 1, 0, 0.5] * 3)], ids=["all kinds", "rated"])
def test_order_of_the_rows_changes_nothing_and_the_file_says_what_memory_says(
    tmp_path: Path, records: list[MatchRecord]
) -> None:
    folder = _write(tmp_path, records)
    expected = _read(folder)
    assert expected == board_of(*records)
    heading, *lines = (folder / "results.csv").read_text().splitlines(keepends=True)
    for seed in range(3):
        random.Random(seed).shuffle(lines)
        (folder / "results.csv").write_text("".join([heading, *lines]))
        assert _read(folder) == expected


@pytest.mark.default("5-rated")
@pytest.mark.parametrize("records", [_cup(), duels("a", "b", [1, 1, 0, 0.5] * 3)], ids=["all kinds", "rated"])
@pytest.mark.parametrize("rows", [1, 5])
def test_how_many_rows_are_read_and_computed_at_once_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, records: list[MatchRecord], rows: int
) -> None:
    folder = _write(tmp_path, records)
    expected = _read(folder)
    monkeypatch.setattr("gridjoust.leaderboard.frame.seats.ROWS_OF_A_PIECE", rows)
    monkeypatch.setattr("gridjoust.leaderboard.frame.codes.ROWS_AT_ONCE", rows)
    assert _read(folder) == expected


def test_whether_it_was_won_is_read_from_the_metrics(tmp_path: Path) -> None:
    records = [
        make_record(name, bots=(name[0],), metrics=[{"x": 7.0, "won": won}])
        for name, won in [("a4", 1.0), ("b3", 0.0), ("a2", 0.0), ("b1", 0.0), ("a9", 1.0), ("a0", 1.0)]
    ]
    assert {one.bot: one.won_pct for one in _read(_write(tmp_path, records)).standings} == {"a": 75, "b": 0}


def test_a_metric_of_no_seat_is_refused_in_a_line(tmp_path: Path) -> None:
    folder = _write(tmp_path, [make_record("m1", bots=("a",), metrics=[{"won": 1.0}])])
    metrics = (folder / "metrics.csv").read_text()
    (folder / "metrics.csv").write_text(metrics.replace("m1,0,", "m1,,"))
    with pytest.raises(ConfigError, match="metrics: seat: expected a number in match m1, got nothing"):
        read_seats(folder)


def test_results_alone_are_enough_also_while_a_line_is_being_written_or_there_is_none(tmp_path: Path) -> None:
    folder = _write(tmp_path, [make_record("m1", bots=("a",)), make_record("m2", bots=("b",))])
    (folder / "metrics.csv").unlink()
    assert [one.bot for one in _read(folder).standings] == ["a", "b"]
    table = folder / "results.csv"
    table.write_bytes(table.read_bytes()[:-3])
    assert [one.bot for one in _read(folder).standings] == ["a"]
    assert len(read_seats(_write(tmp_path, []))) == 0


def test_ids_are_numbered_in_their_own_order_whatever_their_length() -> None:
    digits = ["00ff", "a0b1"]
    hexadecimal = [a + b + c + d for a in digits for b in digits for c in digits for d in digits][::-1]
    others = ["b", "a", "", "25" * 12 + "y", "a", "25" * 12 + "x", "é", "0123456789abcdeF"]
    for pieces in ([others], [hexadecimal], [hexadecimal, others, hexadecimal], [others, hexadecimal]):
        growing = Growing()
        for piece in pieces:
            growing.add(pack_ids(piece))
        ids = list(chain(*pieces))
        names = sorted(set(ids), key=str.encode)
        packed = growing.taken()
        codes = code_ids(packed)
        assert codes.tolist() == [names.index(one) for one in ids]
        assert find_ids(pack_ids(["b", *ids]), packed[first_of(codes)])[1:].tolist() == codes.tolist()
    assert find_ids(pack_ids([*hexadecimal, "a"]), np.sort(pack_ids(others))).tolist() == [*[-1] * 16, 4]
    assert pack_ids(hexadecimal).itemsize == 8  # bytes


@pytest.mark.parametrize("scale", [1, 10**9, 10**15])
def test_combined_keys_are_numbered_in_lexicographic_order(scale: int) -> None:
    rng = np.random.default_rng(1)
    keys = [rng.integers(0, 4, 50) * scale for _ in range(4)]
    rows = list(zip(*(key.tolist() for key in keys), strict=True))
    order = sorted(set(rows))
    found = combine(*keys)
    assert found.tolist() == [order.index(row) for row in rows]
    assert first_of(found).tolist() == [rows.index(row) for row in order]
    assert (first_of(found[:0]).tolist(), first_of(np.zeros(2, dtype=np.int64)).tolist()) == ([], [0])
