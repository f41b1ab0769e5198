"""Schedules: fair, lazy, and made of matches that keep their ids."""

from __future__ import annotations

import dataclasses
from collections import Counter
from itertools import islice, permutations
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridjoust import games
from gridjoust.runner.config.formats import Gauntlet, Resolved, RoundRobin, Solo, Swiss
from gridjoust.runner.config.values import (
    BotEntry,
    FaultPolicy,
    GameEntry,
    RoleProgram,
    TimeLimits,
    TimeOverride,
    Tournament,
)
from gridjoust.runner.config.variants import LoadedTournament, with_variants
from gridjoust.runner.schedule import Pairing, count_matches, make_schedule
from gridjoust.runner.schedule.make import schedule_only
from gridjoust.runner.schedule.pairing import single_pairing
from gridjoust.runner.schedule.stream import NO_PROGRAM, plan_variant
from gridjoust.runner.seeds import content_id, match_seed
from gridjoust.runner.wire.errors import ConfigError
from tests.runner.config.tiny_games import only_tiny_games  # noqa: F401 - autouse

FOLDER = Path("/nowhere")


def cup(*entries: GameEntry, bots: int | list[BotEntry] = 4, name: str = "cup", **keys: object) -> LoadedTournament:
    """A checked tournament of `duel` (unless told otherwise) between bots b0, b1, ..."""
    contenders = [BotEntry(name=f"b{n}", bot="random") for n in range(bots)] if isinstance(bots, int) else bots
    config = Tournament(tournament=name, games=entries or (GameEntry(game="duel"),), bots=tuple(contenders))
    changed = msgspec.structs.replace(config, **keys)
    maps = {written: "" if written == "random" else f"{written}!" for entry in entries for written in entry.maps}
    return with_variants(changed, source=FOLDER / "cup.yaml", maps=maps)


REST = [BotEntry(name=f"b{n}", bot="random") for n in (1, 2, 3)]


def hash_program(program: RoleProgram) -> str:
    return f"hash of {program}"


def schedule(loaded: LoadedTournament) -> list[Pairing]:
    return list(make_schedule(loaded, hash_program=hash_program))


def names(pairing: Pairing) -> list[str]:
    """The bot in each seat."""
    held = {seat: entrant.bot for entrant in pairing.entrants for seat in entrant.seats}
    return [held[seat] for seat in range(pairing.seats)]


formats = st.builds(RoundRobin, rounds=st.integers(1, 3), swap_seats=st.booleans())
entries = st.builds(
    lambda seats, name, maps: GameEntry(game="duel", name=name, seats=seats, maps=maps),
    st.integers(2, 4),
    st.sampled_from(["v1", "v2"]),
    st.sampled_from([(), ("random",), ("a.txt", "random", "b.txt")]),
)


@pytest.mark.gate
@settings(deadline=None)
@given(entries, formats, st.integers(4, 7))
def test_everyone_plays_as_often_meets_everyone_as_often_and_with_swapped_seats_sits_everywhere_as_often(
    entry: GameEntry, form: RoundRobin, count: int
) -> None:
    seatings = [names(pairing) for pairing in schedule(cup(entry, bots=count, format=form))]
    played = Counter(name for seating in seatings for name in seating)
    met = Counter(pair for seating in seatings for pair in permutations(seating, 2))
    sat = Counter((name, seat) for seating in seatings for seat, name in enumerate(seating))

    assert (len(played), len(met)) == (count, count * (count - 1))
    assert len(set(played.values())) == len(set(met.values())) == 1
    assert len(set(sat.values())) == 1 or not form.swap_seats


@settings(deadline=None)
@given(st.integers(2, 4), st.integers(4, 6))
def test_without_swapping_the_rounds_even_the_seats_out(seats: int, count: int) -> None:
    entry = GameEntry(game="duel", seats=seats)
    pairings = schedule(cup(entry, bots=count, format=RoundRobin(rounds=seats, swap_seats=False)))
    sat = Counter((name, seat) for pairing in pairings for seat, name in enumerate(names(pairing)))

    assert len(set(sat.values())) == 1


