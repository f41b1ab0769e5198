"""A first bot for ricochet: it looks for a path that moves only the target's robot, and bids its length."""

from __future__ import annotations

from collections import deque
from typing import Any

import gridjoust as joust

Cell = tuple[int, int]  # x to the right, y down, (0, 0) top left

STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
BACK = {"N": "S", "E": "W", "S": "N", "W": "E"}


class Example(joust.Bot):
    """Searches with one robot and passes if that is not enough; moving other robots would solve more positions."""

    plays = ("ricochet",)

    def start(self, setup: joust.MatchSetup) -> None:
        """Keep the board, which stays the same for the whole match."""
        board = setup.briefing[str(setup.seat)]
        self.size: Cell = tuple(board["size"])
        self.blocked: set[Cell] = {(x, y) for x, y in board["blocked"]}
        self.walls: set[tuple[Cell, str]] = {((x, y), side) for x, y, side in board["walls"]}
        self.is_plain = setup.params["variant"] == "plain" and not board["diagonals"] and not board["openings"]

    def act(self, observation: joust.Observation) -> str:
        """Return a bid, or the moves if the game asks for them."""
        moves = self.solve(observation.view)
        answer = f"bid {len(moves)}"
        if observation.view["phase"] != "bidding":
            answer = "solve " + ", ".join(moves)
        elif answer not in observation.legal:  # it has bid as low already
            return "pass"
        return answer if moves else "pass"

    def solve(self, view: dict[str, Any]) -> list[str]:
        """Return the fewest moves of one robot to the target, by breadth-first search; empty if there is no path."""
        target: Cell = tuple(view["target"]["cell"])
        colour = view["target"]["colour"]
        robots = {name: (x, y) for name, (x, y) in view["robots"].items()}
        ways = [self.way(name, robots, target) for name in robots if colour in (name, "any")] if self.is_plain else []
        return min((way for way in ways if way), key=len, default=[])

    def way(self, name: str, robots: dict[str, Cell], target: Cell) -> list[str]:
        """Return the moves of this robot alone, such as `red N`; empty if there is no path."""
        others = {cell for other, cell in robots.items() if other != name}
        waiting: deque[tuple[Cell, list[str]]] = deque([(robots[name], [])])
        seen = {robots[name]}
        while waiting:
            cell, moves = waiting.popleft()
            if cell == target:
                return moves
            for direction in STEPS:
                end = self.slide(cell, direction, others)
                if end not in seen:
                    seen.add(end)
                    waiting.append((end, [*moves, f"{name} {direction}"]))
        return []

    def slide(self, cell: Cell, direction: str, others: set[Cell]) -> Cell:
        """Return the cell in which a robot stops: before a wall, a blocked cell or another robot."""
        dx, dy = STEPS[direction]
        while (cell, direction) not in self.walls:
            following = (cell[0] + dx, cell[1] + dy)
            is_inside = 0 <= following[0] < self.size[0] and 0 <= following[1] < self.size[1]
            if not is_inside or following in others or following in self.blocked:
                break
            if (following, BACK[direction]) in self.walls:
                break
            cell = following
        return cell
