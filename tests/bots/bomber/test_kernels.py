"""The compiled blast and reach maps against the list code: the same maps, in the same order."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridjoust.bots.bomber import maps
from gridjoust.bots.bomber.prospects import _leads_out, pressures
from gridjoust.bots.bomber.schedule import Schedule, blast_schedule
from gridjoust.bots.bomber.situation import Situation
from gridjoust.bots.planners.budget import Budget
from gridjoust.games.api import ParamValue
from gridjoust.games.bomber import Bomber
from gridjoust.games.bomber.state import FREE, METAL, ORE, SOFT, Bomb, Fire
from tests.bots.planners.both import by_both, needs_kernels

BLOCKS = (FREE, FREE, FREE, FREE, METAL, SOFT | 1, ORE | 1, ORE | 3)


@st.composite
def situations(draw: st.DrawFn) -> tuple[Situation, random.Random]:
    """Boards of any shape with bombs and fires anywhere, several fires in a cell and several bombs due at once."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    width, height = draw(st.integers(4, 9)), draw(st.integers(4, 9))
    params: dict[str, ParamValue] = dict.fromkeys(("metal", "soft", "ore", "free_ammo"), 0)
    params |= {"width": width, "height": height, "blast_radius": rng.choice([0, 1, 2, 9])}
    game = Bomber({**params, "chain": rng.choice(["instant", "delayed"])})
    cells = range(width * height)
    state = game.initial_state(0)._replace(
        blocks=bytes(rng.choices(BLOCKS, k=len(cells))),
        bombs=tuple(Bomb(rng.choice(cells), 0, rng.randint(0, 6)) for _ in range(rng.randint(0, 6))),
        fires=tuple(Fire(rng.choice(cells), 0) for _ in range(rng.choice([0, 0, 3, 9]))),
        tick=rng.randint(0, 3),
    )
    return Situation(game.rules, state, 0), rng


def in_order(schedule: Schedule) -> list[Any]:
    """All of it, with the order of its cells."""
    burning = [(offset, list(fires.items())) for offset, fires in schedule.burning.items()]
    return [burning, list(schedule.opens.items()), list(schedule.last_burning.items())]


@pytest.mark.gate
@needs_kernels
@given(situations())
def test_it_burns_where_and_when_the_list_code_says(given_situation: tuple[Situation, random.Random]) -> None:
    now, rng = given_situation
    extra = [Bomb(rng.randrange(len(now.state.blocks)), 0, rng.randint(0, 6)) for _ in range(rng.randint(0, 2))]
    plain, fast = by_both(partial(blast_schedule, now, extra))
    assert in_order(fast) == in_order(plain)
    plain_counts, counts = by_both(lambda: now.blast_counts([*now.bomb_cells, *(bomb.cell for bomb in extra)]))
    assert list(counts.items()) == list(plain_counts.items())


@needs_kernels
@given(situations())
def test_feet_lead_where_the_list_code_says(given_situation: tuple[Situation, random.Random]) -> None:
    now, rng = given_situation
    cells = range(len(now.state.blocks))
    start, dangers = rng.choice(cells), set(rng.sample(cells, rng.randint(0, len(cells))))
    for call in (
        lambda now: maps.flood(now.rules, start, now.standing, now.work),
        lambda now: _leads_out(now, start, dangers),
        lambda now: pressures(now, start),
    ):
        plain, fast = by_both(partial(counted, call, now))
        assert fast == plain


def counted(call: Callable[[Situation], Any], now: Situation) -> tuple[Any, int]:
    """What it makes of the situation, and the successors that it counts."""
    work = Budget()
    return call(replace(now, work=work)), work.tactics
