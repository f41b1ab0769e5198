"""The leaderboard of a part of the results, or of families of bots: by game, variant, map, role or planner.

Computes no ratings itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from leaderboard.ranking import leaderboard_of, make_field, make_leaderboard
from leaderboard.seats import Coded, Indices, Seats, code_texts, combine, distinct, first_of
from leaderboard.standings import RESAMPLES, Leaderboard

PARTS = ("game", "variant", "map")
BY = (*PARTS, "role", "planner")
_BETWEEN = "\n"  # of a role and a bot: in no name


def leaderboards_by(seats: Seats, by: str, *, resamples: int = RESAMPLES) -> Iterator[tuple[str, Leaderboard]]:
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
        board = make_leaderboard(seats.renamed(own), resamples=resamples)
        yield "", replace(board, verdicts=(*_members(seats, own), *board.verdicts))
    elif by == "role":
        yield from _by_role(seats, resamples=resamples)
    else:
        parts: Coded = getattr(seats, by)
        for code in distinct(parts.codes):
            yield parts.names[code], make_leaderboard(seats.where(parts.codes == code), resamples=resamples)


def families(seats: Seats) -> Coded:
    """The planners of every seat's bot in its game, joined by +."""
    bot_in_game = combine(seats.bot.codes, seats.game.codes)
    names: dict[int, set[str]] = {}
    kind = combine(bot_in_game, seats.planner.codes)
    for at in first_of(kind):
        names.setdefault(int(bot_in_game[at]), set()).add(seats.planner.names[seats.planner.codes[at]])
    family = code_texts(["+".join(sorted(names[code])) for code in range(len(names))])
    return Coded(family.codes[bot_in_game], family.names)


def _members(seats: Seats, family: Coded) -> Iterator[str]:
    """Who counts as whom, where that is not said by a bot's name."""
    bots: dict[str, list[str]] = {}
    for at in first_of(combine(family.codes, seats.bot.codes)):
        bots.setdefault(family.names[family.codes[at]], []).append(seats.bot.names[seats.bot.codes[at]])
    for name, own in bots.items():
        if own != [name]:
            yield f"{name}: {', '.join(own)}"


def _by_role(seats: Seats, *, resamples: int) -> Iterator[tuple[str, Leaderboard]]:
    if not len(seats):
        return
    field = make_field(seats.renamed(_bots_in_roles(seats)), resamples=resamples, seed=0)
    named = [name.partition(_BETWEEN) for name in field.names]
    field = replace(field, names=tuple(bot for _, _, bot in named))
    for role in sorted({role for role, _, _ in named}):
        yield role, leaderboard_of(field, bots=[code for code, (own, _, _) in enumerate(named) if own == role])


def _bots_in_roles(seats: Seats) -> Coded:
    kind: Indices = combine(seats.role.codes, seats.bot.codes)
    first = first_of(kind)
    named = code_texts(
        [f"{seats.role.names[seats.role.codes[at]]}{_BETWEEN}{seats.bot.names[seats.bot.codes[at]]}" for at in first]
    )
    return Coded(named.codes[kind], named.names)
