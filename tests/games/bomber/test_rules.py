"""The end, utility, metrics, and what a turn must hold at either pace."""

from __future__ import annotations

from typing import Any

import pytest

from gridjoust.games.api import Dynamics, IllegalAction, Turn
from gridjoust.games.bomber import Bomber
from gridjoust.games.bomber.actions import Action
from tests.games.bomber.scenes import Scene, scene

WAIT = Action.WAIT
ONE_DIES = scene("0.1", fires=[(2, 0, 0)], hp=[3, 1], score=[0, 99]).wait()
BOTH_DIE = scene("0.1", fires=[(0, 0, 1), (2, 0, 0)], hp=[1, 1], score=[7, 0]).wait()
FIRST_OF_THREE_DIES = scene("0.1.2", fires=[(0, 0, 1)], hp=[1, 3, 3]).wait()


def at_the_limit(*score: int) -> Scene:
    return scene("0.1", score=score, max_ticks=2).wait(2)


def second_death() -> Scene:
    first = scene("0.1.2", fires=[(2, 0, 0)], hp=[3, 1, 1], score=[0, 80, 0]).wait()
    return first.change(fires=scene("0.1.2", fires=[(4, 0, 0)]).state.fires).wait()


ASKED: dict[str, tuple[Scene, tuple[int, ...]]] = {
    "two live": (scene("0.1").wait(), (0, 1)),
    "two of three live": (scene("0.1.2", fires=[(2, 0, 0)], hp=[3, 1, 3]).wait(), (0, 2)),
    "before the last tick": (scene("0.1", max_ticks=2).wait(1), (0, 1)),
    "after the last tick": (at_the_limit(0, 0), ()),
    "before the last of 1800 ticks, the default": (scene("0.1").wait(1799), (0, 1)),
    "after the last of 1800 ticks": (scene("0.1").wait(1800), ()),
    "one lives": (ONE_DIES, ()),
    "nobody lives": (BOTH_DIE, ()),
}


@pytest.mark.parametrize(("now", "asked"), ASKED.values(), ids=ASKED)
def test_living_seats_act_until_the_match_is_over(now: Scene, asked: tuple[int, ...]) -> None:
    assert (now.game.seats_to_act(now.state), now.is_over) == (asked, not asked)


RETURNS: dict[str, tuple[Scene, tuple[float, ...]]] = {
    "last survivor, whatever the score": (ONE_DIES, (1, -1)),
    "all dead in one tick, whatever the score": (BOTH_DIE, (0, 0)),
    "higher score at the limit": (at_the_limit(3, 4), (-1, 1)),
    "equal scores at the limit": (at_the_limit(4, 4), (0, 0)),
    "death in the last tick counts before the score": (
        scene("0.1", fires=[(0, 0, 1)], hp=[1, 3], score=[90, 0], max_ticks=1).wait(), (-1, 1),
    ),
    "present standing before the end": (scene("0.1", score=[5, 2]), (1, -1)),
    "the last survivor of four beats all": (
        scene("0.1.2.3", fires=[(2, 0, 0), (4, 0, 0), (6, 0, 0)], hp=[1, 1, 1, 1]).wait(), (3, -1, -1, -1),
    ),
    "the living by score, before the dead": (
        scene("0.1.2.3", fires=[(6, 0, 3)], hp=[3, 3, 3, 1], score=[4, 9, 9, 90], max_ticks=1).wait(), (-1, 2, 2, -3),
    ),
    "who died later beats who died earlier": (second_death(), (2, -2, 0)),
}  # fmt: skip


@pytest.mark.parametrize(("now", "expected"), RETURNS.values(), ids=RETURNS)
def test_returns(now: Scene, expected: tuple[float, ...]) -> None:
    assert now.returns() == expected


@pytest.mark.parametrize(
    ("now", "sentence"),
    [
        (ONE_DIES, "seat 0 is the last survivor"),
        (BOTH_DIE, "nobody survived tick 0"),
        (at_the_limit(34, 12), "tick limit: 34 to 12 points"),
        (
            scene("0.1.2", score=[3, 0, 5], max_ticks=1).wait(),
            "tick limit: seat 0 has 3, seat 1 has 0, seat 2 has 5 points",
        ),
    ],
)
def test_reason_is_a_sentence(now: Scene, sentence: str) -> None:
    assert now.game.reason(now.state) == sentence


