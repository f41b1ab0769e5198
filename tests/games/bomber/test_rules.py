"""The end, utility, metrics, and what a turn must hold at either pace."""

from __future__ import annotations

import pytest

from games import make
from games.api import Dynamics, IllegalAction, Turn
from games.bomber import Bomber
from games.bomber.actions import ACTIONS, Action
from tests.games.bomber.scenes import Scene, scene

WAIT = Action.WAIT


def is_over(now: Scene) -> bool:
    return now.game.is_terminal(now.state)


def returns(now: Scene) -> tuple[float, ...]:
    return now.game.returns(now.state)


def reason(now: Scene) -> str:
    return now.game.reason(now.state)


def one_dies() -> Scene:
    return scene("0.1", fires=[(2, 0, 0)], hp=[3, 1], score=[0, 99]).wait()


def both_die() -> Scene:
    return scene("0.1", fires=[(0, 0, 1), (2, 0, 0)], hp=[1, 1], score=[7, 0]).wait()


def at_the_limit(*score: int) -> Scene:
    return scene("0.1", score=score, max_ticks=2).wait(2)


@pytest.mark.parametrize(
    ("now", "asked"),
    [
        pytest.param(scene("0.1").wait(), (0, 1), id="two live"),
        pytest.param(scene("0.1.2", fires=[(2, 0, 0)], hp=[3, 1, 3]).wait(), (0, 2), id="two of three live"),
        pytest.param(scene("0.1", max_ticks=2).wait(1), (0, 1), id="before the last tick"),
        pytest.param(at_the_limit(0, 0), (), id="after the last tick"),
        pytest.param(one_dies(), (), id="one lives"),
        pytest.param(both_die(), (), id="nobody lives"),
    ],
)
def test_living_seats_act_until_the_match_is_over(now: Scene, asked: tuple[int, ...]) -> None:
    assert (now.game.seats_to_act(now.state), is_over(now)) == (asked, not asked)


def test_match_lasts_1800_ticks_by_default() -> None:
    now = scene("0.1").wait(1799)
    assert (is_over(now), is_over(now.wait())) == (False, True)


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        pytest.param(one_dies(), (1, -1), id="last survivor, whatever the score"),
        pytest.param(both_die(), (0, 0), id="all dead in one tick, whatever the score"),
        pytest.param(at_the_limit(3, 4), (-1, 1), id="higher score at the limit"),
        pytest.param(at_the_limit(4, 4), (0, 0), id="equal scores at the limit"),
        pytest.param(
            scene("0.1", fires=[(0, 0, 1)], hp=[1, 3], score=[90, 0], max_ticks=1).wait(),
            (-1, 1),
            id="death in the last tick counts before the score",
        ),
        pytest.param(scene("0.1", score=[5, 2]), (1, -1), id="present standing before the end"),
        pytest.param(
            scene("0.1.2.3", fires=[(2, 0, 0), (4, 0, 0), (6, 0, 0)], hp=[1, 1, 1, 1]).wait(),
            (3, -1, -1, -1),
            id="the last survivor of four beats all",
        ),
        pytest.param(
            scene("0.1.2.3", fires=[(6, 0, 3)], hp=[3, 3, 3, 1], score=[4, 9, 9, 90], max_ticks=1).wait(),
            (-1, 2, 2, -3),
            id="the living by score, before the dead",
        ),
    ],
)
def test_returns(now: Scene, expected: tuple[float, ...]) -> None:
    assert returns(now) == expected


def test_of_three_who_died_later_beats_who_died_earlier() -> None:
    first = scene("0.1.2", fires=[(2, 0, 0)], hp=[3, 1, 1], score=[0, 80, 0]).wait()
    second = first.change(fires=scene("0.1.2", fires=[(4, 0, 0)]).state.fires).wait()
    assert returns(second) == (2, -2, 0)


@pytest.mark.parametrize(
    ("now", "sentence"),
    [
        (one_dies(), "seat 0 is the last survivor"),
        (both_die(), "nobody survived tick 0"),
        (at_the_limit(34, 12), "tick limit: 34 to 12 points"),
        (
            scene("0.1.2", score=[3, 0, 5], max_ticks=1).wait(),
            "tick limit: seat 0 has 3, seat 1 has 0, seat 2 has 5 points",
        ),
    ],
)
def test_reason_is_a_sentence(now: Scene, sentence: str) -> None:
    assert reason(now) == sentence


def test_metrics_count_what_a_seat_did() -> None:
    board = scene("0t.s.1", fires=[(5, 0, 0), (3, 0, 0), (1, 0, 0)], hp=[3, 3])
    done = board.play("right wait", "bomb wait")
    assert dict(done.game.metrics(done.state)[0]) == {
        "score": 25 + 2 + 1,
        "hp": 2,
        "ammo_used": 1,
        "soft_blocks": 1,
        "ore_blocks": 0,
        "treasure": 1,
        "hits": 1,
        "own_hits": 1,
        "ticks": 2,
    }


def test_metrics_count_an_ore_block_for_who_is_paid() -> None:
    done = scene("0.o.1", fires=[(2, 0, 0), (2, 0, 0), (2, 0, 1)]).wait()
    assert [metrics["ore_blocks"] for metrics in done.game.metrics(done.state)] == [0, 1]