@pytest.mark.gate
@settings(deadline=None)
@given(entries, formats, st.integers(4, 6))
def test_pairings_are_as_many_as_counted_numbered_in_order_and_ids_are_unique(
    entry: GameEntry, form: RoundRobin, count: int
) -> None:
    loaded = cup(entry, GameEntry(game="crew"), bots=count, format=form)
    pairings = schedule(loaded)

    assert [pairing.index for pairing in pairings] == list(range(count_matches(loaded)))
    assert len({pairing.match_id for pairing in pairings}) == len(pairings)


def positions(pairing: Pairing) -> tuple[int, ...]:
    """Where its bots stand in the file."""
    return tuple(sorted({int(name.removeprefix("b")) for name in names(pairing)}))


def test_the_seed_of_two_bots_hangs_on_the_round_and_on_the_sum_of_their_positions() -> None:
    pairings = schedule(cup(bots=5, format=RoundRobin(rounds=2)))
    meetings = {(pairing.round, sum(positions(pairing))): pairing.seed for pairing in pairings}

    assert all(pairing.seed == meetings[pairing.round, sum(positions(pairing))] for pairing in pairings)
    assert len(set(meetings.values())) == len(meetings) == 2 * 7  # two rounds, sums 0 + 1 to 3 + 4


def test_three_bots_at_a_board_have_a_seed_of_their_own() -> None:
    pairings = schedule(cup(GameEntry(game="duel", seats=3), bots=5))
    seeds = {positions(pairing): pairing.seed for pairing in pairings}

    assert len({pairing.seed for pairing in pairings}) == len(seeds) == 10
    assert all(pairing.seed == seeds[positions(pairing)] for pairing in pairings)


@pytest.mark.gate
@settings(deadline=None)
@given(entries, formats, st.integers(4, 7))
def test_a_bot_meets_a_seed_in_one_meeting_of_a_round(entry: GameEntry, form: RoundRobin, count: int) -> None:
    met: dict[tuple[str, int], set[tuple[int, ...]]] = {}
    for pairing in schedule(cup(entry, bots=count, format=form)):
        for name in names(pairing):
            met.setdefault((name, pairing.seed), set()).add((pairing.round, *positions(pairing)))

    assert {len(meetings) for meetings in met.values()} == {1}


@pytest.mark.gate
@settings(deadline=None)
@given(entries, formats, st.integers(4, 6))
def test_seeds_hang_on_the_position_and_never_on_who_stands_there(
    entry: GameEntry, form: RoundRobin, count: int
) -> None:
    def seeds(prefix: str, *, program: str) -> Counter[tuple[int, tuple[int, ...], int]]:
        bots = [BotEntry(name=f"{prefix}{n}", bot=program) for n in range(count)]
        seated = schedule(cup(entry, bots=bots, format=form))
        return Counter((one.round, tuple(sorted({int(name[-1]) for name in names(one)})), one.seed) for one in seated)

    assert seeds("b", program="random") == seeds("other", program="greedy")


def test_bots_without_opponents_share_the_seed_of_a_round() -> None:
    for entry in (GameEntry(game="crew", seats=3), GameEntry(game="crew", seats=3, seating="mixed")):
        loaded = cup(entry, bots=4, format=RoundRobin(rounds=2))
        seeds = [match_seed(loaded.config.run_key, "crew", "", number) for number in (1, 2)]
        assert [*dict.fromkeys(pairing.seed for pairing in schedule(loaded))] == seeds


def test_by_the_former_rule_all_meetings_of_a_round_share_a_seed() -> None:
    loaded = cup(bots=5, format=RoundRobin(rounds=2))
    former = msgspec.structs.replace(loaded, seed_rule=1)
    seeds = [match_seed(loaded.config.run_key, "duel", "", number) for number in (1, 2)]

    assert [*dict.fromkeys(pairing.seed for pairing in schedule(former))] == seeds
    planned = make_schedule(former, hash_program=hash_program).planned
    assert planned is not None
    assert planned.seed_rule == 1


