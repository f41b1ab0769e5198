"""The tests of the tests: correct games pass, and each broken game fails exactly the checks that are named for it."""

from __future__ import annotations

import contextlib
import re
import shutil
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gridjoust.conformance import Finding, check_game, game_tests, write_golden
from gridjoust.conformance.suite import CASE_CHECKS, SUBJECT_CHECKS, check_name
from gridjoust.games.api import AnyGame, Param
from tests.doubles.games import reference
from tests.doubles.games.broken import BROKEN
from tests.doubles.games.reference import Bids, March, Numbers, Pile
from tests.tiers import gate_but


class NextVersion(Pile):
    spec = replace(Pile.spec, version="2")


class OtherDeal(Pile):
    def initial_state(self, seed: int) -> reference.PileState:
        return super().initial_state(seed + 1)


class NoReasonForThree(Numbers):
    def reason(self, state: reference.NumbersState) -> str:
        return "over" if self.seats == 2 else ""


class FixedDeal(Pile):
    """The same cards in every match, as the parameter says."""

    spec = replace(Pile.spec, params={**Pile.spec.params, "fixed_deal": Param(default=True, help="always these cards")})

    def initial_state(self, seed: int) -> reference.PileState:
        dealt = super().initial_state(seed)
        return replace(dealt, cards=(20, 50)) if self.params["fixed_deal"] else dealt


def names(findings: Iterable[Finding]) -> set[str]:
    return {finding.check for finding in findings}


def golden_of(game: type[AnyGame], folder: Path) -> Path:
    """A golden record of the game itself or, where it cannot finish a match, of the correct game."""
    path = folder / "golden.jsonl"
    base = next(base for base in game.__mro__ if base.__module__ == reference.__name__)
    write_golden(base, path)
    with contextlib.suppress(ValueError, TypeError):
        write_golden(game, path)
    return path


@pytest.mark.default("Bids", "March")
@pytest.mark.parametrize("game", [Pile, Numbers, Bids, March, FixedDeal])
def test_correct_game_passes_every_check(game: type[AnyGame], tmp_path: Path) -> None:
    assert check_game(game, golden=golden_of(game, tmp_path)) == []


@pytest.mark.gate
@pytest.mark.parametrize("game", gate_but(BROKEN, [*BROKEN][::2]), ids=lambda game: game.__name__)
def test_broken_game_fails_exactly_its_checks(game: type[AnyGame], tmp_path: Path) -> None:
    assert names(check_game(game, golden=golden_of(game, tmp_path))) == BROKEN[game]


def test_every_check_has_a_broken_game() -> None:
    checks = {check_name(check) for check in CASE_CHECKS} | {check_name(check) for check in SUBJECT_CHECKS}
    assert set().union(*BROKEN.values()) == checks


GOLDEN = {
    "a missing record tells the command": (Pile, "none", f"golden {reference.__file__}:Pile FOLDER/none.jsonl`"),
    "a record of another version": (NextVersion, "pile", "expected a golden record of pile 2, got one of pile 1"),
    "changed rules fail at the first changed turn": (OtherDeal, "pile", "after turn 0"),
}


@pytest.mark.gate
@pytest.mark.parametrize(("game", "name", "part"), GOLDEN.values(), ids=GOLDEN)
def test_a_golden_record_that_does_not_fit_fails(game: type[AnyGame], name: str, part: str, tmp_path: Path) -> None:
    write_golden(Pile, tmp_path / "pile.jsonl")
    (finding,) = check_game(game, golden=tmp_path / f"{name}.jsonl")
    assert finding.check == "golden_record_exists_and_replays"
    assert part.replace("FOLDER", str(tmp_path)) in finding.detail


@pytest.mark.gate
@pytest.mark.parametrize("text", ["", "{}\n", "[1]\n", '{"type":"end","returns":[0.0,0.0]}\n', "\xff"])
def test_file_that_is_no_golden_record_is_a_finding(text: str, tmp_path: Path) -> None:
    path = tmp_path / "pile.jsonl"
    path.write_text(text, encoding="latin-1")
    assert names(check_game(Pile, golden=path)) == {"golden_record_exists_and_replays"}


@pytest.mark.default("parameters")
@pytest.mark.parametrize(
    ("game", "options"), [(Pile, {"params": [{"pile": 99}]}), (Numbers, {"seats": [2, 7]})], ids=["parameters", "seats"]
)
def test_what_the_game_refuses_is_a_finding(game: type[AnyGame], options: Any, tmp_path: Path) -> None:
    findings = check_game(game, golden=golden_of(game, tmp_path), **options)
    assert names(findings) == {"every_variant_can_be_made"}


@pytest.mark.gate
def test_finding_names_the_variant_that_fails_and_a_game_inside_a_function_is_told_to_move(tmp_path: Path) -> None:
    class Inner(Pile):
        pass

    findings = check_game(NoReasonForThree, golden=golden_of(Numbers, tmp_path))
    assert {finding.variant for finding in findings} == {"3 seats"}
    (finding,) = check_game(Inner, golden=golden_of(Pile, tmp_path))
    assert finding.check == "fresh_interpreter_plays_the_same"
    assert "expected a class at the top level of a module" in finding.detail


@pytest.mark.gate
@pytest.mark.parametrize("name", ["tests.doubles.games.reference:March", "FOLDER/random.py:Pile"])
def test_game_is_found_by_module_or_in_a_file_of_its_own(name: str, tmp_path: Path) -> None:
    shutil.copy(Path(reference.__file__), tmp_path / "random.py")  # the name of a module of the standard library
    name = name.replace("FOLDER", str(tmp_path))
    write_golden(name, tmp_path / "golden.jsonl")
    assert check_game(name, golden=tmp_path / "golden.jsonl") == []


NOWHERE = {
    "tests.doubles.games.reference:Nothing": "expected a class Nothing, got None",
    "no.such.module:Game": "expected a module that can be imported, got no.such.module",
    "none.py:Game": "none.py: expected a Python file",
    "tests.doubles.games.reference:PileState": "expected a subclass of gridjoust.Game, got PileState",
}


@pytest.mark.parametrize(("name", "line"), NOWHERE.items(), ids=NOWHERE)
def test_game_that_is_nowhere_is_a_value_error(name: str, line: str) -> None:
    with pytest.raises(ValueError, match=re.escape(line)):
        check_game(name)


def test_a_golden_record_that_nobody_named_and_nobody_wrote_is_skipped_with_a_hint(tmp_path: Path) -> None:
    config = SimpleNamespace(rootpath=tmp_path)
    with pytest.raises(pytest.skip.Exception, match=r"no golden record yet: write it with `python -m gridjoust"):
        vars(game_tests(Pile))["test_golden_record_exists_and_replays"](None, config)
    with pytest.raises(pytest.fail.Exception, match="golden record not found"):
        vars(game_tests(Pile, golden="mine.jsonl"))["test_golden_record_exists_and_replays"](None, config)
    (tmp_path / "tests" / "golden").mkdir(parents=True)
    write_golden(Pile, tmp_path / "tests" / "golden" / "pile.jsonl")
    vars(game_tests(Pile))["test_golden_record_exists_and_replays"](None, config)
