"""Who plays whom, on which seed, in which seats: a lazy, ordered stream of pairings. Starts nothing.

The order is: rounds, then game entries, their maps, groups of bots, seatings. Groups come spread over the bots, so that
a tournament that is stopped early is as balanced as it can be; seatings of a group follow each other on one seed.

Before it is rotated the seating of a group is drawn by a hash of its names: it depends neither on the order of the file
nor on who else takes part, so a match keeps its id when bots are added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import comb

import msgspec

from games.api import ParamValue
from runner.combinations import Group, gauntlet_groups, spread_combinations
from runner.config.load import folder_of
from runner.config.programs import program_hash, programs_of, resolve_program
from runner.config.values import (
    BotEntry,
    Format,
    LoadedTournament,
    ResourceLimits,
    RoleProgram,
    TimeLimits,
    Tournament,
    with_override,
)
from runner.config.variants import Variant, make_variants
from runner.seeds import content_id, match_seed

HashProgram = Callable[[RoleProgram], str]


@dataclass(frozen=True, slots=True)
class Entrant:
    """One bot in one match: the program that plays, the seats it holds, its limits."""

    bot: str  # name in the tournament
    program: RoleProgram  # resolved: `*/astar` replaced by the game's bot, relative paths made absolute
    program_hash: str  # of the program's code or command and options
    seats: tuple[int, ...]  # sorted
    time: TimeLimits
    limits: ResourceLimits


@dataclass(frozen=True, slots=True)
class Pairing:
    """One planned match. `match_id` is its content address: everything that could change its result."""

    index: int  # place in the schedule; tables are written in this order
    match_id: str
    game: str
    game_version: str
    variant: str
    params: tuple[tuple[str, ParamValue], ...]  # resolved, sorted by name, map text included
    params_id: str
    map_name: str  # "" where the game has no maps
    seats: int
    round: int  # from 1
    pair_id: str  # the same for matches on one seed between the same bots, seats swapped
    seed: int
    entrants: tuple[Entrant, ...]  # every seat is held by exactly one
    schedule_reason: str


def make_schedule(loaded: LoadedTournament, *, hash_program: HashProgram = program_hash) -> Iterator[Pairing]:
    """Every match of the tournament, in order. Programs are hashed before the first pairing, once each.

    A bot with `roles` is one entrant per role that it plays. ConfigError where a program cannot be hashed.
    """
    tables = [_make_table(loaded, variant, hash_program) for variant in make_variants(loaded)]
    return _pairings(loaded.config, tables)


def count_matches(loaded: LoadedTournament) -> int:
    """How many pairings `make_schedule` yields."""
    config = loaded.config
    per_round = sum(_count_in_round(config, len(variant.sides)) for variant in make_variants(loaded))
    return config.format.rounds * per_round


# ---- what stays the same all tournament: one table per variant -------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Contender:
    """One bot in one variant."""

    name: str
    by_side: tuple[tuple[Entrant, ...], ...]  # its entrants by the side it takes
    content_by_side: tuple[list[object], ...]  # what decides a match when it sits there
    content: list[object]  # what identifies it wherever it sits


@dataclass(frozen=True, slots=True)
class _Table:
    variant: Variant
    params: tuple[tuple[str, ParamValue], ...]
    params_id: str
    rules: Mapping[str, object]  # all but seed and seats that decides a match
    contenders: tuple[_Contender, ...]


def _make_table(loaded: LoadedTournament, variant: Variant, hash_program: HashProgram) -> _Table:
    config, game = loaded.config, variant.game
    params = tuple(sorted(game.params.items()))
    rules = {
        "game": variant.entry.game,
        "version": game.spec.version,
        "params": content_id(dict(params)),
        "seats": game.seats,
        "tournament_seed": config.seed,
        "faults": msgspec.to_builtins(config.faults),
    }
    return _Table(
        variant=variant,
        params=params,
        params_id=content_id([variant.entry.game, dict(params)], digits=8),
        rules=rules,
        contenders=tuple(_make_contender(bot, loaded, variant, hash_program) for bot in config.bots),
    )


def _make_contender(bot: BotEntry, loaded: LoadedTournament, variant: Variant, hash_program: HashProgram) -> _Contender:
    time = with_override(with_override(loaded.config.time, variant.entry.time), bot.time)
    programs = {
        role: resolve_program(program, game=variant.entry.game, folder=folder_of(loaded))
        for role, program in programs_of(bot).items()
    }
    hashes = {role: hash_program(program) for role, program in programs.items()}
    by_side = tuple(
        tuple(
            Entrant(bot.name, programs[role], hashes[role], seats, time, bot.limits)
            for role, seats in _seats_by_role(bot, variant, side).items()
        )
        for side in variant.sides
    )
    limits = msgspec.to_builtins(time)
    return _Contender(
        name=bot.name,
        by_side=by_side,
        content_by_side=tuple([_content(entrant, limits) for entrant in side] for side in by_side),
        content=[bot.name, hashes, {role: program.options for role, program in programs.items()}, limits],
    )


def _seats_by_role(bot: BotEntry, variant: Variant, side: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
    """Key of the bot's program -> the seats of the side that it plays."""
    seats: dict[str, tuple[int, ...]] = {}
    for seat in side:
        role = variant.game.roles[seat] if bot.roles else ""
        seats[role] = (*seats.get(role, ()), seat)
    return seats