def test_swapped_matches_are_a_pair_on_one_seed() -> None:
    pairings = schedule(cup(bots=5, format=RoundRobin(rounds=2)))
    for first, second in zip(pairings[::2], pairings[1::2], strict=True):
        assert names(first) == names(second)[::-1]
        assert (first.seed, first.pair_id) == (second.seed, second.pair_id)
        assert first.match_id != second.match_id


def test_rounds_are_the_outermost_order_and_every_variant_map_and_round_has_a_seed_of_its_own() -> None:
    maps = ("a.txt", "random")
    loaded = cup(*(GameEntry(game="duel", name=name, maps=maps) for name in "xy"), format=RoundRobin(rounds=2))
    pairings = schedule(loaded)

    order = list(dict.fromkeys((pairing.round, pairing.variant) for pairing in pairings))
    assert order == [(1, "x"), (1, "y"), (2, "x"), (2, "y")]
    assert len({pairing.seed for pairing in pairings}) == 8 * 5  # the positions of four bots have five sums


def test_mixed_seating_gives_every_seat_a_bot_of_its_own() -> None:
    pairings = schedule(cup(GameEntry(game="crew", seats=3, seating="mixed"), bots=3))
    assert len(pairings) == 3
    assert all(sorted(names(pairing)) == ["b0", "b1", "b2"] for pairing in pairings)


def test_a_bot_holds_all_seats_of_a_team_and_plays_alone_where_there_is_one() -> None:
    quest = schedule(cup(GameEntry(game="quest"), bots=2))
    assert sorted(names(pairing) for pairing in quest) == [["b0", "b0", "b0", "b1"], ["b1", "b1", "b1", "b0"]]
    crew = schedule(cup(GameEntry(game="crew", seats=3), bots=3, format=Solo()))
    assert sorted(names(pairing) for pairing in crew) == [["b0"] * 3, ["b1"] * 3, ["b2"] * 3]
    assert len({pairing.seed for pairing in crew}) == 1


def test_in_a_gauntlet_challengers_meet_the_rest_only() -> None:
    form = Gauntlet(challengers=("b0", "b1"), swap_seats=False)
    met = sorted("".join(sorted(names(pairing))) for pairing in schedule(cup(format=form)))

    assert met == ["b0b2", "b0b3", "b1b2", "b1b3"]
    loaded = cup(GameEntry(game="duel", seats=3), bots=6, format=Gauntlet(challengers=("b5", "b1"), rounds=2))
    assert count_matches(loaded) == len(schedule(loaded)) == 2 * 2 * 6 * 3


def test_each_role_is_played_by_its_own_program_and_with_mixed_seating_the_seat_decides() -> None:
    def held(entry: GameEntry, *rivals: BotEntry) -> dict[tuple[int, ...], RoleProgram]:
        pairings = schedule(cup(entry, bots=[knight, *rivals]))
        assert len({pairing.pair_id for pairing in pairings}) == 1
        entrants = (entrant for pairing in pairings for entrant in pairing.entrants)
        return {entrant.seats: entrant.program for entrant in entrants if entrant.bot == "knight"}

    knight = BotEntry(name="knight", roles={"heroes": RoleProgram(bot="*/astar"), "zargon": RoleProgram(path="z.py:Z")})
    astar, zargon = RoleProgram(bot="quest/astar"), RoleProgram(path="/nowhere/z.py:Z")
    assert held(GameEntry(game="quest"), REST[0]) == {(0, 1, 2): astar, (3,): zargon}
    mixed = {(0,): astar, (1,): astar, (2,): astar, (3,): zargon}
    assert held(GameEntry(game="quest", seating="mixed"), *REST) == mixed


def test_limits_are_the_tournaments_then_the_games_then_the_bots() -> None:
    entry = GameEntry(game="duel", time=TimeOverride(turn_ms=2, bank_ms=2))
    bots = [BotEntry(name="a", bot="x", time=TimeOverride(turn_ms=None)), BotEntry(name="b", bot="x")]
    loaded = cup(entry, bots=bots, time=TimeLimits(turn_ms=1, bank_ms=1, start_ms=1))

    limits = {entrant.bot: entrant.time for pairing in schedule(loaded) for entrant in pairing.entrants}

    assert limits == {
        "a": TimeLimits(turn_ms=None, bank_ms=2, start_ms=1),
        "b": TimeLimits(turn_ms=2, bank_ms=2, start_ms=1),
    }


