"""A plan is a value: what a run finds or builds comes back in another one."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest

from gridjoust.runner.plan import prepare_folder
from gridjoust.runner.seeds import SECRET
from gridjoust.runner.tournament import open_backend
from tests.runner.memory_cup import CUP, make_cup


def test_a_prepared_plan_has_the_drawn_seed_and_the_plan_before_it_still_has_none(tmp_path: Path) -> None:
    plan = make_cup(f"{CUP}seed: secret\n", tmp_path)
    prepared = prepare_folder(plan, resume=False)
    assert (plan.loaded.config.seed, prepared.is_seed_secret) == (SECRET, True)
    again = prepare_folder(plan, resume=True)
    assert prepared.loaded.config.seed == again.loaded.config.seed != SECRET
    assert prepared.accounts == plan.accounts


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
