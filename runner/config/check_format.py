"""Mistakes in who meets whom and over which broker. Opens no connection."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from runner.config.check_games import second_of_a_name
from runner.config.document import KeyPath
from runner.config.formats import Format, Gauntlet, Ladder
from runner.config.mistakes import Mistake, format_value, nearest
from runner.config.values import BrokerConfig, Tournament
from runner.config.variants import Variant
from runner.wire.bus.address import parse_address
from runner.wire.errors import ConfigError

URL_FORM = "mqtt://host:port or mqtts://user:password@host:port"


def check_format(config: Tournament, variants: Sequence[Variant], unused: Mapping[str, object]) -> Iterator[Mistake]:
    """Mistakes in `format`, and games or bots that it cannot pair. `unused`: keys that it has no use for."""
    form = config.format
    if isinstance(form, Gauntlet):
        yield from _check_challengers(form, [bot.name for bot in config.bots])
    for key, value in unused.items():
        if isinstance(value, tuple):
            yield Mistake(("format", key), f"no {key} in a {form.type}", ", ".join(value))
        else:
            yield Mistake(("format", key), f"nothing, since a {form.type} has no use for it", format_value(value))
    for variant in variants:
        yield from _check_sides(form, variant.name, len(variant.sides))
        yield from _check_enough_bots(form, len(config.bots), variant)
    if isinstance(form, Ladder) and form.max_matches is not None:
        yield from _check_length(form, form.max_matches, len(variants))


def _check_sides(form: Format, name: str, sides: int) -> Iterator[Mistake]:
    at: KeyPath = ("format", "type")
    if sides < form.least_sides:
        yield Mistake(at, f"round_robin or solo for {name}, where one bot holds every seat", form.type)
    elif form.most_sides is not None and sides > form.most_sides:
        not_so_many = f" and not {form.most_sides}" if form.most_sides > 1 else ""
        yield Mistake(at, f"round_robin or gauntlet for {name}, which has {sides} sides{not_so_many}", form.type)


def _check_length(form: Ladder, max_matches: int, variants: int) -> Iterator[Mistake]:
    challenge = variants * form.pairs * (2 if form.swap_seats else 1)
    if max_matches < challenge:
        expected = f"at least {challenge}, the matches of one challenge"
        yield Mistake(("format", "max_matches"), expected, str(max_matches))
    if form.rounds != Ladder().rounds:
        yield Mistake(("format", "rounds"), "nothing beside max_matches", str(form.rounds))


def _check_challengers(form: Gauntlet, names: Sequence[str]) -> Iterator[Mistake]:
    at: KeyPath = ("format", "challengers")
    if not form.challengers:
        yield Mistake(at, "at least one bot's name in a gauntlet", "an empty list")
    for position, name in enumerate(form.challengers):
        if name not in names:
            yield Mistake((*at, position), nearest(name, names), repr(name))
    second = second_of_a_name(form.challengers)
    if second is not None:
        yield Mistake((*at, second), "each challenger once", f"a second {form.challengers[second]!r}")


def _check_enough_bots(form: Format, bots: int, variant: Variant) -> Iterator[Mistake]:
    name, sides = variant.name, len(variant.sides)
    rivals = bots - len(form.challengers) if isinstance(form, Gauntlet) else bots
    if isinstance(form, Gauntlet) and rivals < sides - 1:
        expected = f"at least {sides - 1} besides the challengers for {name}, which has {sides} sides"
        yield Mistake(("bots",), expected, str(rivals))
    elif bots < sides:
        yield Mistake(("bots",), f"at least {sides} for {name}, which has {sides} sides", str(bots))


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