def test_the_maps_text_is_among_the_parameters() -> None:
    first = schedule(cup(GameEntry(game="duel", maps=("boards/a.txt",), params={"pace": "fast"})))[0]
    assert first.map_name == "a"
    assert dict(first.params) == {"fog": False, "map": "boards/a.txt!", "max_ticks": 100, "pace": "fast", "weight": 0.5}


@pytest.mark.gate
@settings(deadline=None)
@given(entries, formats, st.integers(4, 6))
def test_a_bot_appended_to_the_file_changes_no_old_match(entry: GameEntry, form: RoundRobin, count: int) -> None:
    old = [BotEntry(name=f"b{n}", bot="random") for n in range(count)]
    before, more = (
        {(one.match_id, one.pair_id, one.seed, *names(one)) for one in schedule(cup(entry, bots=bots, format=form))}
        for bots in (old, [*old, BotEntry(name="new", bot="random")])
    )

    assert before < more


def test_more_rounds_and_more_variants_of_a_game_change_no_old_match() -> None:
    old = GameEntry(game="duel")
    before, after, more = (
        {(one.match_id, one.pair_id, one.seed) for one in schedule(cup(*entries, format=RoundRobin(rounds=rounds)))}
        for entries, rounds in (([old], 2), ([old], 3), ([GameEntry(game="duel", name="again"), old], 2))
    )
    assert before < after
    assert before < more


def test_tournaments_of_another_name_or_with_another_game_share_no_seeds() -> None:
    loaded = [cup(), cup(name="other"), cup(GameEntry(game="duel"), GameEntry(game="crew"))]
    seeds = [{pairing.seed for pairing in schedule(each) if pairing.game == "duel"} for each in loaded]
    assert [len(each) for each in seeds] == [5, 5, 5]
    assert len(set.union(*seeds)) == 15


def test_ids_are_the_same_in_every_version_of_the_runner() -> None:
    first = next(make_schedule(cup(GameEntry(game="maze"), bots=1, seed=2026), hash_program=lambda _program: "x"))
    assert (first.match_id, first.pair_id, first.params_id) == ("e69cb473e970ccd3", "d5139d4544412577", "0c1c8ebe")
    assert first.seed == 3030366132965164


