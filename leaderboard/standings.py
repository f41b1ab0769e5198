"""The values of a leaderboard: a row per bot, what it was ranked by, and conclusions in words.

Computes nothing (that is `gridjoust.leaderboard.board`); imports neither numpy nor pandas, so that a run starts
quickly.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from pathlib import Path

import msgspec

from gridjoust.runner.results.tables.columns import PAIRINGS, STANDINGS, Pairing, Standing
from gridjoust.runner.results.tables.schedule_file import Decision, Planned
from gridjoust.runner.results.tables.text import format_header, format_rows
from gridjoust.runner.wire.errors import naming
from gridjoust.runner.wire.text import plain_text

_LETTER = re.compile(r"[A-Za-z]\d*")


class RankedBy(StrEnum):
    """What decides the rank, and so the unit of `Standing.difference`.

    Ratings come from one joint fit: Bradley-Terry if all matches have two sides, else Plackett-Luce of the rank orders.
    Matches of three or more sides are rated with matches of two only in a single game. Solo and cooperative matches of
    one game are ranked by mean returns on common seeds. Unlike games are never averaged by returns: there the share of
    rivals beaten (opponents in the match, or if it has none the other bots on the same seed) is averaged over the
    games, each game counting once.
    """

    RATING = "rating"  # Elo points
    RETURNS = "returns"
    SCORE = "score"  # per cent of rivals beaten


@dataclass(frozen=True, slots=True)
class SeatEffect:
    """How good a seat is in a setting (game and variant): the per cent of points that bots score in it.

    `advantage`: how many Elo points the first of two seats is worth, estimated together with the ratings;
    `advantage_error`: half the width of its 95 % interval; both are None for other seats.
    """

    setting: str
    seat: int
    matches: int
    score_pct: float
    score_low: float | None
    score_high: float | None
    advantage: float | None
    advantage_error: float | None = None

    @property
    def is_unfair(self) -> bool:
        """True if the interval of the seat's share of points excludes one half."""
        return (
            self.score_low is not None and self.score_high is not None and not self.score_low <= 50 <= self.score_high
        )


@dataclass(frozen=True, slots=True)
class GameScore:
    """One bot's score in one game, from that game's own leaderboard; `beaten_pct` as in `Standing`.

    `strength` and `beaten_pct` are None if the bot had no rivals.
    """

    game: str
    bot: str
    place: float  # in the game's own table, ties share the mean
    ranked_by: RankedBy  # there
    strength: float | None  # what ranks it there
    beaten_pct: float | None


class FindingKind(StrEnum):
    """The subject of a conclusion from a leaderboard."""

    RANKED_BY = "ranked by"
    DECIDED = "decided"  # by the format, not by strength
    GAMES_MISSING = "games missing"
    MEMBERS = "members"  # of a family of bots
    NOT_COMPARED = "not compared"  # bots that no match or seed links
    ADAPTIVE = "adaptive"  # matches chosen by the results so far
    DIFFER = "differ"  # whether the bots do at all
    SEPARATED = "separated"  # who is from whom
    TOO_FEW = "too few"
    ALIKE = "alike"  # values that are all the same
    WOULD_SEPARATE = "would separate"  # how many matches more
    CIRCLE = "circle"
    FORFEITS = "forfeits"
    UNCOUNTED = "uncounted"  # bots of which no match counts
    SAME_PROGRAM = "same program"  # one under several names
    FEW_BOARDS = "few boards"  # too few seeds for all matches
    DRAWS = "draws"  # nearly all of the results
    REPEATED = "repeated"  # matches that went alike
    SEAT = "seat"  # one that is worth more
    FRONT = "front"  # of strength against cost
    EXCLUDED = "excluded"  # bots that the tournament's file keeps from playing


WARNINGS = frozenset(
    {
        *(
            FindingKind.NOT_COMPARED,
            FindingKind.ADAPTIVE,
            FindingKind.TOO_FEW,
            FindingKind.CIRCLE,
            FindingKind.FORFEITS,
        ),
        *(FindingKind.UNCOUNTED, FindingKind.SAME_PROGRAM, FindingKind.FEW_BOARDS, FindingKind.DRAWS),
        *(FindingKind.REPEATED, FindingKind.SEAT, FindingKind.GAMES_MISSING),
    }
)
"""Kinds that make results worth less than they look."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One conclusion from a leaderboard, as a sentence; `bots`: the bots that it is about, if any."""

    kind: FindingKind
    sentence: str
    bots: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Progress:
    """How many matches an unfinished or stopped run has played of `planned`, an upper bound unless `is_exact`."""

    played: int
    planned: int
    is_exact: bool

    def __str__(self) -> str:
        return f"{self.played:,} of {'' if self.is_exact else 'at most '}{self.planned:,} matches played"


def titles_of(planned: Planned | None) -> dict[str, str]:
    """Return the bots' titles, by bot, without control characters, as a stranger may have written the file."""
    return {} if planned is None else {bot: plain_text(title) for bot, title in planned.titles.items()}


