"""Makes leaderboards of the seats of matches: of a whole tournament, of a part of it, or of families of bots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from gridjoust.leaderboard.decided import how_decided
from gridjoust.leaderboard.findings.cautions import cautions
from gridjoust.leaderboard.findings.conclusions import conclusions, fronts
from gridjoust.leaderboard.frame.codes import (
    codes_of,
    combine,
    distinct_texts,
    first_of,
    groups,
    names_of,
    without_absent,
)
from gridjoust.leaderboard.frame.entries import Sides
from gridjoust.leaderboard.pairings import with_pairings
from gridjoust.leaderboard.ranking import Placed, game_scores, make_standings, rank_bots
from gridjoust.leaderboard.standings import (
    Finding,
    FindingKind,
    Leaderboard,
    RankedBy,
    SeatEffect,
    titles_of,
    with_excluded,
    with_titles,
)
from gridjoust.leaderboard.strengths.analysis import Analysis, Ranked, analyse
from gridjoust.leaderboard.strengths.paired import mean_of_shares
from gridjoust.leaderboard.strengths.strengths import Pool
from gridjoust.leaderboard.wording import listed
from gridjoust.runner.results.tables.columns import STANDINGS, Standing
from gridjoust.runner.results.tables.schedule_file import Decision, Planned
from gridjoust.runner.statistics.distributions import t_critical
from gridjoust.runner.statistics.intervals import MIN_UNITS

PARTS = ("game", "variant", "map")
BY = (*PARTS, "role", "planner")
_BETWEEN = "\n"  # of a role and a bot: in no name


def whole_board(seats: pd.DataFrame, planned: Planned | None, *, decision: Decision | None = None) -> Leaderboard:
    """Return the leaderboard of a whole tournament, with the bots' titles, excluded bots and a row per pair of bots.

    `planned`: the tournament's plan, which may hold the final order that its format decided; `decision` replaces that
    order.
    """
    decided = decision if decision is not None or planned is None else planned.decision
    board = with_titles(make_leaderboard(seats, decision=decided), titles_of(planned))
    return with_pairings(seats, with_excluded(board, planned))


def make_leaderboard(seats: pd.DataFrame, *, decision: Decision | None = None) -> Leaderboard:
    """Rank every bot: by `decision` if a format has decided, else by one of `RankedBy`.

    `seats`: a row per seat of every match that counts. A bot without a counted match comes last, with 0 matches.
    """
    names = names_of(seats, "bot")
    if not len(seats):
        return _with_absent(Leaderboard(RankedBy.RATING, ()), names)
    analysis = analyse(seats)
    board = leaderboard_of(analysis)
    return _with_absent(board if decision is None else _as_decided(board, analysis, decision), names)


def _with_absent(board: Leaderboard, names: Sequence[str]) -> Leaderboard:
    """Add the bots without a match that counts at the end, and a finding that says so."""
    listed_bots = {one.bot for one in board.standings}
    absent = [name for name in names if name not in listed_bots]
    void = [name for name in names if name in absent or not _has_played(board, name)]
    if not void:
        return board
    rows = tuple(unplayed(len(listed_bots) + 1, name) for name in absent)
    finding = Finding(FindingKind.UNCOUNTED, f"no match of {listed(void)} counts: all were void", tuple(void))
    return replace(board, standings=(*board.standings, *rows), findings=(*board.findings, finding))


def _has_played(board: Leaderboard, name: str) -> bool:
    return any(one.bot == name and one.matches for one in board.standings)


def _as_decided(board: Leaderboard, analysis: Analysis, decision: Decision) -> Leaderboard:
    """Return the leaderboard in the order that the format decided, with the bots that have no match."""
    codes = {analysis.names[bot]: bot for bot in analysis.returns}
    placed = [Placed(one.place, codes[one.bot]) for one in decision.places if one.bot in codes]
    played = {one.bot: one for one in make_standings(analysis, placed, board.games)}
    table = tuple(played.get(one.bot) or unplayed(one.place, one.bot) for one in decision.places)
    findings = (
        Finding(FindingKind.DECIDED, how_decided(decision)),
        *(
            replace(one, sentence=f"by {board.ranked_by}: {one.sentence}") if one.kind is FindingKind.SEPARATED else one
            for one in board.findings
        ),
    )
    return replace(board, standings=table, findings=findings, decision=decision)


def unplayed(rank: int, bot: str) -> Standing:
    """Return the row of a bot without a match that counts."""
    counts = dict.fromkeys(("matches", "wins", "draws", "losses", "faults", "forfeits", "games", "seeds"), 0)
    missing: dict[str, Any] = dict.fromkeys(STANDINGS.names)
    texts = dict.fromkeys(("title", "planner", "pareto", "group"), "")
    known = {"rank": rank, "bot": bot, "failure_pct": 0.0} | texts
    return Standing(**missing | counts | known)


def leaderboard_of(analysis: Analysis, *, bots: Sequence[int] | None = None) -> Leaderboard:
    """Rank the bots of an analysis, or only `bots` (their codes), by strengths that follow from all its matches."""
    placed = rank_bots(analysis, bots)
    bots = [one.bot for one in placed]
    games = game_scores(analysis, bots)
    table = tuple(make_standings(analysis, placed, games))
    strengths = analysis.strengths
    advantages, errors = (strengths.advantages, strengths.advantage_errors) if isinstance(strengths, Pool) else ({}, {})
    settings = names_of(analysis.seats, "variant")
    effects = tuple(seat_effects(analysis.sides, settings=settings, advantages=advantages, errors=errors))
    ranked = Ranked(analysis, bots, table, effects)
    found = (*conclusions(ranked), *cautions(ranked), *fronts(ranked))
    return Leaderboard(analysis.ranked_by, table, games, effects, findings=found)


def leaderboards_by(seats: pd.DataFrame, by: str) -> Iterator[tuple[str, Leaderboard]]:
    """Yield (value, leaderboard) for each value of the column `by`, in order; ValueError if `by` is not in `BY`.

    By role every bot counts as one entrant per role it played, all in one joint fit, so that a hero's rating says how
    it does against the same opponents as the other heroes; each table then lists one role, ranked anew.

    By planner there is one table over all games, its value "": all bots of a family are one entrant, matches within
    the family compare no bots, and planners meet on the games and seeds that they share. A bot with several planners
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
    """Return, for each row of seats, the planners of its bot in its game, joined by +."""
    used = distinct_texts(seats, "bot", "game", "planner")
    family = pd.Categorical(used.groupby(["bot", "game"])["planner"].agg("+".join))
    bot_in_game = combine(codes_of(seats, "bot"), codes_of(seats, "game"))
    return pd.Categorical.from_codes(family.codes[bot_in_game], family.categories)


