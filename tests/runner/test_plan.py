"""A plan is a value: what a run finds or builds comes back in another one."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest

from gridjoust.runner.plan import prepare_folder, remaining
from gridjoust.runner.results.tables.columns import RESULTS
from gridjoust.runner.results.tables.text import read_rows
from gridjoust.runner.seeds import SECRET
from gridjoust.runner.tournament import open_backend
from tests.runner.memory_cup import CUP, make_cup, play_cup


def test_a_prepared_plan_has_the_drawn_seed_and_the_plan_before_it_still_has_none(tmp_path: Path) -> None:
    plan = make_cup(f"{CUP}seed: secret\n", tmp_path)
    prepared = prepare_folder(plan, resume=False)
    assert (plan.loaded.config.seed, prepared.is_seed_secret) == (SECRET, True)
    again = prepare_folder(plan, resume=True)
    assert prepared.loaded.config.seed == again.loaded.config.seed != SECRET
    assert prepared.accounts == plan.accounts


async def test_what_remains_is_counted_before_the_first_match_of_a_resumed_run(tmp_path: Path) -> None:
    await play_cup(make_cup(CUP, tmp_path))
    more = make_cup(CUP.replace("rounds: 2", "rounds: 7").replace("parallel: 1", "parallel: 2"), tmp_path)
    left = remaining(prepare_folder(more, resume=True))
    assert (left.kept, left.missing) == (2, 5)
    rows = read_rows(more.out / RESULTS.file)
    spent = {row["match_id"]: float(row["duration_ms"]) / 1000 for row in rows}
    assert left.seconds == pytest.approx(5 * sum(spent.values()) / 2 / 2)  # two matches told it, two are played at once

    done = remaining(prepare_folder(make_cup(CUP, tmp_path), resume=True))
    assert (done.kept, done.missing, done.is_exact, done.unused) == (2, 0, True, 0)
    other = remaining(prepare_folder(make_cup(CUP.replace("max_ticks: 20", "max_ticks: 21"), tmp_path), resume=True))
    assert (other.kept, other.missing, other.unused) == (0, 2, 2)


async def test_what_remains_of_a_format_that_depends_on_results_is_an_upper_bound(tmp_path: Path) -> None:
    text = CUP.replace("rounds: 2, swap_seats: false", "type: knockout, replays: 2")
    await play_cup(make_cup(text, tmp_path))
    left = remaining(prepare_folder(make_cup(text, tmp_path), resume=True))
    assert (left.kept + left.missing, left.is_exact) == (6, False)
    assert left.kept >= 2


def test_a_plan_cannot_be_changed(tmp_path: Path) -> None:
    with pytest.raises(FrozenInstanceError):
        make_cup(CUP, tmp_path).trust = True  # type: ignore[misc]


@pytest.mark.e2e
async def test_a_backend_has_the_tournament_with_its_bots_built_and_the_plan_has_it_without(tmp_path: Path) -> None:
    text = CUP.replace("isolation: none", "isolation: process").replace(
        "bot: random", "command: [/bin/cat], build: [/bin/sh, -c, 'echo built >> builds']"
    )
    plan = replace(make_cup(text, tmp_path), trust=True)
    (plan.out / "logs").mkdir(parents=True)
    async with open_backend(plan) as backend:
        assert (plan.loaded.is_built, backend.loaded.is_built) == (False, True)
    assert (tmp_path / "builds").read_text() == "built\n"
