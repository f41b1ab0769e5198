"""When a hero uses its skills: attacks from afar, tokens sent, and the master skill once it is worth the turn.

Every answer here is one act that is done before any goal is looked at, or None. Finds no ways and tells nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, product
from operator import itemgetter

from bots.eidolon.goals import Kind, Outlook
from games.bitset import members
from games.eidolon.actions import Act, Attack, Fetch, Restore, Rush, Send, Strike, Surge
from games.eidolon.dungeon import ORIGIN, Placed
from games.eidolon.legal import MASTER_AP, tokens_for_seal
from games.eidolon.params import AP_PER_TURN
from games.eidolon.tiles import DOORS, FIRE, OF_COLOUR, SEALS, TOKENS_NEEDED, TileSet
from games.grid import DIRECTIONS, Cell, Direction

REACH_WORTH = 4.0  # from which on a cultist elsewhere is attacked by those who can
STRIKE_WORTH = 20.0  # from which on the Paladin clears a tile and all around it
RUSH_WORTH = 4.0  # of cultists on the Warrior's way
FETCH_WORTH = 8.0  # from which on the Ranger takes a token from afar
RESTORE_WORTH = 0.5  # of things joined or tokens brought back, from which on the Sage restores a tile
LEAP_AP = 6  # distance from which on the Wizard does not walk
SURGE_AP = 4  # the same for the Rogue's great turn

Choice = tuple[float, Act | None]  # an act and what it is worth


def skilful_act(outlook: Outlook) -> Act | None:
    """What the hero's skills are good for now; nothing where they are not played with."""
    if not outlook.hero or outlook.state.carrier == outlook.seat:
        return None
    return next(filter(outlook.can, _SKILLS[outlook.hero](outlook)), None)


def _best(choices: Iterable[Choice]) -> Choice:
    return max(choices, key=itemgetter(0), default=(0.0, None))


def _worthwhile(choices: Iterable[Choice], least: float) -> Iterator[Act]:
    """The best of the acts, if it is worth that much."""
    worth, act = _best(choices)
    if act is not None and worth >= least:
        yield act


def best_attack(outlook: Outlook) -> Choice:
    """The best attack on a cultist on another tile that the hero may make from where it stands."""
    reach: Mapping[Cell, Direction | Cell] = {}
    if outlook.hero == "paladin":
        reach = {cell: cell for cell in outlook.stakes}
    elif outlook.hero == "warrior":
        reach = {outlook.here.step(direction): direction for direction in DIRECTIONS}
    attacks = [(stake, Attack(reach[cell])) for cell, stake in outlook.stakes.items() if cell in reach]
    return _best((stake, act) for stake, act in attacks if outlook.can(act))


def _warrior(outlook: Outlook) -> Iterator[Act]:
    steps = _steps_ahead(outlook)[:AP_PER_TURN]
    freed = sum(outlook.stakes.get(cell, 0.0) for _, cell in steps)
    if len(steps) == AP_PER_TURN and freed >= RUSH_WORTH:
        yield Rush(tuple(direction for direction, _ in steps))
    yield from _worthwhile([best_attack(outlook)], REACH_WORTH)


def _steps_ahead(outlook: Outlook) -> list[tuple[Direction, Cell]]:
    """The way to the best goal behind all fights, as far as it goes through open doorways."""
    goal = next((goal for _, goal in outlook.ranked if goal.kind is not Kind.FIGHT), None)
    steps: list[tuple[Direction, Cell]] = []
    for tail, head in pairwise(outlook.roads.path(outlook.here, goal.cell) if goal else ()):
        doorways = outlook.state.dungeon.links[tail].items()
        direction = next((direction for direction, beyond in doorways if beyond == head), None)
        if direction is None:
            break
        steps.append((direction, head))
    return steps


def _paladin(outlook: Outlook) -> Iterator[Act]:
    def freed(centre: Cell) -> float:
        return sum(outlook.stakes.get(cell, 0.0) for cell in (centre, *map(centre.step, DIRECTIONS)))

    yield from _worthwhile([(freed(centre), Strike(centre)) for centre in outlook.stakes], STRIKE_WORTH)
    yield from _worthwhile([best_attack(outlook)], REACH_WORTH)


