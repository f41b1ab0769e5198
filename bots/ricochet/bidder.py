"""The base of all ricochet bots: it bids, proves and solves with the solutions that its planner finds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

from gridjoust.bots.api import AnytimeBot, Budget, Deadline, MatchSetup, Observation
from gridjoust.bots.planners.stats import PlanStats
from gridjoust.bots.planners.trail import by_depth
from gridjoust.bots.reported import search_stats
from gridjoust.bots.ricochet.plans import Planner, Task
from gridjoust.bots.ricochet.trail import FinisherTrail
from gridjoust.games.ricochet.actions import Bid, Pass, Solve
from gridjoust.games.ricochet.ascii import parse_board
from gridjoust.games.ricochet.optimum import Plan
from gridjoust.games.ricochet.proof import MoveRules, ways_of
from gridjoust.games.ricochet.slides import Slides
from gridjoust.games.ricochet.view import parse_position

MAX_SKILL = 10
STATES_AT_LEAST = 100  # states that skill 1 may keep in mind
MOST_SHOWN = 160_000  # successors of a search that is repeated in pure Python for spectators
STATES_PER_LEVEL = 2.9  # factor for every level: 1.5 million states, some 200 MB, at level 10

PASS = str(Pass())


def trail_of(task: Task, find_plans: Planner) -> FinisherTrail:
    """Repeat a search for spectators, up to MOST_SHOWN successors, and return the cells that it expands.

    The search that finds the answer does not record these cells.
    """
    trail = FinisherTrail(task.slides, task.position)
    most = min(MOST_SHOWN, task.budget.spent or MOST_SHOWN)  # A* counts what it has spent only at its end
    for _ in find_plans(replace(task, budget=Budget(most), trail=trail)):
        pass
    return trail


class Bidder(AnytimeBot):
    """Bids the length of the first solution found, bids lower for each shorter one, and passes when the search ends.

    `skill` from 1 to 10 limits how many states it keeps while it plans, so that people can win. If work is limited, the
    limit holds for a whole position.
    """

    plays: ClassVar[tuple[str, ...]] = ("ricochet",)
    find_plans: Planner

    def __init__(self, *, skill: int = MAX_SKILL) -> None:
        if not 1 <= skill <= MAX_SKILL:
            raise ValueError(f"skill: expected 1 to {MAX_SKILL}, got {skill}")
        self._max_states = int(STATES_AT_LEAST * STATES_PER_LEVEL ** (skill - 1))
        self._slides: Slides
        self._rules = MoveRules()
        self._task: Task | None = None
        self._search: Iterator[Plan | None] = iter(())
        self._best: Plan | None = None
        self._trail: tuple[int, FinisherTrail] | None = None  # (work at its time, trail), for spectators

    def start(self, setup: MatchSetup) -> None:
        """Read the board and prepare its tables."""
        params = setup.params
        board, _ = parse_board(setup.briefing[str(setup.seat)]["board"])
        self._slides = Slides(replace(board, pass_goal=bool(params["pass_goal"])))
        self._rules = MoveRules(printed=params["variant"] == "printed", early_stop=bool(params["early_stop"]))

    def improve(self, observation: Observation, deadline: Deadline) -> Iterator[str | None]:
        """Yield lower and lower bids, then a pass; or, in a proof, the solution that was bid.

        If there is no bidding, yield better and better solutions.
        """
        self._attend(observation.view)
        try:
            yield from self._answers(observation, deadline)
        finally:
            self._show_search()

    def _answers(self, observation: Observation, deadline: Deadline) -> Iterator[str | None]:
        view = observation.view
        match view["phase"]:
            case "bidding":
                yield from self._bids(view["bids"][observation.seat], deadline)
            case "proof":
                yield self._solution()
            case _:
                yield self._solution()
                for plan in self._think(deadline):
                    yield self._solution() if plan is not None else None

    def act(self, observation: Observation) -> str:
        """Return the last bid or solution of `improve`, rather than the `pass` that ends it."""
        answers = [answer for answer in self.improve(observation, Deadline(None, lambda: 0.0)) if answer is not None]
        return next((answer for answer in reversed(answers) if answer != PASS), PASS)

    def _attend(self, view: dict[str, Any]) -> None:
        """Begin a search for the position of this view, unless it is the one already searched."""
        position = parse_position(view, self._slides.board)
        if self._task is None or self._task.position != position:
            slides = self._slides if position.board is self._slides.board else Slides(position.board)
            self._task = Task(slides, position, self._rules, self._max_states, Budget(self.work.limit))
            self._trail = None
            self._search = self.find_plans(self._task)
            self._best = None

    def _bids(self, own: int | None, deadline: Deadline) -> Iterator[str | None]:
        for plan in self._think(deadline):
            if plan is not None and plan.moves and (own is None or len(plan.moves) < own):
                own = len(plan.moves)
                yield str(Bid(own))
            else:
                yield None
        yield PASS  # no better bid will come, so there is no need to wait for the sand clock

    def _solution(self) -> str:
        found = self._best
        return str(Solve(found.moves)) if found is not None and found.moves else PASS

    def _think(self, deadline: Deadline) -> Iterator[Plan | None]:
        """Yield the known solution, then what the search finds until it ends or the time is up."""
        if self._best is not None:
            self._show_moves(self._best)
            yield self._best
        while not deadline.is_over():
            try:
                plan = next(self._search)
            except StopIteration as stop:
                if stop.value is not None:
                    self._keep(stop.value)
                return
            if plan is not None:
                self._keep(plan)
                self._show_moves(plan)
            yield plan

    def _show_moves(self, plan: Plan) -> None:
        if self.lens is not None and self._task is not None and plan.moves:
            ways = list(ways_of(self._task.position, plan.moves))
            self.show(f"{len(ways)} moves", arrows=[(way[0], way[-1]) for way in ways])

    def _show_search(self) -> None:
        """Show spectators the finishers' cells in the states of the search, which is repeated for that.

        They see how often each cell was expanded and, for a beam, at which depth it was kept first.
        """
        if self.lens is None or self._task is None:
            return
        spent = self._task.budget.spent
        if self._trail is None or self._trail[0] != spent:
            self._trail = spent, trail_of(self._task, self.find_plans)
        _, trail = self._trail
        self.show("expanded", nodes=trail.expanded, frontier=trail.frontier())
        self.show("states", heat=trail.expanded)
        self.show("depth", heat=by_depth(trail.layers, self._slides.cell))

    def _keep(self, plan: Plan) -> None:
        if plan.moves is not None or self._best is None:
            self._best = plan
        self.stats = search_stats(
            PlanStats(plan.expanded, plan.generated, plan.frontier),
            plan_cost=None if plan.moves is None else len(plan.moves),
            tactics=0 if self._task is None else self._task.budget.tactics,
        )
