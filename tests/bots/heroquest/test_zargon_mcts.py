"""What Zargon finds by Monte Carlo tree search, from what it knows and within its limits."""

from __future__ import annotations

import random
from itertools import count

import pytest

from gridjoust.bots.api import Deadline
from gridjoust.bots.heroquest.zargon_mcts import ZargonMcts
from gridjoust.bots.lens import Lens, ShownLayer
from gridjoust.bots.match import observe
from tests.bots.seats import asked, seated
from tests.games.heroquest.scenes import Scene, scene

LAST = 2  # Zargon's seat


def two_heroes() -> Scene:
    """An orc between two heroes, one of whom has one body point left; it is Zargon's turn."""
    shown = scene(heroes=2).at(1, 2).at(3, 2, seat=1).hero_set(1, body=1)
    return shown.with_monster("orc", 2, 2).play("end", "end")


def bot(shown: Scene, *, states: int = 600, seed: int = 1) -> ZargonMcts:
    return seated(ZargonMcts(states=states), shown.game, shown.state, seats=[LAST], seed=seed)


def answer(shown: Scene, *, seed: int = 1) -> str:
    return asked(bot(shown, seed=seed), shown.game, shown.state, seat=LAST)


@pytest.mark.gate
def test_a_monster_strikes_where_a_kill_is_likelier() -> None:
    shown = two_heroes().monster_set(has_moved=True)
    assert answer(shown) == "attack 0 E"
    assert answer(shown.hero_set(1, body=8).hero_set(0, body=1)) == "attack 0 W"


def test_a_monster_out_of_reach_walks_to_a_hero() -> None:
    shown = scene().at(1, 1).with_monster("goblin", 4, 3).play("end")
    zargon = seated(ZargonMcts(states=600), shown.game, shown.state, seats=[1])
    text = asked(zargon, shown.game, shown.state, seat=1)
    assert text.startswith("move 0")
    x, y = shown.play(text).place(shown.play(text).monster.cell)
    assert abs(x - 1) + abs(y - 1) == 1


@pytest.mark.gate
def test_coming_dice_change_no_answer_and_what_is_seen_does() -> None:
    shown = two_heroes()
    twins = [shown.game.redeal(shown.state, LAST, random.Random(number)) for number in range(3)]
    assert len({twin.seed for twin in twins}) == 3
    assert {answer(shown.change(seed=twin.seed)) for twin in twins} == {answer(shown)}
    assert answer(shown.at(1, 1).at(3, 3, seat=1)) != answer(shown)


def shown_search(shown: Scene, seed: int) -> list[ShownLayer]:
    zargon = bot(shown, seed=seed)
    zargon.lens = Lens()
    asked(zargon, shown.game, shown.state, seat=LAST)
    return zargon.lens.take()


@pytest.mark.gate
def test_equal_seeds_search_equally_and_others_do_not() -> None:
    one, same_again, other = (shown_search(two_heroes(), seed) for seed in (1, 1, 2))
    assert one == same_again != other


def test_the_search_ends_when_three_quarters_of_the_time_are_over() -> None:
    shown = two_heroes()
    clock_ms = count()
    deadline = Deadline(200.0, lambda: float(next(clock_ms)))
    question = observe(shown.game, shown.state, LAST)
    answers = [text for text in bot(shown, states=10**6).improve(question, deadline) if text is not None]
    assert answers
    assert 148 < next(clock_ms) < 160


@pytest.mark.parametrize("limit", [1, 5, 40])
def test_no_state_too_many_is_made(limit: int) -> None:
    shown = two_heroes()
    zargon = bot(shown)
    zargon.work.refill(limit)
    asked(zargon, shown.game, shown.state, seat=LAST)
    assert zargon.stats is not None
    assert (zargon.stats.generated, zargon.work.spent) == (limit, limit)


def test_without_time_the_first_legal_action_is_given() -> None:
    shown = two_heroes()
    question, over = observe(shown.game, shown.state, LAST), count()
    zargon = bot(shown)
    zargon.work.refill(0)
    assert [*zargon.improve(question, Deadline(None, lambda: float(next(over)), zargon.work))] == [question.legal[0]]


@pytest.mark.parametrize("options", [{"depth": -1}, {"states": 0}])
def test_options_out_of_range_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="depth and states: expected at least 0 and 1, got"):
        ZargonMcts(**options)
