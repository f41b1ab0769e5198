"""The columns of the standings, as a terminal and the HTML page show them: one list for both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from gridjoust.leaderboard.standings import Leaderboard, RankedBy, count_pools, format_points
from gridjoust.leaderboard.wording import likelihood, shared_places, significant, whole_number
from gridjoust.runner.results.tables.columns import Standing

RATING, RETURNS, SCORE = (frozenset({kind}) for kind in RankedBy)

Write = Callable[..., str]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the leaderboards that are ranked by one of `of` (`RankedBy`).

    `terminal` and `page` write its value there; None means that it is not shown there. Columns stand as listed in a
    terminal, and by `place` on the page. A narrow terminal leaves out columns with a `spare`, the lowest first; columns
    of single games stand last and count as `spare=SPARE_GAMES`. `hint` explains the heading of the page; `page_title`
    is that heading if it differs.
    """

    title: str
    value: Callable[[Standing], object]  # None: nothing to write
    of: frozenset[RankedBy]
    terminal: Write | None
    page: Write | None = None
    place: int = 0
    spare: int = 0
    hint: str = ""
    page_title: str = ""
    is_text: bool = False

    def text(self, standing: Standing, write: Write) -> str:
        """Return the bot's value as written, "" if it has none."""
        value = self.value(standing)
        return "" if value is None else write(value)


@dataclass(frozen=True, slots=True)
class ShownStrength:
    """A bot's rating, score or returns, with its 95 % interval; its ends are None if there are too few matches."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Unit:
    """The unit in which strengths are shown, such as Elo points; `ends` picks a bot's value and its interval."""

    title: str  # of a column
    axis: str
    meaning: str
    ends: Callable[[Standing], tuple[float | None, float | None, float | None]]


POOL = "pool"


def is_shown(column: Column, board: Leaderboard) -> bool:
    """Return True if the column belongs to the leaderboard's ranking; the column of pools also needs two pools."""
    return board.ranked_by in column.of and (column.title != POOL or count_pools(board.standings) > 1)


def decided_columns(board: Leaderboard) -> Iterator[tuple[str, list[str]]]:
    """Yield (title, text per bot) for the results and the tie-breaks of the format, each only if it has them."""
    if board.decision is not None and board.decision.title:
        yield board.decision.title, [*(one.result for one in board.decision.places), *_absent(board)]
    if board.decision is not None and board.decision.tie_break:
        yield board.decision.tie_break, [*(one.tie_break for one in board.decision.places), *_absent(board)]


def _absent(board: Leaderboard) -> list[str]:
    """Return an empty text for each bot without a place in the format's ranking, to fill up a column."""
    placed = () if board.decision is None else board.decision.places
    return [""] * (len(board.standings) - len(placed))


UNITS = {
    RankedBy.RATING: Unit(
        "rating",
        "rating (Elo)",
        "Strength in Elo points; the mean of all bots is 0",
        lambda one: (one.rating, one.rating_low, one.rating_high),
    ),
    RankedBy.RETURNS: Unit(
        "returns",
        "mean returns",
        "Mean returns by the game's rules, over common seeds",
        lambda one: (one.returns_mean, one.returns_low, one.returns_high),
    ),
    RankedBy.SCORE: Unit(
        "rivals beaten %",
        "rivals beaten (%)",
        "Per cent of rivals beaten; each game counts once",
        lambda one: (one.beaten_pct, one.beaten_low, one.beaten_high),
    ),
}


def strength_of(standing: Standing, ranked_by: RankedBy) -> ShownStrength | None:
    """Return the value that the bot was ranked by, with its interval; None if nothing that it played can be ranked."""
    value, low, high = UNITS[ranked_by].ends(standing)
    return None if value is None else ShownStrength(value, low, high)


def format_strength(strength: ShownStrength, board: Leaderboard) -> str:
    """Format a value and its interval, `+112 ± 35`, with the same decimals in all rows of the leaderboard.

    Ratings have none and per cents one; returns have as many as show how bots differ.
    """
    places = {RankedBy.RATING: 0, RankedBy.SCORE: 1}.get(board.ranked_by)
    if places is None:
        means = [standing.returns_mean for standing in board.standings if standing.returns_mean is not None]
        places = max(1, shared_places(means, digits=4))
    sign = "+" if board.ranked_by is RankedBy.RATING else ""
    return _margin(f"{sign},.{places}f", strength).replace("-", "−")


def _margin(pattern: str, strength: ShownStrength) -> str:
    """Format `+112 ± 35`, or with both ends if the interval is longer on one side: `+799 (+512 to +1360)`."""
    value, low, high = strength.value, strength.low, strength.high
    if low is None or high is None:
        return _signed(pattern, value)
    digits = pattern.lstrip("+")
    if max(high - value, value - low) > _LEANS * min(high - value, value - low):
        ends = pattern if pattern.endswith("f") else ".3g"
        return f"{_signed(pattern, value)} ({_signed(ends, low)} to {_signed(ends, high)})"
    return f"{_signed(pattern, value)} ± {(high - low) / 2:{digits if pattern.endswith('f') else '.2g'}}"


