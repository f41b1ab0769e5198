"""`gridjoust.play_many`: the matches that `gridjoust.play` plays, whatever the number of processes."""

from __future__ import annotations

import io
import multiprocessing
import os
import signal
from contextlib import suppress
from pathlib import Path

import pandas as pd
import pytest

from gridjoust.bots.api import Bot, Observation
from gridjoust.games.api import Turn
from gridjoust.runner.results.records.file import read_record
from gridjoust.runner.results.tables.columns import METRICS, RESULTS, TURNS, TableSchema
from gridjoust.runner.results.tables.text import format_columns, format_header, format_rows
from gridjoust.runner.results.tables.writer import metric_rows, result_rows, turn_columns
from gridjoust.runner.wire.errors import BugError
from gridjoust.simulation import BotSpec, play
from gridjoust.simulation.many import play_many
from tests.doubles.games.reference import Pile, PileState, Say

SEEDS = (4, 1, 9, 2, 7)


class Fallible(Bot):
    """Plays at random, and in one of five turns something that is not legal."""

    def act(self, observation: Observation) -> str:
        return self.rng.choice([*observation.legal[:4], "nonsense"])


def settled(text: str, table: TableSchema) -> pd.DataFrame:
    """Return a table without what differs between two equal runs."""
    frame = pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)
    return frame.drop(columns=[column.name for column in table.columns if column.is_measured])


@pytest.mark.parametrize("workers", [1, 3])
def test_matches_are_those_that_play_plays_one_by_one_in_the_order_of_the_seeds(workers: int, tmp_path: Path) -> None:
    class Local(Fallible):
        """A class that no other process could import."""

    bots: list[BotSpec] = ["random", Local]
    tables = play_many(Pile, bots, seeds=iter(SEEDS), workers=workers, faults={"limit": 2}, out=tmp_path)
    records = [play(Pile, bots, seed=seed, faults={"limit": 2}).record for seed in SEEDS]
    assert len({record.end.termination for record in records}) > 1
    lines = {
        RESULTS: [format_rows(RESULTS, result_rows(record)) for record in records],
        METRICS: [format_rows(METRICS, metric_rows(record)) for record in records],
        TURNS: [format_columns(TURNS, turn_columns(record)) for record in records],
    }
    for table, own in lines.items():
        text = format_header(table) + "".join(own)
        many = getattr(tables, table.name).astype("string").fillna("")
        numbers = {column.name for column in table.columns if column.type == "number"}
        expected = settled(text, table)
        same = [name for name in expected.columns if name not in numbers]
        assert many[same].replace({"True": "1", "False": "0"}).values.tolist() == expected[same].values.tolist()
    for record in records:
        kept = read_record(tmp_path / "records" / f"{record.header.match_id}.jsonl")
        assert (kept.lines, kept.end, kept.header) == (record.lines, record.end, record.header)
    assert sorted(tables.standings["bot"]) == ["Local", "random"]
    assert list(tables.pairings["pairs"]) == [5]


def test_functions_that_make_bots_make_one_for_each_match() -> None:
    made: list[Bot] = []

    def make() -> Bot:
        made.append(Fallible())
        return made[-1]

    play_many(Pile, ["random", make], seeds=range(3), workers=1)
    assert len(made) == 3


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"seeds": ()}, r"seeds: expected at least one, and each once, got \[\]"),
        ({"seeds": (1, 2, 1)}, r"seeds: expected at least one, and each once, got \[1, 2, 1\]"),
        ({"workers": 0}, "workers: expected at least 1, got 0"),
        ({"bots": [Fallible, Fallible()]}, r"bots\[1\]: expected a class or a function that makes a bot, got an inst"),
        ({"bots": [Fallible]}, "bots: expected 2 for pile, one a seat, got 1"),
    ],
)
def test_what_does_not_fit_is_refused_before_any_match(changed: dict[str, object], said: str) -> None:
    arguments: dict[str, object] = {"bots": [Fallible, Fallible], "seeds": range(3), "workers": 2}
    with pytest.raises(ValueError, match=said):
        play_many(Pile, **(arguments | changed))  # type: ignore[arg-type]


class Leaving(Fallible):
    """Ends its process in its first turn."""

    def act(self, observation: Observation) -> str:
        os._exit(3)


class Broken(Pile):
    """A game whose rules fail with one seed."""

    def apply(self, state: PileState, turn: Turn[Say]) -> PileState:
        if state.seed == SEEDS[2]:
            raise ZeroDivisionError("these rules are wrong")
        return super().apply(state, turn)


def test_an_exception_of_the_game_is_told_with_its_seed() -> None:
    with pytest.raises(BugError, match=r"seed 9: ZeroDivisionError: these rules are wrong \(test_play_many"):
        play_many(Broken, ["random", "random"], seeds=SEEDS, workers=2)


def test_a_process_that_ends_is_told_with_its_seed() -> None:
    with pytest.raises(BugError, match=r"seed [41]: a bot or the game has ended the process of its match"):
        play_many(Pile, ["random", Leaving], seeds=SEEDS, workers=2)
    assert multiprocessing.active_children() == []


class Terminal(io.StringIO):
    """A file that people see."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_how_many_matches_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", shown := Terminal())
    play_many(Pile, ["random", "random"], seeds=range(3), workers=1)
    assert shown.getvalue().endswith("\r3 of 3 matches\n")


def test_ctrl_c_ends_all_processes_at_once(tmp_path: Path) -> None:
    class Interrupting(Bot):
        """Presses Ctrl-C, once for all, and thinks forever."""

        def act(self, observation: Observation) -> str:
            with suppress(FileExistsError):
                (tmp_path / "pressed").touch(exist_ok=False)
                os.kill(os.getppid(), signal.SIGINT)
            while True:
                signal.pause()

    usual = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background may ignore it
    try:
        with pytest.raises(KeyboardInterrupt):
            play_many(Pile, ["random", Interrupting], seeds=SEEDS, workers=2)
    finally:
        signal.signal(signal.SIGINT, usual)
    assert multiprocessing.active_children() == []
