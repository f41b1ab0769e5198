"""Writes the viewer of a results folder as a folder of pages, to be put on a web server or opened from disk."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from gridjoust.runner.results.records.file import has_record, read_header, read_record, record_path
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.results.records.other_rules import as_installed
from gridjoust.runner.results.records.plain_folder import is_plain, require_plain
from gridjoust.runner.wire.errors import ConfigError, RecordError
from gridjoust.viewer.files import match_view_of, thumbnail_of
from gridjoust.viewer.live_page.open_seeds import OpenSeeds, StillPlayedError
from gridjoust.viewer.matches import THUMBNAILS, list_matches
from gridjoust.viewer.page import MODULES, classic_script, folder_page, palette, static

LIST_MODULES = ("settings", "page", "meetings", "list")


ViewOf = Callable[[Path, MatchRecord], dict[str, Any]]


def export_pages(
    results: Path,
    out: Path,
    *,
    view_of: ViewOf = match_view_of,
    show: Callable[[dict[str, Any]], dict[str, Any]] = dict,
) -> Iterator[tuple[int, int]]:
    """Write the pages of all matches to a new folder; yield (matches done, matches left) after each match.

    `view_of` returns the data of a match's page, `show` what the list tells of a match. A match that must not be shown
    yet, whose record is missing, or whose game is not installed has no page.
    ConfigError if `out` exists.
    """
    require_plain(results)
    if out.exists():
        raise ConfigError(f"--export: expected a folder that does not exist yet, got {out}: name another one")
    report = results / "report.html"
    listed = list_matches(results, report=is_plain(report))
    for name in ("static", "match", "thumb"):
        (out / name).mkdir(parents=True)
    scripts = {"watch.js": classic_script(MODULES), "list.js": classic_script(LIST_MODULES)}
    for name, text in {**scripts, "viewer.css": static("viewer.css"), "palette.css": palette()}.items():
        (out / "static" / name).write_text(text, encoding="utf-8")
    if listed["report"]:
        shutil.copyfile(report, out / "report.html")
    written: set[str] = set()
    waiting, seeds = [match["id"] for match in reversed(listed["matches"])], OpenSeeds(results)
    for number, match_id in enumerate(waiting, start=1):
        if _write_match(results, out, match_id, seeds, view_of, has_thumbnail=len(written) < THUMBNAILS):
            written.add(match_id)
        yield number, len(waiting) - number
    listed["matches"] = [show(match) | {"is_shown": match["id"] in written} for match in listed["matches"]]
    page = folder_page(listed["tournament"], listed, body="list.html", code="list.js")
    (out / "index.html").write_text(page, encoding="utf-8")


def _write_match(
    results: Path, out: Path, match_id: str, seeds: OpenSeeds, view_of: ViewOf, *, has_thumbnail: bool
) -> bool:
    """Write the page of one match; return False if it cannot be shown."""
    path = record_path(results, match_id)
    if not has_record(path):
        return False
    try:
        seeds.check(read_header(path))
        record = read_record(path)
        view = view_of(path, record)
        if has_thumbnail:
            (out / "thumb" / f"{match_id}.svg").write_text(thumbnail_of(as_installed(record)), encoding="utf-8")
    except (StillPlayedError, RecordError):
        return False
    page = folder_page(f"{view['variant']}, match {match_id}", view, body="watch.html", code="watch.js", up="../")
    (out / "match" / f"{match_id}.html").write_text(page, encoding="utf-8")
    return True
