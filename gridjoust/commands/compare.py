"""`joust compare`: find the first turn in which two matches of a game differ, and show both on one page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from gridjoust.commands.shared.arguments import JsonOption
from gridjoust.commands.shared.output import say
from gridjoust.recorded.source import resolve_record
from gridjoust.runner.results.records.file import read_record
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.results.records.other_rules import as_installed
from gridjoust.runner.results.records.reasons import reason_of
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.text import plain_text


def compare(
    one: Annotated[Path, typer.Argument(help="A match record, RESULTS/ID, or a match id or its first characters.")],
    other: Annotated[Path, typer.Argument(help="Another match of the same game.")],
    html: Annotated[
        Path | None, typer.Option(help="Also write a page with both boards side by side: one file that works offline.")
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Find the first turn in which two matches differ, and show both side by side; exit code 1 if they differ."""
    from gridjoust.viewer.compare_page import check_comparable, comparison_page, describe_difference

    if html is not None and html.is_dir():
        raise ConfigError(f"--html: expected a file to write, got the folder {html}")
    records = [as_installed(read_record(resolve_record(path))) for path in (one, other)]
    check_comparable(*records)
    turn, told = describe_difference(*records)
    if html is not None:
        html.write_text(comparison_page(*records), encoding="utf-8")
    if as_json:
        print(json.dumps({"matches": list(map(_as_json, records)), "turn": turn, "difference": told}))
        return 0 if turn is None else 1
    for name, record in zip("AB", records, strict=True):
        header, bots = record.header, ", ".join(seat.bot for seat in record.header.seats)
        line = f"{name}: {header.match_id}, {header.variant}, seed {header.seed}: {bots}"
        say(plain_text(f"{line}; {reason_of(header, record.end)}"))
    print(told)
    if html is not None:
        print(f"page: {html}")
    return 0 if turn is None else 1


def _as_json(record: MatchRecord) -> dict[str, object]:
    header = record.header
    return {
        "match_id": header.match_id,
        "variant": header.variant,
        "seed": header.seed,
        "bots": [seat.bot for seat in header.seats],
        "ranks": record.end.ranks,
        "reason": reason_of(header, record.end),
    }
