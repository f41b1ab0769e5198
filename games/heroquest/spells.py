"""The twelve spells: at what they can be cast, and what they do. Deals none."""

from __future__ import annotations

from collections.abc import Iterator

from games.heroquest.actions import Cast
from games.heroquest.catalogue import GENIE_DICE, HEALING, HERO_SPELLS, HEROES, SPELL_GROUPS, UNDEAD
from games.heroquest.combat import attack_monster, wound
from games.heroquest.dice import SIDES
from games.heroquest.dungeon import Door
from games.heroquest.situation import Play, Situation
from games.heroquest.state import Event, without
from games.heroquest.visibility import is_target, open_door

FLAME_DAMAGE = 2
FLAME_DICE = 2
SAVED_FROM = 5  # a 5 or 6 saves from fire


def dealt_spells(heroes: tuple[str, ...], elf_group: str) -> dict[str, tuple[str, ...]]:
    """Who holds which spells when a quest begins: the elf one group, the wizard the three others."""
    dealt: dict[str, tuple[str, ...]] = {}
    if "elf" in heroes:
        dealt["elf"] = SPELL_GROUPS[elf_group]
    if "wizard" in heroes:
        dealt["wizard"] = tuple(spell for name, group in SPELL_GROUPS.items() if name != elf_group for spell in group)
    return dealt


def castable(situation: Situation) -> Iterator[Cast]:
    """Every spell the acting hero holds at everything it can be cast at, in order of spells, then squares."""
    hero = situation.hero
    if not hero.spells:
        return
    allies = _targets(situation, sorted(situation.hero_cells()))
    foes = _targets(situation, sorted(situation.monster_cells()))
    for spell in hero.spells:
        yield from (Cast(spell, _square(situation, cell)) for cell in (allies if spell in HERO_SPELLS else foes))
        if spell == "genie":
            for door in situation.known_closed_doors():
                yield Cast(spell, (_square(situation, door[0]), _square(situation, door[1])))


def _targets(situation: Situation, cells: list[int]) -> list[int]:
    own = situation.hero.cell
    return [cell for cell in cells if is_target(situation, own, cell, "spell")]


def _square(situation: Situation, cell: int) -> tuple[int, int]:
    return cell % situation.board.width, cell // situation.board.width


def cast(play: Play, action: Cast) -> None:
    """The spell is gone and does what it does."""
    hero, board, target = play.hero, play.board, action.target
    play.set_hero(play.state.seat, spells=without(hero.spells, action.spell))
    if not isinstance(target[0], int):
        one, other = target
        door: Door = (board.index[one], board.index[other])
        play.tell(Event("cast", hero.kind, name=action.spell, cells=door))
        open_door(play, play.state.seat, door)
        return
    cell = board.index[target]
    play.tell(Event("cast", hero.kind, cell, name=action.spell))
    if action.spell in HERO_SPELLS:
        _help(play, action.spell, cell)
    else:
        _harm(play, action.spell, play.monster_cells()[cell])


def _help(play: Play, spell: str, cell: int) -> None:
    """For the hero on the square: on the stairs and in pits the caster comes first, then the last seat."""
    seat = play.state.seat if play.hero.cell == cell else play.hero_cells()[cell]
    hero = play.state.heroes[seat]
    if spell in ("heal body", "water of healing"):
        body = min(HEROES[hero.kind].body, hero.body + HEALING)
        play.set_hero(seat, body=body)
        play.tell(Event("heal", hero.kind, cell, body - hero.body))
    elif spell == "swift wind" and seat == play.state.seat and play.state.points:
        play.set(points=2 * play.state.points)
    elif spell not in hero.effects:
        play.set_hero(seat, effects=(*hero.effects, spell))


def _harm(play: Play, spell: str, number: int) -> None:
    dice = play.rng("spell")
    if spell == "genie":
        attack_monster(play, number, GENIE_DICE)
    elif spell == "tempest":
        play.set_monster(number, is_dazed=True)
    elif spell == "sleep":
        lull(play, number)
    elif spell == "ball of flame":
        saved = sum(dice.randint(1, SIDES) >= SAVED_FROM for _ in range(FLAME_DICE))
        wound(play, number, FLAME_DAMAGE - saved)
    else:
        wound(play, number, int(dice.randint(1, SIDES) < SAVED_FROM))


def lull(play: Play, number: int) -> None:
    """Asleep unless one of as many dice as the monster has mind shows a six; the undead never sleep."""
    monster = play.state.monsters[number]
    mind = 0 if monster.kind in UNDEAD else play.rules.profile(monster.kind).mind
    rolls = [play.rng("mind").randint(1, SIDES) for _ in range(mind)]
    is_asleep = monster.kind not in UNDEAD and SIDES not in rolls
    play.set_monster(number, is_asleep=is_asleep)
    if monster.is_asleep and not is_asleep:
        play.tell(Event("wake", str(number), monster.cell))
