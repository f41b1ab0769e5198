"""Mistakes in the game entries that types cannot show: names, parameters, seats, maps. Plays no match."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Mapping, Sequence

import games
from games.api import AnyGame, ParamValue, resolve_params
from runner.config.document import KeyPath
from runner.config.mistakes import Mistake
from runner.config.values import GameEntry, Tournament
from runner.config.variants import MAP_PARAM, Variant, make_variants, map_name, variant_name

EXACT_LIMIT = 2**53  # whole numbers up to here are the same in JSON, JavaScript and pandas


def check_games(config: Tournament, maps: Mapping[str, str]) -> Generator[Mistake, None, tuple[Variant, ...]]:
    """Mistakes in `games`; where there is none, returns all variants. `maps` as read by the loader."""
    variants: list[Variant] = []
    for position, entry in enumerate(config.games):
        at: KeyPath = ("games", position)
        yield from check_numbers(entry.params, (*at, "params"))
        try:
            kind = games.load_game(entry.game)
        except ValueError as error:
            yield from_error(error, (*at, "game"))
            continue
        yield from _check_entry(entry, kind, at)
        variants += yield from _make_variants(entry, kind, maps, at)
    yield from _check_names(config)
    return tuple(variants)


def check_numbers(values: Mapping[str, ParamValue], at: KeyPath) -> Iterator[Mistake]:
    """Whole numbers that would not survive JSON in every language."""
    for key, value in values.items():
        if isinstance(value, int) and abs(value) > EXACT_LIMIT:
            yield Mistake((*at, key), f"a whole number from -{EXACT_LIMIT} to {EXACT_LIMIT}", str(value))


def second_of_a_name(names: Sequence[str]) -> int | None:
    """Where a name first stands that stood before."""
    return next((position for position, name in enumerate(names) if name in names[:position]), None)


def from_error(error: ValueError, at: KeyPath) -> Mistake:
    """A game's `expected ..., got ...` (perhaps behind a closer place) at its place in the file."""
    match = re.fullmatch(r"(?:(.+?): )?expected (.+?), got (.+)", str(error), re.DOTALL)
    if match is None:
        return Mistake(at, "what the game allows", f"a refusal: {error}")
    return Mistake(at, match[2], match[3], within=match[1] or "")


def _check_entry(entry: GameEntry, kind: type[AnyGame], at: KeyPath) -> Iterator[Mistake]:
    spec = kind.spec
    try:
        resolve_params(spec, entry.params)
    except ValueError as error:
        yield _param_mistake(error, kind, entry, at)
        return
    if entry.seats is not None and not spec.min_seats <= entry.seats <= spec.max_seats:
        bounds = f"{spec.min_seats} to {spec.max_seats}" if spec.min_seats < spec.max_seats else f"{spec.min_seats}"
        yield Mistake((*at, "seats"), f"{bounds} for {entry.game}", str(entry.seats))
        return
    if entry.maps and MAP_PARAM not in spec.params:
        yield Mistake((*at, "maps"), f"no maps, since {entry.game} has no parameter {MAP_PARAM!r}", _map_count(entry))
        return
    yield from _check_map_names(entry, at)


def _map_count(entry: GameEntry) -> str:
    return f"{len(entry.maps)} map" + ("s" if len(entry.maps) > 1 else "")


def _check_map_names(entry: GameEntry, at: KeyPath) -> Iterator[Mistake]:
    if entry.maps and MAP_PARAM in entry.params:
        yield Mistake((*at, "params", MAP_PARAM), "no map here, since the entry has maps", "both")
    names = [map_name(written) for written in entry.maps]
    second = second_of_a_name(names)
    if second is not None:
        yield Mistake((*at, "maps", second), "maps with different names", f"a second {names[second]!r}")


def _make_variants(
    entry: GameEntry, kind: type[AnyGame], maps: Mapping[str, str], at: KeyPath
) -> Generator[Mistake, None, list[Variant]]:
    """Every variant, its first situation tried: games refuse impossible combinations there."""
    made: list[Variant] = []
    try:
        for variant in make_variants(entry, maps):
            variant.game.initial_state(0)
            made.append(variant)
    except ValueError as error:
        position = len(made)
        is_board = bool(entry.maps) and bool(maps[entry.maps[position]])
        yield _map_mistake(error, (*at, "maps", position)) if is_board else _param_mistake(error, kind, entry, at)
    return made


def _map_mistake(error: ValueError, at: KeyPath) -> Mistake:
    return from_error(ValueError(str(error).removeprefix(f"{MAP_PARAM}: ")), at)


def _param_mistake(error: ValueError, kind: type[AnyGame], entry: GameEntry, at: KeyPath) -> Mistake:
    """The parameter that the message begins with, if the game has it or the entry names it; else all of them."""
    name, colon, rest = str(error).partition(": ")
    if colon and (name in kind.spec.params or name in entry.params):
        return from_error(ValueError(rest), (*at, "params", name))
    return from_error(error, (*at, "params") if entry.params else at)


def _check_names(config: Tournament) -> Iterator[Mistake]:
    names = [variant_name(entry) for entry in config.games]
    second = second_of_a_name(names)
    if second is not None:
        expected = "a name of its own for each variant"
        yield Mistake(("games", second, "name"), expected, f"a second {names[second]!r}")
