"""Mistakes in who meets whom and over which broker. Opens no connection."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from runner.config.check_games import second_of_a_name
from runner.config.document import KeyPath
from runner.config.mistakes import Mistake, format_value, nearest
from runner.config.values import BrokerConfig, Format, Tournament
from runner.config.variants import Variant
from runner.wire.bus.address import parse_address
from runner.wire.errors import ConfigError

URL_FORM = "mqtt://host:port or mqtts://user:password@host:port"


DUELS = ("swiss", "knockout", "ladder")  # formats in which two bots meet and the result decides what comes next
USED_BY = {  # key of `format` -> the types that have a use for it
    "rounds": ("round_robin", "gauntlet", "swiss", "ladder", "solo"),
    "seeding": DUELS,
    "pairs": DUELS,
    "third_place": ("knockout",),
    "replays": ("knockout",),
    "max_matches": ("ladder",),
}


def check_format(config: Tournament, variants: Sequence[Variant]) -> Iterator[Mistake]:
    """Mistakes in `format`, and games or bots that it cannot pair."""
    yield from _check_challengers(config)
    yield from _check_used(config.format)
    for variant in variants:
        sides = len(variant.sides)
        yield from _check_sides(config.format.type, variant.name, sides)
        yield from _check_enough_bots(config, variant.name, sides)
    yield from _check_ladder(config.format, len(variants))


def _check_sides(kind: str, name: str, sides: int) -> Iterator[Mistake]:
    at: KeyPath = ("format", "type")
    if sides == 1 and kind not in ("round_robin", "solo"):
        yield Mistake(at, f"round_robin or solo for {name}, where one bot holds every seat", kind)
    elif sides > 1 and kind == "solo":
        yield Mistake(at, f"round_robin or gauntlet for {name}, which has {sides} sides", kind)
    elif sides > 2 and kind in DUELS:
        yield Mistake(at, f"round_robin or gauntlet for {name}, which has {sides} sides and not 2", kind)


def _check_used(form: Format) -> Iterator[Mistake]:
    """Keys that the type would ignore."""
    default = Format()
    for key, kinds in USED_BY.items():
        value = getattr(form, key)
        if form.type not in kinds and value != getattr(default, key):
            yield Mistake(("format", key), f"nothing, since a {form.type} has no use for it", format_value(value))


def _check_ladder(form: Format, tables: int) -> Iterator[Mistake]:
    if form.max_matches is None:
        return
    challenge = tables * form.pairs * (2 if form.swap_seats else 1)
    if form.max_matches < challenge:
        expected = f"at least {challenge}, the matches of one challenge"
        yield Mistake(("format", "max_matches"), expected, str(form.max_matches))
    if form.rounds != Format().rounds:
        yield Mistake(("format", "rounds"), "nothing beside max_matches", str(form.rounds))


def _check_challengers(config: Tournament) -> Iterator[Mistake]:
    at: KeyPath = ("format", "challengers")
    challengers = config.format.challengers
    names = [bot.name for bot in config.bots]
    if config.format.type != "gauntlet":
        if challengers:
            yield Mistake(at, f"no challengers in a {config.format.type}", ", ".join(challengers))
        return
    if not challengers:
        yield Mistake(at, "at least one bot's name in a gauntlet", "an empty list")
    for position, name in enumerate(challengers):
        if name not in names:
            yield Mistake((*at, position), nearest(name, names), repr(name))
    second = second_of_a_name(challengers)
    if second is not None:
        yield Mistake((*at, second), "each challenger once", f"a second {challengers[second]!r}")


def _check_enough_bots(config: Tournament, variant: str, sides: int) -> Iterator[Mistake]:
    bots, challengers = len(config.bots), len(config.format.challengers)
    if config.format.type == "gauntlet" and bots - challengers < sides - 1:
        expected = f"at least {sides - 1} besides the challengers for {variant}, which has {sides} sides"
        yield Mistake(("bots",), expected, str(bots - challengers))
    elif bots < sides:
        yield Mistake(("bots",), f"at least {sides} for {variant}, which has {sides} sides", str(bots))


def check_broker(broker: BrokerConfig) -> Iterator[Mistake]:
    """Mistakes in `broker`. Passwords never reach a message."""
    if broker.use == "external":
        if broker.url is None:
            yield Mistake(("broker", "url"), f"{URL_FORM}, since the broker is external", "nothing")
        elif not _is_broker_url(broker.url):
            yield Mistake(("broker", "url"), URL_FORM, repr(without_password(broker.url)))
        if broker.listen is not None:
            yield Mistake(("broker", "listen"), "nothing, since the broker is external", repr(broker.listen))
        return
    if broker.url is not None:
        yield Mistake(("broker", "url"), f"nothing, since `use` is {broker.use}", repr(without_password(broker.url)))
    if broker.listen is not None and not _is_host_and_port(broker.listen):
        yield Mistake(("broker", "listen"), "host:port", repr(broker.listen))


def without_password(url: str) -> str:
    """The url fit to be shown and stored."""
    return re.sub(r"^([^/@]*//[^/@]*?):.*@", r"\1@", url)


def _is_broker_url(url: str) -> bool:
    try:
        parse_address(url)
    except ConfigError:
        return False
    return True


def _is_host_and_port(text: str) -> bool:
    match = re.fullmatch(r"(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9_.\-*]+):([0-9]{1,5})", text)
    return match is not None and 0 < int(match[2]) < 65536
