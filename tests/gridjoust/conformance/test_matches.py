"""The driver of seeded matches: who answers when, and which stamps the turns get."""

from __future__ import annotations

from gridjoust.conformance.matches import Style, play_match, replay, state_hash
from tests.doubles.games.broken import CrashesInPlay, RunsTooLong, WaitsForEver
from tests.doubles.games.reference import Bids, March, Numbers, Pile


def test_turn_based_stamps_are_turn_numbers_from_one() -> None:
    played = play_match(Numbers(), 7, Style.RANDOM)
    assert [moment.turn.stamp for moment in played.moments if moment.turn] == [1, 2, 3, 4]


def test_real_time_stamps_never_fall() -> None:
    stamps = [moment.stamp for moment in play_match(Bids(seats=3), 7, Style.RANDOM).moments]
    assert stamps == sorted(stamps)
    assert len(set(stamps)) > 3


def test_real_time_answers_come_before_the_timer() -> None:
    game = Bids(seats=3)
    answered = [moment for moment in play_match(game, 7, Style.RANDOM).moments if moment.turn and moment.turn.actions]
    assert [moment.turn.stamp < moment.state.end_ms for moment in answered if moment.turn] == [True] * len(answered)
    assert answered


def test_silent_real_time_match_is_one_empty_turn_at_the_timer() -> None:
    first, _ = play_match(Bids(), 7, Style.SILENT).moments
    assert first.turn is not None
    assert (dict(first.turn.actions), first.turn.stamp) == ({}, 10_000)


def test_ticked_turns_are_stamped_with_the_tick() -> None:
    played = play_match(March(), 7, Style.RANDOM)
    assert [moment.turn.stamp for moment in played.moments if moment.turn] == [100, 200, 300, 400, 500, 600]


def test_silent_turn_based_match_plays_default_actions() -> None:
    played = play_match(Pile(), 7, Style.SILENT)
    assert [str(action) for m in played.moments if m.turn for action in m.turn.actions.values()] == ["take 1"] * 9


def test_same_seed_gives_the_same_match() -> None:
    assert play_match(Pile(), 7, Style.RANDOM) == play_match(Pile(), 7, Style.RANDOM)


def test_replay_gives_every_state_of_the_match() -> None:
    played = play_match(Pile(), 7, Style.RANDOM)
    assert replay(Pile(), played) == [moment.state for moment in played.moments]


def test_breakdown_keeps_the_match_so_far() -> None:
    played = play_match(CrashesInPlay(), 7, Style.RANDOM)
    assert played.breakdown == "turn 4: ZeroDivisionError: tick 3"
    assert len(played.moments) == 4


def test_match_is_stopped_one_turn_after_its_declared_maximum() -> None:
    assert len(play_match(RunsTooLong(), 7, Style.SILENT).moments) == 3 + 2


def test_stuck_match_ends_without_a_breakdown() -> None:
    played = play_match(WaitsForEver(), 7, Style.RANDOM)
    assert played.breakdown == ""
    assert played.moments[-1].turn is None


def test_state_hash_is_sixteen_bytes_of_blake2b() -> None:
    assert state_hash(b"") == "cae66941d9efbd404e4d88758ea67670"
