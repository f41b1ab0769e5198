"""The driver of seeded matches: who answers when, and which stamps the turns get."""

from __future__ import annotations

import pytest

from gridjoust.conformance.matches import Style, play_match, replay, state_hash
from gridjoust.games.api import AnyGame
from tests.doubles.games.broken import CrashesInPlay, RunsTooLong, WaitsForEver
from tests.doubles.games.reference import Bids, March, Numbers, Pile

STAMPS = {
    "turn numbers from one": (Numbers(), Style.RANDOM, [1, 2, 3, 4]),
    "the tick": (March(), Style.RANDOM, [100, 200, 300, 400, 500, 600]),
    "the timer, in a silent match in real time": (Bids(), Style.SILENT, [10_000]),
}


@pytest.mark.parametrize(("game", "style", "stamps"), STAMPS.values(), ids=STAMPS)
def test_turns_are_stamped(game: AnyGame, style: Style, stamps: list[int]) -> None:
    turns = [moment.turn for moment in play_match(game, 7, style).moments if moment.turn]
    assert [turn.stamp for turn in turns] == stamps
    assert style is not Style.SILENT or dict(turns[0].actions) == {}


def test_real_time_stamps_never_fall_and_answers_come_before_the_timer() -> None:
    moments = play_match(Bids(seats=3), 7, Style.RANDOM).moments
    stamps = [moment.stamp for moment in moments]
    assert stamps == sorted(stamps)
    assert len(set(stamps)) > 3
    answered = [moment.turn.stamp < moment.state.end_ms for moment in moments if moment.turn and moment.turn.actions]
    assert set(answered) == {True}


def test_a_silent_match_plays_default_actions_and_a_seed_gives_the_same_match_and_its_replay_every_state() -> None:
    silent = play_match(Pile(), 7, Style.SILENT)
    assert [str(action) for m in silent.moments if m.turn for action in m.turn.actions.values()] == ["take 1"] * 9
    played = play_match(Pile(), 7, Style.RANDOM)
    assert play_match(Pile(), 7, Style.RANDOM) == played
    assert replay(Pile(), played) == [moment.state for moment in played.moments]


ENDS = {
    "a breakdown keeps the match so far": (
        CrashesInPlay(),
        Style.RANDOM,
        "turn 4: ZeroDivisionError: tick 3 (broken.py line 31, in fail)",
        4,
    ),
    "one turn after the declared maximum": (RunsTooLong(), Style.SILENT, "", 3 + 2),
    "a stuck match is no breakdown": (WaitsForEver(), Style.RANDOM, "", 5),
}


@pytest.mark.parametrize(("game", "style", "breakdown", "count"), ENDS.values(), ids=ENDS)
def test_a_match_that_goes_wrong_ends(game: AnyGame, style: Style, breakdown: str, count: int) -> None:
    played = play_match(game, 7, style)
    assert (played.breakdown, len(played.moments)) == (breakdown, count)
    assert played.moments[-1].turn is None


def test_state_hash_is_sixteen_bytes_of_blake2b() -> None:
    assert state_hash(b"") == "cae66941d9efbd404e4d88758ea67670"
