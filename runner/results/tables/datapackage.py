"""Describes the tables for other programs: `datapackage.json` (Data Package v2), made from the column list.

While a run writes its tables the file has no checksums. The end of the run adds them, so that a damaged table is never
used.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from gridjoust.runner import __version__
from gridjoust.runner.results.records.plain_folder import require_plain
from gridjoust.runner.results.tables.columns import RESULTS, TABLES, Column, TableSchema
from gridjoust.runner.wire.errors import ConfigError, naming
from gridjoust.runner.wire.text import UNREADABLE

FILE = "datapackage.json"
_PROFILES = "https://datapackage.org/profiles/2.0"


def write_datapackage(folder: Path) -> None:
    """Write `datapackage.json` without checksums, which describes the tables; it is the same for every tournament."""
    save_datapackage(folder, describe_tables())


def save_datapackage(folder: Path, package: Mapping[str, Any]) -> None:
    """Replace `datapackage.json` atomically."""
    temporary = folder / f"{FILE}.part"
    with naming(folder / FILE):
        temporary.write_text(format_datapackage(package), encoding="utf-8")
        temporary.replace(folder / FILE)


def format_datapackage(package: Mapping[str, Any]) -> str:
    """Return the text of `datapackage.json` for this description."""
    return msgspec.json.format(msgspec.json.encode(package), indent=2).decode() + "\n"


def describe_tables() -> dict[str, Any]:
    """Return the content of `datapackage.json`. `measured: true` marks columns that differ between equal runs."""
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


_ALGORITHM = "sha256"


class _Resource(msgspec.Struct, frozen=True):
    """The entry of one table's file in `datapackage.json`.

    `hash`, `bytes` and `rows` stay empty until the table is finished.
    """

    path: str = ""
    hash: str = ""
    bytes: int = 0
    rows: int = 0


class _Package(msgspec.Struct, frozen=True):
    resources: tuple[_Resource, ...] = ()


def add_checksums(folder: Path, rows: Mapping[str, int]) -> None:
    """Add size, hash and row count of finished tables to their description; `rows`: number of rows by table name."""
    package = json.loads((folder / FILE).read_text(encoding="utf-8"))
    for resource in package["resources"]:
        if (count := rows.get(resource["name"])) is not None:
            size, digest = _measure(folder / resource["path"])
            resource |= {"bytes": size, "hash": digest, "rows": count}
    save_datapackage(folder, package)


def check_tables(folder: Path) -> None:
    """Raise a ConfigError for a table that was changed after its run; missing and unfinished tables are accepted.

    ConfigError also for a folder with anything but plain files and folders. The description is read twice, to tell a
    damaged table from one that a run has just begun to write again.
    """
    require_plain(folder)
    if (damage := next(damaged_tables(folder), None)) is not None and damage in damaged_tables(folder):
        raise ConfigError(f"{damage}; see joust verify {folder}")


def damaged_tables(folder: Path) -> Iterator[str]:
    """Yield a sentence for each table whose bytes were changed after its run."""
    described = {resource.path: resource for resource in _read(folder / FILE).resources}
    for table in TABLES:
        path, resource = folder / table.file, described.get(table.file, _Resource())
        if resource.hash and path.is_file():
            size, digest = _measure(path)
            if (size, digest) != (resource.bytes, resource.hash):
                expected = f"{resource.bytes} bytes with {resource.hash:.80}, as its run left it"
                yield f"{path}: expected {expected}, got {size} bytes with {digest}"


def table_hashes(folder: Path) -> dict[str, str]:
    """Return the hash of each finished table's file, by table name."""
    described = {resource.path: resource.hash for resource in _read(folder / FILE).resources}
    return {table.name: digest for table in TABLES if (digest := described.get(table.file, ""))}


def table_rows(folder: Path) -> dict[str, int]:
    """Return the number of rows of each finished table, by file name."""
    return {resource.path: resource.rows for resource in _read(folder / FILE).resources if resource.hash}


def is_described(folder: Path, table: TableSchema) -> bool:
    """Return True if a run has finished the table, so that `datapackage.json` has its checksum."""
    return any(resource.hash for resource in _read(folder / FILE).resources if resource.path == table.file)


def description_difference(folder: Path, rows: Mapping[str, int]) -> str | None:
    """Return what is wrong with the `datapackage.json` of these tables, or None; `rows` as in `add_checksums`.

    If another version of Joust has written the folder, words may differ and recent columns may be missing.
    """
    expected = describe_tables()
    for table, resource in zip(TABLES, expected["resources"], strict=True):
        if is_described(folder, table):
            size, digest = _measure(folder / table.file)
            resource |= {"bytes": size, "hash": digest, "rows": rows[table.name]}
    path = folder / FILE
    if not path.is_file():
        return f"{FILE}: the description of the tables is missing; --resume writes it again"
    got = path.read_bytes()
    is_equal = got == format_datapackage(expected).encode()
    if not is_equal and _writer(folder) != __version__:
        with suppress(LookupError, TypeError, ValueError):
            package = json.loads(got)
            is_equal = _without_words(package) == _without_words(_without_missing(expected, package))
    return (
        None if is_equal else f"{FILE}: expected the description of these tables, got another; --resume writes it again"
    )


def _writer(folder: Path) -> str:
    """Return the version of Joust that has written a results folder; this one's if the folder does not say."""
    try:
        return str(json.loads((folder / "environment.json").read_bytes())["gridjoust"])
    except (OSError, LookupError, TypeError, ValueError):
        return __version__


def _without_words(value: Any) -> Any:
    """Return a part of a table description without the texts for people."""
    if isinstance(value, dict):
        return {key: _without_words(part) for key, part in value.items() if key != "description"}
    return [_without_words(part) for part in value] if isinstance(value, list) else value


def _without_missing(expected: dict[str, Any], got: dict[str, Any]) -> dict[str, Any]:
    """Return the expected table description without recently added columns that `got` does not have."""
    for table, ours, theirs in zip(TABLES, expected["resources"], got["resources"], strict=True):
        names = {field["name"] for field in theirs["schema"]["fields"]}
        recent = {column.name for column in table.columns if column.is_recent}
        fields = ours["schema"]["fields"]
        ours["schema"]["fields"] = [one for one in fields if one["name"] in names or one["name"] not in recent]
    return expected


def _read(file: Path) -> _Package:
    try:
        return msgspec.json.decode(file.read_bytes(), type=_Package)
    except FileNotFoundError:
        return _Package()
    except UNREADABLE as error:
        expected = "expected the description of the tables (--resume writes it again)"
        raise ConfigError(f"{file}: {expected}, got: {error}") from None


def _measure(path: Path) -> tuple[int, str]:
    with path.open("rb") as table:
        digest = hashlib.file_digest(table, _ALGORITHM).hexdigest()
        return table.tell(), f"{_ALGORITHM}:{digest}"
