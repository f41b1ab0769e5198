"""Beam hero: tries whole turns of actions by the rules and keeps the best few; it does not foresee random outcomes.

A node is the state after some of the hero's actions, with the AP of this turn and the next. Exploring ends a line,
since its outcome is random. Lines are ranked by the AP spent and what is then left to do. Of lines that leave the same,
the one that does things earlier wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, NamedTuple

from gridjoust.bots.api import MatchSetup
from gridjoust.bots.eidolon.goals import Goal, GoalPlanner, Kind, TeamGoals
from gridjoust.bots.eidolon.hero import HeroBot, Itinerary, drawn_at
from gridjoust.bots.eidolon.roads import Roads
from gridjoust.bots.eidolon.roles import Requirements
from gridjoust.bots.planners.beam import beam, beam_lookahead
from gridjoust.bots.planners.stats import INF
from gridjoust.bots.planners.trail import by_depth
from gridjoust.games.eidolon.actions import Act, BreakBarrier, BreakSeal, Grab, Move, Passage, TakeFire, Wait
from gridjoust.games.eidolon.apply import do
from gridjoust.games.eidolon.legal import cost, fault
from gridjoust.games.eidolon.params import AP_PER_TURN, Rules
from gridjoust.games.eidolon.state import Seat, State, TurnDraft
from gridjoust.games.eidolon.tiles import TILES
from gridjoust.games.grid import DIRECTIONS, Cell

WIDTH = 8
ROAD_WIDTH = 32  # of the beam that measures roads: more than the tiles of one depth
TURNS = 2
WAIT_AP = 0.25  # cost of every AP given up: it is not spent, but time is


class Line(NamedTuple):
    """A state that the search has reached, and the acts that lead to it.

    `turns_left`: turns of the hero that may follow this one; `wasted`: AP given up on the way.
    """

    state: State
    acts: tuple[Act, ...] = ()
    turns_left: int = TURNS
    wasted: int = 0


class BeamHero(HeroBot):
    """A hero by beam search; `width`: lines kept after each action."""

    planner: ClassVar[str] = "beam"

    def __init__(
        self, *, width: int = WIDTH, division: str = "voronoi", talk: bool = True, plan_every: int = 1
    ) -> None:
        super().__init__(division=division, talk=talk, plan_every=plan_every)
        if width < 1:
            raise ValueError(f"width: expected at least 1, got {width}")
        self._width = width

    def start(self, setup: MatchSetup) -> None:
        """Begin a match: no line of actions is kept from earlier answers yet."""
        super().start(setup)
        self._kept: dict[Seat, tuple[object, tuple[Act, ...]]] = {}
        self._visited: dict[Seat, tuple[object, set[Cell | None]]] = {}

    def measure(self, roads: Roads, start: Cell, cells: Sequence[Cell]) -> Mapping[Cell, float]:
        """Return the AP to each of the cells, by one beam search; infinite for cells that it misses.

        The result is empty if the work runs out.
        """
        reached: dict[Cell, float] = {start: 0.0}

        def rank(cell: Cell, so_far: float) -> float:
            reached[cell] = min(so_far, reached.get(cell, INF))
            return so_far

        plan = beam(
            start,
            frozenset[Cell](),
            neighbours=roads.neighbours,
            cost=roads.cost,
            rank=rank,
            width=ROAD_WIDTH,
            budget=self.work,
        )
        self.spent += plan.stats
        return {} if self.work.is_spent else {cell: reached.get(cell, INF) for cell in cells}

    def plan(self, planner: GoalPlanner, goals: list[tuple[float, Goal]]) -> Itinerary | None:
        """Return the best goal, the path to it, and the first action of the best line.

        The rest of the line is played in this turn if nothing else happens.
        """
        seat, state, (value, goal) = planner.seat, planner.state, goals[0]
        way = planner.roads.path(planner.here, goal.cell)
        expected, acts = self._kept.pop(seat, (None, ()))
        if expected != _progress(state, seat) or not acts or not planner.can(acts[0]):
            acts = self._best_line(planner, goal, value)
        if acts and self.work.is_spent:
            return Itinerary(goal, way, value, acts[0])
        after = advance(self.rules, state, seat, acts[0]) if acts else state
        self.work.count_tactics(1 if acts else 0)
        if not acts or self._is_circling(seat, state, after):
            return Itinerary(goal, way, value)
        self._kept[seat] = _progress(after, seat), acts[1:] if after.ap_left else ()
        return Itinerary(goal, way, value, acts[0])

    def _best_line(self, planner: GoalPlanner, goal: Goal, value: float) -> tuple[Act, ...]:
        """Return the actions of the best line; none if no line is better than going straight to the goal."""
        forward = Forward(planner)
        layers: list[list[Line]] | None = None if self.lens is None else []
        plan = beam_lookahead(
            Line(planner.state),
            neighbours=forward.lines_after,
            cost=forward.cost,
            rank=forward.rank,
            width=self._width,
            depth=TURNS * AP_PER_TURN,
            budget=self.work,
            layers=layers,
        )
        if layers is not None:
            place, seat = drawn_at(planner), planner.seat
            self.show("depth", heat=by_depth(layers, lambda line: place(line.state.cell_of(seat))))
        self.spent += plan.stats
        best = plan.path[-1]
        is_here = goal.cell == planner.here and not _is_errand(planner, goal)
        rank = forward.rank(best, plan.cost)
        return () if rank > value or (is_here and rank == value) else best.acts

    def _is_circling(self, seat: Seat, state: State, after: State) -> bool:
        """Return True if the hero would return to a cell without any progress since: then its estimates disagree."""
        situation, visited = self._visited.get(seat, (None, set()))
        if situation != _situation(state):
            visited = set()
        visited.add(state.heroes[seat].cell)
        self._visited[seat] = _situation(state), visited
        is_same = _situation(after) == _situation(state) and after.heroes[seat].cell != state.heroes[seat].cell
        return is_same and after.heroes[seat].cell in visited


class Forward:
    """The rules as a forward model of one hero, as far as they leave nothing to chance."""

    def __init__(self, planner: GoalPlanner) -> None:
        self._rules: Rules = planner.rules
        self._team = planner.team
        self._seat = planner.seat
        self._known: dict[object, TeamGoals] = {_situation(planner.state): planner.team}

    def lines_after(self, line: Line) -> Iterator[Line]:
        """Yield the lines that are one action longer; a turn without AP left is followed by the hero's next one."""
        state, turns_left, seat = line.state, line.turns_left, self._seat
        if not turns_left:
            return
        for act in self._acts(state):
            if not fault(self._rules, state, seat, act):
                after = advance(self._rules, state, seat, act)
                yield self._next_line(line, after, act, wasted=0)
        if state.ap_left < AP_PER_TURN:  # a whole turn is never given up: nothing would change
            yield self._next_line(line, replace(state, ap_left=0), Wait(), wasted=state.ap_left)

    def _next_line(self, line: Line, after: State, act: Act, *, wasted: int) -> Line:
        is_over = after.ap_left == 0
        refilled = replace(after, ap_left=AP_PER_TURN) if is_over else after
        return Line(refilled, (*line.acts, act), line.turns_left - is_over, line.wasted + wasted)

    def _acts(self, state: State) -> Iterator[Act]:
        colour = TILES[state.tile_of(self._seat)].colour
        if colour is None or self._team.roles.get(colour) == self._seat:
            yield from (Grab(), BreakSeal())
        yield from (TakeFire(), Passage())
        yield from map(Move, DIRECTIONS)
        if state.dungeon.barriers:
            yield from map(BreakBarrier, DIRECTIONS)

    def cost(self, line: Line, after: Line) -> float:
        """Return the AP that the last action of `after` spent, plus a little for each AP given up."""
        seat = self._seat
        spent = after.state.heroes[seat].ap_spent - line.state.heroes[seat].ap_spent
        return spent + WAIT_AP * (after.wasted - line.wasted)

    def rank(self, line: Line, so_far: float) -> float:
        """Return the line's AP so far plus what the best goal then costs, in AP; smaller is better."""
        state, team = line.state, self._team
        key = _situation(state)
        if key not in self._known:
            needs = Requirements(self._rules, state, team.needs.book)
            self._known[key] = TeamGoals(needs, team.roles, team.claims, division=team.division)
        planner = self._known[key].of(self._seat)
        distances = planner.roads.distances(state.cell_of(self._seat))
        values = [distances[goal.cell] + goal.rest for goal in planner.goals if goal.cell in distances]
        return so_far + min(values, default=0.0)


def advance(rules: Rules, state: State, seat: Seat, act: Act) -> State:
    """Return the state after a legal act, before its consequences (ritual, next hero)."""
    draft = TurnDraft(rules, state)
    do(draft, seat, act, cost(rules, state, seat, act))
    return draft.state


def _situation(state: State) -> object:
    """Return a key of all that goals depend on, except the hero's own cell: states with equal keys have equal goals."""
    held = tuple(hero.tokens for hero in state.heroes)
    return state.dungeon, state.tokens, held, state.broken, state.carrier


def _progress(state: State, seat: Seat) -> object:
    """Return a key of all that a kept line of actions relies on: if it has changed, the line is dropped."""
    return _situation(state), state.heroes[seat].cell, state.ap_left, state.cultists


def _is_errand(planner: GoalPlanner, goal: Goal) -> bool:
    """Return True if the forward model itself can do the act at the goal."""
    colour = TILES[planner.state.dungeon.at[goal.cell].tile].colour
    is_own = colour is not None and planner.team.roles.get(colour) == planner.seat
    return goal.kind in (Kind.SEAL, Kind.FIRE) or (goal.kind is Kind.GRAB and is_own)
