"""Reads and writes `schedule.json` beside the tables: the number of planned matches, the end and the verdict."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec

from gridjoust.runner.seeds import SEED_RULE
from gridjoust.runner.wire.errors import ConfigError, naming
from gridjoust.runner.wire.text import UNREADABLE

FILE = "schedule.json"
_KNOCKOUT = "knockout "
_ADAPTIVE = ("safe", "race")  # the rules that choose matches


class Encounter(msgspec.Struct, frozen=True):
    """Two bots that played each other, the share of points of each, and the bot that advanced ("" if none had to)."""

    bots: tuple[str, str]
    shares: tuple[float, float]
    winner: str = ""
    note: str = ""


class Round(msgspec.Struct, frozen=True):
    """One round of a format: the duels, and the bots that rested."""

    name: str
    encounters: tuple[Encounter, ...]
    resting: tuple[str, ...] = ()


class Place(msgspec.Struct, frozen=True):
    """The final place of one bot; bots that tie share a place. `tie_break`: the value that orders equal results."""

    place: int
    bot: str
    result: str = ""
    tie_break: str = ""


class Decision(msgspec.Struct, frozen=True):
    """The final order of bots by a format, best first; `title` and `tie_break` are headings for the places' values."""

    format: str
    title: str
    places: tuple[Place, ...]
    rounds: tuple[Round, ...] = ()
    tie_break: str = ""


class Planned(msgspec.Struct, frozen=True, kw_only=True):
    """The plan of a run; `matches` is an upper bound unless `is_exact`.

    `holds`: a test of `stop:` has shown what it was asked. `seed_rule`: the version of the rule that gives pairings
    their seeds; the first files do not have it. `only`: the bots whose matches the run plays, if not all.
    """

    matches: int
    is_exact: bool
    is_over: bool = False
    decision: Decision | None = None  # for formats with an order of their own
    titles: dict[str, str] = {}  # bot -> its title, if the tournament file gives one
    excluded: dict[str, str] | msgspec.UnsetType = msgspec.UNSET  # bot that does not play -> the reason; unset: none
    holds: bool | msgspec.UnsetType = msgspec.UNSET  # whether `stop: sprt` or `better` has shown what it was asked
    seed_rule: Annotated[int, msgspec.Meta(ge=1, le=SEED_RULE)] = 1
    only: tuple[str, ...] | msgspec.UnsetType = (
        msgspec.UNSET
    )  # the bots of `--only`, whose matches the run plays; unset: all


def tie_reason(stage: str, better: int, worse: int, *, form: str = "knockout") -> str:
    """Return the reason of a match: its format and stage, and the seeds of its bots, the better one first."""
    return f"{form} {stage}: seed {better} against seed {worse}"


def stage_of(reason: str) -> str:
    """Return the stage of a knockout that a match's reason names, "" if none; no other column has it."""
    stage, colon, _ = reason.removeprefix(_KNOCKOUT).rpartition(": ")
    return stage if colon and reason.startswith(_KNOCKOUT) else ""


def is_adaptive(reason: str) -> bool:
    """Return True if the match of this reason was chosen by earlier results; no other column says so."""
    return reason.startswith(_ADAPTIVE)


def at_its_end(planned: Planned, played: int) -> Planned:
    """Return the plan at the end of a run: over, unless the run played only some bots and matches are left."""
    if planned.only is not msgspec.UNSET and played < planned.matches:
        return planned
    return msgspec.structs.replace(planned, is_over=True, only=msgspec.UNSET)


def write_planned(folder: Path, planned: Planned) -> None:
    """Replace `schedule.json` atomically: a reader sees the old text or the new one."""
    part = folder / f"{FILE}.part"
    with naming(folder / FILE):
        part.write_bytes(msgspec.json.format(msgspec.json.encode(planned), indent=2) + b"\n")
        part.replace(folder / FILE)


def read_planned(folder: Path) -> Planned | None:
    """Read `schedule.json`; None without the file, as in results of earlier versions; ConfigError if invalid."""
    try:
        return msgspec.json.decode((folder / FILE).read_bytes(), type=Planned)
    except FileNotFoundError:
        return None
    except UNREADABLE as error:
        raise ConfigError(f"{folder / FILE}: expected a schedule as Joust writes it, got: {error}") from None
