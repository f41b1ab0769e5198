"""The page on fairness shows the attacks that are played, and their outcomes."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.attacks.page import PAGE, table, trespass_table, with_table
from tests.attacks.table import ATTACKS, BIDS, TRESPASSES, Attack


def test_the_page_has_the_table_of_today() -> None:
    page = PAGE.read_text("utf-8")
    assert page == with_table(page), "expected the table of today: run python -m tests.attacks.page"


def test_every_attack_has_a_row_with_its_outcome() -> None:
    rows = table().splitlines()
    assert len(rows) == 2 + len(ATTACKS) + len(BIDS)
    assert "| does not answer | loses: late | loses: late | loses: late |" in rows


def test_every_row_of_outsiders_names_a_test_that_is_there() -> None:
    named = {trespass.test for trespass in TRESPASSES}
    there = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        nodes = ast.walk(ast.parse(path.read_text("utf-8")))
        functions = (node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
        there |= {f"{path.name}::{name}" for name in functions if name.startswith("test_")}
    assert len(trespass_table().splitlines()) == 2 + len(named) == 2 + len(TRESPASSES)
    assert named <= there
    assert "test_page.py::test_none" not in there


def test_outcomes_name_every_end_that_the_tests_allow() -> None:
    assert Attack("a", "b").outcome == "gains nothing"
    assert Attack("a", "b", ("failed_to_start", "completed")).outcome == "loses: failed to start, or gains nothing"