def test_metrics_count_what_a_seat_did_while_it_lived() -> None:
    board = scene("0t.s.1", fires=[(5, 0, 0), (3, 0, 0), (1, 0, 0)], hp=[3, 3])
    assert board.play("right wait", "bomb wait").metrics(0) == {
        "score": 25 + 2 + 1,
        "hp": 2,
        "ammo_used": 1,
        "soft_blocks": 1,
        "near_misses": 0,
        "traps": 0,
        "ore_blocks": 0,
        "treasure": 1,
        "hits": 1,
        "own_hits": 1,
        "ticks": 2,
    }
    paid = scene("0.o.1", fires=[(2, 0, 0), (2, 0, 0), (2, 0, 1)]).wait()
    assert [paid.metrics(seat)["ore_blocks"] for seat in (0, 1)] == [0, 1]
    assert [FIRST_OF_THREE_DIES.wait(4).metrics(seat)["ticks"] for seat in (0, 1, 2)] == [1, 5, 5]
    burnt = scene("0.1", fires=[(0, 0, 1)] * 3, hp=[1, 3]).wait()
    assert [burnt.metrics(seat)["hp"] for seat in (0, 1)] == [0, 3]
    assert "seat 0: 0 HP" in burnt.game.render(burnt.state)


def test_all_six_actions_are_legal_for_the_living_and_a_missing_answer_is_a_wait() -> None:
    now = scene("0#1", ammo=[0, 0])
    assert now.legal(0) == ["up", "down", "left", "right", "bomb", "wait"]
    assert now.game.default_action(now.state, 0) is WAIT
    assert [len(FIRST_OF_THREE_DIES.legal(seat)) for seat in range(3)] == [0, 6, 6]


@pytest.mark.parametrize("text", ["", "UP", " up", "up\n", "north", "u", "wait wait", "\x00"])
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected one of up, down, left, right, bomb, wait, got"):
        Bomber().parse_action(text)


@pytest.mark.parametrize(
    ("now", "actions", "sentence"),
    [
        (scene("0.1"), {0: WAIT}, r"expected actions of seats \[0, 1\], got none of \[1\]"),
        (scene("0.1"), {}, r"got none of \[0, 1\]"),
        (scene("0.1"), {0: WAIT, 1: WAIT, 2: WAIT}, r"expected actions of seats \[0, 1\], got one of seat 2"),
        (scene("0.1"), {0: WAIT, 1: "jump"}, "seat 1: expected one of up, down, left, right, bomb, wait, got 'jump'"),
        (scene("0.1"), {0: WAIT, 1: ["up"]}, "seat 1: expected one of"),
        (FIRST_OF_THREE_DIES, dict.fromkeys(range(3), WAIT), r"of seats \[1, 2\], got one of seat 0"),
        (at_the_limit(0, 0), {}, "expected no turn after the end"),
        (scene("0.1", max_ticks=1, pace="realtime").wait(), {}, "expected no turn after the end"),
    ],
)
def test_turn_that_does_not_fit_is_refused(now: Scene, actions: dict[int, Any], sentence: str) -> None:
    with pytest.raises(IllegalAction, match=sentence):
        now.game.apply(now.state, Turn(actions, 1))


def test_pace_information_and_length_of_a_variant_follow_its_parameters() -> None:
    specs = [Bomber().spec, Bomber({"pace": "realtime", "hidden": False, "max_ticks": 300}).spec]
    assert [(spec.dynamics, spec.perfect_information, spec.max_turns) for spec in specs] == [
        (Dynamics.SIMULTANEOUS, False, 300),
        (Dynamics.TICKED, True, 300),
    ]
    assert all(param.help for param in Bomber.spec.params.values())


def test_realtime_wakes_at_the_end_of_each_tick_until_the_end_and_lockstep_never() -> None:
    now = scene("0.1", pace="realtime", tick_ms=40, max_ticks=3)
    assert [now.game.wake_at(now.wait(ticks).state) for ticks in range(4)] == [40, 80, 120, None]
    lockstep, realtime = scene("0.1"), scene("0.1", pace="realtime")
    assert [shown.game.wake_at(shown.state) for shown in (lockstep, realtime)] == [None, 100]


def test_realtime_tick_passes_without_the_answers_that_are_missing_and_closes_the_question() -> None:
    now = scene("0..1", pace="realtime")
    after = [now.game.apply(now.state, Turn(actions, 100)) for actions in ({1: Action.LEFT}, {})]
    assert [(state.tick, [player.cell for player in state.players]) for state in after] == [(1, [0, 2]), (1, [0, 3])]
    now = scene("0..1")
    assert [now.game.ask_key(now.wait(ticks).state, 0) for ticks in range(3)] == [0, 1, 2]


def test_treasure_interval_that_ends_before_it_begins_is_refused() -> None:
    with pytest.raises(ValueError, match="treasure_max_ticks: expected at least 60, got 50"):
        Bomber({"treasure_min_ticks": 60, "treasure_max_ticks": 50})
