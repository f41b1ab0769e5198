"""`joust instances`: list the citable instances, write their files, or make them again and compare hashes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Column, Table

from gridjoust.commands.shared.arguments import JsonOption, mistakes_of
from gridjoust.commands.shared.board import open_console
from gridjoust.instances import SPLITS, VERSION, Listed, chosen, make_instance, verify
from gridjoust.instances.sets import SETS
from gridjoust.runner.wire.errors import ConfigError


def instances(
    names: Annotated[list[str] | None, typer.Argument(help="Sets (rooms-64, rooms) or ids; default: all.")] = None,
    split: Annotated[str | None, typer.Option(help="Only train, or only test.")] = None,
    write: Annotated[Path | None, typer.Option(help="Write the files of the instances into this folder.")] = None,
    is_verified: Annotated[bool, typer.Option("--verify", help="Make the instances again; compare hashes.")] = False,
    is_measured: Annotated[
        bool, typer.Option("--measure", help="With --verify: also solve them again and compare the hardness: minutes.")
    ] = False,
    as_json: JsonOption = False,
) -> int:
    """List the citable instances with their hardness; write their files, or verify their hashes."""
    if split not in (None, *SPLITS):
        raise ConfigError(f"--split: expected train or test, got {split!r}")
    if is_measured and not is_verified:
        raise ConfigError("--measure works only with --verify")
    with mistakes_of("instances"):
        rows = [row for row in chosen(names or ()) if split in (None, row.split)]
    if is_verified:
        return _verify(rows, is_measured=is_measured, as_json=as_json)
    if write is not None:
        _write(rows, write)
        print(
            json.dumps({"folder": str(write), "instances": len(rows)})
            if as_json
            else f"{write}: {len(rows)} instances written"
        )
    elif as_json:
        print(json.dumps([row._asdict() for row in rows]))
    else:
        open_console().print(_rows_table(rows) if names else _sets_table(rows))
    return 0


def _verify(rows: Sequence[Listed], *, is_measured: bool, as_json: bool) -> int:
    """Make the instances again; print those that differ, and their number; return 1 if there are any, else 0."""
    wrong = [text for row in rows if (text := verify(row, is_measured=is_measured))]
    if as_json:
        print(json.dumps({"manifest": VERSION, "instances": len(rows), "problems": wrong}))
    else:
        print("\n".join([*wrong, f"{len(rows)} instances, {len(wrong)} differ from the manifest {VERSION}"]))
    return int(bool(wrong))


def _write(rows: Sequence[Listed], folder: Path) -> None:
    """Write the instances' files into the folder, and one file per set for `joust solve`; print their number."""
    folder.mkdir(parents=True, exist_ok=True)
    cases: dict[str, dict[str, Any]] = {}
    for row in rows:
        made = make_instance(row)
        for ending, text in made.files.items():
            (folder / f"{row.id}{ending}").write_text(text, encoding="utf-8")
        for key, value in (made.case or {}).items():
            joined = cases.setdefault(row.set, {})
            joined[key] = (
                {**joined.get(key, {}), **value} if isinstance(value, Mapping) else joined.get(key, []) + value
            )
    for name, case in cases.items():
        (folder / f"{name}.json").write_text(f"{json.dumps(case)}\n", encoding="utf-8")


def _sets_table(rows: Sequence[Listed]) -> Table:
    table = _table("set", "train", "test", "cost", "A* nodes", "holds")
    for name, one in SETS.items():
        own = [row for row in rows if row.set == name]
        costs = [row.cost for row in own]
        if own:
            counts = (str(sum(row.split == split for row in own)) for split in SPLITS)
            table.add_row(
                name, *counts, f"{min(costs):g} to {max(costs):g}", f"{median(row.nodes for row in own):.0f}", one.about
            )
    return table


def _rows_table(rows: Sequence[Listed]) -> Table:
    table = _table("id", "split", "seed", "sha256", "cost", "A* nodes", "branching")
    for row in rows:
        table.add_row(*row[:2], str(row.seed), row.sha256, f"{row.cost:g}", str(row.nodes), f"{row.branching:g}")
    return table


def _table(*names: str) -> Table:
    caption = f"collection {VERSION}; cost: of a cheapest solution; A* nodes: expanded"
    first = Column(names[0], no_wrap=True)  # a name that is cut cannot be typed
    return Table(
        first, *names[1:], caption=caption, box=SIMPLE_HEAD, show_edge=False, collapse_padding=True, pad_edge=False
    )