def _signed(pattern: str, value: float) -> str:
    """Format a number, with a plus if the pattern wants one: `+112`, `-3`, `0`."""
    digits = pattern.lstrip("+")
    if not digits.endswith("f") and 1000 <= abs(value) < _VERY_LARGE:
        digits = ",.0f"
    text = f"{value:z{digits}}"  # z: no minus before a zero
    return f"+{text}" if pattern != digits and value > 0 and text.strip("0.,") else text


def _strength(kind: RankedBy) -> Callable[[Standing], ShownStrength | None]:
    return lambda one: strength_of(one, kind)


def _behind(one: Standing) -> ShownStrength | None:
    return None if one.difference is None else ShownStrength(one.difference, one.difference_low, one.difference_high)


def _outcomes(one: Standing) -> str | None:
    return None if one.points is None else f"{one.wins}-{one.draws}-{one.losses}"


def _unlike_name(one: Standing) -> str | None:
    return None if one.planner == one.bot else one.planner


def _with_dashes(outcomes: str) -> str:
    return outcomes.replace("-", "–")


ANY = RATING | RETURNS | SCORE
_LOS = "How likely the bot is truly better than the one in the next line (likelihood of superiority, LOS)"
_GROUP = "Letters: bots that share one are not separated at 95 %, all pairs of bots taken together"
_POOL = "No chain of matches links bots of different pools; places count within a pool"
_IQM = "Interquartile mean: the mean over seeds without the best and the worst quarter"
_BEST = "Seeds on which no other bot did better"
_GOAL = "Matches whose goal was reached"
_PLACES = "Mean of the places in the games"
_FAILED = "Matches in which the bot forfeited"
_PLANNING = "Planning time that the bot reports, per turn"
_NODES = "Search nodes expanded, per turn"
_f0, _f1, _f2, _g3 = "{:.0f}".format, "{:.1f}".format, "{:.2f}".format, partial(_signed, ".3g")

SPARE_GAMES = 11
_VERY_LARGE = 1e9  # from here on numbers have an exponent
_LEANS = 1.5  # one side of an interval to the other, from which on half its width would mislead
RESULTS = (
    Column("#", lambda one: one.rank, ANY, str),
    Column("bot", lambda one: one.bot, ANY, str),
    Column("rating", _strength(RankedBy.RATING), RATING, partial(_margin, "+.0f")),
    Column("returns", _strength(RankedBy.RETURNS), RETURNS, partial(_margin, ".3g")),
    Column("rivals beaten %", _strength(RankedBy.SCORE), SCORE, partial(_margin, ".1f")),
    Column("group", lambda one: one.group or None, ANY, str, str, 1, hint=_GROUP, is_text=True),
    Column(POOL, lambda one: one.pool, ANY, str, str, 2, hint=_POOL),
    Column("matches", lambda one: one.matches, ANY, str, whole_number, 12),
    Column("W-D-L", _outcomes, RATING, str, _with_dashes, 11, 16, "Matches won, drawn, lost", "W–D–L", is_text=True),
    Column("score %", lambda one: one.score_pct, RATING, _f1, _f1, 4, 18, hint="Points per match"),
    Column("points", lambda one: one.points, RATING, format_points, spare=6),
    Column("planner", lambda one: one.planner, ANY, str, spare=9),
    Column("planner", _unlike_name, ANY, None, str, 17, hint="Search algorithm that the bot declares", is_text=True),
    Column("seeds", lambda one: one.seeds, RETURNS, str, spare=8),
    Column("games", lambda one: one.games, SCORE, str, whole_number, 10, 12),
    Column("gap above", _behind, RETURNS, partial(_margin, ".3g"), spare=10),
    Column("gap above", _behind, SCORE, partial(_margin, ".1f"), spare=10),
    Column("median", lambda one: one.returns_median, RETURNS, _g3, spare=2),
    Column("IQM", lambda one: one.returns_iqm, RETURNS, _g3, significant, 6, 1, _IQM),
    Column("mean rank", lambda one: one.mean_rank, RETURNS, _f2, significant, 8, 13, "Mean rank on a seed"),
    Column("mean place", lambda one: one.mean_rank, SCORE, _f2, significant, 9, 14, _PLACES),
    Column("seeds won %", lambda one: one.seeds_won_pct, RETURNS, _f0, _f1, 7, 7, _BEST),
    Column("won %", lambda one: one.won_pct, RETURNS, _f0, _f1, 5, 17, hint=_GOAL),
    Column("won %", lambda one: one.won_pct, SCORE, None, _f1, 13, hint=_GOAL),
    Column("P(better) %", lambda one: one.los_pct, RATING, likelihood, likelihood, 3, 4, _LOS),
    Column("P(better) %", lambda one: one.los_pct, RETURNS | SCORE, None, likelihood, 3, hint=_LOS),
)
COSTS = (
    Column("faults", lambda one: one.faults, ANY, str, spare=19),
    Column("forfeits", lambda one: one.forfeits or None, ANY, str, spare=20),
    Column("failed %", lambda one: one.failure_pct or None, ANY, None, _f1, 14, hint=_FAILED),
    Column("ms/turn", lambda one: one.planning_ms_per_turn, ANY, _f2, significant, 15, 15, hint=_PLANNING),
    Column("nodes/turn", lambda one: one.nodes_per_turn, ANY, _f0, significant, 16, 5, _NODES),
    Column("CPU ms/turn", lambda one: one.cpu_ms_per_turn, ANY, _f2, spare=3),
)