def progress_of(planned: Planned | None, played: int) -> Progress | None:
    """Return how many of the planned matches are played; None if the run is over, or too old to have a plan."""
    return None if planned is None or planned.is_over else Progress(played, planned.matches, planned.is_exact)


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A leaderboard: rows, what ranks them, and the findings below it. `games` is empty if there is only one."""

    ranked_by: RankedBy
    standings: tuple[Standing, ...]
    games: tuple[GameScore, ...] = ()
    seats: tuple[SeatEffect, ...] = ()
    pairings: tuple[Pairing, ...] = ()  # filled by `gridjoust.leaderboard.pairings` where they are shown
    findings: tuple[Finding, ...] = ()
    progress: Progress | None = None  # of the run, while it is not over
    decision: Decision | None = None  # of a format whose own order the ranks are
    is_anchored: bool = False  # ratings were moved to that of one bot; else their mean is 0
    titles: Mapping[str, str] = field(default_factory=dict)  # bot -> what people call it, if something else
    excluded: Mapping[str, str] = field(default_factory=dict)  # bot that does not play -> the reason

    @property
    def sentences(self) -> tuple[str, ...]:
        """The findings as sentences."""
        return tuple(one.sentence for one in self.findings)


def share_letter(one: str, other: str) -> bool:
    """Return True if two bots' groups have a letter in common: they were compared and are not separated.

    >>> share_letter("ab", "bc"), share_letter("a", "a2"), share_letter("", "")
    (True, False, False)
    """
    return bool(set(_LETTER.findall(one)) & set(_LETTER.findall(other)))


def shifted(board: Leaderboard, elo: float) -> Leaderboard:
    """Return the leaderboard with `elo` added to every rating; differences stay."""
    names = ("rating", "rating_low", "rating_high", "opponents_mean")
    moved = [
        {name: value + elo for name in names if (value := getattr(one, name)) is not None} for one in board.standings
    ]
    standings = tuple(replace(one, **own) for one, own in zip(board.standings, moved, strict=True))
    return replace(board, standings=standings, is_anchored=True)


def is_apart(board: Leaderboard, standing: Standing, following: Standing) -> bool:
    """Return True if a line separates two rows: the bots are separated or of different pools.

    There is no line if a format has decided the order.
    """
    if board.decision is not None or standing is following:
        return False
    return bool(following.separated) or standing.pool != following.pool


def count_pools(standings: Sequence[Standing]) -> int:
    """Return the number of pools in these rows (groups of bots that no result compares); at least 1."""
    return max((one.pool or 1 for one in standings), default=1)


def with_titles(board: Leaderboard, titles: Mapping[str, str]) -> Leaderboard:
    """Return the leaderboard with the bots' titles (bot -> title)."""
    named = tuple(replace(one, title=titles.get(one.bot, "")) for one in board.standings)
    return replace(board, standings=named, titles=titles)


def excluded_of(planned: Planned) -> dict[str, str]:
    """Return the bots that the tournament's file keeps from playing, with the reasons."""
    excluded = {} if planned.excluded is msgspec.UNSET else planned.excluded
    return {bot: plain_text(reason) for bot, reason in excluded.items()}


def absence_text(bot: str, reason: str) -> str:
    """Return the sentence on a bot that is kept from playing."""
    return f"{bot} does not play: {reason}"


def with_excluded(board: Leaderboard, planned: Planned | None) -> Leaderboard:
    """Return the leaderboard with the bots that do not play, and a finding with the reason for each."""
    if planned is None or not (excluded := excluded_of(planned)):
        return board
    said = (Finding(FindingKind.EXCLUDED, absence_text(bot, reason), (bot,)) for bot, reason in excluded.items())
    return replace(board, excluded=excluded, findings=(*board.findings, *said))


def format_points(points: float) -> str:
    """Format points with at most two decimals: `4`, `1.67`."""
    return f"{points:.2f}".rstrip("0").rstrip(".")


def format_standings_csv(standings: Sequence[Standing]) -> str:
    """Return `standings.csv` as text."""
    return format_header(STANDINGS) + format_rows(STANDINGS, [asdict(standing) for standing in standings])


def format_pairings_csv(pairings: Sequence[Pairing]) -> str:
    """Return `pairings.csv` as text."""
    return format_header(PAIRINGS) + format_rows(PAIRINGS, [asdict(pairing) for pairing in pairings])


def write_tables(folder: Path, board: Leaderboard) -> dict[str, int]:
    """Replace `standings.csv` and `pairings.csv`, each atomically; return the number of rows by table."""
    _replace_text(folder / STANDINGS.file, format_standings_csv(board.standings))
    _replace_text(folder / PAIRINGS.file, format_pairings_csv(board.pairings))
    return {STANDINGS.name: len(board.standings), PAIRINGS.name: len(board.pairings)}


def _replace_text(path: Path, text: str) -> None:
    temporary = path.with_suffix(".part")
    with naming(path):
        temporary.write_text(text, encoding="utf-8", newline="")
        temporary.replace(path)
