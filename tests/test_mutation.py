"""The tool that puts faults into the core: which faults it knows, and that it notices who notices."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import mutation
from tests.mutation import (
    ROOMS,
    code_files,
    files_about,
    folders_without_room,
    is_killed,
    mutants_of,
    sample,
    survivors_of,
)


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


SMALL = """K = 3

def more(a):
    return a + K

def fall(a):
    while a > 0:
        a = a - 2
    return a

def unread(a):
    return a - K
"""


@pytest.mark.gate
def test_only_what_no_test_reads_survives_in_forks_and_in_a_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ROOMS, "small", ("k.py", "checks"))
    (tmp_path / "tests").symlink_to(Path(mutation.__file__).parent)
    (tmp_path / "k.py").write_text(SMALL)
    (tmp_path / "checks").mkdir()
    test = tmp_path / "checks" / "test_k.py"
    test.write_text("import k\n\ndef test_k():\n    assert (k.more(2), k.fall(1), k.fall(4)) == (5, -1, 0)\n")
    mutants = list(mutants_of(SMALL, "k.py"))
    changes = [mutant.change for mutant in survivors_of(tmp_path, "small", mutants)]
    assert (len(mutants), changes) == (8, ["a - K  ->  a + K"])
    assert (tmp_path / "k.py").read_text() == SMALL
    test.write_text("def test_k():\n    assert False\n")
    with pytest.raises(ValueError, match="small: expected tests that pass without a mutant, got killed"):
        survivors_of(tmp_path, "small", mutants)


@pytest.mark.gate
@pytest.mark.parametrize("forever", ["threading.Event().wait()", "any(iter(int, 1))", "bytes(1 << 50)"])
def test_tests_that_wait_compute_or_take_memory_without_end_fail(
    forever: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mutation, "TIERS_PATIENCE_S", 1.0 if "wait" in forever else 600.0)
    monkeypatch.setattr(mutation, "TIERS_CPU_S", 3)
    (tmp_path / "test_k.py").write_text(f"import threading\n\ndef test_k():\n    {forever}\n")
    assert is_killed(tmp_path, None, "test_k.py")


def test_tests_that_say_the_name_of_the_module_run_first(tmp_path: Path) -> None:
    for name, text in (("a", "once tables\nmore"), ("b", "more, and more"), ("c", "tables"), ("more", "")):
        (tmp_path / f"test_{name}.py").write_text(text)
    assert files_about(tmp_path, "more", ".") == ["test_more.py", "test_b.py", "test_a.py"]


def test_every_room_has_code_and_the_seed_alone_draws_the_sample() -> None:
    assert all(code_files(room) for room in ROOMS)
    assert {"runner", "runner/broker"} <= {*folders_without_room()}
    assert not {"runner/play", "runner/wire", "runner/wire/bus"} & {*folders_without_room()}
    drawn = sample(["record"], 9, seed=1)
    assert drawn == sample(["record"], 9, seed=1) != sample(["record"], 9, seed=2)
    assert len(drawn) == 9
