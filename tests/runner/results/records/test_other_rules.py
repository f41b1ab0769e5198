"""Records of other rules than those installed: as far as both agree."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import msgspec
import pytest

import gridjoust
from gridjoust.bots.api import Observation
from gridjoust.bots.random_bot import RandomBot
from gridjoust.games.bomber import Bomber
from gridjoust.runner.results.records.lines import FaultLine, MatchRecord, TurnLine
from gridjoust.runner.results.records.other_rules import as_installed
from gridjoust.runner.results.replay import replay
from gridjoust.runner.wire.errors import RecordError

VERSION = Bomber.spec.version
PARAMS = {"max_ticks": 40, "close_from": 0}


@contextmanager
def rules_of_old(*, differ_from: int | None = None) -> Iterator[None]:
    """Version 0; from a tick on a match is in other states than by the installed rules."""
    variant, encode = Bomber.variant_spec, Bomber.encode

    def encode_otherwise(game: Bomber, state: Any) -> bytes:
        is_other = differ_from is not None and state.tick >= differ_from
        return encode(game, state) + b"!" * is_other

    with (
        patch.object(Bomber, "variant_spec", lambda game: replace(variant(game), version="0")),
        patch.object(Bomber, "encode", encode_otherwise),
    ):
        yield


def played(*, differ_from: int | None = None) -> MatchRecord:
    with rules_of_old(differ_from=differ_from):
        return gridjoust.play("bomber", ["random", "random"], seed=3, params=PARAMS).record


def test_a_record_of_the_installed_rules_is_itself() -> None:
    record = gridjoust.play("bomber", ["random", "random"], seed=3, params=PARAMS).record
    assert as_installed(record) is record


def test_a_match_on_which_all_rules_agree_is_whole_and_says_so() -> None:
    record = played()
    assert record.header.game_version == "0"
    shown = as_installed(record)
    assert (shown.header.game_version, shown.lines, shown.end.turns) == (VERSION, record.lines, 40)
    agreed = f"(played by rules 0; rules {VERSION} are installed and give the same turns)"
    assert shown.end.reason == f"{record.end.reason} {agreed}"


class Leaving(RandomBot):
    """Crashes in turn 5, which is never played."""

    def act(self, observation: Observation) -> str:
        if observation.turn == 5:
            raise RuntimeError("no plan")
        return super().act(observation)


def test_a_match_that_a_fault_has_ended_keeps_the_fault_and_the_answers_of_its_last_turn() -> None:
    with rules_of_old():
        record = gridjoust.play("bomber", [Leaving, "random"], seed=3, params=PARAMS).record
    shown = as_installed(record)
    assert isinstance(shown.lines[-1], FaultLine)
    assert (shown.lines, shown.answers, shown.end.turns) == (record.lines, record.answers, 4)


@pytest.mark.parametrize(
    ("tick", "shown_to", "where"),
    [
        (0, 0, "in the start position or in one of the turns to 16"),
        (20, 16, "in one of the turns 17 to 32"),
        (36, 32, "in one of the turns 33 to 40"),
    ],
)
def test_a_match_is_shown_as_far_as_the_rules_agree_for_certain(tick: int, shown_to: int, where: str) -> None:
    record = played(differ_from=tick)
    shown = as_installed(record)
    assert shown.end.turns == shown_to
    assert shown.end.reason == (
        f"played by rules 0; rules {VERSION} are installed: they differ {where}; the turns before are shown"
    )
    assert [moment.turn for moment in replay(shown)] == [*range(shown_to + 1)]
    assert shown.answers == [answer for answer in record.answers if answer.turn < shown_to + 1]


def test_an_action_that_is_no_longer_possible_is_named_with_its_turn() -> None:
    record = played()
    lines = [
        msgspec.structs.replace(line, actions={"0": "fly"}) if isinstance(line, TurnLine) and line.turn == 20 else line
        for line in record.lines
    ]
    shown = as_installed(msgspec.structs.replace(record, lines=lines))
    assert shown.end.turns == 16
    assert ": they do not allow turn 20 (" in shown.end.reason


def test_a_game_that_is_not_here_is_named() -> None:
    record = played()
    header = msgspec.structs.replace(record.header, game="chess")
    with pytest.raises(RecordError, match="game: "):
        as_installed(msgspec.structs.replace(record, header=header))
