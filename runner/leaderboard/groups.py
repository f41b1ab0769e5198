"""The same leaderboard for a part of the results: by game, variant, map or role. Computes no ratings itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from runner.leaderboard.standings import Standing, standings
from runner.results.columns import Row

BY = ("game", "variant", "map", "role")


def standings_by(rows: Sequence[Row], by: str) -> Iterator[tuple[str, list[Standing]]]:
    """(value, its standings) in order of the value; ValueError for a column that is not in `BY`.

    By role every bot counts as one entrant per role it played, all in one joint fit, so that a hero's rating says how
    it does against the same opponents as the other heroes; each table then lists one role, ranked anew.
    """
    if by not in BY:
        raise ValueError(f"expected one of {', '.join(BY)}, got {by!r}")
    values = sorted({str(row[by] or "") for row in rows})
    if by != "role":
        yield from ((value, standings([row for row in rows if str(row[by] or "") == value])) for value in values)
        return
    joint = standings([{**row, "bot": f"{row['role'] or ''}\n{row['bot']}"} for row in rows])
    for value in values:
        own = [standing for standing in joint if standing.bot.partition("\n")[0] == value]
        best = [standing.rank for standing in own]
        yield value, [replace(s, bot=s.bot.partition("\n")[2], rank=1 + sum(r < s.rank for r in best)) for s in own]