CHANGES: dict[str, dict[str, Any]] = {
    "the seed": {"seed": 1},
    "the parameters": {"games": (GameEntry(game="duel", params={"max_ticks": 7}),)},
    "the number of seats": {"games": (GameEntry(game="duel", seats=3),)},
    "a game's limits": {"games": (GameEntry(game="duel", time=TimeOverride(turn_ms=7)),)},
    "the limits": {"time": TimeLimits(turn_ms=7)},
    "the fault policy": {"faults": FaultPolicy(limit=1)},
    "a program": {"bots": [BotEntry(name="b0", bot="other"), *REST]},
    "an option": {"bots": [BotEntry(name="b0", bot="random", options={"x": 1}), *REST]},
    "a bot's name": {"bots": [BotEntry(name="z", bot="random"), *REST]},
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_could_change_a_result_changes_the_id(change: str) -> None:
    before, after = schedule(cup()), schedule(cup(**CHANGES[change]))
    ids = {pairing.match_id for pairing in before if "b0" in names(pairing)}

    assert len(ids) == 6
    assert not ids & {pairing.match_id for pairing in after}


def test_a_raised_rules_version_changes_the_id(monkeypatch: pytest.MonkeyPatch) -> None:
    before = schedule(cup(GameEntry(game="maze"), bots=1))
    kind = games.load_game("maze")
    monkeypatch.setattr(kind, "spec", dataclasses.replace(kind.spec, version="2"))

    assert schedule(cup(GameEntry(game="maze"), bots=1))[0].match_id != before[0].match_id


def test_programs_are_hashed_once_each() -> None:
    hashed: list[RoleProgram] = []
    loaded = cup(bots=4, format=RoundRobin(rounds=3))
    list(make_schedule(loaded, hash_program=lambda program: hashed.append(program) or "x"))  # type: ignore[func-returns-value]

    assert len(hashed) == 4


def test_the_first_of_a_million_matches_comes_without_the_others() -> None:
    loaded = cup(bots=300, format=RoundRobin(rounds=20))
    stream = make_schedule(loaded, hash_program=lambda _program: "x")

    assert count_matches(loaded) > 1_000_000
    assert [pairing.index for pairing in islice(stream, 3)] == [0, 1, 2]


@pytest.mark.parametrize("seats", [2, 3])
def test_without_swapped_seats_the_first_round_seats_by_the_hash_and_the_next_one_turns(seats: int) -> None:
    form = RoundRobin(rounds=seats + 1, swap_seats=False)
    pairings = schedule(cup(GameEntry(game="duel", seats=seats), bots=seats, format=form))
    bots = [f"b{n}" for n in range(seats)]
    by_hash = sorted(bots, key=lambda name: content_id([name, bots]))
    turned = [by_hash[turn:] + by_hash[:turn] for turn in range(seats)]
    assert [names(pairing) for pairing in pairings] == [*turned, by_hash]


def test_a_match_outside_a_schedule_has_the_parameters_id_of_one_within() -> None:
    [pairing, *_] = schedule(cup(bots=2, format=RoundRobin(rounds=1)))
    alone = single_pairing(
        games.make("duel", seats=2), pairing.entrants, match_id="m", pair_id="m", seed=1, schedule_reason="alone"
    )
    assert alone.params_id == pairing.params_id
    assert (alone.index, alone.round, alone.map_name, alone.seats) == (0, 1, "", 2)


def test_a_match_is_planned_again_from_its_bots_and_seed_as_the_first_of_its_schedule() -> None:
    loaded = cup(bots=3)
    planned = plan_variant(loaded, loaded.variants[0], hash_program)
    for first in schedule(loaded):
        bots = [entrant.bot for entrant in first.entrants]
        again = planned.match(bots, seed=first.seed, round_number=first.round, reason=first.schedule_reason)
        assert again == dataclasses.replace(first, index=0)


def test_a_program_that_is_not_there_is_an_error_but_of_a_bot_known_to_be_broken() -> None:
    def hash_of_b1_alone(program: RoleProgram) -> str:
        if program.bot != "b1":
            raise ConfigError("expected a readable file")
        return "b1"

    loaded = cup(bots=[BotEntry(name=name, bot=name) for name in ("b0", "b1")])
    with pytest.raises(ConfigError, match="expected a readable file"):
        list(make_schedule(loaded, hash_program=hash_of_b1_alone))
    known = msgspec.structs.replace(loaded, broken={"b0": "not there"})
    hashes = {
        entrant.bot: entrant.program_hash
        for pairing in make_schedule(known, hash_program=hash_of_b1_alone)
        for entrant in pairing.entrants
    }
    assert hashes == {"b0": NO_PROGRAM, "b1": "b1"}


def test_the_matches_of_some_bots_alone_are_those_of_the_whole_schedule(tmp_path: Path) -> None:
    some = list(schedule_only(["b1"], cup(), tmp_path)(cup()))
    assert [pairing.match_id for pairing in some] == [
        pairing.match_id for pairing in make_schedule(cup()) if "b1" in names(pairing)
    ]


@pytest.mark.parametrize(
    ("keys", "got"),
    [({"format": Swiss(rounds=2)}, "swiss"), ({"stop": Resolved()}, "a stop rule")],
    ids=["format", "stop"],
)
def test_the_matches_of_some_bots_are_unknown_if_pairings_depend_on_results(keys: dict[str, Any], got: str) -> None:
    with pytest.raises(ConfigError, match=f"round_robin, gauntlet or solo without a stop rule, got {got}"):
        schedule_only(["b1"], cup(**keys), FOLDER)


def test_only_bots_of_the_file_can_be_scheduled_alone() -> None:
    with pytest.raises(ConfigError, match="--only: expected one of b0, b1, b2, b3, got 'b9'"):
        schedule_only(["b1", "b9"], cup(), FOLDER)
