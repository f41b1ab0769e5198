"""The parameters of heroquest with help and bounds, and the typed value that the rules read."""

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
    "quest": Param("crypt", "each seed draws a dungeon like this quest, or a random one", choices=(*QUESTS, "random")),
    "fixed_deal": Param(default=False, help="every seed plays the quest itself, which bots may know by heart"),
    "map": Param("", "text of a quest file (see gridjoust.games.heroquest.quest_text), played instead of `quest`"),
    "board": Param("standard", "random quests: the printed board, or a random one", choices=("standard", "random")),
    "monster_budget": Param(24, "random quests: body points of all monsters together", 1, 200),
    "edition": Param("us", "edition of the printed game whose monsters are used", choices=tuple(MONSTERS)),
    "mode": Param("fog", "the dungeon is hidden, or all of it is revealed", choices=("fog", "open")),
    "visibility": Param("house", "rules of sight, targets and searches", choices=("house", "us", "eu")),
    "door_camping": Param(default=False, help="visibility house: shots and spells through doors are allowed"),
    "los": Param("exact", "line of sight", choices=ALGORITHMS),
    "rays": Param(DEFAULT_RAYS, "los circle: number of rays", 8, 3600),
    "mark_passed": Param(default=False, help="a line of sight also reveals the squares that it passes"),
    "search": Param(
        "sight", "corridor searches: squares in sight, or all connected revealed ones", choices=("sight", "reachable")
    ),
    "heroes": Param("barbarian dwarf elf wizard", "heroes in the order of the seats"),
    "elf_spells": Param("earth", "the elf's spell group; the wizard has the others", choices=tuple(SPELL_GROUPS)),
    "equipment": Param("", "equipment at the start: `barbarian: broadsword, shield; elf: tool kit`"),
    "max_game_rounds": Param(0, "game rounds after which Zargon has won; 0 = as the quest says", 0, MAX_ROUNDS),
    "idle_rounds": Param(
        10, "rounds of nothing but walks over known squares after which the heroes lose", 1, MAX_ROUNDS
    ),
    "spawn_rounds": Param(
        0, "every so many rounds a wandering monster comes out of the heroes' sight; 0 = never", 0, MAX_ROUNDS
    ),
}

METRICS: Mapping[str, Metric] = {
    "game_rounds": Metric("Game rounds played"),
    "body": Metric("Body points left"),
    "killed": Metric("Monsters killed"),
    "revealed": Metric("Squares that the hero saw first"),
    "gold": Metric("Gold found"),
    "steps": Metric("Squares walked"),
    "alive": Metric("Heroes alive; for one hero 1 or 0"),
    "monsters_left": Metric("Monsters left"),
}


@dataclass(frozen=True, slots=True)
class Rules:
    """The parameters that the turns need, typed."""

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
        """Return the numbers (attack dice, body points …) of a monster in this edition of the game."""
        return MONSTERS[self.edition][kind]


def make_rules(params: Mapping[str, ParamValue], *, hero_count: int) -> Rules:
    """Return the typed parameters; ValueError names one that makes no sense. 0 game rounds (the quest's) stay 0."""
    values: dict[str, Any] = {field.name: params[field.name] for field in fields(Rules)}
    names = tuple(str(params["heroes"]).split())
    if len(set(names)) < len(names) or not set(names) <= set(HEROES) or len(names) < hero_count:
        expected = f"at least {hero_count} different ones of {', '.join(HEROES)}"
        raise ValueError(f"heroes: expected {expected}, got {params['heroes']!r}")
    return Rules(**{**values, "heroes": names[:hero_count], "equipment": parse_equipment(str(params["equipment"]))})


def parse_equipment(text: str) -> dict[str, tuple[str, ...]]:
    """Parse `"dwarf: tool kit, helmet; elf: staff"` into items by hero; ValueError if a hero cannot use an item."""
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
    """Raise ValueError unless the hero may carry all these items together."""
    for item in items:
        if item not in ITEMS:
            raise ValueError(f"equipment: expected some of {', '.join(ITEMS)}, got {item!r}")
        if hero == "wizard" and not ITEMS[item].for_wizard:
            raise ValueError(f"equipment: expected something a wizard can use, got {item!r}")
    if len(set(items)) < len(items) or {"chain mail", "plate mail"} <= set(items):
        raise ValueError(f"equipment: expected each thing once and one mail at most, got {', '.join(items)}")
    if "shield" in items and any(ITEMS[item].is_two_handed for item in items):
        raise ValueError(f"equipment: expected no shield beside a two-handed weapon, got {', '.join(items)}")
