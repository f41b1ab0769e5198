"""The parameters of heroquest with help and bounds, and the typed value that the rules read. Deals no dungeon."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from gridjoust.games.api import Metric, Param, ParamValue
from gridjoust.games.heroquest.catalogue import HEROES, ITEMS, MONSTERS, SPELL_GROUPS, Profile
from gridjoust.games.heroquest.sight.tables import ALGORITHMS, DEFAULT_RAYS
from gridjoust.games.heroquest.state import MAX_ROUNDS

QUESTS = ("crypt", "watch_house", "vault", "the_trial")
MAX_HEROES = 4

PARAMS: Mapping[str, Param] = {
    "quest": Param("crypt", "a quest of the house, or random", choices=(*QUESTS, "random")),
    "map": Param("", "text of a quest file (see gridjoust.games.heroquest.quest_text), played instead of `quest`"),
    "board": Param("standard", "random quests: the printed board, or a random one", choices=("standard", "random")),
    "monster_budget": Param(24, "random quests: body points of all monsters together", 1, 200),
    "edition": Param("us", "whose monsters", choices=tuple(MONSTERS)),
    "mode": Param("fog", "hidden dungeon, or all of it revealed", choices=("fog", "open")),
    "visibility": Param("house", "rules of sight, targets and searches", choices=("house", "us", "eu")),
    "door_camping": Param(default=False, help="visibility house: shots and spells through doors are allowed"),
    "los": Param("exact", "line of sight", choices=ALGORITHMS),
    "rays": Param(DEFAULT_RAYS, "los circle: number of rays", 8, 3600),
    "mark_passed": Param(default=False, help="squares that a line of sight passes are revealed too"),
    "search": Param(
        "sight", "corridor searches: squares in sight, or all revealed ones around", choices=("sight", "reachable")
    ),
    "heroes": Param("barbarian dwarf elf wizard", "who plays, in seat order"),
    "elf_spells": Param("earth", "the elf's group; the wizard has the others", choices=tuple(SPELL_GROUPS)),
    "equipment": Param("", "what heroes bring: `barbarian: broadsword, shield; elf: tool kit`"),
    "max_game_rounds": Param(0, "game rounds after which Zargon has won; 0 = as the quest says", 0, MAX_ROUNDS),
    "idle_rounds": Param(
        10, "rounds of nothing but walking over known squares that lose the heroes the match", 1, MAX_ROUNDS
    ),
    "spawn_rounds": Param(
        0, "a wandering monster comes every so many rounds where no hero looks; 0 = never", 0, MAX_ROUNDS
    ),
}

METRICS: Mapping[str, Metric] = {
    "game_rounds": Metric("Game rounds played"),
    "body": Metric("Body points left"),
    "killed": Metric("Monsters killed"),
    "revealed": Metric("Squares seen first"),
    "gold": Metric("Gold found"),
    "steps": Metric("Squares walked"),
    "alive": Metric("Heroes alive; of one hero 1 or 0"),
    "monsters_left": Metric("Monsters left"),
}


@dataclass(frozen=True, slots=True)
class Rules:
    """The parameters that turns depend on."""

    edition: str
    mode: str
    visibility: str
    door_camping: bool
    los: str
    rays: int
    mark_passed: bool
    search: str
    max_game_rounds: int
    idle_rounds: int
    spawn_rounds: int
    heroes: tuple[str, ...]
    elf_spells: str
    equipment: Mapping[str, tuple[str, ...]]

    def profile(self, kind: str) -> Profile:
        """The numbers of a monster in this edition."""
        return MONSTERS[self.edition][kind]


def make_rules(params: Mapping[str, ParamValue], *, hero_count: int) -> Rules:
    """The typed parameters, 0 for rounds still 0; ValueError names one that makes no sense."""
    values: dict[str, Any] = {field.name: params[field.name] for field in fields(Rules)}
    names = tuple(str(params["heroes"]).split())
    if len(set(names)) < len(names) or not set(names) <= set(HEROES) or len(names) < hero_count:
        expected = f"at least {hero_count} different ones of {', '.join(HEROES)}"
        raise ValueError(f"heroes: expected {expected}, got {params['heroes']!r}")
    return Rules(**{**values, "heroes": names[:hero_count], "equipment": parse_equipment(str(params["equipment"]))})


def parse_equipment(text: str) -> dict[str, tuple[str, ...]]:
    """`"dwarf: tool kit, helmet; elf: staff"` -> items by hero; ValueError for what a hero cannot use."""
    found: dict[str, tuple[str, ...]] = {}
    for part in filter(str.strip, text.split(";")):
        name, colon, listed = part.partition(":")
        hero = name.strip()
        if not colon or hero not in HEROES or hero in found:
            raise ValueError(f"equipment: expected `hero: item, item; hero: item`, got {part.strip()!r}")
        found[hero] = tuple(item.strip() for item in listed.split(","))
        check_items(hero, found[hero])
    return found


def check_items(hero: str, items: tuple[str, ...]) -> None:
    """ValueError unless the hero may carry all of these together."""
    for item in items:
        if item not in ITEMS:
            raise ValueError(f"equipment: expected some of {', '.join(ITEMS)}, got {item!r}")
        if hero == "wizard" and not ITEMS[item].for_wizard:
            raise ValueError(f"equipment: expected something a wizard can use, got {item!r}")
    if len(set(items)) < len(items) or {"chain mail", "plate mail"} <= set(items):
        raise ValueError(f"equipment: expected each thing once and one mail at most, got {', '.join(items)}")
    if "shield" in items and any(ITEMS[item].is_two_handed for item in items):
        raise ValueError(f"equipment: expected no shield beside a two-handed weapon, got {', '.join(items)}")
