"""The game of navigation: set-up, end and utility. What is legal is in `legal`, the turn itself in `apply`.

One robot a seat walks from its start to its goal. Seats answer one after another, round by round: one step, `wait`, or
`give up`, which declares that no way leads to the goal now; with `batch` also a path. Without `shared` all have the
same map and task and do not meet at all (ghosts): each seat's match is what it would be alone. With `shared` they have
tasks of their own and no robot may enter a cell that another is in. Robots that are done leave the board.

Returns of a seat: reference / cost when it reached its goal (1 = by a shortest way; the reference is the shortest
length on the true map of the start, other robots left out), 1 when it gave up rightly, 0 while it walks and when time
is up, -1 when it gave up although there was a way. Steps cost by `connectivity`, a wait costs 1. Where cells flip, a
way may open that is shorter than the reference (more than 1), or where there was none (then it returns 1).
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
    """Rules and parameters of one variant."""

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
        """`knowledge` decides the information, `max_turns` and seats the length."""
        is_known, rounds = self.params["knowledge"] == "known", int(self.params["max_turns"])
        return replace(type(self).spec, perfect_information=is_known, max_turns=rounds * self.seats)

    @property
    def public_params(self) -> Mapping[str, ParamValue]:
        """The parameters that bots may know: where the map is unknown, its text is left out."""
        return self.params if self.rules.is_known else {**self.params, "map": ""}

    def initial_state(self, seed: int) -> State:
        """The given or generated map, the tasks, and the first look around."""
        board = make_board(self._given, self.rules.moves, self.params, seed)
        tasks = make_tasks(self._given, board, self.rules.moves, self.params, seats=self.seats, seed=seed)
        memory = b"" if self.rules.is_known else bytes(board.size)
        robots = tuple(Robot(task.start, task.goal, task.start, memory=memory) for task in tasks)
        return open_match(self.rules, State(seed, 0, 0, board, board, robots))

    def seats_to_act(self, state: State) -> tuple[Seat, ...]:
        """The one whose turn it is."""
        return (state.mover,) if state.mover < self.seats else ()

    def legal_actions(self, state: State, seat: Seat) -> tuple[Action, ...]:
        """Wait and every possible step. Not listed: paths, and `give up`, else who draws at random would soon do it."""
        if seat not in self.seats_to_act(state):
            return ()
        headings, robot = self.rules.moves.headings, state.robots[seat]
        steps = (heading for heading in headings if target_of(self.rules, state, robot, heading) is not None)
        return (Stay.WAIT, *(GO[heading] for heading in steps))

    def legal_complete(self, state: State, seat: Seat) -> bool:
        """Never for a seat that may act."""
        return seat not in self.seats_to_act(state)

    def is_legal(self, state: State, seat: Seat, action: Action) -> bool:
        """Steps that are possible now, paths that start with one if there is `batch`, waiting, giving up."""
        return seat in self.seats_to_act(state) and is_legal(self.rules, state, seat, action)

    def default_action(self, state: State, seat: Seat) -> Action:  # noqa: ARG002 - part of the interface
        """Wait."""
        return Stay.WAIT

    def apply(self, state: State, turn: Turn[Action]) -> State:
        """One answer, and what follows from it until the next seat must be asked."""
        seats = self.seats_to_act(state)
        if not seats or tuple(turn.actions) != seats:
            raise IllegalAction(f"expected the answer of seats {list(seats)}, got those of {list(turn.actions)}")
        (seat,) = seats
        action = turn.actions[seat]
        if not self.is_legal(state, seat, action):
            raise IllegalAction(f"seat {seat}: expected a step that is possible, wait or give up, got {action!s:.60}")
        return play(self.rules, state, seat, action)

    def is_terminal(self, state: State) -> bool:
        """Whether no robot walks any more, or all rounds are over."""
        return state.mover == self.seats

    def returns(self, state: State) -> tuple[float, ...]:
        """See the module."""
        return tuple(self._returns_of(state, robot) for robot in state.robots)

    def _returns_of(self, state: State, robot: Robot) -> float:
        if robot.status is not Status.ARRIVED:
            return {Status.WALKING: 0.0, Status.GAVE_UP: 1.0, Status.LOST: -1.0}[robot.status]
        reference, cost = self._reference(state, robot), view.cost(self.rules, robot)
        return reference / cost if reference and cost else 1.0

    def _reference(self, state: State, robot: Robot) -> float:
        """The shortest length on the map of the start; 0 = there is no way, or none is needed."""
        length = shortest(state.initial, self.rules.moves, robot.start, robot.goal)
        return 0.0 if length is None else self.rules.moves.cost(*length)

    def metrics(self, state: State) -> tuple[Mapping[str, float], ...]:
        """Per seat; `solved` counts the goal reached and `give up` said rightly, undefined ratios are 0."""
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
        """What became of every robot."""
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
        """Parameters, size, start, goal and, if known, the map."""
        return view.briefing(self.rules, dict(self.params), state, seat)

    def observation(self, state: State, seat: Seat) -> dict[str, Json]:
        """What the seat may know now; keys in `view`."""
        return view.observation(self.rules, state, seat)

    def public_view(self, state: State) -> dict[str, Json]:
        """What everyone may know now; keys in `view`."""
        return view.public_view(self.rules, state)

    def redeal(self, state: State, seat: Seat, rng: random.Random) -> State:
        """New flips to come; where the map is unknown, new cells and robots out of sight."""
        return redeal(self.rules, state, seat, rng)

    def redeal_unknown(self, state: State, rng: random.Random) -> State:
        """Return the situation with new flips and, on an unknown map, other cells where no robot has been near."""
        return redeal_unknown(self.rules, state, rng)

    def encode(self, state: State) -> bytes:
        """Counts as text; maps and memories by their digests."""
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
        """`N`, `path N N E`, `wait` or `give up`."""
        return parse_action(text)

    def render(self, state: State) -> str:
        """The true board with robots and goals, a line per robot."""
        return render(self.rules, state)


@lru_cache(maxsize=16)  # boards, and the memories of robots that wait, stay the same for many turns
def _digest(cells: bytes) -> str:
    return hashlib.blake2b(cells, digest_size=16).hexdigest()
