"""The head of the page: the outcome in a sentence, the first three places, and the warnings that readers need."""

from __future__ import annotations

from collections.abc import Set

from gridjoust.leaderboard.columns import UNITS, format_strength, strength_of
from gridjoust.leaderboard.decided import called, outcome_of
from gridjoust.leaderboard.report.blocks import Step
from gridjoust.leaderboard.report.source import Scope
from gridjoust.leaderboard.standings import WARNINGS, FindingKind, Leaderboard, RankedBy, count_pools, share_letter
from gridjoust.leaderboard.wording import NARROW, decimal, listed, plural
from gridjoust.runner.results.tables.columns import Standing

PLACES = 3  # on the podium
_BESIDE = WARNINGS | {FindingKind.SEPARATED, FindingKind.EXCLUDED}  # said elsewhere on the page


def headline(board: Leaderboard) -> str:
    """Return a sentence: which bot is ahead, and if that is certain."""
    standings = board.standings
    if not any(standing.matches for standing in standings):
        return "No match counts, so there is nothing to rank."
    if board.decision is not None:
        return f"{outcome_of(board.decision, board.titles)}."
    first = [one for one in standings if (one.pool, one.rank) == (standings[0].pool, standings[0].rank)]
    names = listed([called(standing.bot, board.titles) for standing in first])
    if len(standings) == 1:
        return f"{names} played alone: {_strength_text(board, first[0])}."
    if len(first) > 1:
        ahead = f"{names} are level: {_strength_text(board, first[0])}"
    else:
        ahead = f"{names} is ahead with {_strength_text(board, first[0])}"
    if (count := count_pools(standings)) > 1:
        return f"No bot wins overall: the bots fall into {count} pools that cannot be compared. In the first, {ahead}."
    if len(first) > 1:
        return f"{ahead}."
    if is_uncertain(board, first[0]):
        return f"{ahead}, on too few matches to be sure."
    rivals = [standing for standing in standings if standing.pool == first[0].pool and standing is not first[0]]
    level = [called(one.bot, board.titles) for one in rivals if share_letter(one.group, first[0].group)]
    if level:
        return f"{ahead}, but is not separated from {listed(level)}."
    if any(one.kind is FindingKind.NOT_COMPARED for one in board.findings):
        return f"{ahead}, separated from every bot that it is compared with."
    wins = "wins" if board.progress is None else "leads so far"
    return f"{names} {wins}: {_strength_text(board, first[0])}, separated from all others."


def podium(scope: Scope) -> tuple[Step, ...]:
    """Return the first three places of two or more bots; nothing if no result compares some of them (pools)."""
    board = scope.board
    played = [one for one in board.standings if one.matches]
    if len(played) < 2 or count_pools(played) > 1:
        return ()
    unit, steps = UNITS[board.ranked_by], []
    for standing in (one for one in played[:PLACES] if one.rank <= PLACES):
        strength = strength_of(standing, board.ranked_by)
        text = "" if strength is None else f"{unit.title} {format_strength(strength, board)}"
        steps.append(Step(standing.rank, scope.named(standing.bot), text, plural(standing.matches, "match")))
    return tuple(steps)


def is_uncertain(board: Leaderboard, standing: Standing) -> bool:
    """Return True if the bot's value has no interval and no finding says which bots are separated."""
    strength = strength_of(standing, board.ranked_by)
    is_decided = any(one.kind is FindingKind.SEPARATED for one in board.findings)
    return (strength is None or strength.low is None) and not is_decided


def sentences(scope: Scope) -> tuple[str, ...]:
    """Return the findings that are neither headline nor warnings; each begins with a capital or with a name."""
    return _findings_of(scope, *(kind for kind in FindingKind if kind not in _BESIDE))


def circles(scope: Scope) -> tuple[str, ...]:
    """Return the findings about cycles of bots that beat each other, as sentences."""
    return _findings_of(scope, FindingKind.CIRCLE)


def warnings_of(scope: Scope) -> tuple[str, ...]:
    """Return the warnings: missing matches, many void ones, and findings that make results less certain."""
    results = scope.results.drop_duplicates("match_id")
    warned = [f"{scope.board.progress}: nothing here is final."] if scope.board.progress is not None else []
    warned += _findings_of(scope, *WARNINGS)
    void = int((~results["counted"].fillna(value=False).astype(bool)).sum())
    if void * 20 >= len(results) and void:
        were = "was" if void == 1 else "were"
        warned.append(
            f"{plural(void, 'match')} of {len(results):,} {were} void: the machine was too busy for these time limits,"
            " or the runner failed."
        )
    return tuple(warned)


def _findings_of(scope: Scope, *kinds: FindingKind) -> tuple[str, ...]:
    names = {str(name) for column in ("bot", "variant") for name in scope.results[column].unique()}
    return tuple(capital(one.sentence, names) for one in scope.board.findings if one.kind in kinds)


def capital(line: str, names: Set[str]) -> str:
    """Return the line with a capital, unless it begins with one of the names."""
    first = line.partition(" ")[0].rstrip(":,")
    return line if first in names else line[:1].upper() + line[1:]


def _strength_text(board: Leaderboard, standing: Standing) -> str:
    strength = strength_of(standing, board.ranked_by)
    matches = plural(standing.matches, "match")
    if strength is None:
        return matches
    text = format_strength(strength, board)
    match board.ranked_by:
        case RankedBy.RATING:
            score = "" if standing.score_pct is None else f" and {decimal(standing.score_pct)}{NARROW}% of the points"
            return f"a rating of {text}{score} in {matches}"
        case RankedBy.RETURNS:
            return f"mean returns of {text} over {matches}"
        case RankedBy.SCORE:
            return f"{text}{NARROW}% of rivals beaten over {plural(standing.games, 'game')}"
