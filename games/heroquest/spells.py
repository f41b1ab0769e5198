"""The twelve spells: possible targets and effects."""

from __future__ import annotations

from collections.abc import Iterator

from gridjoust.games.heroquest.actions import Cast
from gridjoust.games.heroquest.catalogue import GENIE_DICE, HEALING, HERO_SPELLS, HEROES, SPELL_GROUPS, UNDEAD
from gridjoust.games.heroquest.combat import SIDES, attack_monster, wound
from gridjoust.games.heroquest.situation import Situation, SituationDraft
from gridjoust.games.heroquest.state import Door, Event, without
from gridjoust.games.heroquest.visibility import is_target, open_door

FLAME_DAMAGE = 2
FLAME_DICE = 2
SAVED_FROM = 5  # a 5 or 6 saves from fire


def dealt_spells(heroes: tuple[str, ...], elf_group: str) -> dict[str, tuple[str, ...]]:
    """Return each hero's spells at the start: the elf has one group, the wizard the three others."""
    dealt: dict[str, tuple[str, ...]] = {}
    if "elf" in heroes:
        dealt["elf"] = SPELL_GROUPS[elf_group]
    if "wizard" in heroes:
        dealt["wizard"] = tuple(spell for name, group in SPELL_GROUPS.items() if name != elf_group for spell in group)
    return dealt


def castable(situation: Situation) -> Iterator[Cast]:
    """Yield every spell of the acting hero at every possible target, in order of spells, then squares."""
    hero = situation.hero
    if not hero.spells:
        return
    square = situation.board.square
    allies, foes = (
        [square(cell) for cell in sorted(cells) if is_target(situation, hero.cell, cell, "spell")]
        for cells in (situation.hero_cells(), situation.monster_cells())
    )
    for spell in hero.spells:
        yield from (Cast(spell, target) for target in (allies if spell in HERO_SPELLS else foes))
        if spell == "genie":
            yield from (Cast(spell, (square(one), square(two))) for one, two in situation.known_closed_doors())


def cast(draft: SituationDraft, action: Cast) -> None:
    """Use up the acting hero's spell and apply its effect."""
    hero, board, target = draft.hero, draft.board, action.target
    draft.set_hero(draft.state.seat, spells=without(hero.spells, action.spell))
    if not isinstance(target[0], int):
        one, other = target
        door: Door = (board.index[one], board.index[other])
        draft.record(Event("cast", hero.kind, name=action.spell, cells=door))
        open_door(draft, draft.state.seat, door)
        return
    cell = board.index[target]
    draft.record(Event("cast", hero.kind, cell, name=action.spell))
    if action.spell in HERO_SPELLS:
        _help(draft, action.spell, cell)
    else:
        _harm(draft, action.spell, draft.monster_cells()[cell])


def _help(draft: SituationDraft, spell: str, cell: int) -> None:
    """Apply a helpful spell to the hero on the square: to the caster if it is there, else to the last seat's hero."""
    seat = draft.state.seat if draft.hero.cell == cell else draft.hero_cells()[cell]
    hero = draft.state.heroes[seat]
    if spell in ("heal body", "water of healing"):
        body = min(HEROES[hero.kind].body, hero.body + HEALING)
        draft.set_hero(seat, body=body)
        draft.record(Event("heal", hero.kind, cell, body - hero.body))
    elif spell == "swift wind" and seat == draft.state.seat and draft.state.points:
        draft.set(points=2 * draft.state.points)
    elif spell not in hero.effects:
        draft.set_hero(seat, effects=(*hero.effects, spell))


def _harm(draft: SituationDraft, spell: str, number: int) -> None:
    dice = draft.rng("spell")
    if spell == "genie":
        attack_monster(draft, number, GENIE_DICE)
    elif spell == "tempest":
        draft.set_monster(number, is_dazed=True)
    elif spell == "sleep":
        lull(draft, number)
    elif spell == "ball of flame":
        saved = sum(dice.randint(1, SIDES) >= SAVED_FROM for _ in range(FLAME_DICE))
        wound(draft, number, FLAME_DAMAGE - saved)
    else:
        wound(draft, number, int(dice.randint(1, SIDES) < SAVED_FROM))


def lull(draft: SituationDraft, number: int) -> None:
    """Put a monster to sleep, or wake it if a die shows a six (one die per mind point); the undead never sleep."""
    monster = draft.state.monsters[number]
    mind = 0 if monster.kind in UNDEAD else draft.rules.profile(monster.kind).mind
    rolls = [draft.rng("mind").randint(1, SIDES) for _ in range(mind)]
    is_asleep = monster.kind not in UNDEAD and SIDES not in rolls
    draft.set_monster(number, is_asleep=is_asleep)
    if monster.is_asleep and not is_asleep:
        draft.record(Event("wake", str(number), monster.cell))
