"""Describes the tables for other programs: `datapackage.json` (Data Package v2), made from the column list."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gridjoust.runner.results.tables.columns import RESULTS, TABLES, Column, TableSchema
from gridjoust.runner.wire.errors import naming

FILE = "datapackage.json"
_PROFILES = "https://datapackage.org/profiles/2.0"


def write_datapackage(folder: Path) -> None:
    """Write the description of the tables into the folder, without checksums: it is equal for every tournament."""
    save_datapackage(folder, describe_tables())


def save_datapackage(folder: Path, package: Mapping[str, Any]) -> None:
    """Replace the description atomically."""
    temporary = folder / f"{FILE}.part"
    with naming(folder / FILE):
        temporary.write_text(format_datapackage(package), encoding="utf-8")
        temporary.replace(folder / FILE)


def format_datapackage(package: Mapping[str, Any]) -> str:
    """Format the description as the text of its file."""
    return json.dumps(package, indent=2, ensure_ascii=False) + "\n"


def describe_tables() -> dict[str, Any]:
    """Return the descriptor. `measured: true` marks columns that differ between runs with identical results."""
    return {
        "$schema": f"{_PROFILES}/datapackage.json",
        "name": "joust-results",
        "title": "Results of a bot tournament",
        "resources": [_describe_table(table) for table in TABLES],
    }


def _describe_table(table: TableSchema) -> dict[str, Any]:
    schema: dict[str, Any] = {
        "$schema": f"{_PROFILES}/tableschema.json",
        "fields": [_describe_column(column) for column in table.columns],
        "missingValues": [""],
    }
    if table.key:
        schema["primaryKey"] = list(table.key)
    if table.parent_key:
        reference = {"resource": RESULTS.name, "fields": list(table.parent_key)}
        schema["foreignKeys"] = [{"fields": list(table.parent_key), "reference": reference}]
    packed = {"compression": "gz"} if table.file.endswith(".gz") else {}
    return {
        "$schema": f"{_PROFILES}/dataresource.json",
        "name": table.name,
        "path": table.file,
        "description": table.description,
        "type": "table",
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        **packed,
        "dialect": {"delimiter": ",", "lineTerminator": "\n", "quoteChar": '"', "doubleQuote": True},
        "schema": schema,
    }


def _describe_column(column: Column) -> dict[str, Any]:
    described: dict[str, Any] = {"name": column.name, "type": column.type, "description": column.description}
    if column.type == "boolean":
        described |= {"trueValues": ["1"], "falseValues": ["0"]}
    constraints: dict[str, Any] = {}
    if column.is_required:
        constraints["required"] = True
    if column.minimum is not None:
        constraints["minimum"] = column.minimum
    if column.maximum is not None:
        constraints["maximum"] = column.maximum
    if column.choices:
        constraints["enum"] = list(column.choices)
    if constraints:
        described["constraints"] = constraints
    if column.is_measured:
        described["measured"] = True
    return described
