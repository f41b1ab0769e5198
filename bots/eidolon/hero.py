"""What every bot for eidolon does alike: read, choose goals, act on the spot, tell the plan. Finds no ways itself.

A planner is a subclass that says by which way to which of the goals (`plan`). Options: `division` (`voronoi` or
`equal`) shares the unexplored part out among heroes, `talk: false` keeps plans to oneself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from bots.api import Bot, MatchSetup, Observation, SearchStats
from bots.eidolon.belief import parse_view, setup_rules
from bots.eidolon.claims import claims_of, format_claim
from bots.eidolon.goals import Goal, TeamGoals, best_goals
from bots.eidolon.in_place import act_at_goal, act_in_place, answer_ritual, spare_act
from bots.eidolon.roads import SHARED_CELL_AP, RoadBook, Roads
from bots.eidolon.roles import Needs, choose_roles
from games.eidolon.actions import Act, Action, Wait
from games.eidolon.legal import fault
from games.eidolon.params import Rules
from games.eidolon.state import Message, Phase, Seat, State
from games.grid import Cell

IDLE = -0.5  # a hero without errands of its own acts only for goals that are worth more than they cost


@dataclass(frozen=True, slots=True)
class Itinerary:
    """A goal and the way to it, both ends included; with what the search cost.

    `act` is the first action where the planner has found it; else the first step of the path is, or what to do there.
    """

    goal: Goal
    path: tuple[Cell, ...]
    stats: SearchStats | None = None
    act: Act | None = None


@dataclass(slots=True)
class Memory:
    """What the bot keeps for one seat between turns."""

    seat: Seat
    words: str = ""  # the plan last made
    said_turn: tuple[int, str] = (0, "")  # game round and head of the plan last told


class HeroBot(Bot):
    """Base of the planners; keeps nothing that the observation does not show but roads, roles and words.

    `itinerary` is the plan behind the last answer, for people who want to see it; None where none was needed.
    """

    itinerary: Itinerary | None = None
    plays: ClassVar[tuple[str, ...]] = ("eidolon",)

    def __init__(self, *, division: str = "voronoi", talk: bool = True) -> None:
        if division not in ("voronoi", "equal"):
            raise ValueError(f"division: expected voronoi or equal, got {division!r}")
        self._division = division
        self._talks = talk

    def start(self, setup: MatchSetup) -> None:
        """One memory per seat held."""
        self.rules: Rules = setup_rules(setup)
        self._book = RoadBook(self.rules)
        self._memories = {seat: Memory(seat) for seat in setup.seats}
        self._state: State | None = None

    def plan(self, memory: Memory, team_goals: TeamGoals, goals: list[tuple[float, Goal]]) -> Itinerary | None:
        """The way to one of the goals (ranked, best first, never empty); None = none is worth going to."""
        raise NotImplementedError

    def act(self, observation: Observation) -> str:
        """One action text."""
        state = parse_view(observation.view, known=self._state.dungeon if self._state else None)
        self._state = state
        self.stats = self.itinerary = None
        memory = self._memories[observation.seat]
        team_goals = self.look(state)
        if state.phase is not Phase.ACT:
            return str(Action(answer_ritual(team_goals, memory.seat)))
        if act := act_in_place(team_goals, memory.seat):
            return str(Action(act))
        return str(self._go(memory, team_goals))

    def look(self, state: State) -> TeamGoals:
        """What there is to do, with the colours shared out by what all heroes have told."""
        needs = Needs(self.rules, state, self._book)
        plans = [Message(memory.seat, memory.words) for memory in self._memories.values() if memory.words]
        claims = claims_of((*plans, *state.messages))
        told = {colour: seat for seat, claim in claims.items() for colour in claim.colours}
        return TeamGoals(needs, choose_roles(needs, told), claims, division=self._division)

    def _go(self, memory: Memory, team_goals: TeamGoals) -> Action:
        goals = self._worthwhile(memory.seat, team_goals)
        itinerary = self.itinerary = self.plan(memory, team_goals, goals) if goals else None
        if itinerary is None:
            here = team_goals.needs.cell(memory.seat)
            return Action(spare_act(team_goals, memory.seat), self._words(memory, team_goals, (here,), here))
        self.stats = itinerary.stats
        act = self._first_act(memory.seat, team_goals, itinerary)
        if isinstance(act, Wait):
            act = spare_act(team_goals, memory.seat)
        return Action(act, self._words(memory, team_goals, itinerary.path, itinerary.goal.cell))

    def _worthwhile(self, seat: Seat, team_goals: TeamGoals) -> list[tuple[float, Goal]]:
        ranked = best_goals(team_goals, seat)
        if team_goals.errands(seat):
            return ranked
        return [(value, goal) for value, goal in ranked if value < IDLE]

    def _first_act(self, seat: Seat, team_goals: TeamGoals, itinerary: Itinerary) -> Act:
        state = team_goals.needs.state
        if itinerary.act is not None:
            return itinerary.act
        if len(itinerary.path) > 1:
            here, there = itinerary.path[:2]
            return team_goals.needs.roads(seat).act_towards(here, there)
        act = act_at_goal(team_goals, seat, itinerary.goal)
        return Wait() if fault(self.rules, state, seat, act) else act

    def _words(self, memory: Memory, team_goals: TeamGoals, path: tuple[Cell, ...], goal: Cell) -> str:
        """The plan, if there is somebody to tell it to: once a turn and whenever its goal has changed."""
        memory.words = format_claim(team_goals.colours(memory.seat), path, goal)
        telling = team_goals.needs.state.game_round, memory.words.split(" ")[0]
        if not self._talks or len(team_goals.needs.living) == 1 or telling == memory.said_turn:
            return ""
        memory.said_turn = telling
        return memory.words


def shared_cells(team_goals: TeamGoals, seat: Seat) -> frozenset[Cell]:
    """Cells on the paths that team-mates have told."""
    needs = team_goals.needs
    told: set[Cell] = set()
    for other, claim in team_goals.claims.items():
        if other != seat and other in needs.living:
            told.update(claim.path(needs.cell(other), needs.state.dungeon.passages))
    return frozenset(told)


def shared_cost(roads: Roads, shared: frozenset[Cell]) -> dict[tuple[Cell, Cell], float]:
    """Price of every arc: its AP, and a little more into a cell on a team-mate's path."""
    return {
        (cell, other): roads.cost(cell, other) + SHARED_CELL_AP * (other in shared)
        for cell in roads.arcs
        for other in roads.neighbours(cell)
    }
