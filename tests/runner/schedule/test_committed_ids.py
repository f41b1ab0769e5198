"""Match ids, pair ids and seeds of committed results come out of their tournament files again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pandas as pd
import pytest

from gridjoust.runner.config.load import load_tournament
from gridjoust.runner.config.values import RoleProgram
from gridjoust.runner.results.tables.frames import load
from gridjoust.runner.results.tables.schedule_file import read_planned
from gridjoust.runner.schedule import make_schedule

SAMPLE = Path(__file__).parents[3] / "results" / "sample"
FORMER = Path(__file__).parent / "data" / "first_seed_rule"  # all six games, two rounds, before there was a second rule
COLUMNS = ["match_id", "pair_id", "params_id", "seed", "round", "game", "bot", "bot_hash"]


def sample() -> tuple[pd.DataFrame, int]:
    """Return what the sample played, a row for each match and bot, and the rule of its seeds."""
    begun = read_planned(SAMPLE)
    assert begun is not None
    return load(SAMPLE).results[COLUMNS], begun.seed_rule


def former() -> tuple[pd.DataFrame, int]:
    """Return the same of a tournament from the time of the first rule."""
    return pd.read_csv(FORMER / "planned.csv.gz"), 1


@pytest.mark.default("sample")
@pytest.mark.parametrize(("folder", "played"), [(SAMPLE, sample), (FORMER, former)], ids=["sample", "first seed rule"])
def test_the_schedule_of_committed_results_is_the_one_that_was_played(
    folder: Path, played: Callable[[], tuple[pd.DataFrame, int]]
) -> None:
    table, seed_rule = played()
    rows = table.drop_duplicates().to_dict("records")
    tournament = load_tournament(folder / "tournament.yaml")
    loaded = msgspec.structs.replace(tournament, seed_rule=seed_rule)
    written = {bot.name: str(bot.bot) for bot in loaded.config.bots}
    hashes = {written[row["bot"]].replace("*", row["game"]): str(row["bot_hash"]) for row in rows}

    def hash_program(program: RoleProgram) -> str:
        return hashes[str(program.bot)]  # of the sources at that time

    planned = [
        (one.match_id, one.pair_id, one.params_id, one.seed, one.round, one.game, entrant.bot, entrant.program_hash)
        for one in make_schedule(loaded, hash_program=hash_program)
        for entrant in one.entrants
    ]

    assert sorted(planned) == sorted(tuple(row[column] for column in COLUMNS) for row in rows)
    assert len(planned) > 10
