"""When a hero uses its skills: attacks from afar, tokens sent, and the master skill once it is worth the turn.

Every answer here is one act that is done before any goal is looked at, or None. Finds no ways and tells nobody.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product

from bots.eidolon.goals import Kind, TeamGoals, best_goals
from games.bitset import members
from games.eidolon.actions import Act, Attack, Fetch, Restore, Rush, Send, Strike, Surge
from games.eidolon.dungeon import ORIGIN, Placed
from games.eidolon.legal import MASTER_AP, fault
from games.eidolon.params import AP_PER_TURN
from games.eidolon.state import Seat
from games.eidolon.tiles import DOORS, FIRE, OF_COLOUR, SEALS, TOKENS_NEEDED
from games.grid import DIRECTIONS, Cell, Direction

REACH_WORTH = 4.0  # from which on a cultist elsewhere is attacked by those who can
STRIKE_WORTH = 20.0  # from which on the Paladin clears a tile and all around it
RUSH_WORTH = 4.0  # of cultists on the Warrior's way
FETCH_WORTH = 8.0  # from which on the Ranger takes a token from afar
LEAP_AP = 6  # distance from which on the Wizard does not walk
SURGE_AP = 4  # the same for the Rogue's great turn


def skilful_act(team_goals: TeamGoals, seat: Seat) -> Act | None:
    """What the hero's skills are good for now; nothing where they are not played with."""
    needs = team_goals.needs
    if not needs.rules.skills or needs.state.carrier == seat:
        return None
    candidates = _SKILLS[needs.rules.heroes[seat]](team_goals, seat)
    return next((act for act in candidates if not fault(needs.rules, needs.state, seat, act)), None)


def attacks_from_afar(team_goals: TeamGoals, seat: Seat) -> Iterator[tuple[float, Act]]:
    """Cultists on other tiles that the hero may attack from where it stands, with what that is worth."""
    needs = team_goals.needs
    here = needs.cell(seat)
    hero = needs.rules.heroes[seat] if needs.rules.skills else ""
    for cell, stake in team_goals.threats.stakes.items():
        act = None
        if hero == "paladin" and cell != here:
            act = Attack(cell)
        elif hero == "warrior" and cell != here:
            act = next((Attack(d) for d in DIRECTIONS if here.step(d) == cell), None)
        if act is not None and not fault(needs.rules, needs.state, seat, act):
            yield stake, act


def _best_attack(team_goals: TeamGoals, seat: Seat) -> Iterator[Act]:
    if not team_goals.needs.rules.cultists:
        return
    stake, act = max(attacks_from_afar(team_goals, seat), key=lambda entry: entry[0], default=(0.0, None))
    if act is not None and stake >= REACH_WORTH:
        yield act


def _is_fresh(team_goals: TeamGoals, seat: Seat) -> bool:
    """Whether the master skill may still be used, in this turn."""
    state = team_goals.needs.state
    return not state.heroes[seat].is_master_used and state.ap_left >= MASTER_AP


def _warrior(team_goals: TeamGoals, seat: Seat) -> Iterator[Act]:
    if _is_fresh(team_goals, seat) and team_goals.needs.rules.cultists:
        path = _path_ahead(team_goals, seat)[: AP_PER_TURN + 1]
        freed = sum(team_goals.threats.stakes.get(cell, 0.0) for cell in path[1:])
        if len(path) > AP_PER_TURN and freed >= RUSH_WORTH:
            yield Rush(tuple(_direction(tail, head) for tail, head in pairwise(path)))
    yield from _best_attack(team_goals, seat)


def _path_ahead(team_goals: TeamGoals, seat: Seat) -> list[Cell]:
    """The way to the best goal behind all fights, as far as it goes through open doorways."""
    needs = team_goals.needs
    here = needs.cell(seat)
    goals = [goal for _, goal in best_goals(team_goals, seat) if goal.kind is not Kind.FIGHT]
    path = [here]
    for cell in needs.roads(seat).path(here, goals[0].cell)[1:] if goals else ():
        if cell not in needs.state.dungeon.links[path[-1]].values():
            break
        path.append(cell)
    return path


def _direction(tail: Cell, head: Cell) -> Direction:
    return next(direction for direction in DIRECTIONS if tail.step(direction) == head)


def _paladin(team_goals: TeamGoals, seat: Seat) -> Iterator[Act]:
    if _is_fresh(team_goals, seat) and team_goals.needs.rules.cultists:
        stakes = team_goals.threats.stakes

        def freed(cell: Cell) -> float:
            return sum(stakes.get(other, 0.0) for other in (cell, *(cell.step(d) for d in DIRECTIONS)))

        centre = max(stakes, key=freed, default=None)
        if centre is not None and freed(centre) >= STRIKE_WORTH:
            yield Strike(centre)
    yield from _best_attack(team_goals, seat)


