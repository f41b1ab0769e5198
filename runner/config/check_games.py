"""Mistakes in the game entries that types cannot show: names, parameters, seats, maps. Plays no match."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Mapping

import games
from games.api import AnyGame, ParamValue, resolve_params
from runner.config.document import KeyPath
from runner.config.mistakes import Mistake, repeated
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
    names = [variant_name(entry) for entry in config.games]
    yield from repeated(names, ("games",), "a name of its own for each variant", "name")
    return tuple(variants)


def check_numbers(values: Mapping[str, ParamValue], at: KeyPath) -> Iterator[Mistake]:
    """Whole numbers that would not survive JSON in every language."""
    for key, value in values.items():
        if isinstance(value, int) and abs(value) > EXACT_LIMIT:
            yield Mistake((*at, key), f"a whole number from -{EXACT_LIMIT} to {EXACT_LIMIT}", str(value))


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
        yield Mistake((*at, "seats"), f"{spec.seats_text} for {entry.game}", str(entry.seats))
        return
    if entry.maps and MAP_PARAM not in spec.params:
        count = f"{len(entry.maps)} map" + ("s" if len(entry.maps) > 1 else "")
        yield Mistake((*at, "maps"), f"no maps, since {entry.game} has no parameter {MAP_PARAM!r}", count)
        return
    if entry.maps and MAP_PARAM in entry.params:
        yield Mistake((*at, "params", MAP_PARAM), "no map here, since the entry has maps", "both")
    yield from repeated([map_name(written) for written in entry.maps], (*at, "maps"), "maps with different names")


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
        if entry.maps and maps[entry.maps[len(made)]]:
            yield from_error(ValueError(str(error).removeprefix(f"{MAP_PARAM}: ")), (*at, "maps", len(made)))
        else:
            yield _param_mistake(error, kind, entry, at)
    return made


def _param_mistake(error: ValueError, kind: type[AnyGame], entry: GameEntry, at: KeyPath) -> Mistake:
    """The parameter that the message begins with, if the game has it or the entry names it; else all of them."""
    name, colon, rest = str(error).partition(": ")
    if colon and (name in kind.spec.params or name in entry.params):
        return from_error(ValueError(rest), (*at, "params", name))
    return from_error(error, (*at, "params") if entry.params else at)
