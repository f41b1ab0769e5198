"""Quest files: The Trial as published, the small quests, the parser, random quests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
import yaml

from gridjoust.games.chance import rng_for
from gridjoust.games.heroquest import HeroQuest
from gridjoust.games.heroquest.catalogue import DECK, MONSTERS_EU, MONSTERS_US
from gridjoust.games.heroquest.maps import draw_quest, walking_distances
from gridjoust.games.heroquest.params import QUESTS, parse_equipment
from gridjoust.games.heroquest.quest_text import KEYS, format_quest, parse_document, parse_quest
from gridjoust.games.heroquest.rules import load_quest, quest_text
from tests.games.heroquest.scenes import free_squares, quest

TRIAL = parse_quest(quest_text("the_trial"))


def test_270_squares_of_the_trial_are_reached_from_the_stairs_by_published_ways() -> None:
    board = TRIAL.board
    reached = walking_distances(board, TRIAL.doors, board.number((2, 15)))
    rooms = [cell for cell in reached if board.regions[cell] > 0]
    assert (len(reached), len(rooms), len(reached) - len(rooms)) == (270, 196, 74)
    assert [reached[board.number(square)] for square in ((12, 8), (10, 16))] == [31, 15]


def test_monsters_of_the_trial_by_edition() -> None:
    us = Counter(monster.kind for monster in TRIAL.monsters)
    eu = Counter(monster.kind for monster in parse_quest(quest_text("the_trial"), edition="eu").monsters)
    undead = {"skeleton": 4, "zombie": 2, "mummy": 2}
    assert us == {**undead, "goblin": 5, "orc": 6, "fimir": 1, "chaos warrior": 3, "gargoyle": 1}
    assert eu == {**undead, "goblin": 6, "orc": 4, "fimir": 3, "chaos warrior": 4, "gargoyle": 1}


@pytest.mark.parametrize("edition", ["us", "eu"])
def test_the_guardian_mummy_of_the_trial_has_one_attack_die_more(edition: str) -> None:
    trial = parse_quest(quest_text("the_trial"), edition=edition)
    extras = {trial.board.square(monster.cell): monster.bonus for monster in trial.monsters if monster.bonus}
    assert extras == {(6, 2): 1}
    assert MONSTERS_US["mummy"].attack + 1 == 4


def test_start_doors_chests_blocked_squares_and_furniture_of_the_trial_are_where_they_are_published() -> None:
    square = TRIAL.board.square
    assert [square(cell) for cell in TRIAL.starts] == [(1, 14), (2, 14), (1, 15), (2, 15)]
    assert len(TRIAL.doors) == 12
    assert [(square(chest.cell), chest.gold) for chest in TRIAL.chests] == [((10, 5), 84), ((11, 7), 120)]
    assert TRIAL.board.blocked == {(0, 1), (12, 5), (13, 5), (17, 9), (14, 18)}
    assert TRIAL.goal == ("gargoyle", False, True)
    places = [(piece.kind, TRIAL.board.square(piece.cells[0])) for piece in TRIAL.furniture]
    assert places == [
        ("tomb", (10, 1)), ("sorcerer's table", (1, 5)), ("table", (6, 5)), ("table", (11, 9)), ("fireplace", (12, 7)),
        ("throne", (10, 8)), ("rack", (3, 10)), ("bookcase", (5, 13)), ("cupboard", (15, 13)), ("cupboard", (15, 17)),
        ("alchemist's bench", (5, 15)), ("weapons rack", (11, 15)),
    ]  # fmt: skip


@pytest.mark.parametrize("edition", ["us", "eu"])
@pytest.mark.parametrize("name", QUESTS)
def test_heroes_can_get_beside_everything_that_a_quest_asks_for(name: str, edition: str) -> None:
    dungeon = parse_quest(quest_text(name), edition=edition)
    reached = free_squares(dungeon)
    wanted = [monster.cell for monster in dungeon.monsters] + list(dungeon.starts)
    assert all(cell in reached for cell in wanted)
    chest_rooms = {dungeon.board.regions[chest.cell] for chest in dungeon.chests}
    assert chest_rooms <= {dungeon.board.regions[cell] for cell in reached}


def test_the_vault_has_all_kinds_of_traps_and_a_chest_behind_secret_doors_only() -> None:
    vault = parse_quest(quest_text("vault"))
    assert {trap.kind for trap in vault.traps} == {"pit", "spear", "block"}
    assert (bool(vault.secret_doors), vault.goal.loot) == (True, True)
    reached = walking_distances(vault.board, vault.doors, vault.starts[0])
    regions = {vault.board.regions[cell] for cell in reached}
    assert any(vault.board.regions[chest.cell] not in regions for chest in vault.chests)


@pytest.mark.parametrize("name", QUESTS)
def test_quest_files_are_yaml(name: str) -> None:
    assert parse_document(quest_text(name)) == yaml.safe_load(quest_text(name))


def test_a_quest_says_how_many_rounds_it_gives_and_30_if_it_says_nothing() -> None:
    assert [parse_quest(quest(rounds=str(rounds))).rounds for rounds in (1, 500)] == [1, 500]
    assert parse_quest(quest()).rounds == 30


@pytest.mark.parametrize("name", ["crypt", "vault", "watch_house"])
def test_the_text_of_a_quest_with_a_deadline_names_it(name: str) -> None:
    assert f" within {parse_quest(quest_text(name)).rounds} rounds" in parse_document(quest_text(name))["text"]


def for_two_heroes(text: str) -> HeroQuest:
    return HeroQuest({"map": text}, seats=3)


REFUSED: list[tuple[Callable[[str], object], str, str]] = [
    (parse_document, "a: 1\na: 2\n", "line 2: expected each key once"),
    (parse_document, "  a: 1\n", "line 1: expected `key: value`"),
    (parse_document, "a: [1, 2\n", "line 1: expected a closing bracket"),
    (parse_document, "a: {b 1}\n", "line 1: expected ':' after"),
    (parse_document, "a:\n  1\n", "line 2: expected `- value`"),
    (parse_document, "a: [1] 2\n", "line 1: expected one value"),
    (parse_quest, quest(monsters="[[dragon, 8, 3]]"), "monsters: expected one of goblin"),
    (parse_quest, quest(monsters="[[gargoyle, 1, 1]]"), "expected a free square, got start|start on"),
    (parse_quest, quest(monsters="[[orc, 8, 3]]"), "goal: expected a gargoyle among the monsters"),
    (parse_quest, quest(doors="[[1, 1, 2, 1]]"), "doors: expected two squares with a wall between them"),
    (parse_quest, quest(furniture="[[table, 3, 1]]"), "furniture: expected a place within one room"),
    (parse_quest, quest(blocked="[[99, 1]]"), "blocked: square: expected one on a 10 x 5 board"),
    (parse_quest, quest(traps="[[pit, 4]]"), "traps: expected lists of 3 values"),
    (parse_quest, quest(goal="{loot: true}"), "goal: expected a chest to loot"),
    (parse_quest, quest(goal="{win: true}"), "goal: expected some of kill, loot, return"),
    (parse_quest, quest(rounds="0"), "^rounds: expected 1 to 500, got 0$"),
    (parse_quest, quest(rounds="501"), "^rounds: expected 1 to 500, got 501$"),
    (parse_quest, quest(rounds="soon"), "^rounds: expected a whole number, got 'soon'$"),
    (parse_quest, quest(dragons="[]"), "dragons: expected one of name"),
    (parse_quest, quest(doors="[[4, 2, 5, 2]]", furniture="[[throne, 5, 2]]"), "door at"),
    (for_two_heroes, "text: nothing\n", "map: name: expected in every quest"),
    (for_two_heroes, quest(start="[[1, 1]]"), "start: expected 2 squares, got 1"),
    (parse_equipment, "wizard: broadsword", "something a wizard can use"),
    (parse_equipment, "elf: shield, battle axe", "no shield beside a two-handed weapon"),
    (parse_equipment, "elf: wand", "some of tool kit"),
    (parse_equipment, "orc: dagger", "expected `hero: item"),
    (parse_equipment, "elf: chain mail, plate mail", "one mail at most"),
]


@pytest.mark.parametrize(("parse", "text", "expected"), REFUSED)
def test_impossible_files_quests_and_equipment_are_refused_with_what_was_expected_where(
    parse: Callable[[str], object], text: str, expected: str
) -> None:
    with pytest.raises(ValueError, match=expected):
        parse(text)


@pytest.mark.parametrize("is_random_board", [False, True])
def test_random_quests_use_up_the_budget_can_be_won_and_put_the_goal_farthest_away(is_random_board: bool) -> None:
    for seed in range(25):
        dungeon = draw_quest(is_random_board=is_random_board, budget=24, rng=rng_for(seed, 0, "test"))
        assert sum(MONSTERS_US[monster.kind].body for monster in dungeon.monsters) == 24, seed
        reached = free_squares(dungeon)
        assert {*dungeon.starts, *(monster.cell for monster in dungeon.monsters)} <= reached, seed
        regions, nearest = dungeon.board.regions, dict[int, int]()
        for cell, steps in walking_distances(dungeon.board, dungeon.doors, dungeon.starts[0]).items():
            nearest[regions[cell]] = min(steps, nearest.get(regions[cell], steps))
        (goal,) = [monster for monster in dungeon.monsters if monster.kind == dungeon.goal.kill]
        assert nearest[regions[goal.cell]] == max(nearest[room] for room in dungeon.layout.rooms), seed


def test_the_same_seed_draws_the_same_quest_and_another_another() -> None:
    game = HeroQuest({"quest": "random", "board": "random"})
    assert game.initial_state(5) == game.initial_state(5)
    assert game.initial_state(5).dungeon != game.initial_state(6).dungeon


def test_monsters_by_edition_and_the_24_cards_of_the_treasure_deck() -> None:
    assert {kind: tuple(profile) for kind, profile in MONSTERS_US.items()} == {
        "goblin": (10, 2, 1, 1, 1), "orc": (8, 3, 2, 1, 2), "fimir": (6, 3, 3, 2, 3), "skeleton": (6, 2, 2, 1, 0),
        "zombie": (5, 2, 3, 1, 0), "mummy": (4, 3, 4, 2, 0), "chaos warrior": (7, 4, 4, 3, 3),
        "gargoyle": (6, 4, 5, 3, 4),
    }  # fmt: skip
    assert {profile.body for profile in MONSTERS_EU.values()} == {1}
    assert MONSTERS_EU["zombie"].move == 4
    assert MONSTERS_EU["chaos warrior"][:3] == (6, 3, 4)
    assert MONSTERS_EU["gargoyle"][:3] == (6, 4, 4)
    assert MONSTERS_EU["orc"] == MONSTERS_US["orc"]
    assert (sum(DECK.values()), DECK["wandering monster"], DECK["healing potion"]) == (24, 6, 3)


@pytest.mark.parametrize("name", QUESTS)
def test_a_dungeon_is_written_as_a_quest_file_that_gives_the_same_dungeon(name: str) -> None:
    quest, like = load_quest(name, "us"), HeroQuest({"quest": name}).initial_state(3).dungeon
    assert parse_quest(format_quest(quest)) == quest
    assert parse_quest(format_quest(like), edition="eu") == like != quest
    assert set(yaml.safe_load(format_quest(like))) <= set(KEYS)