def _members(seats: pd.DataFrame, family: pd.Categorical) -> Iterator[Finding]:
    """Yield a finding that lists the bots of each planner family, unless the family's name is that of its only bot."""
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


def seat_effects(
    sides: Sides, *, settings: Sequence[str], advantages: Mapping[str, float], errors: Mapping[str, float]
) -> Iterator[SeatEffect]:
    """Yield the worth of each seat of each setting (game and variant): points scored in it, advantage in Elo.

    `advantages` are those of the first seat by setting, in Elo, `errors` their standard errors. A side is named by its
    first seat. The unit of the interval is the pair: all matches on one seed.
    """
    contests = np.flatnonzero(~np.isnan(sides.points))
    place = combine(sides.setting[contests], sides.seat[contests])
    for rows in groups(place):
        own = contests[rows]
        pair = combine(sides.pair[own])
        means = np.bincount(pair, sides.points[own]) / np.bincount(pair)
        first = own[first_of(pair)[0]]
        name = settings[sides.setting[first]]
        interval = mean_of_shares(means).interval
        has_error = name in errors and len(means) >= MIN_UNITS
        is_first_of_two = sides.number[first] == 0 and sides.of_match[first] == 2
        yield SeatEffect(
            setting=name,
            seat=int(sides.seat[first]),
            matches=len(own),
            score_pct=100 * float(means.mean()),
            score_low=None if interval is None else 100 * interval.low,
            score_high=None if interval is None else 100 * interval.high,
            advantage=advantages.get(name) if is_first_of_two else None,
            advantage_error=_half_width(errors[name], len(means)) if is_first_of_two and has_error else None,
        )


def _half_width(error: float, pairs: int) -> float:
    """Return half the width of a 95 % interval from a standard error and its number of pairs of matches."""
    return t_critical(pairs - 1, confidence=0.95) * error
