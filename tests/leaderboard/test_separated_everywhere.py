"""Who is separated is one decision: letters, lines, verdict, report, pairings and JSON agree on random tables."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from gridjoust.leaderboard.report.headline import headline
from gridjoust.leaderboard.report.sections.ranking import ranking_table
from gridjoust.leaderboard.standings import FindingKind, Leaderboard, is_apart, share_letter
from gridjoust.leaderboard.strengths.analysis import analyse
from gridjoust.leaderboard.strengths.separations import Separations
from gridjoust.leaderboard.table import leaderboard_table
from gridjoust.runner.results.records.lines import MatchRecord
from tests.joust_here import joust
from tests.leaderboard.degenerate import tables, write_cup
from tests.leaderboard.planted import everybody, pairs_of
from tests.leaderboard.seats_builder import seats_of_rows
from tests.runner.results.records.records_builder import rows_of, solo
from tests.tiers import gate_but


def _duels(rng: random.Random) -> list[MatchRecord]:
    return everybody("abcdef"[: rng.randint(2, 6)], rng, pairs=rng.choice([4, 8, 30]))


def _sparse(rng: random.Random) -> list[MatchRecord]:
    """A chain of meetings, and perhaps a pool apart."""
    chain = [one for two in ("ab", "bc", "cd") for one in pairs_of(two, rng.random(), rng, pairs=12)]
    return [*chain, *(pairs_of("xy", 0.8, rng, pairs=12) if rng.random() < 0.5 else [])]


def _alone(rng: random.Random) -> list[MatchRecord]:
    """Seeds that not all have played."""
    found = []
    for at, bot in enumerate("abcd"):
        start = rng.choice([0, 0, 20]) if at else 0
        values = [rng.gauss(at / 2, 1) for _ in range(20)]
        found += [
            match
            for seed, value in enumerate(values, start)
            for match in solo(bot, [value], prefix=f"{seed}-", header={"seed": seed})
        ]
    return found


def _together(rng: random.Random) -> list[MatchRecord]:
    """Matches of three of four."""
    orders = []
    for _ in range(40):
        strength = {bot: rng.gauss(at / 2, 1) for at, bot in enumerate("abcd")}
        orders.append("".join(sorted(rng.sample("abcd", 3), key=lambda bot: strength[bot])))
    return tables(1, orders)


MAKERS = (_duels, _sparse, _alone, _together)


def _letters_agree(decided: Separations, codes: Sequence[int], groups: Sequence[str]) -> bool:
    pairs = combinations(zip(codes, groups, strict=True), 2)
    return all((decided.of(one, two) is False) == share_letter(own, other) for (one, own), (two, other) in pairs)


def _verdict_agrees(board: Leaderboard, decided: Separations, code: dict[str, int]) -> bool:
    """The sentence about who is first, against the decision about it."""
    own = [one.bot for one in board.standings if one.pool == 1]
    from_first = [decided.of(code[own[0]], code[bot]) for bot in own[1:]]
    said = [one.sentence for one in board.findings if one.kind is FindingKind.SEPARATED]
    if not said or not own[1:]:
        return True
    if "every place" in said[0]:
        return all(decided.of(code[one], code[two]) for one, two in pairwise(own))
    is_clear = "separated from" in said[0] and "not separated" not in said[0]
    return is_clear == (False not in from_first and any(from_first))


@pytest.mark.gate
@pytest.mark.parametrize("seed", gate_but(range(4), (0,)))
@pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.__name__)
def test_everything_that_says_separated_says_it_by_the_one_decision(maker: object, seed: int, tmp_path: Path) -> None:
    assert callable(maker)
    records = maker(random.Random(seed))
    analysis = analyse(seats_of_rows(rows_of(*records)))
    decided, code = analysis.strengths.separations, {name: at for at, name in enumerate(analysis.names)}
    cup = write_cup(tmp_path / "cup", records)
    shown = json.loads(joust("leaderboard", "cup", "--json", folder=tmp_path).stdout)
    joust("report", "cup", folder=tmp_path)
    from gridjoust.leaderboard.board import whole_board
    from gridjoust.leaderboard.frame.seats import read_seats

    board = whole_board(read_seats(cup), None)
    rows = board.standings
    assert [one["group"] for one in shown["standings"]] == [one.group for one in rows]
    assert _letters_agree(decided, [code[one.bot] for one in rows], [one.group for one in rows])
    for above, one in pairwise(rows):
        assert one.separated == (decided.of(code[above.bot], code[one.bot]) if above.pool == one.pool else None)
    pairs = {(one["bot"], one["opponent"]): one["separated"] for one in shown["pairings"]}
    assert pairs
    assert pairs == {two: decided.of(code[two[0]], code[two[1]]) for two in pairs}
    lines = [is_apart(board, above, one) for above, one in pairwise(rows)]
    assert [row.end_section for row in leaderboard_table(board).rows][:-1] == lines
    assert [line.css == "apart" for line in ranking_table(board, title="").lines][:-1] == lines
    assert _verdict_agrees(board, decided, code)
    level = [one.bot for one in rows[1:] if one.pool == rows[0].pool and share_letter(one.group, rows[0].group)]
    assert ("separated from all others" in headline(board)) <= (not level)
    for one in rows:
        own = [other for other in rows if other.pool == one.pool]
        better = sum(other.rank < one.rank and decided.of(code[other.bot], code[one.bot]) is True for other in own)
        assert one.rank_low == 1 + better
        assert (one.rank_low or 0) <= one.rank <= (one.rank_high or 0)


def test_a_row_of_two_bots_has_its_own_exact_p_whatever_the_table_decides(tmp_path: Path) -> None:
    rng = random.Random(1)
    cup = write_cup(tmp_path / "cup", everybody("abcdefgh", rng, pairs=6))
    assert joust("report", "cup", folder=tmp_path).returncode == 0
    page = (cup / "report.html").read_text(encoding="utf-8")
    assert "are decided at" not in page
    assert "Exact sign test of pairs won against pairs lost" in page
