"""`schedule.json`, beside the tables: how many matches a run plans, and whether it is over. Decides nothing."""

from __future__ import annotations

from pathlib import Path

import msgspec

from runner.wire.errors import ConfigError

FILE = "schedule.json"


class Planned(msgspec.Struct, frozen=True, kw_only=True):
    """What a run has set out to play; `matches` is the most it can be unless it `is_exact`."""

    matches: int
    is_exact: bool
    is_over: bool = False


def write_planned(folder: Path, planned: Planned) -> None:
    """Replace the file at once: a reader sees the old text or the new one."""
    part = folder / f"{FILE}.part"
    part.write_bytes(msgspec.json.format(msgspec.json.encode(planned), indent=2) + b"\n")
    part.replace(folder / FILE)


def read_planned(folder: Path) -> Planned | None:
    """None without the file, as in the results of earlier versions; ConfigError where it is not ours."""
    try:
        return msgspec.json.decode((folder / FILE).read_bytes(), type=Planned)
    except FileNotFoundError:
        return None
    except msgspec.DecodeError as error:
        raise ConfigError(f"{folder / FILE}: expected a schedule as Joust writes it, got: {error}") from None
