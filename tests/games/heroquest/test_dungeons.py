"""Every seed's own dungeon: as many things as the quest has, in other places, and it can be won."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from functools import cache

import pytest

from gridjoust.games.bitset import members
from gridjoust.games.heroquest import HeroQuest
from gridjoust.games.heroquest.dungeons import MAX_GAP, model_of
from gridjoust.games.heroquest.maps import walking_distances
from gridjoust.games.heroquest.params import QUESTS
from gridjoust.games.heroquest.quest_text import checked
from gridjoust.games.heroquest.rules import load_quest
from gridjoust.games.heroquest.state import Dungeon
from tests.games.heroquest.scenes import free_squares


@cache
def drawn(name: str, edition: str) -> tuple[Dungeon, ...]:
    """Return the dungeons of a hundred seeds, which several tests look at."""
    return first_seeds(name, 100, edition)


def first_seeds(name: str, seeds: int, edition: str = "us") -> tuple[Dungeon, ...]:
    game = HeroQuest({"quest": name, "edition": edition})
    return tuple(game.initial_state(seed).dungeon for seed in range(seeds))


def things(dungeon: Dungeon) -> list[object]:
    """What stays: everything but places."""
    return [
        dungeon.board.regions, dungeon.goal, dungeon.wandering, dungeon.rounds,
        len(dungeon.starts), len(dungeon.doors), len(dungeon.secret_doors),
        len(dungeon.board.blocked), dungeon.dark.bit_count(),
        Counter((piece.kind, len(piece.cells)) for piece in dungeon.furniture),
        Counter(chest.gold for chest in dungeon.chests),
        Counter(trap.kind for trap in dungeon.traps),
        Counter((monster.kind, monster.bonus) for monster in dungeon.monsters),
    ]  # fmt: skip


def rooms_of(dungeon: Dungeon, cells: Iterable[int]) -> set[int]:
    return {dungeon.board.regions[cell] for cell in cells}


@pytest.mark.gate
@pytest.mark.parametrize("edition", ["us", "eu"])
@pytest.mark.parametrize("name", QUESTS)
def test_a_hundred_seeds_have_a_hundred_dungeons_with_the_things_of_the_quest(name: str, edition: str) -> None:
    dungeons, quest = drawn(name, edition), load_quest(name, edition)
    assert len({dungeon.code for dungeon in dungeons} - {quest.code}) == 100
    assert all(things(checked(dungeon)) == things(quest) for dungeon in dungeons)
    assert len({dungeon.starts for dungeon in dungeons}) > 10


@pytest.mark.default("watch_house", "vault")
@pytest.mark.parametrize("name", QUESTS)
def test_a_drawn_dungeon_can_be_won_even_if_all_blocks_fall(name: str) -> None:
    for dungeon in drawn(name, "us"):
        fallen = [trap.cell for trap in dungeon.traps if trap.kind == "block"]
        reached = free_squares(dungeon, fallen=fallen)
        assert {*dungeon.starts, *(monster.cell for monster in dungeon.monsters)} - {*fallen} <= reached
        assert rooms_of(dungeon, (chest.cell for chest in dungeon.chests)) <= rooms_of(dungeon, reached)


@pytest.mark.parametrize("name", QUESTS)
def test_the_walk_of_a_drawn_dungeon_is_about_as_long_as_the_quests(name: str) -> None:
    wanted = model_of(load_quest(name, "us"))
    for found in map(model_of, drawn(name, "us")):
        assert abs(found.walk - wanted.walk) <= MAX_GAP * wanted.walk
        assert found.room_count == wanted.room_count


def test_every_vault_has_a_chest_behind_a_secret_door() -> None:
    for dungeon in drawn("vault", "us"):
        reached = rooms_of(dungeon, walking_distances(dungeon.board, dungeon.doors, dungeon.starts[0]))
        assert rooms_of(dungeon, (chest.cell for chest in dungeon.chests)) - reached


@pytest.mark.gate
def test_a_trap_can_be_on_any_square_off_the_stairs() -> None:
    dungeons = first_seeds("vault", 400)
    (regions,) = {dungeon.board.regions for dungeon in dungeons}
    assert {trap.cell for dungeon in dungeons for trap in dungeon.traps} == set(range(len(regions)))
    assert not any(trap.cell in dungeon.starts for dungeon in dungeons for trap in dungeon.traps)


def test_the_dark_squares_are_in_the_corridor() -> None:
    for dungeon in first_seeds("vault", 20):
        assert rooms_of(dungeon, members(dungeon.dark)) == {0}


@pytest.mark.parametrize("name", QUESTS)
def test_a_fixed_deal_is_the_quest_itself_for_every_seed(name: str) -> None:
    game = HeroQuest({"quest": name, "fixed_deal": True})
    assert {game.initial_state(seed).dungeon for seed in range(3)} == {load_quest(name, "us")}


def test_random_quests_have_no_fixed_deal() -> None:
    with pytest.raises(ValueError, match="fixed_deal: expected false for random quests, got true"):
        HeroQuest({"quest": "random", "fixed_deal": True})


def test_heroes_are_told_neither_name_nor_text_of_the_quest() -> None:
    for name in ("vault", "watch_house"):
        game = HeroQuest({"quest": name})
        assert name not in json.dumps(game.briefing(game.initial_state(1), 0))
    assert HeroQuest({"quest": "vault", "mode": "open"}).public_params["quest"] == "vault"
