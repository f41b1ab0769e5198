"""The tool that puts faults into the core: which faults it knows, and that it notices who notices."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutation import ROOMS, code_files, is_killed, mutants_of, sample


@pytest.mark.parametrize(
    ("source", "faults"),
    [
        ("a < b", ["a <= b"]),
        ("(a + b) * c", ["(a + b) / c", "(a - b) * c"]),
        ("a - (b)", ["a + b"]),
        ("x and not y", ["x or not y", "x and (not not y)"]),
        ("k = 3", ["k = 4"]),
        ("k = True", ["k = False"]),
        ("if x: y()", ["if not x:\n    y()"]),
        *(
            (f"{stays}\nk = 3", [f"{stays}\nk = 4"])
            for stays in ("x: int | None = y", "'a' + b", "raise ValueError(3)", "assert a < b", "f'{a + b}'")
        ),
    ],
)
def test_a_fault_is_one_changed_operator_number_or_condition(source: str, faults: list[str]) -> None:
    assert [mutant.text for mutant in mutants_of(source)] == faults


def test_a_mutant_is_named_by_its_place() -> None:
    [mutant] = mutants_of("x\ny = a < b", "m.py")
    assert (mutant.path, mutant.line, mutant.change) == ("m.py", 2, "a < b  ->  a <= b")


@pytest.mark.gate
def test_a_mutant_is_killed_by_a_test_that_fails_and_by_no_other(tmp_path: Path) -> None:
    (tmp_path / "test_k.py").write_text("import k\n\ndef test_k():\n    assert k.K == 3\n")
    (tmp_path / "test_blind.py").write_text("import k\n\ndef test_k():\n    assert k.K\n")
    (tmp_path / "k.py").write_text("K = 4\n")
    assert is_killed(tmp_path, None, "test_k.py")
    assert not is_killed(tmp_path, None, "test_blind.py")


def test_every_room_has_code_and_the_seed_alone_draws_the_sample() -> None:
    assert all(code_files(room) for room in ROOMS)
    drawn = sample(["record"], 9, seed=1)
    assert drawn == sample(["record"], 9, seed=1) != sample(["record"], 9, seed=2)
    assert len(drawn) == 9
