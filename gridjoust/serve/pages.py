"""Builds the pages of a contest as HTML. All texts are escaped, and control characters are removed."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined

from gridjoust.leaderboard.wording import plural
from gridjoust.runner.wire.text import plain_text
from gridjoust.serve.contest import Contest
from gridjoust.serve.entrants import may_see
from gridjoust.serve.guide import games_of, submit_lines
from gridjoust.serve.values import (
    GradeRow,
    Kind,
    MatchFilter,
    Person,
    Phase,
    State,
    Threshold,
    Version,
    VersionRow,
)

MENU = (
    ("ladder", "Ladder"),
    ("grades", "Grades"),
    ("queue", "Queue"),
    ("matches", "Matches"),
    ("live", "Live"),
    ("hand-in", "Hand in"),
    ("guide", "Guide"),
)
SHOWN = 50  # matches on a page
_LAST = 10  # matches on a person's page
_SURE = 1.96  # standard errors of a 95 % interval
_MOST_LETTERS = 20_000  # of one text, such as a log
_LEAST_ELO = 100.0  # from one end of a scale to the other
Link = Callable[..., str]  # of a page, and of the bot, version or match that it shows


def served_link(page: str, of: str = "") -> str:
    """Return the address of a page of the running site.

    >>> served_link("version", "ada@3"), served_link("ladder")
    ('/bot/ada/3', '/')
    """
    match page:
        case "ladder" | "grades" if of:
            return f"{served_link(page)}?track={quote(of, safe='')}"
        case "ladder":
            return "/"
        case "bot":
            return f"/bot/{quote(of, safe='')}"
        case "version":
            return "/bot/" + "/".join(quote(part, safe="") for part in of.split("@"))
        case "watch":
            return f"/watch#match={quote(of, safe='')}"
        case _:
            return f"/{page}"


@dataclass(frozen=True, slots=True)
class Pages:
    """The pages of one contest, as HTML; `viewer` is the person who looks, None if not signed in."""

    contest: Contest
    link: Link = served_link
    files: str = "/static"  # where style sheets are
    is_static: bool = False
    clock: Callable[[], float] = time.time

    def ladder(self, viewer: Person | None, track: str = "") -> str:
        """Return the page with the ladder, of all entrants or those of a track."""
        rows = self.contest.ladder(track)
        scale = scale_of((row.elo, row.spread) for row in rows)
        return self._page("ladder", viewer, rows=rows, track=track, scale=scale)

    def grades(self, viewer: Person | None, track: str = "") -> str:
        """Return the page with the table of grades, of all entrants or those of a track."""
        grades = self.contest.grades(track)
        lines = lines_after(grades.rows, grades.thresholds)
        return self._page("grades", viewer, grades=grades, track=track, lines_after=lines)

    def queue(self, viewer: Person | None) -> str:
        """Return the page of running and waiting matches, with the form for a match on demand."""
        contest, own = self.contest, viewer is not None and not viewer.is_staff
        return self._page(
            "queue",
            viewer,
            rows=contest.queue(viewer=viewer, limit=SHOWN),
            waiting=contest.waiting(),
            next=contest.next_match(viewer.name) if viewer and own else None,
            opponents=[*contest.about.staff, *(row.name for row in contest.ladder() if not may_see(viewer, row.name))],
        )

    def matches(self, viewer: Person | None, wanted: MatchFilter, before: int | None) -> str:
        """Return one page of the list of matches."""
        found, people = self.contest.matches(wanted, viewer=viewer, before=before, limit=SHOWN), self.contest.people()
        return self._page(
            "matches",
            viewer,
            wanted=wanted,
            rows=found.matches,
            older=None if found.older is None else _list_address(wanted, found.older),
            newest=_list_address(wanted, None),
            is_later=before is not None,
            names=[person.name for person in people],
            opponents=[*(person.name for person in people), *self.contest.about.staff],
            kinds=[kind.value for kind in Kind],
        )

    def person(self, viewer: Person | None, name: str) -> str:
        """Return the page of an entrant: versions over time, and the last matches."""
        contest = self.contest
        person, history = contest.person(name), contest.history(name)
        by_label = {row.version.label: row for row in history}
        rated = [(row.elo, row.spread) for row in history if row.elo is not None and row.spread is not None]
        versions = contest.versions(name)
        rows = () if self.is_static else contest.matches(MatchFilter(name=name), viewer=viewer, limit=_LAST).matches
        return self._page(
            "person",
            viewer,
            name=person.name,
            track=person.track,
            versions=[(version, by_label.get(version.label)) for version in versions],
            suspended=next((one for one in versions if one.is_active and one.state is State.SUSPENDED), None),
            scale=scale_of(rated),
            verdict=verdict_on(history),
            is_own=may_see(viewer, name),
            rows=rows,
        )

    def version(self, viewer: Person | None, label: str) -> str:
        """Return the page of a version: its admission step by step."""
        admission = self.contest.admission(label, viewer=viewer)
        versions = self.contest.versions(admission.version.name)
        active = next((version for version in versions if version.is_active), None)
        return self._page("version", viewer, admission=admission, version=admission.version, active=active)

    def hand_in(self, viewer: Person | None, *, address: str) -> str:
        """Return the page on which a bot is handed in."""
        quotas = self.contest.quotas(viewer) if viewer is not None and not viewer.is_staff else ()
        return self._page("hand_in", viewer, here="hand-in", quotas=quotas, lines=submit_lines(address))

    def join(self, viewer: Person | None) -> str:
        """Return the page to join and sign in."""
        return self._page("join", viewer)

    def live(self, viewer: Person | None) -> str:
        """Return the page of running matches."""
        return self._page("live", viewer, is_hidden=hides_boards(self.contest, viewer))

    def final(self, viewer: Person | None) -> str:
        """Return the page of the final as far as it is revealed, for staff too, as they may show it on a projector."""
        final = self.contest.final(viewer=viewer)
        return self._page("final", viewer, final=final, shown=final.rows[len(final.rows) - final.revealed :])

    def staff(self, viewer: Person) -> str:
        """Return the page of staff."""
        contest = self.contest
        newest = [(person, next(iter(contest.versions(person.name)), None)) for person in contest.people()]
        return self._page(
            "staff",
            viewer,
            people=newest,
            active=len(contest.ladder()),
            complete=sum(row.is_complete for row in contest.grades().rows),
            codes=contest.codes,
            suspended=contest.suspended(),
            final=contest.final(viewer=viewer),
        )

    def guide(self, viewer: Person | None, text: str) -> str:
        """Return the page with the guide of a game; `text`: the guide."""
        return self._page("guide", viewer, games=games_of(self.contest.about), text=text)

    def _page(self, template: str, viewer: Person | None, **context: Any) -> str:
        kept = ("ladder", "grades", "matches") if self.is_static else tuple(name for name, _ in MENU)
        menu = [one for one in MENU if one[0] in kept]
        if viewer is not None and viewer.is_staff:
            menu.append(("staff", "Staff"))
        shared: dict[str, Any] = {
            "about": self.contest.about,
            "phase": self.contest.phase().value,
            "viewer": viewer,
            "link": self.link,
            "files": self.files,
            "is_static": self.is_static,
            "menu": menu,
            "here": template,
            "now_s": self.clock(),
        }
        return templates().get_template(f"{template}.html").render({**shared, **context})


def known_to(viewer: Person | None, version: Version) -> Version:
    """Return the version as the viewer may see it: only its owner and staff see why it was refused or suspended."""
    return version if may_see(viewer, version.name) else replace(version, reason="")


def hides_boards(contest: Contest, viewer: Person | None) -> bool:
    """Return True if running matches would reveal results of a hidden final to the viewer."""
    return contest.phase() is Phase.FINAL and not (viewer is not None and viewer.is_staff)


def scale_of(rated: Iterable[tuple[float, float]]) -> tuple[float, float]:
    """Return the ends of a common scale for all intervals.

    >>> scale_of([(0.0, 10.0)])
    (-50.0, 50.0)
    """
    ends = [end for elo, spread in rated for end in (elo - _SURE * spread, elo + _SURE * spread)] or [0.0]
    low, high = min(ends), max(ends)
    more = max(0.0, _LEAST_ELO - (high - low)) / 2
    return low - more, high + more


def verdict_on(history: Sequence[VersionRow]) -> str:
    """Return a sentence: is the newest rated version better than the one before it? "" if there are not two."""
    compared = [row for row in history if row.gain is not None and row.gain_spread is not None]
    if not compared:
        return ""
    row = compared[-1]
    gain, margin = row.gain or 0.0, _SURE * (row.gain_spread or 0.0)
    interval = f"{gain:+.0f} ± {margin:.0f} Elo, {plural(row.games, 'match')}"
    if gain > margin:
        return f"{row.version.label} is better than the version before it ({interval})."
    if gain < -margin:
        return f"{row.version.label} is worse than the version before it ({interval})."
    return f"It is not clear yet if {row.version.label} is better than the version before it ({interval})."


def lines_after(rows: Sequence[GradeRow], thresholds: Sequence[Threshold]) -> list[list[str]]:
    """Return, for each row of grades (best first), the thresholds that it is the last row to reach, as texts."""
    places = {one.grade: at for at, one in enumerate(thresholds)}
    levels = [places.get(row.reached, len(thresholds)) for row in rows]
    found: list[list[str]] = [[] for _ in rows]
    for at, one in enumerate(thresholds):
        reached = [row for row, level in enumerate(levels) if level <= at]
        if reached:
            found[reached[-1]].append(f"{one.grade}: {one.score:g} % against {one.against or 'all staff bots'}")
    return found


def _list_address(wanted: MatchFilter, before: int | None) -> str:
    fields = {"name": wanted.name, "opponent": wanted.opponent, "lost": "1" if wanted.lost else ""}
    fields |= {"kind": wanted.kind.value if wanted.kind else "", "before": "" if before is None else str(before)}
    return f"/matches?{urlencode({name: value for name, value in fields.items() if value})}"


def duration(seconds: float) -> str:
    """Return a duration in the unit that fits.

    >>> duration(0.2), duration(300), duration(7200), duration(172800)
    ('1 s', '5 min', '2 h', '2 d')
    """
    for unit, size in (("s", 1), ("min", 60), ("h", 3600)):
        if seconds < {"s": 90, "min": 90 * 60, "h": 36 * 3600}[unit]:
            return f"{max(1, round(seconds / size))} {unit}"
    return f"{round(seconds / 86400)} d"


def _plain(value: object) -> object:
    """Remove control characters and marks of writing direction from a text, line by line; Markup stays as it is."""
    if type(value) is not str:
        return value
    return "\n".join(plain_text(line) for line in value[:_MOST_LETTERS].split("\n"))


@cache
def templates() -> Environment:
    """Return the templates with their filters; every value is escaped."""
    found = Environment(
        loader=PackageLoader("gridjoust.serve"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_plain,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {
        "ago": lambda at_s: f"{duration(max(0.0, time.time() - at_s))} ago",
        "duration": duration,
        "elo": lambda elo: f"{elo:.0f}".replace("-0", "0") if abs(elo) < 1 else f"{elo:.0f}",
        "iso": lambda at_s: datetime.fromtimestamp(at_s, UTC).isoformat(timespec="seconds"),
        "points": lambda points: f"{points:g}",
        "signed": lambda elo: f"{elo:+.0f}",
        "slug": lambda text: re.sub(r"[^A-Za-z0-9]+", "-", str(text)),
        "utc": lambda at_s: datetime.fromtimestamp(at_s, UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "words": lambda name: name.replace("_", " "),
    }
    return found
