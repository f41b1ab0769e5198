"""The leaderboard of a part of the results, or of families of bots: by game, variant, map, role or planner.

Computes no ratings itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pandas as pd

from gridjoust.leaderboard.frame.codes import codes_of, combine, distinct_texts, without_absent
from gridjoust.leaderboard.ranking import leaderboard_of, make_leaderboard
from gridjoust.leaderboard.standings import Finding, FindingKind, Leaderboard
from gridjoust.leaderboard.strengths.analysis import analyse

PARTS = ("game", "variant", "map")
BY = (*PARTS, "role", "planner")
_BETWEEN = "\n"  # of a role and a bot: in no name


def leaderboards_by(seats: pd.DataFrame, by: str) -> Iterator[tuple[str, Leaderboard]]:
    """(value, its leaderboard) in order of the value; ValueError for what is not in `BY`.

    By role every bot counts as one entrant per role it played, all in one joint fit, so that a hero's rating says how
    it does against the same opponents as the other heroes; each table then lists one role, ranked anew.

    By planner there is one table over all games, its value "": all bots of a family are one entrant, matches within
    the family compare nobody, and planners meet on the games and seeds that they share. A bot with several planners
    in a game, as with a program per role, belongs to the family `a+b`.
    """
    if by not in BY:
        raise ValueError(f"expected one of {', '.join(BY)}, got {by!r}")
    if by == "planner":
        own = families(seats)
        board = make_leaderboard(seats.assign(bot=own))
        yield "", replace(board, findings=(*_members(seats, own), *board.findings))
    elif by == "role":
        yield from _by_role(seats)
    else:
        for name, part in seats.groupby(by, observed=True):
            yield str(name), make_leaderboard(without_absent(part))


def families(seats: pd.DataFrame) -> pd.Categorical:
    """Return the planners of every seat's bot in its game, joined by +."""
    used = distinct_texts(seats, "bot", "game", "planner")
    family = pd.Categorical(used.groupby(["bot", "game"])["planner"].agg("+".join))
    bot_in_game = combine(codes_of(seats, "bot"), codes_of(seats, "game"))
    return pd.Categorical.from_codes(family.codes[bot_in_game], family.categories)


def _members(seats: pd.DataFrame, family: pd.Categorical) -> Iterator[Finding]:
    """Yield a finding for each family whose members its name does not tell."""
    members = distinct_texts(seats.assign(family=family), "family", "bot")
    for name, own in members.groupby("family")["bot"]:
        if own.tolist() != [name]:
            yield Finding(FindingKind.MEMBERS, f"{name}: {', '.join(own)}", tuple(own))


def _by_role(seats: pd.DataFrame) -> Iterator[tuple[str, Leaderboard]]:
    if seats.empty:
        return
    used = distinct_texts(seats, "role", "bot")
    in_roles = pd.Categorical.from_codes(
        combine(codes_of(seats, "role"), codes_of(seats, "bot")),
        pd.Index((used["role"] + _BETWEEN + used["bot"]).tolist(), dtype=str),
    )
    analysis = analyse(seats.assign(bot=in_roles))
    named = [name.partition(_BETWEEN) for name in analysis.names]
    analysis = replace(analysis, names=tuple(bot for _, _, bot in named))
    for role in sorted({role for role, _, _ in named}):
        yield role, leaderboard_of(analysis, bots=[code for code, (own, _, _) in enumerate(named) if own == role])
