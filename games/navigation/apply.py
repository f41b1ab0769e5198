"""One turn of navigation: the answer, then rounds until the next seat must be asked.

In a round, every walking robot takes one step, waits or gives up, in the order of the seats. Then, if a flip is due,
cells change between free and blocked, and every robot reads its sensor again. A robot also reads its sensor after each
of its own steps. A robot with steps left in its path takes them without a question, until one is impossible or its
sensor contradicts a later one.
"""

from __future__ import annotations

from collections.abc import Sequence

from gridjoust.games.chance import rng_for
from gridjoust.games.draft import Draft
from gridjoust.games.navigation.actions import Action, Go, Path, Stay
from gridjoust.games.navigation.board import Board, Heading, step_cells
from gridjoust.games.navigation.legal import target_of
from gridjoust.games.navigation.params import Rules
from gridjoust.games.navigation.search import is_reachable
from gridjoust.games.navigation.state import SEEN_BLOCKED, UNSEEN, News, Robot, Seat, State, Status


def open_match(rules: Rules, state: State) -> State:
    """Return the state after each robot's first reading of its sensor; a robot that starts on its goal has arrived."""
    work = _Work(rules, state)
    for seat, robot in enumerate(state.robots):
        work.look_around(seat, robot)
    work.go_on(0)
    return work.state


def play(rules: Rules, state: State, seat: Seat, action: Action) -> State:
    """Play a legal answer, then go on until a seat must be asked or the match is over; return the state."""
    work = _Work(rules, state)
    work.answer(seat, action)
    work.go_on(seat + 1)
    return work.state


class _Work(Draft[State]):
    """The state after the answer, while it is being built."""

    def __init__(self, rules: Rules, state: State) -> None:
        super().__init__(state)
        self._rules = rules

    def put(self, seat: Seat, robot: Robot) -> None:
        """Replace the robot of a seat."""
        robots = self.state.robots
        self.set(robots=(*robots[:seat], robot, *robots[seat + 1 :]))

    def look_around(self, seat: Seat, robot: Robot) -> None:
        """Read the robot's sensor at its cell, and note if the cell is its goal."""
        robot = _sensing(self._rules, self.state.board, robot)
        self.put(seat, robot._replace(status=Status.ARRIVED) if robot.cell == robot.goal else robot)

    def answer(self, seat: Seat, action: Action) -> None:
        """Carry out the action, or the first step of a path."""
        robot = self.state.robots[seat]
        robot = robot._replace(turns=robot.turns + 1, news=())
        match action:
            case Go(heading):
                self._take_step(seat, robot, heading)
            case Path(headings):
                self._take_step(seat, robot._replace(plan=headings[1:]), headings[0])
            case Stay.WAIT:
                self.put(seat, robot._replace(waits=robot.waits + 1))
            case Stay.GIVE_UP:
                has_way = is_reachable(self.state.board, self._rules.moves, robot.cell, robot.goal)
                self.put(seat, robot._replace(status=Status.LOST if has_way else Status.GAVE_UP))

    def go_on(self, seat: Seat) -> None:
        """Play on from that seat until a seat must be asked or the match is over."""
        seats = len(self.state.robots)
        while any(robot.status is Status.WALKING for robot in self.state.robots):
            if seat == seats:
                self._end_round()
                seat = 0
                if self.state.step == self._rules.max_turns:
                    break
            if self.state.robots[seat].status is Status.WALKING and not self._follows_plan(seat):
                self.set(mover=seat)
                return
            seat += 1
        self.set(mover=seats)

    def _follows_plan(self, seat: Seat) -> bool:
        """Take the next step of the seat's path; return False if none is left or it is impossible."""
        robot = self.state.robots[seat]
        if not robot.plan:
            return False
        if target_of(self._rules, self.state, robot, robot.plan[0]) is None:
            self.put(seat, robot._replace(plan=()))
            return False
        self._take_step(seat, robot._replace(plan=robot.plan[1:]), robot.plan[0])
        return True

    def _take_step(self, seat: Seat, robot: Robot, heading: Heading) -> None:
        """Take a step that is known to be possible."""
        target, _, _ = step_cells(self.state.board.width, robot.cell, heading)
        straight, diagonal = robot.straight + (not heading.is_diagonal), robot.diagonal + heading.is_diagonal
        self.look_around(seat, robot._replace(cell=target, straight=straight, diagonal=diagonal))

    def _end_round(self) -> None:
        state, rules = self.state, self._rules
        self.set(step=state.step + 1)
        if not rules.changes or state.step % rules.change_every:
            return
        flips = flipped_cells(rules, state.board, state.robots, seed=state.seed, step=state.step)
        self.set(board=state.board.with_flipped(flips))
        news = tuple([News(cell, bool(state.board.blocked[cell])) for cell in flips])
        for seat, robot in enumerate(state.robots):
            if robot.status is Status.WALKING:  # if the map is known, all flips are news; otherwise those in range
                told = _informed(rules, state.board, robot, news) if rules.is_known else robot
                self.put(seat, _sensing(rules, state.board, told))


