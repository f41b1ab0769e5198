"""Citable instances: sets of maps, positions and dungeons with ids, made from seeds, with hashes and hardness.

`manifest.csv` lists them; their files are made when they are asked for. An id, such as `rooms-64-007`, never changes
its meaning: another instance gets another id.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from gridjoust.instances.sets import SETS, Hardness, Instance, digest

VERSION = "1"  # of the collection; a paper cites it with the ids
SPLITS = ("train", "test")


class Listed(NamedTuple):
    """A row of the manifest: an instance, what its files hash to, and how hard A* finds it."""

    id: str
    split: str  # train or test
    seed: int
    sha256: str  # of its files: the first 16 hex digits
    cost: float  # of a cheapest solution; see the set for its unit
    nodes: int  # that A* expands
    branching: float  # successors a node

    @property
    def set(self) -> str:
        """Name of the instance's set."""
        return self.id.rpartition("-")[0]

    @property
    def hardness(self) -> Hardness:
        """Hardness as `measure` returns it."""
        return Hardness(self.cost, self.nodes, self.branching)


@cache
def manifest() -> Mapping[str, Listed]:
    """Return every instance by its id, in the order of the manifest."""
    text = files("gridjoust.instances").joinpath("manifest.csv").read_text(encoding="utf-8")
    rows = (
        Listed(
            row["id"], row["split"], int(row["seed"]), row["sha256"],
            float(row["cost"]), int(row["nodes"]), float(row["branching"]),
        )
        for row in csv.DictReader(text.splitlines())
    )  # fmt: skip
    return {row.id: row for row in rows}


def make_instance(row: Listed) -> Instance:
    """Make the files of an instance from its seed."""
    return SETS[row.set].make(row.id, row.seed)


def measure(row: Listed) -> Hardness:
    """Solve an instance again by A* and return its hardness; the hard ones of ricochet take a few seconds."""
    return SETS[row.set].measure(row.seed)


def verify(row: Listed, *, is_measured: bool = False) -> str:
    """Make an instance again; return what differs from the manifest, "" if nothing does."""
    made = digest(make_instance(row))
    if made != row.sha256:
        return f"{row.id}: expected sha256 {row.sha256}, got {made}"
    if is_measured and (found := measure(row)) != row.hardness:
        return f"{row.id}: expected {row.hardness}, got {found}"
    return ""


def chosen(names: Collection[str]) -> list[Listed]:
    """Return the instances of these sets, groups of sets (`rooms`) and ids; all without names.

    ValueError for a name that is none of them.
    """
    rows = manifest().values()
    for name in names:
        if not any(_is_named(row, name) for row in rows):
            raise ValueError(f"expected a set such as {next(iter(SETS))}, or an id, got {name!r}")
    return [row for row in rows if not names or any(_is_named(row, name) for name in names)]


def _is_named(row: Listed, name: str) -> bool:
    return f"{row.id}-".startswith(f"{name}-")
