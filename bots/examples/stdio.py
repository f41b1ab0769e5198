"""A whole bot in plain Python. It needs no package: it reads lines of JSON from standard input and prints answers.

In bomber it searches breadth first; in other games it answers at random. Change `Match`. Print everything else to
`sys.stderr`: it is kept in the bot's log.
"""

from __future__ import annotations

import json
import random
import sys
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

Message = dict[str, Any]
Cell = tuple[int, int]  # x to the right, y down, (0, 0) top left
STEPS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


class Match:
    """One match, from its start to its end. The bot may hold several seats: every question names one."""

    def __init__(self, start: Message) -> None:
        """Read `start["briefing"]` and prepare: this time does not count for the turn."""
        self.is_looked_at: bool = start.get("lens", False)  # spectators watch: answers may carry layers
        self.chance = random.Random(start["bot_seed"])  # draw from this only: a rerun then plays the same match
        self.reach: int = start["params"].get("blast_radius", 0)
        self.bombs_before: set[Cell] = set()

    def answer(self, turn: Message) -> str:
        """Return a legal action; `turn["observation"]` has all that this seat may know."""
        view = turn["observation"]
        if "ammo_tokens" not in view:  # another game
            action: str = self.chance.choice(turn["legal"])
            return action
        self.size: Cell = tuple(view["size"])
        here: Cell = tuple(view["position"])
        bombs, blocks = cells(view["bombs"]), cells([*view["soft"], *view["ore"]])
        taken = cells(view["metal"]) | blocks | bombs | cells(other["position"] for other in view["opponents"])
        danger = self.blasts(bombs | self.bombs_before)
        self.bombs_before = bombs  # a bomb that is gone has left fire, which is not shown
        if here in danger:
            return self.first_step(here, taken, lambda cell: cell not in danger) or "wait"
        beside = {cell for x, y in blocks if view["ammo"] for cell in self.around(x, y)}
        soon = danger | self.blasts({here})
        if here in beside and self.first_step(here, taken, lambda cell: cell not in soon):
            return "bomb"  # there is a way out
        wanted = cells([*view["treasure"], *view["ammo_tokens"]]) | beside
        return self.first_step(here, taken | danger, lambda cell: cell in wanted) or "wait"

    def around(self, x: int, y: int, far: int = 1) -> list[Cell]:
        """Return the cells of the board in the four directions at a distance."""
        found = [(x + far * dx, y + far * dy) for dx, dy in STEPS.values()]
        return [cell for cell in found if 0 <= cell[0] < self.size[0] and 0 <= cell[1] < self.size[1]]

    def blasts(self, bombs: set[Cell]) -> set[Cell]:
        """Return the cells that the fire of bombs may reach; walls are ignored."""
        return {cell for x, y in bombs for far in range(self.reach + 1) for cell in self.around(x, y, far)}

    def first_step(self, here: Cell, avoided: set[Cell], is_goal: Callable[[Cell], bool]) -> str:
        """Return the first step of a shortest path to a goal; "" if it is here, or if there is no path."""
        waiting, first = deque([here]), {here: ""}
        while waiting:
            x, y = waiting.popleft()
            if is_goal((x, y)):
                return first[x, y]
            for step, (dx, dy) in STEPS.items():
                cell = (x + dx, y + dy)
                if cell in self.around(x, y) and cell not in first and cell not in avoided:
                    first[cell] = first[x, y] or step
                    waiting.append(cell)
        return ""


def cells(places: Iterable[list[int]]) -> set[Cell]:
    """Convert the places of a message to tuples."""
    return {(x, y) for x, y in places}


def say(message: Message) -> None:
    """Print one line at once, without buffering."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Play until standard input ends."""
    match: Match | None = None
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":
            match = Match(message)
        if message["type"] in ("hello", "start"):
            say({"type": "ready", "version": "1", "language": "python"})
        elif message["type"] == "turn" and match is not None:
            action = match.answer(message)
            # kinds: text, or heat, path, nodes, frontier, arrows with a list of numbers as data
            shown = [{"name": "choice", "kind": "text", "data": action}]
            say({"action": action, "shown": shown} if match.is_looked_at else {"action": action})


if __name__ == "__main__":
    main()
