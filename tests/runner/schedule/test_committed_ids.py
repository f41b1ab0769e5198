"""Match ids, pair ids and seeds of the committed results come out of their tournament files again."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from gridjoust.runner.config.load import load_tournament
from gridjoust.runner.config.values import RoleProgram
from gridjoust.runner.results.tables import load
from gridjoust.runner.results.tables.schedule_file import read_planned
from gridjoust.runner.schedule import make_schedule

RESULTS = Path(__file__).parents[3] / "results"


@pytest.mark.parametrize("folder", ["sample", "samples/planners-cup"])
def test_the_schedule_of_committed_results_is_the_one_that_was_played(folder: str) -> None:
    columns = ["match_id", "pair_id", "params_id", "seed", "round", "game", "bot", "bot_hash"]
    rows = load(RESULTS / folder).results[columns].drop_duplicates().to_dict("records")
    begun = read_planned(RESULTS / folder)
    assert begun is not None
    tournament = load_tournament(RESULTS / folder / "tournament.yaml")
    loaded = msgspec.structs.replace(tournament, seed_rule=begun.seed_rule)
    written = {bot.name: str(bot.bot) for bot in loaded.config.bots}
    hashes = {written[row["bot"]].replace("*", row["game"]): str(row["bot_hash"]) for row in rows}

    def hash_program(program: RoleProgram) -> str:
        return hashes[str(program.bot)]  # of the sources at that time

    planned = [
        (one.match_id, one.pair_id, one.params_id, one.seed, one.round, one.game, entrant.bot, entrant.program_hash)
        for one in make_schedule(loaded, hash_program=hash_program)
        for entrant in one.entrants
    ]

    assert sorted(planned) == sorted(tuple(row[column] for column in columns) for row in rows)
    assert len(planned) > 10
