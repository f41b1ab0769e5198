"""The values of navigation: robots and the complete situation."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from gridjoust.games.navigation.board import Board, Heading

Seat = int


UNSEEN, SEEN_FREE, SEEN_BLOCKED = 0, 1, 2  # memory of a cell: UNSEEN, or 1 + the board's value when it was seen


class Status(Enum):
    """The state of a robot's task; the value is the text in views."""

    WALKING = "walking"
    ARRIVED = "arrived"
    GAVE_UP = "gave up"  # correctly: there was no path
    LOST = "lost"  # gave up although there was a path


class News(NamedTuple):
    """A cell that turned out free or blocked against what the seat's robot had assumed."""

    cell: int
    is_blocked: bool


class Robot(NamedTuple):
    """One seat's robot with its task, its counts and, if the map is unknown, its memory."""

    start: int
    goal: int
    cell: int
    status: Status = Status.WALKING
    straight: int = 0  # steps taken, not diagonal
    diagonal: int = 0
    waits: int = 0
    turns: int = 0  # number of answers
    plan: tuple[Heading, ...] = ()  # steps left in its path
    news: tuple[News, ...] = ()  # since the seat's last answer, oldest first
    memory: bytes = b""  # one byte a cell, see UNSEEN; empty if the map is known


@dataclass(frozen=True, slots=True)
class State:
    """The complete situation: `step` rounds are over, and the seats before `mover` have moved in the present one."""

    seed: int
    step: int
    mover: Seat  # seat whose turn it is; number of seats = the match is over
    initial: Board
    board: Board
    robots: tuple[Robot, ...]
