"""Heroes who go together: who leads, who follows where, and for whom a door stays shut."""

from __future__ import annotations

import pytest

from gridjoust.bots.heroquest.company import follow_goals, leader_of
from gridjoust.bots.heroquest.hero_bot import PATIENCE, SINK
from gridjoust.bots.heroquest.tactics import Goals, frontier_goals
from gridjoust.bots.heroquest.tactics import Scene as Question
from gridjoust.bots.planners.stats import Plan, PlanStats
from gridjoust.games.heroquest.movement import hero_ground
from tests.bots.heroquest.test_hero_bot import DOOR, EVERY_HERO, answer, asked, seated
from tests.games.heroquest.scenes import Scene, scene

CHESTS = "[[8, 2, 50]]"
KILL, LOOT = "{kill: gargoyle}", "{loot: true, return: true}"
TWO_DOORS = "[[1, 3, 1, 4], [4, 2, 5, 2]]"

LEADERS: dict[str, tuple[Scene, int | None]] = {
    "the first fighter": (scene(heroes=4), 0),
    "whoever of them is not weak": (scene(heroes=4).hero_set(body=2), 1),
    "who is alive": (scene(heroes=3).hero_set(body=0), 1),
    "not the wizard": (scene(heroes=4, params={"heroes": "wizard elf dwarf barbarian"}), 1),
    "nobody among the weak": (scene(heroes=2).hero_set(body=2).hero_set(1, body=1), None),
    "nobody alone": (scene(), None),
    "nobody whose friends are dead": (scene(heroes=2).hero_set(1, body=0), None),
    "nobody where chests are to be emptied": (scene(heroes=4, goal=LOOT, chests=CHESTS), None),
}


@pytest.mark.parametrize(("shown", "expected"), LEADERS.values(), ids=LEADERS)
def test_leader(shown: Scene, expected: int | None) -> None:
    assert leader_of(shown.situation) == expected


def at_the_door(x: int, y: int, *, seat: int = 1, goal: str = KILL) -> Scene:
    """The barbarian stands before a door, a friend there."""
    shown = scene(heroes=4, doors=DOOR, goal=goal, chests=CHESTS).at(4, 2)
    return shown.at(4, 1, seat=1).at(4, 1, seat=2).at(x, y, seat=seat)


WAITS: dict[str, tuple[Scene, bool]] = {
    "when all are there": (at_the_door(2, 1), True),
    "not while a fighter is far": (at_the_door(1, 1), False),
    "not for the wizard": (at_the_door(1, 1, seat=3), True),
    "not for who cannot come": (at_the_door(8, 3), True),
    "not for chests": (at_the_door(1, 1, goal=LOOT), True),
}


@EVERY_HERO
@pytest.mark.parametrize(("shown", "is_opened"), WAITS.values(), ids=WAITS)
def test_leader_opens_a_door(name: str, shown: Scene, is_opened: bool) -> None:
    assert (answer(name, shown) == "open E") == is_opened


@EVERY_HERO
def test_leader_does_not_wait_for_ever(name: str) -> None:
    shown = at_the_door(1, 1)
    bot = seated(name, shown)
    opened = [asked(bot, shown.change(round=number)) == "open E" for number in range(1, PATIENCE + 2)]
    assert opened == [False] * PATIENCE + [True]


@EVERY_HERO
def test_followers_go_where_the_leader_is_going_and_open_nothing(name: str) -> None:
    """The dwarf stands at a door of its own; the barbarian's is nearer to the barbarian."""
    shown = scene(heroes=2, doors=TWO_DOORS).at(3, 1).at(1, 3, seat=1).change(seat=1)
    after = shown.play(answer(name, shown))
    x, y = after.place(after.state.heroes[1].cell)
    assert 0 < abs(x - 4) + abs(y - 2) <= 2


def test_followers_leave_the_squares_at_doors_to_the_leader() -> None:
    shown = scene(heroes=2, doors=TWO_DOORS).at(3, 1).at(1, 3, seat=1).change(seat=1)
    starts = []

    def ask(start: int, goals: Goals) -> Plan[int]:
        """The planner's answer: the door in the east."""
        starts.append(shown.place(start))
        return Plan((start, next(cell for cell in goals if shown.place(cell) == (4, 2)), SINK), 2.0, PlanStats())

    frontier = frontier_goals(Question(shown.situation, {}, set(), ask))
    goals = follow_goals(shown.situation, hero_ground(shown.situation), 0, frontier, ask)
    places = {shown.place(cell) for cell in goals}
    assert starts == [(3, 1)]
    assert places == {(4, 1), (3, 2), (2, 2), (3, 1), (4, 3), (3, 3)}
