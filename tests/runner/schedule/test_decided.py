"""Schedules that wait for results: order, ids, counts, matches that do not count."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridjoust.runner.config.formats import (
    AnyFormat,
    DoubleElimination,
    Duels,
    Format,
    Knockout,
    Ladder,
    Resolved,
    RoundRobin,
    Stages,
    StopRule,
    Swiss,
)
from gridjoust.runner.config.values import BotEntry, GameEntry, Tournament
from gridjoust.runner.config.variants import LoadedTournament, with_variants
from gridjoust.runner.results.tables.columns import Row
from gridjoust.runner.schedule import Pairing, Schedule, count_matches, is_count_exact, make_schedule
from gridjoust.runner.schedule.make import DECIDED, schedule_of
from gridjoust.runner.schedule.pairing import Decisions, Lineup, Meeting, Verdict
from tests.runner.config.tiny_games import only_tiny_games  # noqa: F401 - autouse

Points = Callable[[str, str, Pairing], float | None]  # of the bot in the first side; None = the match is void


def cup(form: AnyFormat, *, bots: int = 5, tables: int = 1, stop: StopRule | None = None) -> LoadedTournament:
    """Bots b0, b1, ... in so many variants of `duel`."""
    config = Tournament(
        tournament="cup",
        games=tuple(GameEntry(game="duel", name=f"v{number}") for number in range(tables)),
        bots=tuple(BotEntry(name=f"b{number}", bot="random") for number in range(bots)),
        format=form,
        stop=stop,
    )
    return with_variants(config, source=Path("/nowhere/cup.yaml"), maps={})


def make(loaded: LoadedTournament) -> Schedule:
    return make_schedule(loaded, hash_program=lambda program: f"hash of {program}")


def rows_of(pairing: Pairing, points: float | None) -> list[Row]:
    """What the tables get from a match in which the first side scored `points`."""
    shares = (1.0, 0.0) if points is None else (points, 1 - points)  # what a void match says must not matter
    bots = [pairing.entrants[side].bot for side in (0, 1)]
    return [
        {"match_id": pairing.match_id, "bot": bot, "points": share, "counted": points is not None}
        for bot, share in zip(bots, shares, strict=True)
    ]


def play(loaded: LoadedTournament, points: Points) -> tuple[list[Pairing], Schedule]:
    """Every pairing, each entered as soon as the schedule waits."""
    schedule = make(loaded)
    played: list[Pairing] = []
    waiting: list[Pairing] = []
    for pairing in schedule:
        played.append(pairing)
        waiting.append(pairing)
        while schedule.is_waiting:
            first, second = (entrant.bot for entrant in waiting[0].entrants)
            schedule.enter(rows_of(waiting[0], points(first, second, waiting.pop(0))))
    return played, schedule


def better_wins(first: str, second: str, _pairing: Pairing) -> float:
    """The bot with the smaller number wins."""
    return float(first < second)


def by_chance(first: str, second: str, pairing: Pairing) -> float | None:
    """Win, draw, loss or void, as the match's id has it."""
    return (0.0, 0.5, 1.0, None)[hashlib.sha256(f"{first} {second} {pairing.match_id}".encode()).digest()[0] % 4]


KEYS = {"swap_seats": st.booleans(), "seeding": st.sampled_from(["file", "hash"]), "pairs": st.integers(1, 2)}
STOPPING = {**KEYS, "pairs": st.integers(1, 3), "stop_decided": st.booleans()}
rounds = st.integers(1, 4)
duels = st.builds(Swiss, rounds=rounds, **KEYS) | st.builds(Ladder, rounds=rounds, **STOPPING)
knockouts = st.builds(Knockout, replays=st.integers(0, 2), third_place=st.booleans(), **STOPPING)
doubles = st.builds(DoubleElimination, replays=st.integers(0, 2), second_final=st.booleans(), **STOPPING)
in_stages = st.builds(
    Stages,
    groups=st.just(1),
    advance=st.just(2),
    final=st.sampled_from(["knockout", "double_elimination"]),
    rounds=st.integers(1, 2),
    replays=st.integers(0, 2),
    third_place=st.booleans(),
    second_final=st.booleans(),
    **STOPPING,
)
every = duels | knockouts | doubles | in_stages
Decided = Swiss | Knockout | DoubleElimination | Stages | Ladder


