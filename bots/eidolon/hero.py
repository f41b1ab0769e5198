"""The base of all eidolon bots: it reads the observation, prices goals, acts in place and announces its plan.

A planner is a subclass that measures the roads (`measure`) and chooses a goal and a path (`plan`). The tactics list and
price the goals; all distances come from the planner. Options: `division` (`voronoi` or `equal`) shares the unexplored
part out among heroes, `talk: false` keeps plans secret. `plan_every: 3` plans once for three actions, which is the pace
of the adaptation that the game comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from gridjoust.bots.api import Bot, MatchSetup, Observation
from gridjoust.bots.eidolon.belief import claims_of, format_claim, parse_view
from gridjoust.bots.eidolon.goals import Goal, GoalPlanner, TeamGoals
from gridjoust.bots.eidolon.in_place import ActiveTeam, fight_or_wait
from gridjoust.bots.eidolon.joint.acts import ActiveJointTeam
from gridjoust.bots.eidolon.roads import RoadBook, Roads
from gridjoust.bots.eidolon.roles import Requirements, choose_collectors, choose_roles
from gridjoust.bots.planners.stats import PlanStats
from gridjoust.bots.reported import search_stats
from gridjoust.games.eidolon.actions import Act, Action, Wait
from gridjoust.games.eidolon.params import Rules, make_rules
from gridjoust.games.eidolon.state import Message, Seat, State
from gridjoust.games.grid import Cell


@dataclass(frozen=True, slots=True)
class Itinerary:
    """A goal and the path to it, both ends included; `cost` in AP, as the planner counts it.

    `act` is the first action, if the planner has found one. Otherwise the hero takes the first step of the path or, at
    its end, does the act of the goal.
    """

    goal: Goal
    path: tuple[Cell, ...]
    cost: float | None = None
    act: Act | None = None


def drawn_at(planner: GoalPlanner) -> Callable[[Cell], tuple[int, int]]:
    """Return a function from a cell to (x, y) on the drawn board, which begins at the leftmost and topmost cells."""
    cells = list(planner.state.dungeon.at)
    left, top = min(cell.x for cell in cells), min(cell.y for cell in cells)
    return lambda cell: (cell.x - left, cell.y - top)


class HeroBot(Bot):
    """Base of the bots; from earlier turns they remember only the dungeon, its roads and their own plans.

    `itinerary` is the plan behind the last answer, for spectators; None if no plan was needed.
    """

    itinerary: Itinerary | None = None
    spent: PlanStats  # cost of all searches of the present answer
    plays: ClassVar[tuple[str, ...]] = ("eidolon",)

    def __init__(self, *, division: str = "voronoi", talk: bool = True, plan_every: int = 1) -> None:
        if division not in ("voronoi", "equal"):
            raise ValueError(f"division: expected voronoi or equal, got {division!r}")
        if plan_every < 1:
            raise ValueError(f"plan_every: expected at least 1, got {plan_every}")
        self._division = division
        self._plan_every = plan_every
        self._talks = talk
        self.spent = PlanStats()

    def start(self, setup: MatchSetup) -> None:
        """Begin a match: no plan has been made or announced yet."""
        self.rules: Rules = make_rules(setup.params, seats=setup.seat_count)
        self._book = RoadBook(self.rules, self.measure, self.work)
        self._plans = {seat: Message(seat, "") for seat in setup.seats}  # in the words of the plan last made
        self._told: dict[Seat, tuple[int, str]] = {}  # game round and head of the plan last told
        self._followed: dict[Seat, tuple[int, Itinerary]] = {}  # actions for which a hero still follows its last plan
        self._state: State | None = None

    def measure(self, roads: Roads, start: Cell, cells: Sequence[Cell]) -> Mapping[Cell, float]:
        """Return the AP from `start` to each of the cells by the bot's planner, infinite without a path.

        Cells not reached before the work ran out are left out.
        """
        raise NotImplementedError

    def plan(self, planner: GoalPlanner, goals: list[tuple[float, Goal]]) -> Itinerary | None:
        """Return a path to one of the goals, or None; they are (cost, goal), best first, and never empty."""
        raise NotImplementedError

    def act(self, observation: Observation) -> str:
        """Return the text of one action, perhaps with the plan in words."""
        state = self._state = parse_view(observation.view, known=self._state.dungeon if self._state else None)
        self.itinerary, self.spent = None, PlanStats()
        self._book.begin_answer()
        planner = self.look(state).of(observation.seat)
        act = planner.act_at_once()
        action = Action(act) if act else self._go(planner)
        self.stats = search_stats(self.spent, plan_cost=self.itinerary.cost if self.itinerary else None)
        return str(action)

    def look(self, state: State) -> TeamGoals:
        """Return the team's goals in this state; who gathers which colour depends on the plans announced."""
        needs = Requirements(self.rules, state, self._book)
        claims = claims_of((*self._plans.values(), *state.messages))
        told = {colour: seat for seat, claim in claims.items() for colour in claim.colours}
        if self.rules.cultists and self.rules.ritual_every != "round":
            return ActiveJointTeam(needs, choose_collectors(needs, told), claims, division=self._division)
        return ActiveTeam(needs, choose_roles(needs, told), claims, division=self._division)

    def _go(self, planner: GoalPlanner) -> Action:
        itinerary = self.itinerary = self._rest_of_plan(planner) or self._new_plan(planner)
        if itinerary is None:
            return Action(fight_or_wait(planner), self._words(planner, (planner.here,), planner.here))
        act, path = itinerary.act, itinerary.path
        if self.lens is not None:
            self.show("way", path=map(drawn_at(planner), path))
        if act is None:
            act = self._next_act(planner, itinerary)
        if isinstance(act, Wait) or not planner.can(act):
            act = planner.spare_act()
        return Action(act, self._words(planner, path, itinerary.goal.cell))

    def _new_plan(self, planner: GoalPlanner) -> Itinerary | None:
        goals = planner.worthwhile
        itinerary = self.plan(planner, goals) if goals else None
        if itinerary is not None:
            self._followed[planner.seat] = self._plan_every - 1, itinerary
        return itinerary

    def _rest_of_plan(self, planner: GoalPlanner) -> Itinerary | None:
        """Return the rest of the hero's last plan if it is to follow it, is on its path, and can do what comes next."""
        if planner.seat not in self._followed:
            return None
        left, plan = self._followed.pop(planner.seat)
        if not left or planner.here not in plan.path:
            return None
        rest = replace(plan, path=plan.path[plan.path.index(planner.here) :], act=None, cost=None)
        act = self._next_act(planner, rest)
        if isinstance(act, Wait) or not planner.can(act):
            return None
        self._followed[planner.seat] = left - 1, plan
        return rest

    def _next_act(self, planner: GoalPlanner, plan: Itinerary) -> Act:
        """Return the first step of the plan's path, or the act at its goal if the hero is there."""
        path = plan.path
        return planner.roads.act_towards(*path[:2]) if len(path) > 1 else planner.act_at_goal(plan.goal)

    def _words(self, planner: GoalPlanner, path: tuple[Cell, ...], goal: Cell) -> str:
        """Return the plan as words for team-mates: once a turn and whenever its goal has changed; else ""."""
        words = format_claim(planner.team.colours(planner.seat), path, goal)
        self._plans[planner.seat] = Message(planner.seat, words)
        telling = planner.state.game_round, words.split(" ")[0]
        if not self._talks or len(planner.needs.living) == 1 or telling == self._told.get(planner.seat):
            return ""
        self._told[planner.seat] = telling
        return words
