"""The game of navigation: set-up, end and utility; `legal` decides what is legal, `apply` plays the turn.

One robot per seat walks from its start to its goal. Seats answer one after another, round by round: one step, `wait`,
or `give up`, which declares that no path leads to the goal now; with `batch` also a path. Without `shared` all seats
have the same map and task, and robots do not meet (ghosts), so each seat's match is the same as if it were alone. With
`shared` seats have different tasks, and no robot may enter a cell with another robot. Robots that are done leave the
board.

Returns of a seat: reference / cost if it reached its goal (1 = by a shortest path; the reference is the shortest length
on the true map at the start, without other robots), 1 if it correctly gave up, 0 while it walks and when time is up, -1
if it gave up although there was a path. `connectivity` sets the cost of steps; a wait costs 1. If cells flip, a path
shorter than the reference may open (return above 1), or a path may open where there was none (return 1).
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from gridjoust.games.api import Dynamics, Game, GameSpec, IllegalAction, Json, ParamValue, Turn, Utility
from gridjoust.games.navigation import view
from gridjoust.games.navigation.actions import GO, Action, Stay, parse_action
from gridjoust.games.navigation.apply import open_match, play
from gridjoust.games.navigation.ascii import render
from gridjoust.games.navigation.legal import is_legal, target_of
from gridjoust.games.navigation.maps import make_board, make_tasks, parse_given
from gridjoust.games.navigation.params import METRICS, PARAMS, make_rules
from gridjoust.games.navigation.redeal import redeal, redeal_unknown
from gridjoust.games.navigation.search import shortest
from gridjoust.games.navigation.state import Robot, Seat, State, Status

MAX_SEATS = 8


class Navigation(Game[State, Action]):
    """Rules and parameters of one variant of navigation."""

    spec = GameSpec(
        name="navigation",
        version="1",
        min_seats=1,
        max_seats=MAX_SEATS,
        dynamics=Dynamics.SEQUENTIAL,
        utility=Utility.INDIVIDUAL,
        perfect_information=True,
        max_turns=1000,
        params=PARAMS,
        metrics=METRICS,
        summary="walk from start to goal over a known or unknown grid map, which may change",
    )

    def __init__(self, params: Mapping[str, ParamValue] | None = None, *, seats: int | None = None) -> None:
        super().__init__(params, seats=seats)
        self._given = parse_given(self.params, seats=self.seats)
        self.rules = make_rules(self.params, has_given_ends=self._given.has_ends)

    def variant_spec(self) -> GameSpec:
        """Return the spec: `knowledge` decides the information; `max_turns` and the seats decide the length."""
        is_known, rounds = self.params["knowledge"] == "known", int(self.params["max_turns"])
        return replace(type(self).spec, perfect_information=is_known, max_turns=rounds * self.seats)

    @property
    def public_params(self) -> Mapping[str, ParamValue]:
        """The parameters that bots may know: without the text of the map if the map is unknown."""
        return self.params if self.rules.is_known else {**self.params, "map": ""}

    def initial_state(self, seed: int) -> State:
        """Return the start position on a given or generated map, after the robots have read their sensors once."""
        board = make_board(self._given, self.rules.moves, self.params, seed)
        tasks = make_tasks(self._given, board, self.rules.moves, self.params, seats=self.seats, seed=seed)
        memory = b"" if self.rules.is_known else bytes(board.size)
        robots = tuple(Robot(task.start, task.goal, task.start, memory=memory) for task in tasks)
        return open_match(self.rules, State(seed, 0, 0, board, board, robots))

    def seats_to_act(self, state: State) -> tuple[Seat, ...]:
        """Return the seat whose turn it is, or none if the match is over."""
        return (state.mover,) if state.mover < self.seats else ()

    def legal_actions(self, state: State, seat: Seat) -> tuple[Action, ...]:
        """Return `WAIT` and every possible step.

        Paths are not listed, nor is `give up`: a random bot would soon choose it.
        """
        if seat not in self.seats_to_act(state):
            return ()
        headings, robot = self.rules.moves.headings, state.robots[seat]
        steps = (heading for heading in headings if target_of(self.rules, state, robot, heading) is not None)
        return (Stay.WAIT, *(GO[heading] for heading in steps))

    def legal_complete(self, state: State, seat: Seat) -> bool:
        """Return False for the seat that may act: its list is never complete."""
        return seat not in self.seats_to_act(state)

    def is_legal(self, state: State, seat: Seat, action: Action) -> bool:
        """Return True for a wait, giving up, a possible step, or with `batch` a path that begins with one."""
        return seat in self.seats_to_act(state) and is_legal(self.rules, state, seat, action)

    def default_action(self, state: State, seat: Seat) -> Action:  # noqa: ARG002 - part of the interface
        """Return `WAIT` for every seat."""
        return Stay.WAIT

    def apply(self, state: State, turn: Turn[Action]) -> State:
        """Apply one answer and all that follows from it until the next seat must be asked."""
        seats = self.seats_to_act(state)
        if not seats or tuple(turn.actions) != seats:
            raise IllegalAction(f"expected the answer of seats {list(seats)}, got those of {list(turn.actions)}")
        (seat,) = seats
        action = turn.actions[seat]
        if not self.is_legal(state, seat, action):
            raise IllegalAction(f"seat {seat}: expected a step that is possible, wait or give up, got {action!s:.60}")
        return play(self.rules, state, seat, action)

    def is_terminal(self, state: State) -> bool:
        """Return True if no robot walks any more or all rounds are over."""
        return state.mover == self.seats

    def returns(self, state: State) -> tuple[float, ...]:
        """Return per seat reference / cost at its goal, 1 for rightly giving up, -1 for wrongly, otherwise 0."""
        return tuple(self._returns_of(state, robot) for robot in state.robots)

    def _returns_of(self, state: State, robot: Robot) -> float:
        if robot.status is not Status.ARRIVED:
            return {Status.WALKING: 0.0, Status.GAVE_UP: 1.0, Status.LOST: -1.0}[robot.status]
        reference, cost = self._reference(state, robot), view.cost(self.rules, robot)
        return reference / cost if reference and cost else 1.0

    def _reference(self, state: State, robot: Robot) -> float:
        """Return the cost of the robot's shortest path on the first map; 0 if there is none or none is needed."""
        length = shortest(state.initial, self.rules.moves, robot.start, robot.goal)
        return 0.0 if length is None else self.rules.moves.cost(*length)

    def metrics(self, state: State) -> tuple[Mapping[str, float], ...]:
        """Return each seat's numbers by name; an undefined ratio is 0.

        `solved` is 1 if the robot reached its goal or gave up rightly, otherwise 0.
        """
        return tuple(self._metrics_of(state, robot) for robot in state.robots)

    def _metrics_of(self, state: State, robot: Robot) -> dict[str, float]:
        reference, cost = self._reference(state, robot), view.cost(self.rules, robot)
        has_arrived = robot.status is Status.ARRIVED
        return {
            "solved": float(robot.status in (Status.ARRIVED, Status.GAVE_UP)),
            "reached": float(has_arrived),
            "cost": cost,
            "reference": reference,
            "cost_over_reference": cost / reference if has_arrived and reference else 0.0,
            "steps": robot.straight + robot.diagonal,
            "waits": robot.waits,
            "turns": robot.turns,
        }

    def reason(self, state: State) -> str:
        """Say for every robot how its walk ended."""
        fates = [self._fate(state, robot) for robot in state.robots]
        return fates[0] if self.seats == 1 else ", ".join(f"seat {seat} {text}" for seat, text in enumerate(fates))

    def _fate(self, state: State, robot: Robot) -> str:
        cost = f"{view.cost(self.rules, robot):.6g}"
        match robot.status:
            case Status.WALKING:
                return f"was still on its way after {state.step} rounds"
            case Status.ARRIVED:
                return f"reached its goal at a cost of {cost} against {self._reference(state, robot):.6g}"
            case Status.GAVE_UP:
                return "rightly declared its goal unreachable"
            case Status.LOST:
                return "gave up although there was a way"

    def briefing(self, state: State, seat: Seat) -> Json:
        """Return parameters, size, start, goal and, if it is known, the map."""
        return view.briefing(self.rules, dict(self.params), state, seat)

    def observation(self, state: State, seat: Seat) -> dict[str, Json]:
        """Return what the seat may know now; `view` explains the keys."""
        return view.observation(self.rules, state, seat)

    def public_view(self, state: State) -> dict[str, Json]:
        """Return what everyone may know now; `view` explains the keys."""
        return view.public_view(self.rules, state)

    def redeal(self, state: State, seat: Seat, rng: random.Random) -> State:
        """Resample the future changes of cells and, on an unknown map, cells and robots out of sight."""
        return redeal(self.rules, state, seat, rng)

    def redeal_unknown(self, state: State, rng: random.Random) -> State:
        """Resample the future changes of cells and, on an unknown map, the cells that no robot has seen."""
        return redeal_unknown(self.rules, state, rng)

    def encode(self, state: State) -> bytes:
        """Return canonical bytes of the state: its counts as text, with digests of maps and memories."""
        robots = [
            (
                *robot[:3],
                robot.status.value,
                *robot[4:8],
                *(heading.name for heading in robot.plan),
                "",
                *robot.news,
                _digest(robot.memory),
            )
            for robot in state.robots
        ]
        size = (state.board.width, state.board.height)
        boards = [_digest(board.blocked) for board in (state.initial, state.board)]
        return repr((state.seed, state.step, state.mover, size, boards, robots)).encode()

    def parse_action(self, text: str) -> Action:
        """Parse `N`, `path N N E`, `wait` or `give up`; ValueError for any other text."""
        return parse_action(text)

    def render(self, state: State) -> str:
        """Draw the true board with robots and goals, and a line per robot."""
        return render(self.rules, state)


@lru_cache(maxsize=16)  # boards, and the memories of waiting robots, stay the same for many turns
def _digest(cells: bytes) -> str:
    return hashlib.blake2b(cells, digest_size=16).hexdigest()
