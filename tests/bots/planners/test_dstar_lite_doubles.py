"""Tests of the tests: every known defect is noticed by the trial that is meant to notice it."""

from __future__ import annotations

import pytest

from tests.bots.planners.replanning import EXPANSIONS, TRIALS, expansions, verdict
from tests.doubles.planners.broken_dstar_lite import DEFECTS, UNSEEN_DEFECTS, Defect, make_broken


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.name)
def test_a_trial_notices_the_defect(defect: Defect) -> None:
    trial = TRIALS[defect.trial](make_broken(defect))
    assert any(getattr(findings, defect.finding) for findings in trial)


@pytest.mark.parametrize("defect", UNSEEN_DEFECTS, ids=lambda defect: defect.name)
def test_only_the_number_of_expansions_shows_what_costs_do_not_show(defect: Defect) -> None:
    broken = make_broken(defect)
    assert verdict(TRIALS["changing world"], broken).is_clean
    assert expansions(broken) > EXPANSIONS
