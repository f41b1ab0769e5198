"""Writes the viewer of a results folder as a folder of pages, to be put on a web server or opened from disk."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache, partial
from multiprocessing import get_context
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
MANY = 200  # matches, from which on processes are worth their start
_CHUNK = 16  # matches that a process takes at once

ViewOf = Callable[[Path, MatchRecord], dict[str, Any]]


def export_pages(
    results: Path,
    out: Path,
    *,
    view_of: ViewOf = match_view_of,
    show: Callable[[dict[str, Any]], dict[str, Any]] = dict,
    home: tuple[str, str] | None = None,
) -> Iterator[tuple[int, int]]:
    """Write the pages of all matches to a new folder; yield (matches done, matches left) after each match.

    `view_of` returns the data of a match's page, `show` what the list tells of a match. A match that must not be shown
    yet, whose record is missing, or whose game is not installed has no page. `home`: name and address of the site that
    these pages are part of; None if they are the site. ConfigError if `out` exists.
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
    waiting = [match["id"] for match in reversed(listed["matches"])]
    for number, is_written in enumerate(_write_matches(results, out, waiting, view_of), start=1):
        if is_written:
            written.add(waiting[number - 1])
        yield number, len(waiting) - number
    listed["matches"] = [show(match) | {"is_shown": match["id"] in written} for match in listed["matches"]]
    if home is not None:
        listed["tournament"], listed["home"] = home
    page = folder_page(listed["tournament"], listed, body="list.html", code="list.js")
    (out / "index.html").write_text(page, encoding="utf-8")


def _write_matches(results: Path, out: Path, match_ids: Sequence[str], view_of: ViewOf) -> Iterator[bool]:
    """Write the pages of these matches in order, in several processes if many; yield for each if it could be shown."""
    write, left = partial(_write_match, results, out, view_of), iter(match_ids)
    thumbnails = 0
    while thumbnails < THUMBNAILS and (match_id := next(left, None)) is not None:
        is_written = write(match_id, has_thumbnail=True)
        thumbnails += is_written
        yield is_written
    rest = [*left]
    if len(rest) < MANY or (os.cpu_count() or 1) == 1:
        yield from map(write, rest)
        return
    pool = ProcessPoolExecutor(mp_context=get_context("spawn"), initializer=_ignore_interrupt)
    try:
        yield from pool.map(write, rest, chunksize=_CHUNK)
    finally:
        pool.shutdown(cancel_futures=True)


def _ignore_interrupt() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process ends the others


@lru_cache(maxsize=1)
def _seeds_of(results: Path) -> OpenSeeds:
    return OpenSeeds(results)


def _write_match(results: Path, out: Path, view_of: ViewOf, match_id: str, *, has_thumbnail: bool = False) -> bool:
    """Write the page of one match; return False if it cannot be shown."""
    path = record_path(results, match_id)
    if not has_record(path):
        return False
    try:
        _seeds_of(results).check(read_header(path))
        record = read_record(path)
        view = view_of(path, record)
        if has_thumbnail:
            (out / "thumb" / f"{match_id}.svg").write_text(thumbnail_of(as_installed(record)), encoding="utf-8")
    except (StillPlayedError, RecordError):
        return False
    page = folder_page(f"{view['variant']}, match {match_id}", view, body="watch.html", code="watch.js", up="../")
    (out / "match" / f"{match_id}.html").write_text(page, encoding="utf-8")
    return True
