"""The actions of navigation and their texts; `legal` decides which are allowed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gridjoust.games.navigation.board import HEADINGS, Heading

MAX_PATH = 16_000  # steps in one answer, so that its text stays below 64 kB


class Stay(StrEnum):
    """Actions that do not move the robot."""

    WAIT = "wait"
    GIVE_UP = "give up"


@dataclass(frozen=True, slots=True)
class Go:
    """One step in one direction."""

    heading: Heading

    def __str__(self) -> str:
        return self.heading.name


@dataclass(frozen=True, slots=True)
class Path:
    """Steps to take, one a round, until one is impossible or the sensor shows that a later one is."""

    headings: tuple[Heading, ...]

    def __str__(self) -> str:
        return "path " + " ".join([heading.name for heading in self.headings])


Action = Stay | Go | Path

GO: dict[Heading, Go] = {heading: Go(heading) for heading in HEADINGS}

_ACTIONS: dict[str, Action] = {str(action): action for action in (*Stay, *GO.values())}


def parse_action(text: str) -> Action:
    """Parse `N`, `path N N E`, `wait` or `give up`; ValueError for any other text.

    >>> str(parse_action("path N NE"))
    'path N NE'
    """
    action = _ACTIONS.get(text)
    if action is not None:
        return action
    word, *names = text.split(" ")
    if word != "path" or not 1 <= len(names) <= MAX_PATH or not all(name in Heading.__members__ for name in names):
        raise ValueError(
            f"expected N E S W NE SE SW NW, path and up to {MAX_PATH} of them, wait or give up, got {text[:60]!r}"
        )
    return Path(tuple([Heading[name] for name in names]))