@pytest.mark.gate
@given(every, st.integers(2, 9), st.integers(1, 2))
def test_at_most_as_many_matches_are_played_as_counted_or_exactly(form: Decided, bots: int, tables: int) -> None:
    loaded = cup(form, bots=bots, tables=tables)
    played = len(play(loaded, by_chance)[0])

    assert played <= count_matches(loaded)
    if isinstance(form, Swiss | Ladder | Knockout):  # in others the bot from below must win the final for that
        assert count_matches(loaded) == len(play(loaded, lambda *_: None)[0])
    is_cut_short = not isinstance(form, Swiss) and form.stop_decided and form.pairs > 1
    is_open = not isinstance(form, Swiss | Ladder) and form.replays > 0
    is_double = isinstance(form, DoubleElimination) or (isinstance(form, Stages) and form.final != "knockout")
    has_second = isinstance(form, DoubleElimination | Stages) and is_double and form.second_final
    assert is_count_exact(loaded) == (not is_cut_short and not is_open and not has_second)
    assert played == count_matches(loaded) or not is_count_exact(loaded)


@pytest.mark.gate
@given(every, st.integers(2, 9), st.integers(1, 2))
def test_pairings_are_numbered_ids_are_unique_and_nothing_but_results_decides(
    form: AnyFormat, bots: int, tables: int
) -> None:
    loaded = cup(form, bots=bots, tables=tables)
    played, schedule = play(loaded, by_chance)
    again, other = play(loaded, by_chance)

    assert [pairing.index for pairing in played] == list(range(len({pairing.match_id for pairing in played})))
    assert (played, schedule.verdict) == (again, other.verdict)
    assert schedule.verdict != ""


@pytest.mark.gate
@given(every, st.integers(2, 9))
def test_a_meeting_is_one_match_or_two_with_swapped_seats_on_one_seed(form: AnyFormat, bots: int) -> None:
    swapped, single = (
        play(cup(msgspec.structs.replace(form, swap_seats=swap_seats), bots=bots), by_chance)[0]
        for swap_seats in (True, False)
    )

    for one, other in zip(swapped[::2], swapped[1::2], strict=True):
        assert (one.pair_id, one.seed, one.round) == (other.pair_id, other.seed, other.round)
        assert [entrant.bot for entrant in one.entrants] == [entrant.bot for entrant in other.entrants][::-1]
    assert max(Counter(pairing.pair_id for pairing in single).values()) == 1


@pytest.mark.gate
@given(duels, st.integers(2, 7))
def test_more_rounds_leave_every_old_match_in_place(form: Swiss | Ladder, bots: int) -> None:
    longer = msgspec.structs.replace(form, rounds=form.rounds + 1)
    before, after = (play(cup(form, bots=bots), by_chance)[0] for form in (form, longer))
    assert before == after[: len(before)]


VERDICTS: dict[str, tuple[Points, int, str]] = {
    "all variants of a meeting decide together": (
        lambda first, second, pairing: float(first < second) if pairing.variant != "v0" else 0.5,
        2,
        "knockout: 1. b0, 2. b1",
    ),
    "a match that does not count decides nothing": (
        lambda first, *_: None if first == "b1" else 0.0,
        1,
        "knockout: 1. b1, 2. b0",
    ),
}


@pytest.mark.parametrize(("points", "tables", "verdict"), VERDICTS.values(), ids=VERDICTS)
def test_a_meeting_is_decided(points: Points, tables: int, verdict: str) -> None:
    _, schedule = play(cup(Knockout(third_place=False), bots=2, tables=tables), points)
    assert schedule.verdict == verdict


def test_a_pairing_that_depends_on_results_is_not_handed_out_before_them() -> None:
    schedule = make(cup(Ladder(rounds=1), bots=3))
    first = next(schedule)
    next(schedule)

    assert schedule.is_waiting
    schedule.enter(rows_of(first, 1.0))
    assert schedule.is_waiting
    with pytest.raises(RuntimeError, match="expected the results of 1 matches before the next one"):
        next(schedule)


def test_there_is_no_verdict_before_the_end_nor_where_nothing_is_decided() -> None:
    known = make(cup(RoundRobin()))
    list(known)
    assert (known.is_waiting, known.verdict) == (False, "")

    decided = make(cup(Ladder(), bots=2))
    next(decided)
    assert decided.verdict == ""
    assert decided.planned is not None
    assert decided.planned.decision is None
    _, over = play(cup(Ladder(), bots=2), better_wins)
    assert over.verdict == "ladder after 1 round: 1. b0, 2. b1"
    assert over.planned is not None
    assert over.planned.decision is not None
    assert [place.bot for place in over.planned.decision.places] == ["b0", "b1"]


