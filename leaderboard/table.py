"""The leaderboard as people read it: texts by column, and a rich table of them. Computes nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from rich.table import Table
from rich.text import Text

from leaderboard.metrics import MetricTable
from leaderboard.standings import Leaderboard, RankedBy, format_points
from runner.tables.columns import Standing

_LEFT = frozenset({"bot", "planner"})

# what a narrow terminal does without, the first one first
DISPENSABLE = (
    "IQM",
    "median",
    "CPU ms/turn",
    "LOS %",
    "nodes/turn",
    "points",
    "best %",
    "forfeits",
    "seeds",
    "planner",
    "behind",
    "mean rank",
    "mean place",
    "W-D-L",
)

Column = Callable[[Standing], str]


def format_leaderboard(board: Leaderboard, *, without: Collection[str] = ()) -> list[tuple[str, ...]]:
    """A heading, then a line per bot. Columns that say nothing are left out, and those named."""
    columns = [
        (title, [text(standing) for standing in board.standings])
        for title, text in _columns_of(board).items()
        if title not in without
    ]
    shown = [(title, *texts) for title, texts in columns if any(texts)]
    return list(zip(*shown, strict=True))


def leaderboard_table(board: Leaderboard, *, title: str | None = None, without: Collection[str] = ()) -> Table:
    """A table ready to print, without some columns; a line below each group of bots that cannot be separated."""
    heading, *lines = format_leaderboard(board, without=without) or [()]
    table = Table(title=title)
    for name in heading:
        table.add_column(Text(name), justify="left" if name in _LEFT else "right", no_wrap=True)
    following = [*board.standings[1:], *board.standings[-1:]]
    for standing, after, line in zip(board.standings, following, lines, strict=True):
        table.add_row(*map(Text, line), end_section=after.group != standing.group)  # Text: a name is no markup
    return table


def metric_table(metrics: MetricTable) -> Table:
    """What a game counts, a line per bot; what no bot has any of is left out."""
    table = Table()
    shown = [at for at, _ in enumerate(metrics.metrics) if any(means[at] for _, means in metrics.means)]
    table.add_column("bot", no_wrap=True)
    for at in shown:
        table.add_column(Text(metrics.metrics[at]), justify="right", overflow="fold")
    for bot, means in metrics.means:
        table.add_row(Text(bot), *(_optional(means[at], ".4g") for at in shown))
    return table


def _columns_of(board: Leaderboard) -> Mapping[str, Column]:
    match board.ranked_by:
        case RankedBy.RATING:
            own = _RATED
        case RankedBy.RETURNS:
            own = _ON_SEEDS
        case RankedBy.SCORE:
            own = {**_OVER_GAMES, **_by_game(board)}
    who = {"#": _WHO["#"], "bot": _WHO["bot"]} if _are_planners(board) else _WHO
    return {**who, **own, **_COST}


def _are_planners(board: Leaderboard) -> bool:
    """Whether every bot is called like its planner, as in a table by planner."""
    return all(one.planner == one.bot for one in board.standings)


def _by_game(board: Leaderboard) -> dict[str, Column]:
    """Share of rivals beaten in each game."""
    shares = {(one.game, one.bot): one.beaten_pct for one in board.games}

    def column(game: str) -> Column:
        return lambda standing: _optional(shares.get((game, standing.bot)), ".0f")

    return {f"{game} %": column(game) for game in dict.fromkeys(one.game for one in board.games)}


def _margin(value: float | None, low: float | None, high: float | None, pattern: str) -> str:
    """`+112 ± 35`: the value and half the width of its interval."""
    if value is None:
        return ""
    if low is None or high is None:
        return f"{value:{pattern}}"
    half = (high - low) / 2
    return f"{value:{pattern}} ± {half:{pattern.lstrip('+') if pattern.endswith('f') else '.2g'}}"


def _optional(value: float | None, pattern: str) -> str:
    return "" if value is None else f"{value:{pattern}}"


def _behind(pattern: str) -> Column:
    return lambda one: _margin(one.difference, one.difference_low, one.difference_high, pattern)


_WHO: Mapping[str, Column] = {
    "#": lambda one: str(one.rank),
    "bot": lambda one: one.bot,
    "planner": lambda one: one.planner,
}
_RATED: Mapping[str, Column] = {
    "matches": lambda one: str(one.matches),
    "W-D-L": lambda one: "" if one.points is None else f"{one.wins}-{one.draws}-{one.losses}",
    "points": lambda one: "" if one.points is None else format_points(one.points),
    "score %": lambda one: _optional(one.score_pct, ".1f"),
    "rating": lambda one: _margin(one.rating, one.rating_low, one.rating_high, "+.0f"),
    "LOS %": lambda one: _optional(one.los_pct, ".0f"),
}
_ON_SEEDS: Mapping[str, Column] = {
    "seeds": lambda one: str(one.seeds),
    "returns": lambda one: _margin(one.returns_mean, one.returns_low, one.returns_high, ".4g"),
    "behind": _behind(".3g"),
    "median": lambda one: _optional(one.returns_median, ".4g"),
    "IQM": lambda one: _optional(one.returns_iqm, ".4g"),
    "mean rank": lambda one: _optional(one.mean_rank, ".2f"),
    "best %": lambda one: _optional(one.seeds_won_pct, ".0f"),
    "won %": lambda one: _optional(one.won_pct, ".0f"),
}
_OVER_GAMES: Mapping[str, Column] = {
    "games": lambda one: str(one.games),
    "matches": lambda one: str(one.matches),
    "beaten %": lambda one: _margin(one.beaten_pct, one.beaten_low, one.beaten_high, ".1f"),
    "behind": _behind(".1f"),
    "mean place": lambda one: _optional(one.mean_rank, ".2f"),
}
_COST: Mapping[str, Column] = {
    "faults": lambda one: str(one.faults),
    "forfeits": lambda one: str(one.forfeits or ""),
    "ms/turn": lambda one: _optional(one.planning_ms_per_turn, ".2f"),
    "nodes/turn": lambda one: _optional(one.nodes_per_turn, ".0f"),
    "CPU ms/turn": lambda one: _optional(one.cpu_ms_per_turn, ".2f"),
}
