"""Mistakes in when to stop. Knows the format and the number of bots and games; estimates nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from runner.config.document import KeyPath
from runner.config.formats import Gauntlet, Resolved, RoundRobin, Sprt, StopRule
from runner.config.mistakes import Mistake, format_value
from runner.config.section import tag_of
from runner.config.values import Tournament
from runner.config.variants import Variant


def check_stop(config: Tournament, variants: Sequence[Variant], unused: Mapping[str, object]) -> Iterator[Mistake]:
    """Mistakes in `stop`, and formats, games or bots that it does not fit. `unused`: keys that it has no use for."""
    stop, form = config.stop, config.format
    if stop is None:
        return
    if not isinstance(form, RoundRobin | Gauntlet):
        yield Mistake(("stop",), f"nothing in a {form.type}: it fits round_robin and gauntlet", "a stop rule")
        return
    for variant in variants:
        if len(variant.sides) != 2:
            sides = f"{len(variant.sides)} side{'s' if len(variant.sides) > 1 else ''}"
            yield Mistake(("stop",), f"nothing with {variant.name}, which has {sides} and not 2", "a stop rule")
    tag_field, tag = tag_of(type(stop))
    for key, value in unused.items():
        yield Mistake(("stop", key), f"nothing, since `{tag_field}` is {tag}", format_value(value))
    match stop:
        case Sprt():
            yield from _check_sprt(stop, len(config.bots))
        case Resolved():
            yield from _check_resolved(stop)
            yield from _check_goal(stop, form, len(config.bots))
        case _:
            assert_never(stop)
    yield from _check_cap(stop, form, len(config.bots), len(variants))


def _check_resolved(stop: Resolved) -> Iterator[Mistake]:
    if not 0.5 < stop.confidence < 1:
        yield Mistake(("stop", "confidence"), "a number above 0.5 and below 1", f"{stop.confidence:g}")
    if not 0 <= stop.indifference < 0.5:
        yield Mistake(("stop", "indifference"), "a number from 0 to below 0.5", f"{stop.indifference:g}")


def _check_goal(stop: Resolved, form: RoundRobin | Gauntlet, bots: int) -> Iterator[Mistake]:
    is_gauntlet = isinstance(form, Gauntlet)
    ranked = len(form.challengers) if isinstance(form, Gauntlet) else bots
    whom = "challengers" if is_gauntlet else "bots"
    if ranked < 2:
        at: KeyPath = ("format", "challengers") if is_gauntlet else ("bots",)
        yield Mistake(at, "at least 2 to tell apart, since there is a stop rule", str(ranked))
    if stop.goal == "winner" and stop.top is not None:
        yield Mistake(("stop", "top"), "nothing, since the goal is winner", str(stop.top))
    elif stop.goal == "top" and stop.top is None:
        yield Mistake(("stop", "top"), "a whole number of at least 1, since the goal is top", "nothing")
    elif stop.top is not None and stop.top >= ranked:
        yield Mistake(("stop", "top"), f"a whole number below {ranked}, the number of {whom}", str(stop.top))
    if is_gauntlet and stop.adaptive == "race":
        yield Mistake(("stop", "adaptive"), "none or safe in a gauntlet, where challengers do not meet", "race")


def _check_sprt(stop: Sprt, bots: int) -> Iterator[Mistake]:
    if bots != 2:
        yield Mistake(("bots",), "2, since sprt compares two bots", str(bots))
    if not stop.elo0 < stop.elo1:
        yield Mistake(("stop", "elo1"), f"a number above elo0, which is {stop.elo0:g}", f"{stop.elo1:g}")
    for key, rate in (("alpha", stop.alpha), ("beta", stop.beta)):
        if not 0 < rate < 0.5:
            yield Mistake(("stop", key), "a number above 0 and below 0.5", f"{rate:g}")


def _check_cap(stop: StopRule, form: RoundRobin | Gauntlet, bots: int, variants: int) -> Iterator[Mistake]:
    """The rounds before the rule is asked must fit."""
    least = form.rounds * form.count_groups(bots, 2) * variants * (2 if form.swap_seats else 1)
    if stop.max_matches < least:
        rounds = "the first round has" if form.rounds == 1 else f"the first {form.rounds} rounds have"
        yield Mistake(("stop", "max_matches"), f"at least {least}: {rounds} so many", str(stop.max_matches))
