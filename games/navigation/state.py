"""The values of navigation: actions, robots, the whole situation. Knows no rules and no chance."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import NamedTuple

from games.navigation.board import HEADINGS, Board, Heading

Seat = int

MAX_PATH = 16_000  # steps of one answer: its text stays below 64 kB

UNSEEN, SEEN_FREE, SEEN_BLOCKED = 0, 1, 2  # a robot's memory of a cell: 1 + what the board said when it was seen


class Stay(StrEnum):
    """Answers that lead nowhere."""

    WAIT = "wait"
    GIVE_UP = "give up"


@dataclass(frozen=True, slots=True)
class Go:
    """One step."""

    heading: Heading

    def __str__(self) -> str:
        return self.heading.name


@dataclass(frozen=True, slots=True)
class Path:
    """Steps that are taken one a round until the map contradicts the next of them."""

    headings: tuple[Heading, ...]

    def __str__(self) -> str:
        return "path " + " ".join([heading.name for heading in self.headings])


Action = Stay | Go | Path

GO: dict[Heading, Go] = {heading: Go(heading) for heading in HEADINGS}
_ACTIONS: dict[str, Action] = {str(action): action for action in (*Stay, *GO.values())}
_BY_NAME: dict[str, Heading] = {heading.name: heading for heading in HEADINGS}


def parse_action(text: str) -> Action:
    """`N`, `path N N E`, `wait` or `give up`; ValueError for any other text.

    >>> str(parse_action("path N NE"))
    'path N NE'
    """
    action = _ACTIONS.get(text)
    if action is not None:
        return action
    word, *names = text.split(" ")
    if word != "path" or not 1 <= len(names) <= MAX_PATH or not all(name in _BY_NAME for name in names):
        raise ValueError(
            f"expected N E S W NE SE SW NW, path and up to {MAX_PATH} of them, wait or give up, got {text[:60]!r}"
        )
    return Path(tuple([_BY_NAME[name] for name in names]))


class Status(Enum):
    """Where a robot stands with its task; the value is what views say."""

    WALKING = "walking"
    ARRIVED = "arrived"
    GAVE_UP = "gave up"  # rightly: there was no way
    LOST = "lost"  # gave up although there was a way


class News(NamedTuple):
    """A cell that is not as its seat had to think."""

    cell: int
    is_blocked: bool


class Robot(NamedTuple):
    """One seat's robot, its task, its counts and, where the map is unknown, its memory."""

    start: int
    goal: int
    cell: int
    status: Status = Status.WALKING
    straight: int = 0  # steps taken
    diagonal: int = 0
    waits: int = 0
    turns: int = 0  # answers
    plan: tuple[Heading, ...] = ()  # steps left of the path it was given
    news: tuple[News, ...] = ()  # since the seat's last answer, in the order it came
    memory: bytes = b""  # one byte a cell, see UNSEEN; empty where the map is known


@dataclass(frozen=True, slots=True)
class State:
    """The complete situation: `step` rounds are over, and of the present one the seats before `mover` have moved."""

    seed: int
    step: int
    mover: Seat  # whose turn it is; number of seats = the match is over
    initial: Board
    board: Board
    robots: tuple[Robot, ...]
