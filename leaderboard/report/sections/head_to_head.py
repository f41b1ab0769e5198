"""Everybody against everybody: score, meetings, likelihood of superiority. Fits no ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from leaderboard.report.blocks import Cell, Column, Key, Line, Note, Section, Table
from leaderboard.report.contests import Duel, duels_of, meetings_of
from leaderboard.report.headline import circles
from leaderboard.report.palette import heat_class
from leaderboard.report.source import Scope
from leaderboard.wording import NARROW, decimal, plural

MOST_BOTS = 40
_NO_CELL = Cell("", css="self")
_NEVER_MET = Cell("·", css="unmet", hint="never met")

Duels = Mapping[tuple[str, str], Duel]


def head_to_head_section(scope: Scope) -> Section | None:
    """A heat map, bots in the order of the standings; None where nobody met."""
    duels = duels_of(meetings_of(scope))
    if not duels:
        return None
    bots = [bot for bot in scope.bots if any(bot == first for first, _ in duels)]
    shown = bots[:MOST_BOTS]
    columns = (
        Column("#", hint="Place"),
        Column("bot", "name"),
        *(Column(str(at), "heat", hint=bot) for at, bot in enumerate(shown, 1)),
    )
    lines = [
        Line((Cell(str(at)), Cell(bot), *(_cell(duels, bot, other) for other in shown)))
        for at, bot in enumerate(shown, 1)
    ]
    cycles = circles(scope)
    note = f"Only the first {MOST_BOTS} of {len(bots)} bots are shown." if len(bots) > len(shown) else ""
    return Section(
        f"{scope.slug}-duels",
        "Head to head",
        _lead(duels, shown),
        (
            *([Note(cycles, is_warning=True)] if cycles else []),
            Table(
                title=f"Score of the bot on the left against the bot of that number, in per cent, {scope.title}",
                columns=columns,
                lines=tuple(lines),
                css="heatmap",
                is_sortable=False,
                legend=(Key("h0", "0 %"), Key("h3", ""), Key("h5", "50 %"), Key("h7", ""), Key("h10", "100 %")),
                note=f"{note} Point at a cell for points, matches and the likelihood of superiority (LOS).".strip(),
            ),
        ),
    )


def _cell(duels: Duels, bot: str, other: str) -> Cell:
    if bot == other:
        return _NO_CELL
    duel = duels.get((bot, other))
    if duel is None:
        return _NEVER_MET
    los = "" if duel.superiority is None else f" · LOS {100 * duel.superiority:.0f} %"
    points = decimal(duel.wins + duel.draws / 2)
    hint = f"{points} of {duel.meetings} · {duel.wins}–{duel.draws}–{duel.losses}{los}"
    return Cell(f"{100 * duel.score:.0f}", css=heat_class(duel.score), hint=hint)


def _lead(duels: Duels, bots: Sequence[str]) -> str:
    """The upsets: a lower place that has the better of a higher one."""
    upsets = [
        (duels[low, high].score, low, high)
        for at, high in enumerate(bots)
        for low in bots[at + 1 :]
        if (low, high) in duels and duels[low, high].score > 0.5
    ]
    if not upsets:
        return "No bot has the better of a bot placed above it."
    score, low, high = max(upsets)
    return (
        f"{plural(len(upsets), 'pairing')} in which the bot placed lower has the better of it; most of all {low}, "
        f"with {100 * score:.0f}{NARROW}% against {high}."
    )
