"""The values of navigation: robots and the whole situation. No rules and no chance."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from gridjoust.games.navigation.board import Board, Heading

Seat = int


UNSEEN, SEEN_FREE, SEEN_BLOCKED = 0, 1, 2  # a robot's memory of a cell: 1 + what the board said when it was seen


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