def _ranger(team_goals: TeamGoals, seat: Seat) -> Iterator[Act]:
    if not _is_fresh(team_goals, seat) or not team_goals.needs.rules.cultists:
        return
    needs, where = team_goals.needs, team_goals.needs.state.dungeon.where
    best: tuple[float, Act | None] = (FETCH_WORTH, None)
    for colour in needs.standing:
        if needs.held(colour) >= TOKENS_NEEDED:
            continue
        holder = team_goals.roles[colour]
        distances = needs.roads(holder).distances(needs.cell(holder))
        for tile in members(needs.state.tokens & OF_COLOUR[colour]):
            if tile in where:
                worth = team_goals.threats.token_worth.get(where[tile], 0.0)
                worth += 2 * FETCH_WORTH if where[tile] not in distances else 0.0
                if worth > best[0]:
                    best = worth, Fetch(where[tile], holder)
    if best[1] is not None:
        yield best[1]


def _rogue(team_goals: TeamGoals, seat: Seat) -> Iterator[Act]:
    state = team_goals.needs.state
    if state.ap_left < AP_PER_TURN or state.heroes[seat].is_master_used:
        return
    needs = team_goals.needs
    goals = best_goals(team_goals, seat)
    distances = needs.roads(seat).distances(needs.cell(seat))
    is_far = bool(goals) and distances[goals[0][1].cell] >= SURGE_AP
    if is_far or _is_waiting_for_way(team_goals, seat):
        yield Surge()


def _wizard(team_goals: TeamGoals, seat: Seat) -> Iterator[Act]:
    needs = team_goals.needs
    if needs.rules.seal_rule == "personal":
        for colour in needs.standing:
            if team_goals.roles[colour] != seat:
                yield Send(colour, team_goals.roles[colour])
    if _is_fresh(team_goals, seat):
        distances = needs.roads(seat).distances(needs.cell(seat))
        for cell in _places_of_decision(team_goals, seat):
            if distances.get(cell, LEAP_AP) >= LEAP_AP:
                yield Strike(cell)


def _places_of_decision(team_goals: TeamGoals, seat: Seat) -> Iterator[Cell]:
    """Seals that the hero can break, and the Fire once it is free and this hero is the one to take it."""
    needs, where = team_goals.needs, team_goals.needs.state.dungeon.where
    for colour in needs.standing:
        held = needs.held(colour) if needs.rules.seal_rule == "team" else needs.state.heroes[seat].tokens[colour]
        if team_goals.roles[colour] == seat and held >= TOKENS_NEEDED and SEALS[colour] in where:
            yield where[SEALS[colour]]
    if (
        not needs.standing
        and needs.state.carrier is None
        and FIRE in where
        and _is_reachable_from(team_goals, where[FIRE])
    ):
        yield where[FIRE]


def _is_reachable_from(team_goals: TeamGoals, cell: Cell) -> bool:
    """Whether a way out leads from there."""
    reach = team_goals.needs.state.dungeon.reach(cell)
    return any(way_out in reach for way_out in team_goals.exits)


def _is_waiting_for_way(team_goals: TeamGoals, seat: Seat) -> bool:
    """Whether a place of decision cannot be walked to."""
    distances = team_goals.needs.roads(seat).distances(team_goals.needs.cell(seat))
    return any(cell not in distances for cell in _places_of_decision(team_goals, seat))


def _sage(team_goals: TeamGoals, seat: Seat) -> Iterator[Act]:
    needs = team_goals.needs
    if not _is_fresh(team_goals, seat) or not needs.state.void:
        return
    dungeon = needs.state.dungeon
    needed = [cell for cell in _needed_cells(team_goals) if cell in dungeon.at]
    joined = sum(cell in dungeon.reach(ORIGIN) for cell in needed)
    short = [colour for colour in needs.standing if needs.state.tokens & needs.state.void & OF_COLOUR[colour]]
    if joined == len(needed) and not short:
        return
    best: tuple[float, Act | None] = (float(joined), None)
    for act in _restorations(team_goals):
        laid = dungeon.with_tile(Placed(act.tile, act.cell, act.degrees // 90))
        reach = laid.reach(ORIGIN)
        has_token = act.cell in reach and any(OF_COLOUR[colour] >> act.tile & 1 for colour in short)
        worth = sum(cell in reach for cell in needed) + 0.5 * (has_token and bool(needs.state.tokens >> act.tile & 1))
        if worth > best[0]:
            best = worth, act
    if best[1] is not None:
        yield best[1]


def _needed_cells(team_goals: TeamGoals) -> list[Cell]:
    needs, where = team_goals.needs, team_goals.needs.state.dungeon.where
    tiles = [SEALS[colour] for colour in needs.standing]
    tiles += [FIRE] if needs.state.carrier is None else []
    cells = [where[tile] for tile in tiles if tile in where] + [*team_goals.exits]
    return cells + [needs.cell(seat) for seat in needs.living]


def _restorations(team_goals: TeamGoals) -> Iterator[Restore]:
    state = team_goals.needs.state
    for tile, cell in product(members(state.void), state.dungeon.rim):
        for quarters, doors in enumerate(DOORS[tile]):
            if doors not in DOORS[tile][:quarters]:
                yield Restore(tile, cell, quarters * 90)


_SKILLS = {
    "warrior": _warrior,
    "paladin": _paladin,
    "ranger": _ranger,
    "rogue": _rogue,
    "wizard": _wizard,
    "sage": _sage,
}
