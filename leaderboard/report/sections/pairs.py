"""The Elo difference of any two bots by their own matches, in swapped pairs. Fits nothing, ranks nobody."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from leaderboard.report.blocks import Block, Cell, Column, Line, Note, Section, Table
from leaderboard.report.contests import Duel, duels_of, meetings_of
from leaderboard.report.source import Scope
from leaderboard.standings import RankedBy
from leaderboard.wording import signed, whole_number
from runner.statistics import elo_after_sprt

MOST_PAIRINGS = 45


def pairs_section(scope: Scope, *, stop: Mapping[str, Any]) -> Section | None:
    """Pentanomial Elo, normalized Elo and likelihood of superiority; None where nobody met in pairs of matches.

    Of many bots only neighbours in the standings are compared. After an SPRT, what it lets one say is said too.
    """
    if scope.board.ranked_by is not RankedBy.RATING:
        return None
    duels = duels_of(meetings_of(scope))
    bots = scope.bots
    wanted = [(bot, other) for at, bot in enumerate(bots) for other in bots[at + 1 :]]
    if len(wanted) > MOST_PAIRINGS:
        wanted = list(pairwise(bots))
    shown = [(bot, other, duels[bot, other]) for bot, other in wanted if (bot, other) in duels]
    shown = [(bot, other, duel) for bot, other, duel in shown if duel.pairs]
    if not shown:
        return None
    blocks: list[Block] = [_table(scope, shown)]
    if after := _after_sprt(shown, stop):
        blocks.append(Note((after,)))
    return Section(f"{scope.slug}-pairs", "Pair by pair", _lead(shown), tuple(blocks))


def _lead(shown: list[tuple[str, str, Duel]]) -> str:
    sure = sum(duel.estimate.los is not None and not 0.025 <= duel.estimate.los <= 0.975 for _, _, duel in shown)
    return f"{sure} of {len(shown)} pairings are decided at 95 % by the matches of these two bots alone."


def _table(scope: Scope, shown: list[tuple[str, str, Duel]]) -> Table:
    columns = (
        Column("bot", "name"),
        Column("against", "text"),
        Column("pairs", hint="Pairs of matches on one seed, seats swapped"),
        Column("0–½–1–1½–2", "text", "Pairs in which the bot scored so many points"),
        Column("score %"),
        Column("Elo", hint="Difference with half its 95 % interval, from the variance of pairs"),
        Column("nElo", hint="Normalized Elo: the score over its deviation per match"),
        Column("LOS %", hint="Likelihood of superiority"),
    )
    lines = [_line(bot, other, duel) for bot, other, duel in shown]
    note = "Pairs cancel what a seed favours; – where the score or its spread allows no number."
    return Table(f"Pairings, {scope.title}", columns, tuple(lines), css="pairings", note=note)


def _line(bot: str, other: str, duel: Duel) -> Line:
    found = duel.estimate
    return Line(
        (
            Cell(bot),
            Cell(other),
            Cell(whole_number(found.units)),
            Cell("–".join(map(str, duel.pairs))),
            Cell(f"{100 * found.score:.1f}"),
            Cell(_margin(found.elo, found.elo_error), sort=found.elo),
            Cell(_margin(found.nelo, found.nelo_error), sort=found.nelo),
            Cell("–" if found.los is None else f"{100 * found.los:.1f}"),
        )
    )


def _margin(value: float | None, error: float | None) -> str:
    """`+112 ± 35`."""
    if value is None:
        return "–"
    return signed(value) if error is None else f"{signed(value)} ± {whole_number(error)}"


def _after_sprt(shown: list[tuple[str, str, Duel]], stop: Mapping[str, Any]) -> str:
    if stop.get("when") != "sprt" or len(shown) != 1:
        return ""
    [(bot, other, duel)] = shown
    found = elo_after_sprt(duel.pairs, stop["elo0"], stop["elo1"], stop.get("alpha", 0.05), stop.get("beta", 0.05))
    if found is None:
        return ""
    low, high = (signed(end) for end in found.elo_interval)
    return (
        f"A test that stops when it is convinced overstates what convinced it. Allowing for that, {bot} against "
        f"{other} is at {signed(found.elo)} Elo ({low} to {high})."
    )
