"""The printed numbers of heroquest: figures, spells, cards, traps, furniture and equipment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Profile(NamedTuple):
    """The printed numbers of a hero or a monster; `move` is in squares for monsters, in movement dice for heroes."""

    move: int
    attack: int
    defend: int
    body: int
    mind: int


HEROES: Mapping[str, Profile] = {
    "barbarian": Profile(2, 3, 2, 8, 2),
    "dwarf": Profile(2, 2, 2, 7, 3),
    "elf": Profile(2, 2, 2, 6, 4),
    "wizard": Profile(2, 1, 2, 4, 6),
}
MONSTERS_US: Mapping[str, Profile] = {
    "goblin": Profile(10, 2, 1, 1, 1),
    "orc": Profile(8, 3, 2, 1, 2),
    "fimir": Profile(6, 3, 3, 2, 3),
    "skeleton": Profile(6, 2, 2, 1, 0),
    "zombie": Profile(5, 2, 3, 1, 0),
    "mummy": Profile(4, 3, 4, 2, 0),
    "chaos warrior": Profile(7, 4, 4, 3, 3),
    "gargoyle": Profile(6, 4, 5, 3, 4),
}
MONSTERS_EU: Mapping[str, Profile] = {
    **{kind: profile._replace(body=1) for kind, profile in MONSTERS_US.items()},
    "zombie": MONSTERS_US["zombie"]._replace(move=4, body=1),
    "chaos warrior": MONSTERS_US["chaos warrior"]._replace(move=6, attack=3, defend=4, body=1),
    "gargoyle": MONSTERS_US["gargoyle"]._replace(move=6, attack=4, defend=4, body=1),
}
MONSTERS: Mapping[str, Mapping[str, Profile]] = {"us": MONSTERS_US, "eu": MONSTERS_EU}
UNDEAD = ("skeleton", "zombie", "mummy")

SPELL_GROUPS: Mapping[str, tuple[str, ...]] = {
    "air": ("genie", "swift wind", "tempest"),
    "earth": ("heal body", "pass through rock", "rock skin"),
    "fire": ("ball of flame", "courage", "fire of wrath"),
    "water": ("sleep", "water of healing", "veil of mist"),
}
SPELLS: tuple[str, ...] = tuple(spell for group in SPELL_GROUPS.values() for spell in group)
HERO_SPELLS = (
    "swift wind", "heal body", "pass through rock", "rock skin", "courage", "water of healing", "veil of mist",
)  # fmt: skip
HEALING = 4  # body points that heal body and water of healing give back
GENIE_DICE = 5
COURAGE_DICE = 2

DECK: Mapping[str, int] = {
    "gem": 2,
    "coins": 2,
    "jewels 25": 2,
    "jewels 50": 2,
    "arrow": 2,
    "pit": 2,
    "wandering monster": 6,
    "heroic brew": 1,
    "defence potion": 1,
    "healing potion": 3,
    "strength potion": 1,
}
CARDS: tuple[str, ...] = tuple(DECK)
GOLD_CARDS: Mapping[str, int] = {"gem": 35, "coins": 15, "jewels 25": 25, "jewels 50": 50}
HAZARDS = ("arrow", "pit", "wandering monster")  # go back into the deck
POTIONS = ("heroic brew", "defence potion", "healing potion", "strength potion")
POTION_DICE = 2  # dice that a defence or strength potion adds once

TRAPS = ("pit", "block", "spear")
BLOCK_DICE = 3

FURNITURE: Mapping[str, tuple[int, int]] = {
    "tomb": (2, 3),
    "sorcerer's table": (3, 2),
    "table": (3, 2),
    "rack": (2, 3),
    "bookcase": (3, 1),
    "cupboard": (3, 1),
    "fireplace": (3, 1),
    "throne": (1, 1),
    "alchemist's bench": (3, 2),
    "weapons rack": (3, 1),
    "chest": (1, 1),
}
"""Width and height in squares; `turned` swaps them."""


class Item(NamedTuple):
    """The effects of a thing that heroes carry; attack dice of a weapon replace the hero's own if they are more."""

    attack: int = 0
    defend: int = 0
    is_diagonal: bool = False
    is_ranged: bool = False  # shoots, but not at adjacent squares
    is_two_handed: bool = False  # cannot be used with a shield
    is_heavy: bool = False  # leaves the hero one movement die
    for_wizard: bool = False


ITEMS: Mapping[str, Item] = {
    "tool kit": Item(for_wizard=True),
    "dagger": Item(attack=1, for_wizard=True),
    "staff": Item(attack=1, is_diagonal=True, is_two_handed=True, for_wizard=True),
    "crossbow": Item(attack=3, is_ranged=True),
    "shortsword": Item(attack=2),
    "broadsword": Item(attack=3),
    "longsword": Item(attack=3, is_diagonal=True),
    "battle axe": Item(attack=4, is_two_handed=True),
    "helmet": Item(defend=1),
    "shield": Item(defend=1),
    "chain mail": Item(defend=1),
    "plate mail": Item(defend=2, is_heavy=True),
}
