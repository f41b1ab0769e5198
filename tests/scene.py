"""A game and one situation in it: answers played as texts, fields set by hand, cells drawn. Expects nothing.

A game's own scene (`tests/games/<game>/scenes.py`) is a subclass that adds the size of its board and what its tests
like to ask, and a function `scene` that draws a start.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar

from gridjoust.games.api import AnyGame, Json, Turn
from gridjoust.games.grid import Cell, format_cells

G = TypeVar("G", bound=AnyGame)
S = TypeVar("S")


@dataclass(frozen=True)
class Scene(Generic[G, S]):
    """A game and a state of it; every method that plays or changes returns the scene after."""

    game: G
    state: S

    def play(self, *turns: str) -> Self:
        """The scene after these turns, each of whichever seats are asked; illegal ones raise.

        A turn of one seat is its answer, a turn of several is a word for each in seat order, such as "up bomb".
        """
        state = self.state
        for text in turns:
            seats = self.game.seats_to_act(state)
            answers = [text] if len(seats) == 1 else text.split()
            actions = {seat: self.game.parse_action(answer) for seat, answer in zip(seats, answers, strict=True)}
            state = self.game.apply(state, Turn(actions, 0))  # the rules of a turn-based game read no stamp
        return dataclasses.replace(self, state=state)

    @property
    def seat(self) -> int | None:
        """The one seat that is asked; None when the match is over."""
        seats = self.game.seats_to_act(self.state)
        assert len(seats) <= 1, f"seats {seats} are asked at once"
        return seats[0] if seats else None

    @property
    def is_over(self) -> bool:
        return self.game.is_terminal(self.state)

    def legal(self, seat: int | None = None) -> list[str]:
        """Texts of the legal actions of a seat, by default the one that is asked."""
        return [str(action) for action in self.game.legal_actions(self.state, self._or_asked(seat))]

    def is_legal(self, text: str, seat: int | None = None) -> bool:
        return self.game.is_legal(self.state, self._or_asked(seat), self.game.parse_action(text))

    def _or_asked(self, seat: int | None) -> int:
        chosen = self.seat if seat is None else seat
        assert chosen is not None, "nobody is asked"
        return chosen

    def view(self, seat: int = 0) -> dict[str, Json]:
        return self.game.observation(self.state, seat)

    def metrics(self, seat: int = 0) -> dict[str, float]:
        return dict(self.game.metrics(self.state)[seat])

    def returns(self) -> tuple[float, ...]:
        return self.game.returns(self.state)

    def change(self, **fields: Any) -> Self:
        """The scene with some fields of its state set."""
        state: Any = self.state
        is_named_tuple = hasattr(state, "_replace")
        changed = state._replace(**fields) if is_named_tuple else dataclasses.replace(state, **fields)
        return dataclasses.replace(self, state=changed)

    def change_one(self, name: str, index: int, **fields: Any) -> Self:
        """The scene with some fields of one value set, in the state's tuple `name` of named tuples."""
        values = list(getattr(self.state, name))
        values[index] = values[index]._replace(**fields)
        return self.change(**{name: tuple(values)})

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the board; for games whose cells are numbers."""
        raise NotImplementedError

    def cell(self, x: int, y: int) -> int:
        return y * self.size[0] + x

    def place(self, cell: int) -> tuple[int, int]:
        return cell % self.size[0], cell // self.size[0]

    def places(self, cells: Iterable[int]) -> list[tuple[int, int]]:
        return [self.place(cell) for cell in cells]

    def drawn(self, signs: Mapping[int, str]) -> str:
        """The board with these signs, `.` elsewhere; to be compared with `rows`."""
        return format_cells(*self.size, {Cell(*self.place(cell)): sign for cell, sign in signs.items()})


def rows(*lines: str) -> str:
    """A drawn board as one text."""
    return "\n".join(lines)
