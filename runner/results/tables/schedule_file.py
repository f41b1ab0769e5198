"""`schedule.json`, beside the tables: how many matches a run plans, whether it is over, and what its format decided.

Decides nothing itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec

from gridjoust.runner.seeds import SEED_RULE
from gridjoust.runner.wire.errors import ConfigError, naming
from gridjoust.runner.wire.text import UNREADABLE

FILE = "schedule.json"


class Encounter(msgspec.Struct, frozen=True):
    """Two bots met: the share of the points of each, and who went on; "" where that is not asked."""

    bots: tuple[str, str]
    shares: tuple[float, float]
    winner: str = ""
    note: str = ""


class Round(msgspec.Struct, frozen=True):
    """What was played side by side, and who had nobody to play."""

    name: str
    encounters: tuple[Encounter, ...]
    resting: tuple[str, ...] = ()


class Place(msgspec.Struct, frozen=True):
    """Where a bot ended, ties share; `result` is what the format says of it, `tie_break` what parts equal results."""

    place: int
    bot: str
    result: str = ""
    tie_break: str = ""


class Decision(msgspec.Struct, frozen=True):
    """The order that a format arrived at, best first; `title` and `tie_break` are what these are called in places."""

    format: str
    title: str
    places: tuple[Place, ...]
    rounds: tuple[Round, ...] = ()
    tie_break: str = ""


class Planned(msgspec.Struct, frozen=True, kw_only=True):
    """What a run has set out to play; `matches` is the most it can be unless it `is_exact`.

    `seed_rule` is the version of the rule by which meetings got their seeds. The first files do not have it.
    """

    matches: int
    is_exact: bool
    is_over: bool = False
    decision: Decision | None = None  # of a format that has an order of its own
    titles: dict[str, str] = {}  # bot -> what people call it, where the tournament file says so
    seed_rule: Annotated[int, msgspec.Meta(ge=1, le=SEED_RULE)] = 1
    only: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET  # bots whose matches alone the run plays; unset: all


def at_its_end(planned: Planned, played: int) -> Planned:
    """What a run says that has played all it set out to: over, unless it was for some bots and matches are left."""
    if planned.only is not msgspec.UNSET and played < planned.matches:
        return planned
    return msgspec.structs.replace(planned, is_over=True, only=msgspec.UNSET)


def write_planned(folder: Path, planned: Planned) -> None:
    """Replace the file at once: a reader sees the old text or the new one."""
    part = folder / f"{FILE}.part"
    with naming(folder / FILE):
        part.write_bytes(msgspec.json.format(msgspec.json.encode(planned), indent=2) + b"\n")
        part.replace(folder / FILE)


def read_planned(folder: Path) -> Planned | None:
    """None without the file, as in the results of earlier versions; ConfigError where it is not ours."""
    try:
        return msgspec.json.decode((folder / FILE).read_bytes(), type=Planned)
    except FileNotFoundError:
        return None
    except UNREADABLE as error:
        raise ConfigError(f"{folder / FILE}: expected a schedule as Joust writes it, got: {error}") from None
