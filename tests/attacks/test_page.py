"""The page on fairness shows the attacks that are played, and their outcomes."""

from __future__ import annotations

from tests.attacks.page import PAGE, table, with_table
from tests.attacks.table import ATTACKS, BIDS, Attack


def test_the_page_has_the_table_of_today() -> None:
    page = PAGE.read_text("utf-8")
    assert page == with_table(page), "expected the table of today: run python -m tests.attacks.page"


def test_every_attack_has_a_row_with_its_outcome() -> None:
    rows = table().splitlines()
    assert len(rows) == 2 + len(ATTACKS) + len(BIDS)
    assert "| does not answer | loses: late | loses: late | loses: late |" in rows


def test_outcomes_name_every_end_that_the_tests_allow() -> None:
    assert Attack("a", "b").outcome == "gains nothing"
    assert Attack("a", "b", ("failed_to_start", "completed")).outcome == "loses: failed to start, or gains nothing"