def test_ticks_of_a_dead_player_end_with_the_tick_it_died_in() -> None:
    dead = scene("0.1.2", fires=[(0, 0, 1)], hp=[1, 3, 3]).wait(5)
    assert [metrics["ticks"] for metrics in dead.game.metrics(dead.state)] == [1, 5, 5]


def test_all_six_actions_are_legal_for_a_living_seat() -> None:
    now = scene("0#1", ammo=[0, 0])
    texts = [str(action) for action in now.game.legal_actions(now.state, 0)]
    assert texts == ["up", "down", "left", "right", "bomb", "wait"]


def test_dead_seat_has_no_legal_actions() -> None:
    dead = scene("0.1.2", fires=[(0, 0, 1)], hp=[1, 3, 3]).wait()
    assert [len(dead.legal(seat)) for seat in range(3)] == [0, 6, 6]


def test_missing_answer_is_a_wait() -> None:
    now = scene("0.1")
    assert now.game.default_action(now.state, 0) is WAIT


@pytest.mark.parametrize("action", ACTIONS)
def test_action_text_is_parsed_back(action: Action) -> None:
    assert Bomber().parse_action(str(action)) is action


@pytest.mark.parametrize("text", ["", "UP", " up", "up\n", "north", "u", "wait wait", "\x00"])
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected one of up, down, left, right, bomb, wait, got"):
        Bomber().parse_action(text)


@pytest.mark.parametrize(
    ("actions", "sentence"),
    [
        ({0: WAIT}, r"expected actions of seats \[0, 1\], got none of \[1\]"),
        ({}, r"got none of \[0, 1\]"),
        ({0: WAIT, 1: WAIT, 2: WAIT}, r"expected actions of seats \[0, 1\], got one of seat 2"),
        ({0: WAIT, 1: "jump"}, "seat 1: expected one of up, down, left, right, bomb, wait, got 'jump'"),
        ({0: WAIT, 1: ["up"]}, "seat 1: expected one of"),
    ],
)
def test_lockstep_turn_that_does_not_fit_is_refused(actions: dict[int, Action], sentence: str) -> None:
    now = scene("0.1")
    with pytest.raises(IllegalAction, match=sentence):
        now.game.apply(now.state, Turn(actions, 0))


def test_action_of_a_dead_seat_is_refused() -> None:
    dead = scene("0.1.2", fires=[(0, 0, 1)], hp=[1, 3, 3]).wait()
    with pytest.raises(IllegalAction, match=r"expected actions of seats \[1, 2\], got one of seat 0"):
        dead.game.apply(dead.state, Turn({0: WAIT, 1: WAIT, 2: WAIT}, 1))


@pytest.mark.parametrize("pace", ["lockstep", "realtime"])
def test_turn_after_the_end_is_refused(pace: str) -> None:
    over = scene("0.1", max_ticks=1, pace=pace).wait()
    with pytest.raises(IllegalAction, match="expected no turn after the end"):
        over.game.apply(over.state, Turn({}, 1))


def test_refused_turn_leaves_the_state_as_it_was() -> None:
    now = scene("0.1")
    before = now.game.encode(now.state)
    with pytest.raises(IllegalAction):
        now.game.apply(now.state, Turn({0: Action.RIGHT}, 0))
    assert now.game.encode(now.state) == before


def test_lockstep_is_simultaneous_and_realtime_ticked() -> None:
    kinds = [Bomber({"pace": pace}).spec.dynamics for pace in ("lockstep", "realtime")]
    assert kinds == [Dynamics.SIMULTANEOUS, Dynamics.TICKED]


def test_realtime_wakes_at_the_end_of_each_tick_until_the_end_and_lockstep_never() -> None:
    now = scene("0.1", pace="realtime", tick_ms=40, max_ticks=3)
    assert [now.game.wake_at(now.wait(ticks).state) for ticks in range(4)] == [40, 80, 120, None]
    lockstep, realtime = scene("0.1"), scene("0.1", pace="realtime")
    assert [shown.game.wake_at(shown.state) for shown in (lockstep, realtime)] == [None, 100]


def test_realtime_seat_that_did_not_answer_waits() -> None:
    now = scene("0..1", pace="realtime")
    after = now.game.apply(now.state, Turn({1: Action.LEFT}, 100))
    assert [player.cell for player in after.players] == [0, 2]


def test_realtime_tick_passes_without_any_answer() -> None:
    now = scene("0..1", pace="realtime")
    assert now.game.apply(now.state, Turn({}, 100)).tick == 1


def test_question_is_closed_by_the_tick() -> None:
    now = scene("0..1")
    assert [now.game.ask_key(now.wait(ticks).state, 0) for ticks in range(3)] == [0, 1, 2]


def test_game_is_made_by_name() -> None:
    assert isinstance(make("bomber", {"max_ticks": 300}, seats=3), Bomber)


def test_max_ticks_bounds_the_number_of_turns() -> None:
    assert Bomber({"max_ticks": 300}).spec.max_turns == 300


def test_information_is_perfect_only_when_nothing_is_hidden() -> None:
    assert [Bomber({"hidden": hidden}).spec.perfect_information for hidden in (True, False)] == [False, True]


def test_every_parameter_has_help() -> None:
    assert all(param.help for param in Bomber.spec.params.values())


def test_treasure_interval_that_ends_before_it_begins_is_refused() -> None:
    with pytest.raises(ValueError, match="treasure_max_ticks: expected at least 60, got 50"):
        Bomber({"treasure_min_ticks": 60, "treasure_max_ticks": 50})
