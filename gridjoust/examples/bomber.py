"""A first bot for bomber: it collects treasure and ammunition, blows up blocks and avoids bombs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

import gridjoust as joust

Cell = tuple[int, int]  # x to the right, y down, (0, 0) top left

STEPS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


class Example(joust.Bot):
    """Goes to the nearest thing to do and ignores the plans of its opponents."""

    plays = ("bomber",)

    def start(self, setup: joust.MatchSetup) -> None:
        """Keep the parameters of this match."""
        self.reach: int = setup.params["blast_radius"]
        self.size: Cell = tuple(setup.briefing[str(setup.seat)]["size"])
        self.last_bombs: set[Cell] = set()

    def act(self, observation: joust.Observation) -> str:
        """Return the action for this turn."""
        view = observation.view
        here: Cell = tuple(view["position"])
        bombs = cells(view["bombs"])
        others = [opponent["position"] for opponent in view["opponents"]]
        taken = cells([*view["metal"], *view["soft"], *view["ore"], *view["bombs"], *others])
        in_danger = {cell for bomb in bombs | self.last_bombs for cell in self.blast(bomb)}
        self.last_bombs = bombs  # a bomb that is gone has left fire, which is not in the view
        if here in in_danger:
            return self.first_step(here, taken, lambda cell: cell not in in_danger) or "wait"
        blocks = cells([*view["soft"], *view["ore"]]) if view["ammo"] else set()
        beside_blocks = {cell for block in blocks for cell in neighbours(block)}
        soon_in_danger = in_danger | set(self.blast(here))
        if here in beside_blocks and self.first_step(here, taken, lambda cell: cell not in soon_in_danger):
            return "bomb"  # as there is a path out of its reach
        wanted = cells([*view["treasure"], *view["ammo_tokens"]]) | beside_blocks
        return self.first_step(here, taken | in_danger, lambda cell: cell in wanted) or "wait"

    def blast(self, bomb: Cell) -> Iterable[Cell]:
        """Yield the cells that a bomb's fire may reach; walls are ignored."""
        x, y = bomb
        for distance in range(self.reach + 1):
            yield from ((x + distance * dx, y + distance * dy) for dx, dy in STEPS.values())

    def first_step(self, here: Cell, taken: set[Cell], is_goal: Callable[[Cell], bool]) -> str | None:
        """Return the first step of a shortest path to a goal, by breadth-first search; None if there is no path."""
        waiting: deque[tuple[Cell, str | None]] = deque([(here, None)])
        seen = {here}
        while waiting:
            (x, y), first = waiting.popleft()
            if is_goal((x, y)):
                return first
            for step, (dx, dy) in STEPS.items():
                cell = (x + dx, y + dy)
                if cell not in seen and cell not in taken and self.is_on_board(cell):
                    seen.add(cell)
                    waiting.append((cell, first or step))
        return None

    def is_on_board(self, cell: Cell) -> bool:
        """Return True for a cell on the board."""
        return 0 <= cell[0] < self.size[0] and 0 <= cell[1] < self.size[1]


def neighbours(cell: Cell) -> list[Cell]:
    """Return the four cells beside a cell."""
    return [(cell[0] + dx, cell[1] + dy) for dx, dy in STEPS.values()]


def cells(places: Iterable[list[int]]) -> set[Cell]:
    """Convert the places of a message to tuples."""
    return {(x, y) for x, y in places}