def flipped_cells(rules: Rules, board: Board, robots: Sequence[Robot], *, seed: int, step: int) -> tuple[int, ...]:
    """Return the numbers of the cells that change between free and blocked after this round, sorted.

    As many cells close as open; if the number is odd, one more closes in one flip and one more opens in the next. The
    start and goal of a robot never flip. A cell may close under a robot; the robot can still leave it.
    """
    kept = {end for robot in robots for end in (robot.start, robot.goal)}
    rng = rng_for(seed, step, "flips")
    closing = (rules.changes + step // rules.change_every % 2) // 2
    flips: list[int] = []
    for is_blocked, count in ((0, closing), (1, rules.changes - closing)):
        cells = [cell for cell, blocked in enumerate(board.blocked) if blocked == is_blocked and cell not in kept]
        flips += rng.sample(cells, min(count, len(cells)))
    return tuple(sorted(flips))


def _sensing(rules: Rules, board: Board, robot: Robot) -> Robot:
    """Return the robot after it has read its sensor: cells that differ from its memory become news.

    A cell never seen counts as free in its memory.
    """
    if rules.is_known:
        return robot
    fresh = [cell for cell in rules.in_range(board, robot.cell) if robot.memory[cell] != board.blocked[cell] + 1]
    if not fresh:
        return robot
    memory = bytearray(robot.memory)
    news = []
    for cell in fresh:
        if board.blocked[cell] or memory[cell] != UNSEEN:
            news.append(News(cell, bool(board.blocked[cell])))
        memory[cell] = board.blocked[cell] + 1
    return _informed(rules, board, robot._replace(memory=bytes(memory)), tuple(news))


def _informed(rules: Rules, board: Board, robot: Robot, news: tuple[News, ...]) -> Robot:
    """Return the robot with this news, and without its path if the news contradicts it."""
    if robot.plan and any(is_blocked for _, is_blocked in news) and not _may_walk(rules, board, robot):
        robot = robot._replace(plan=())
    return robot._replace(news=robot.news + news) if news else robot


def _may_walk(rules: Rules, board: Board, robot: Robot) -> bool:
    """Return True if nothing that the robot knows blocks the rest of its path, which must stay on the board."""
    cell = robot.cell
    for heading in robot.plan:
        target, beside, across = step_cells(board.width, cell, heading)
        looked_at = (target, beside, across) if heading.is_diagonal and not rules.moves.cut_corners else (target,)
        if any(not 0 <= near < board.size or _is_wall(board, robot, near) for near in looked_at):
            return False
        cell = target
    return True


def _is_wall(board: Board, robot: Robot, cell: int) -> bool:
    return robot.memory[cell] == SEEN_BLOCKED if robot.memory else board.blocked[cell] == 1