def test_matches_of_other_schedules_are_ignored() -> None:
    schedule = make(cup(Ladder(rounds=1), bots=2))
    own = [next(schedule), next(schedule)]
    foreign = next(make(cup(Ladder(rounds=1), bots=3)))
    schedule.enter(rows_of(foreign, 1.0))
    assert schedule.is_waiting
    for pairing in own:
        schedule.enter(rows_of(pairing, None))
    assert not schedule.is_waiting


def test_a_stop_rule_caps_the_count_at_whole_meetings() -> None:
    for form, matches in ((RoundRobin(), 100), (RoundRobin(swap_seats=False), 102)):
        loaded = cup(form, bots=3, tables=2, stop=Resolved(max_matches=103))
        assert (count_matches(loaded), is_count_exact(loaded)) == (matches, False)
        played, schedule = play(loaded, lambda *_: 0.5)
        assert len(played) <= matches
        assert schedule.verdict.startswith(f"stopped after {len(played)} matches: ")
    assert is_count_exact(cup(RoundRobin()))


def test_hashed_seeding_does_not_depend_on_the_order_of_the_file() -> None:
    loaded = cup(Knockout(seeding="hash"), bots=6)
    config = msgspec.structs.replace(loaded.config, bots=loaded.config.bots[::-1])
    turned = msgspec.structs.replace(loaded, config=config)
    one, other = (
        {
            (pairing.round, frozenset(entrant.bot for entrant in pairing.entrants))
            for pairing in play(field, better_wins)[0]
        }
        for field in (loaded, turned)
    )

    assert one == other


@pytest.mark.gate
@given(duels | knockouts, st.integers(2, 9))
def test_a_bot_plays_no_two_opponents_of_a_round_on_one_seed(form: AnyFormat, bots: int) -> None:
    met: dict[tuple[str, int], set[frozenset[str]]] = {}
    for pairing in play(cup(form, bots=bots), by_chance)[0]:
        duo = frozenset(entrant.bot for entrant in pairing.entrants)
        for bot in duo:
            met.setdefault((bot, pairing.seed), set()).add(duo)

    assert {len(duos) for duos in met.values()} == {1}


def test_a_ladder_fills_its_cap_with_whole_challenges() -> None:
    loaded = cup(Ladder(max_matches=11, pairs=2), bots=4)
    assert count_matches(loaded) == len(play(loaded, better_wins)[0]) == 8


def test_a_new_format_is_a_struct_and_a_generator(monkeypatch: pytest.MonkeyPatch) -> None:
    class Final(Duels, frozen=True, kw_only=True, tag="final"):
        swap_seats: bool = False
        seeding: str = "file"

        def most_matches(self, bots: int, matches_each: int) -> int:
            return matches_each

    def final(lineup: Lineup, form: Final) -> Decisions:
        first, second = lineup.order[:2]
        [result] = yield [Meeting((first, second), 1, reason=form.type)]
        return Verdict(f"{lineup.names[first if result.share == 1 else second]} has won")

    kind: type[Format] = Final
    monkeypatch.setitem(DECIDED, kind, final)
    loaded = cup(Final())  # type: ignore[arg-type]
    played, schedule = play(loaded, better_wins)

    assert count_matches(loaded) == len(played) == 1
    assert is_count_exact(loaded)
    assert (played[0].schedule_reason, schedule.verdict) == ("final", "b0 has won")


def test_the_matches_of_some_bots_and_those_recorded_are_numbered_anew_and_the_plan_names_the_bots() -> None:
    whole = list(make(cup(RoundRobin(), bots=4)))
    others = [pairing.match_id for pairing in whole if "b0" not in {entrant.bot for entrant in pairing.entrants}]
    some = schedule_of(["b0"], make(cup(RoundRobin(), bots=4)), is_recorded=others[:1].__contains__)
    found = list(some)
    assert [pairing.match_id for pairing in found] == [one.match_id for one in whole if one.match_id not in others[1:]]
    assert [pairing.index for pairing in found] == list(range(len(found)))
    assert some.planned is not None
    assert some.planned.only == ("b0",)
    assert schedule_of(["b0"], Schedule(iter(whole)), is_recorded=others.__contains__).planned is None