def _ranger(outlook: Outlook) -> Iterator[Act]:
    if outlook.rules.cultists:
        yield from _worthwhile(_fetches(outlook), FETCH_WORTH)


def _fetches(outlook: Outlook) -> Iterator[Choice]:
    """Tokens still needed; most of all those to which nobody who gathers them can walk."""
    needs, team = outlook.needs, outlook.team
    for colour in needs.standing:
        if needs.held(colour) < TOKENS_NEEDED:
            holder = team.of(team.roles[colour])
            for cell in needs.token_cells[colour]:
                walk_worth = 0.0 if cell in holder.distances else 2 * FETCH_WORTH
                yield team.threats.token_worth.get(cell, 0.0) + walk_worth, Fetch(cell, holder.seat)


def _rogue(outlook: Outlook) -> Iterator[Act]:
    if outlook.state.ap_left == AP_PER_TURN:
        goals, distances = outlook.ranked, outlook.distances
        is_far = bool(goals) and distances[goals[0][1].cell] >= SURGE_AP
        if is_far or any(cell not in distances for cell in _places_of_decision(outlook)):
            yield Surge()


def _wizard(outlook: Outlook) -> Iterator[Act]:
    if outlook.rules.seal_rule == "personal":
        for colour in outlook.needs.standing:
            if outlook.team.roles[colour] != outlook.seat:
                yield Send(colour, outlook.team.roles[colour])
    for cell in _places_of_decision(outlook):
        if outlook.distances.get(cell, LEAP_AP) >= LEAP_AP:
            yield Strike(cell)


def _places_of_decision(outlook: Outlook) -> Iterator[Cell]:
    """Seals that the hero can break, and the Fire once it is free and a way out leads from it."""
    needs, dungeon = outlook.needs, outlook.state.dungeon
    for colour in needs.standing:
        held = tokens_for_seal(outlook.rules, outlook.state, outlook.seat)[colour]
        is_own = outlook.team.roles[colour] == outlook.seat
        if is_own and held >= TOKENS_NEEDED and SEALS[colour] in dungeon.where:
            yield dungeon.where[SEALS[colour]]
    if not needs.standing and outlook.state.carrier is None and FIRE in dungeon.where:
        fire = dungeon.where[FIRE]
        if not dungeon.reach(fire).isdisjoint(outlook.team.exits):
            yield fire


def _sage(outlook: Outlook) -> Iterator[Act]:
    needs, state = outlook.needs, outlook.state
    if not state.void or state.ap_left < MASTER_AP or state.heroes[outlook.seat].is_master_used:
        return
    tiles = [*(SEALS[colour] for colour in needs.standing), *([FIRE] if state.carrier is None else [])]
    needed = [state.dungeon.where[tile] for tile in tiles if tile in state.dungeon.where]
    needed += [*outlook.team.exits, *(state.cell_of(seat) for seat in needs.living)]
    short = sum(state.tokens & state.void & OF_COLOUR[colour] for colour in needs.standing)
    reach = state.dungeon.reach(ORIGIN)
    joined = sum(cell in reach for cell in needed)
    if joined < len(needed) or short:
        yield from _worthwhile(_restorations(outlook, needed, short), joined + RESTORE_WORTH)


def _restorations(outlook: Outlook, needed: Sequence[Cell], short: TileSet) -> Iterator[Choice]:
    """Every way to bring a tile back: 1 for each needed cell that is joined then, half for a token that is `short`."""
    dungeon = outlook.state.dungeon
    for tile, cell in product(members(outlook.state.void), dungeon.rim):
        for quarters, doors in enumerate(DOORS[tile]):
            if doors not in DOORS[tile][:quarters]:
                reach = dungeon.with_tile(Placed(tile, cell, quarters)).reach(ORIGIN)
                token_worth = 0.5 * (cell in reach and short >> tile & 1)
                yield sum(other in reach for other in needed) + token_worth, Restore(tile, cell, quarters * 90)


_SKILLS = {
    "warrior": _warrior,
    "paladin": _paladin,
    "ranger": _ranger,
    "rogue": _rogue,
    "wizard": _wizard,
    "sage": _sage,
}
