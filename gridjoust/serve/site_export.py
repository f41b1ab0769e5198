"""Writes a contest as a static site, for the end of term: tables, a page of each entrant, all matches, the CSVs."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

from gridjoust.runner.results.records.lines import Termination
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.serve.contest import Contest
from gridjoust.serve.pages import Link, Pages
from gridjoust.serve.values import Phase
from gridjoust.viewer.export import export_pages
from gridjoust.viewer.files import site_view_of
from gridjoust.viewer.page import palette, static


def export_site(contest: Contest, out: Path) -> Iterator[tuple[int, int]]:
    """Write the site to a new folder; yield (matches written, matches left) after each match.

    It shows what everybody may see: no code, logs or errors, and no match as a single seat saw it. ConfigError if `out`
    exists, or if the final is hidden.
    """
    if contest.phase() is Phase.FINAL:
        raise ConfigError("--export: the final is hidden; reveal it first")
    if out.exists():
        raise ConfigError(f"--export: expected a folder that does not exist yet, got {out}: name another one")
    _write_tables(contest, out)
    home = contest.about.title, "../index.html"
    yield from export_pages(contest.results, out / "matches", view_of=site_view_of, show=_without_words, home=home)


def _write_tables(contest: Contest, out: Path) -> None:
    here = _link_from("")
    top, below = (Pages(contest, _link_from(up), f"{up}files", is_static=True) for up in ("", "../"))
    own = (files(__package__) / "static" / "contest.css").read_text(encoding="utf-8")
    styles = {"palette.css": palette(), "viewer.css": static("viewer.css"), "contest.css": own}
    texts = {f"files/{name}": text for name, text in styles.items()}
    for track in ("", *contest.about.tracks):
        texts |= {here("ladder", track): top.ladder(None, track), here("grades", track): top.grades(None, track)}
    if contest.phase() is Phase.REVEALED:
        texts["final.html"] = top.final(None)
    texts |= {f"bot/{person.name}.html": below.person(None, person.name) for person in contest.people()}
    texts |= {"ladder.csv": contest.ladder_csv(), "grades.csv": contest.grades_csv()}
    for name, text in texts.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _link_from(up: str) -> Link:
    """Return a function that makes links between pages of the site; `up` leads from a page to the site's folder."""

    def link(page: str, of: str = "") -> str:
        match page:
            case "ladder" | "grades" if of:
                return f"{up}{page}-{quote(of, safe='')}.html"
            case "ladder":
                return f"{up}index.html"
            case "matches":
                return f"{up}matches/index.html"
            case "watch":
                return f"{up}matches/match/{quote(of, safe='')}.html"
            case "bot":
                return f"{up}bot/{quote(of, safe='')}.html"
            case _:
                return f"{up}{page}" if page.endswith(".csv") else f"{up}{page}.html"

    return link


def _without_words(match: dict[str, Any]) -> dict[str, Any]:
    """Return a match of the list without the texts that bots sent with their faults."""
    termination = Termination(match["termination"])
    return match if termination is Termination.COMPLETED else match | {"ending": termination.words}