def _content(entrant: Entrant, limits: object) -> dict[str, object]:
    return {
        "bot": entrant.bot,
        "program": entrant.program_hash,
        "options": entrant.program.options,
        "seats": entrant.seats,
        "time": limits,
    }


# ---- the stream ------------------------------------------------------------------------------------------------------


def _pairings(config: Tournament, tables: list[_Table]) -> Iterator[Pairing]:
    index = 0
    for round_number in range(1, config.format.rounds + 1):
        for table in tables:
            seed = match_seed(config.seed, table.variant.name, table.variant.map_name, round_number)
            for group in _groups(config, len(table.variant.sides)):
                for seating in _seatings(config.format, table, group, round_number):
                    yield _pairing(table, seating, index=index, seed=seed, round_number=round_number, config=config)
                    index += 1


def _groups(config: Tournament, sides: int) -> Iterator[Group]:
    """Groups of bots that meet, one bot per side."""
    count = len(config.bots)
    if config.format.type == "gauntlet":
        return gauntlet_groups(count, _challengers(config), sides)
    return spread_combinations(count, sides)


def _count_in_round(config: Tournament, sides: int) -> int:
    count = len(config.bots)
    if config.format.type == "gauntlet":
        challengers = len(config.format.challengers)
        groups = challengers * comb(count - challengers, sides - 1)
    else:
        groups = comb(count, sides)
    return groups * (sides if config.format.swap_seats else 1)


def _challengers(config: Tournament) -> tuple[int, ...]:
    names = [bot.name for bot in config.bots]
    return tuple(names.index(name) for name in config.format.challengers)


def _seatings(form: Format, table: _Table, group: Group, round_number: int) -> Iterator[tuple[_Contender, ...]]:
    """The contender of each side: every rotation, or with `swap_seats: false` the round's own."""
    contenders = [table.contenders[index] for index in group]
    together = sorted(contender.name for contender in contenders)
    contenders.sort(key=lambda contender: content_id([contender.name, together]))
    rotations = range(len(group)) if form.swap_seats else [(round_number - 1) % len(group)]
    return (tuple(contenders[rotation:] + contenders[:rotation]) for rotation in rotations)


def _pairing(
    table: _Table,
    seating: tuple[_Contender, ...],
    *,
    index: int,
    seed: int,
    round_number: int,
    config: Tournament,
) -> Pairing:
    variant = table.variant
    entrants = tuple(entrant for side, contender in enumerate(seating) for entrant in contender.by_side[side])
    contents = [content for side, contender in enumerate(seating) for content in contender.content_by_side[side]]
    rules = {**table.rules, "seed": seed}
    return Pairing(
        index=index,
        match_id=content_id({**rules, "entrants": contents}),
        game=variant.entry.game,
        game_version=variant.game.spec.version,
        variant=variant.name,
        params=table.params,
        params_id=table.params_id,
        map_name=variant.map_name,
        seats=variant.game.seats,
        round=round_number,
        pair_id=content_id({**rules, "bots": sorted((contender.content for contender in seating), key=str)}),
        seed=seed,
        entrants=entrants,
        schedule_reason=config.format.type,
    )
