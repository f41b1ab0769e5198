"""Scopes of matches made by hand, and what a section shows as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from gridjoust.leaderboard.report.blocks import Figure, Note, ReportTable, Section
from gridjoust.leaderboard.report.source import Scope, load_source, whole
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.results.tables.writer import TableWriter

B = TypeVar("B", ReportTable, Figure, Note)


def scope_of(folder: Path, records: Sequence[MatchRecord]) -> Scope:
    with TableWriter(folder) as tables:
        for record in records:
            tables.add(record)
    return whole(load_source(folder))


def scopes_of(folder: Path, *every: Sequence[MatchRecord]) -> list[Scope]:
    return [scope_of(folder / str(at), records) for at, records in enumerate(every)]


def blocks_of(section: Section | None, kind: type[B]) -> list[B]:
    assert section is not None
    return [block for block in section.blocks if isinstance(block, kind)]


def rows_of(table: ReportTable) -> list[list[str]]:
    return [[cell.text for cell in line.cells] for line in table.lines]


def cells_of(table: ReportTable) -> dict[str, dict[str, str]]:
    """Row name -> column title -> text."""
    name = [column.kind for column in table.columns].index("name")
    titles = [column.title for column in table.columns]
    return {row[name]: dict(zip(titles, row, strict=True)) for row in rows_of(table)}
