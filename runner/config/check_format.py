"""Finds mistakes in a tournament's format, stop rule, execution and broker."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import assert_never

from gridjoust.runner.config.document import KeyPath
from gridjoust.runner.config.formats import (
    MOST_AT_ONCE,
    Better,
    Format,
    Gauntlet,
    Ladder,
    Resolved,
    RoundRobin,
    Sprt,
    Stages,
    tag_of,
)
from gridjoust.runner.config.mistakes import Mistake, nearest, repeated
from gridjoust.runner.config.programs import programs_of
from gridjoust.runner.config.values import BrokerConfig, Tournament
from gridjoust.runner.config.variants import Variant
from gridjoust.runner.statistics.sequential import most_elo
from gridjoust.runner.wire.bus.address import parse_address
from gridjoust.runner.wire.errors import ConfigError

_PLACE = re.compile(r".+:[0-9]{1,5}")
URL_FORM = "mqtt://host:port or mqtts://user:password@host:port"


def check_format(config: Tournament, variants: Sequence[Variant], unused: Sequence[str]) -> Iterator[Mistake]:
    """Yield the mistakes in `format`, and the games and bots that it cannot pair.

    `unused`: keys that the file sets and this kind of format does not use.
    """
    form = config.format
    if isinstance(form, Gauntlet) and (mistakes := [*_check_challengers(form, [bot.name for bot in config.bots])]):
        yield from mistakes
        return
    for key in unused:
        yield _unused(("format", key), f"not used with `type: {form.type}`")
    for variant in variants:
        yield from _check_sides(form, variant.name, len(variant.sides), len(config.bots))
    if isinstance(form, Stages):
        yield from _check_stages(form, len(config.bots))
    if isinstance(form, Ladder) and form.max_matches is not None:
        challenge = len(variants) * form.pairs * (2 if form.swap_seats else 1)
        if form.max_matches < challenge:
            expected = f"at least {challenge}, the matches of one challenge"
            yield Mistake(("format", "max_matches"), expected, str(form.max_matches))
        if form.rounds != Ladder().rounds:
            yield _unused(("format", "rounds"), "not used with `max_matches`")


def _unused(at: KeyPath, fact: str) -> Mistake:
    """Return the mistake of setting a key that has no effect; `fact` says when it is used."""
    return Mistake(at, "", "", fact=f"{fact}: remove it")


def _check_stages(form: Stages, bots: int) -> Iterator[Mistake]:
    """Yield a mistake if a group has fewer than two bots or than go on, or if the final has fewer than two."""
    smallest = bots // form.groups
    if smallest < 2:
        yield Mistake(("format", "groups"), f"at most {bots // 2}, as each group needs two bots", str(form.groups))
    elif form.advance > smallest:
        yield Mistake(("format", "advance"), f"at most {smallest}, the bots of the smallest group", str(form.advance))
    elif form.groups * form.advance < 2:
        yield Mistake(("format", "advance"), "at least 2 bots in the final", "1")


def _check_sides(form: Format, name: str, sides: int, bots: int) -> Iterator[Mistake]:
    at: KeyPath = ("format", "type")
    if sides < form.least_sides:
        yield Mistake(at, f"round_robin or solo for {name}, where one bot holds every seat", form.type)
    elif form.most_sides is not None and sides > form.most_sides:
        not_so_many = f" and not {form.most_sides}" if form.most_sides > 1 else ""
        yield Mistake(at, f"round_robin or gauntlet for {name}, which has {sides} sides{not_so_many}", form.type)
    rivals = bots - len(form.challengers) if isinstance(form, Gauntlet) else bots
    if isinstance(form, Gauntlet) and rivals < sides - 1:
        expected = f"at least {sides - 1} besides the challengers for {name}, which has {sides} sides"
        yield Mistake(("bots",), expected, str(rivals))
    elif bots < sides:
        yield Mistake(("bots",), f"at least {sides} for {name}, which has {sides} sides", str(bots))


def _check_challengers(form: Gauntlet, names: Sequence[str]) -> Iterator[Mistake]:
    at: KeyPath = ("format", "challengers")
    if not form.challengers:
        yield Mistake(at, "at least one bot's name in a gauntlet", "an empty list")
    for position, name in enumerate(form.challengers):
        if name not in names:
            yield Mistake((*at, position), nearest(name, names), repr(name))
    yield from repeated(form.challengers, at, "each challenger once")


def check_stop(config: Tournament, variants: Sequence[Variant], unused: Sequence[str]) -> Iterator[Mistake]:
    """Yield the mistakes in `stop`, and the formats, games and bots that it does not fit.

    `unused`: keys that the file sets and this kind of stop rule does not use.
    """
    stop, form, bots = config.stop, config.format, len(config.bots)
    if stop is None:
        return
    if not isinstance(form, RoundRobin | Gauntlet):
        yield _unused(("stop",), f"used only in a round_robin or gauntlet, not in a {form.type}")
        return
    for variant in variants:
        if len(variant.sides) != 2:
            sides = f"{len(variant.sides)} side{'s' if len(variant.sides) > 1 else ''}"
            yield _unused(("stop",), f"used only in games with 2 sides, and {variant.name} has {sides}")
    tag_field, tag = tag_of(type(stop))
    for key in unused:
        yield _unused(("stop", key), f"not used with `{tag_field}: {tag}`")
    match stop:
        case Sprt():
            yield from _check_sprt(stop, bots, is_paired=form.swap_seats)
        case Resolved():
            yield from _check_resolved(stop, form, bots)
        case Better():
            yield from _check_better(stop, form, bots)
        case _:
            assert_never(stop)
    # the rounds that are played before the first decision must fit
    meetings = 1 if isinstance(stop, Better) else form.count_groups(bots, 2)
    least = form.rounds * meetings * len(variants) * (2 if form.swap_seats else 1)
    if least > MOST_AT_ONCE:
        expected = f"rounds of at most {MOST_AT_ONCE} matches before the stop rule first decides"
        yield Mistake(("format", "rounds"), expected, str(least))
    elif stop.max_matches < least:
        rounds = "the first round has" if form.rounds == 1 else f"the first {form.rounds} rounds have"
        yield Mistake(("stop", "max_matches"), f"at least {least}: {rounds} that many", str(stop.max_matches))


def _check_resolved(stop: Resolved, form: RoundRobin | Gauntlet, bots: int) -> Iterator[Mistake]:
    if not 0.5 < stop.confidence < 1:
        yield Mistake(("stop", "confidence"), "a number above 0.5 and below 1", f"{stop.confidence:g}")
    if not 0 <= stop.indifference < 0.5:
        yield Mistake(("stop", "indifference"), "a number from 0 to below 0.5", f"{stop.indifference:g}")
    at: KeyPath = ("bots",)
    ranked, whom = bots, "bots"
    if isinstance(form, Gauntlet):
        at = ("format", "challengers")
        ranked, whom = len(form.challengers), "challengers"
    if ranked < 2:
        yield Mistake(at, "at least 2 to compare, since there is a stop rule", str(ranked))
    if stop.goal == "winner" and stop.top is not None:
        yield _unused(("stop", "top"), "not used with `goal: winner`")
    elif stop.goal == "top" and stop.top is None:
        yield Mistake(("stop", "top"), "a whole number of at least 1, since the goal is top", "nothing")
    elif stop.top is not None and stop.top >= ranked:
        yield Mistake(("stop", "top"), f"a whole number below {ranked}, the number of {whom}", str(stop.top))
    if isinstance(form, Gauntlet) and stop.adaptive == "race":
        yield Mistake(("stop", "adaptive"), "none or safe in a gauntlet, where challengers do not meet", "race")


def _check_sprt(stop: Sprt, bots: int, *, is_paired: bool) -> Iterator[Mistake]:
    if bots != 2:
        yield Mistake(("bots",), "2, since sprt compares two bots", str(bots))
    limit = most_elo(is_paired=is_paired)
    for key, elo in (("elo0", stop.elo0), ("elo1", stop.elo1)):
        if abs(elo) > limit:
            yield Mistake(("stop", key), f"at most {limit}" if elo > 0 else f"at least {-limit}", f"{elo:g}")
    if not stop.elo0 < stop.elo1:
        yield Mistake(("stop", "elo1"), f"a number above elo0, which is {stop.elo0:g}", f"{stop.elo1:g}")
    for key, rate in (("alpha", stop.alpha), ("beta", stop.beta)):
        if not 0 < rate < 0.5:
            yield Mistake(("stop", key), "a number above 0 and below 0.5", f"{rate:g}")


def _check_better(stop: Better, form: RoundRobin | Gauntlet, bots: int) -> Iterator[Mistake]:
    if bots < 2:
        yield Mistake(("bots",), "at least 2 versions, oldest first", str(bots))
    if isinstance(form, Gauntlet):
        yield Mistake(("format", "type"), "round_robin, since versions are tested in the order of the file", form.type)
    if not 0 < stop.error < 0.5:
        yield Mistake(("stop", "error"), "a number above 0 and below 0.5", f"{stop.error:g}")


def check_execution(config: Tournament) -> Iterator[Mistake]:
    """Yield the mistakes in `execution`, and the bots and options that do not fit where matches are played."""
    execution, at = config.execution, "execution"
    for key, where in (("address", "dask"), ("workers", "dask"), ("listen", "workers")):
        if getattr(execution, key) is not None and execution.where != where:
            yield _unused((at, key), f"used only with `where: {where}`")
    if execution.address is not None and execution.workers is not None:
        yield _unused((at, "workers"), "not used with `address`, as that cluster has workers")
    if execution.listen is not None and _PLACE.fullmatch(execution.listen) is None:
        yield Mistake((at, "listen"), "host:port", repr(execution.listen))
    if execution.where == "local":
        return
    if any(program.remote for bot in config.bots for program in programs_of(bot).values()):
        yield Mistake((at, "where"), "local, as remote bots connect to this machine", execution.where)
    if config.broker.use == "external":
        yield Mistake(("broker", "use"), f"auto, mosquitto or embedded with where: {execution.where}", "external")
    if execution.views:
        yield Mistake((at, "views"), "false, as matches on workers cannot be watched", "true")


def check_broker(broker: BrokerConfig) -> Iterator[Mistake]:
    """Yield the mistakes in `broker`; passwords never reach a message."""
    if broker.use == "external":
        if broker.url is None:
            yield Mistake(("broker", "url"), f"{URL_FORM}, since the broker is external", "nothing")
        elif not _is_broker_url(broker.url):
            yield Mistake(("broker", "url"), URL_FORM, repr(without_password(broker.url)))
        for key in ("listen", "advertise"):
            if getattr(broker, key) is not None:
                yield _unused(("broker", key), "not used with `use: external`")
        return
    if broker.url is not None:
        yield _unused(("broker", "url"), "used only with `use: external`")
    if broker.listen is not None and not _is_place(broker.listen):
        yield Mistake(("broker", "listen"), "host:port", repr(broker.listen))
    if broker.advertise is not None and not _is_place(broker.advertise, needs_port=False):
        yield Mistake(("broker", "advertise"), "host or host:port", repr(broker.advertise))


def _is_place(text: str, *, needs_port: bool = True) -> bool:
    match = re.fullmatch(r"(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9_.\-*]+)(?::([0-9]{1,5}))?", text)
    return match is not None and (not needs_port if match[1] is None else 0 < int(match[1]) < 65536)


def without_password(url: str) -> str:
    """Return the URL without its password, to be shown and stored."""
    return re.sub(r"^([^/@]*//[^/@]*?):.*@", r"\1@", url)


def _is_broker_url(url: str) -> bool:
    try:
        parse_address(url)
    except ConfigError:
        return False
    return True
