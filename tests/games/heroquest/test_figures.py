"""No square ever holds two figures, whatever legal actions are played: stairs and pits hold several heroes, no others.

Two thousand random matches, a twentieth of them in the default run: crowds in small open quests, teams of every size,
with traps, spells and monsters that come later.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from gridjoust.games.api import ParamValue, Turn
from gridjoust.games.heroquest import HeroQuest
from gridjoust.games.heroquest.situation import Situation
from gridjoust.games.heroquest.state import State
from tests.games.heroquest.scenes import scene

VARIANTS: tuple[dict[str, ParamValue], ...] = (
    {"quest": "crypt", "mode": "open", "spawn_rounds": 1},
    {"quest": "vault", "mode": "open", "visibility": "us"},
    {"quest": "vault", "spawn_rounds": 1},
    {"quest": "watch_house", "mode": "open", "edition": "eu", "visibility": "eu", "spawn_rounds": 1},
    {"quest": "random", "board": "random", "mode": "open", "monster_budget": 60},
    {"quest": "the_trial", "heroes": "wizard elf dwarf barbarian"},
)


def crowded(game: HeroQuest, state: State) -> dict[int, list[str]]:
    """Square -> the figures on it, where more stand there than may."""
    situation = Situation(game.rules, state)
    heroes = [(hero.cell, hero.kind) for hero in state.heroes if hero.body > 0]
    others = [(monster.cell, monster.kind) for monster in state.monsters if monster.body > 0]
    others += [(lurker.cell, lurker.kind) for lurker in state.lurkers]
    shared = situation.shared_cells()
    limited = Counter(cell for cell, _ in others) + Counter(cell for cell, _ in heroes if not shared >> cell & 1)
    mixed = {cell for cell, _ in heroes} & {cell for cell, _ in others}
    bad = {cell for cell, count in limited.items() if count > 1} | mixed
    return {cell: [kind for at, kind in (*heroes, *others) if at == cell] for cell in sorted(bad)}


def crowds_of_matches(numbers: range) -> Iterator[tuple[int, int, dict[int, list[str]]]]:
    """The number of the match and the turn of every crowded state."""
    for number in numbers:
        params = VARIANTS[number % len(VARIANTS)]
        game = HeroQuest({**params, "max_game_rounds": 2}, seats=2 + number // len(VARIANTS) % 4)
        state, rng = game.initial_state(number), random.Random(number)
        while not game.is_terminal(state):
            seat = state.seat
            state = game.apply(state, Turn({seat: rng.choice(game.legal_actions(state, seat))}, state.turn + 1))
            if found := crowded(game, state):
                yield number, state.turn, found


@pytest.mark.gate
@pytest.mark.parametrize("numbers", [range(100), range(100, 2_000)])
def test_no_two_figures_stand_on_one_square(numbers: range) -> None:
    assert list(crowds_of_matches(numbers)) == []


def test_crowds_are_seen() -> None:
    alone = scene(heroes=2)
    assert crowded(alone.game, alone.state) == {}
    assert crowded(alone.game, alone.at(1, 1).at(1, 1, seat=1).state) == {}  # stairs
    both = alone.at(3, 3).at(3, 3, seat=1)
    assert crowded(both.game, both.state) == {both.cell(3, 3): ["barbarian", "dwarf"]}
    met = alone.at(8, 3)
    assert crowded(met.game, met.state) == {met.cell(8, 3): ["barbarian", "gargoyle"]}
    orcs = alone.with_monster("orc", 5, 0).with_monster("goblin", 5, 0)
    assert crowded(orcs.game, orcs.state) == {orcs.cell(5, 0): ["orc", "goblin"]}
