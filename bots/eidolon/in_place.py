"""What a hero does where it stands: seals, tokens, trades, fights, answers in rituals. Goes nowhere.

Two kinds of decisions: what is so good that it is done before any goal is looked at, and what is done at a goal once it
is reached. Without words.
"""

from __future__ import annotations

from bots.eidolon.goals import Goal, Kind, Outlook
from bots.eidolon.skills import best_attack, skilful_act
from games.bitset import members
from games.eidolon.actions import (
    Act,
    Attack,
    BreakBarrier,
    BreakSeal,
    Dive,
    Explore,
    Grab,
    Redirect,
    TakeFire,
    Tokens,
    Trade,
    Wait,
)
from games.eidolon.dungeon import Dungeon
from games.eidolon.legal import dives, has_token, redirect_cells
from games.eidolon.state import Phase, Seat
from games.eidolon.tiles import BIT, COLOURS, DOORS, TOKENS_NEEDED, turned_to
from games.grid import DIRECTIONS, Cell, Direction

ATTACK_WORTH = 2.0  # from which on a cultist on the own tile is fought at once


def act_in_place(outlook: Outlook) -> Act | None:
    """What is done before anything else, if there is something."""
    for act in (TakeFire(), BreakSeal()):
        if outlook.can(act):
            return act
    return _trade(outlook) or skilful_act(outlook) or _attack(outlook)


def spare_act(outlook: Outlook) -> Act:
    """What to do with AP that would be given up: fight on the own tile or from afar, or nothing."""
    return Attack() if outlook.can(Attack()) else best_attack(outlook)[1] or Wait()


def _attack(outlook: Outlook) -> Act | None:
    """Fight a cultist on the own tile if that is worth it; a token is grabbed first, then the tile is worth less."""
    if outlook.stakes.get(outlook.here, 0.0) < ATTACK_WORTH:
        return None
    is_grabbing = any(goal.kind is Kind.GRAB and goal.cell == outlook.here for _, goal in outlook.ranked[:1])
    return None if is_grabbing and outlook.can(Grab()) else Attack()


def _trade(outlook: Outlook) -> Act | None:
    """Give a team-mate on this tile what it gathers and take what this hero gathers, if that saves more than 1 AP."""
    if outlook.rules.seal_rule == "team" or not outlook.needs.standing:
        return None
    for other in outlook.needs.living:
        if other != outlook.seat and outlook.state.cell_of(other) == outlook.here:
            give, take = _wanted(outlook, outlook.seat, other), _wanted(outlook, other, outlook.seat)
            act = Trade(other, give, take)
            if _saving(outlook, other, give) + _saving(outlook, outlook.seat, take) > 1 and outlook.can(act):
                return act
    return None


def _wanted(outlook: Outlook, giver: Seat, taker: Seat) -> Tokens:
    """Tokens of the giver in the colours that the taker gathers, as many as it lacks."""
    heroes = outlook.state.heroes
    red, green, blue = (
        min(heroes[giver].tokens[colour], max(0, TOKENS_NEEDED - heroes[taker].tokens[colour]))
        if outlook.team.roles.get(colour) == taker
        else 0
        for colour in COLOURS
    )
    return red, green, blue


def _saving(outlook: Outlook, taker: Seat, tokens: Tokens) -> float:
    """AP that the taker need not spend on these tokens: at least a step and the price of each."""
    return sum(tokens[colour] * (1 + outlook.rules.grab_cost(taker, colour)) for colour in COLOURS)


def act_at_goal(outlook: Outlook, goal: Goal) -> Act:
    """What to do where the goal is; `wait` also where the AP of this turn do not suffice."""
    match goal.kind:
        case Kind.GRAB:
            return Grab()
        case Kind.SEAL:
            return BreakSeal()
        case Kind.FIRE:
            return TakeFire()
        case Kind.FIGHT:
            return Attack()
        case Kind.EXPLORE:
            assert goal.direction is not None
            return _explore(outlook, goal.cell, goal.direction)
        case Kind.MEET | Kind.STAY:
            return Wait()


def _explore(outlook: Outlook, cell: Cell, direction: Direction) -> Act:
    """Lay a tile and enter it; the Ranger stays out of a cell from which no tile leads on."""
    dungeon, there = outlook.state.dungeon, cell.step(direction)
    if dungeon.is_blocked(cell, direction):
        return BreakBarrier(direction)
    is_pocket = all(there.step(beyond) in dungeon.at for beyond in DIRECTIONS)
    degrees = best_degrees(dungeon, there, direction.opposite)
    return Explore(direction, degrees, stay=is_pocket and outlook.hero == "ranger")


def best_degrees(dungeon: Dungeon, cell: Cell, entrance: Direction) -> int:
    """The rotation that leads to the most open doors, summed over all tiles that may be drawn."""
    free = [d for d in DIRECTIONS if cell.step(d) not in dungeon.at]
    meeting = [d for d in DIRECTIONS if d is not entrance and dungeon.has_door(cell.step(d), d.opposite)]

    def doors(degrees: int) -> int:
        total = 0
        for tile in members(dungeon.stack):
            laid = DOORS[tile][turned_to(tile, entrance, first=degrees // 90)]
            total += sum(2 for d in free if laid & BIT[d]) + sum(1 for d in meeting if laid & BIT[d])
        return total

    return max((0, 90, 180, 270), key=doors)


def answer_ritual(outlook: Outlook) -> Act:
    """Where to dive, or where the new cultist goes: not on a token, then where there are few doors."""
    state, at = outlook.state, outlook.state.dungeon.at
    if state.phase is Phase.DIVE:
        ways = dives(outlook.rules, state, outlook.seat)
        return Dive(max(ways, key=lambda direction: len(state.dungeon.links[ways[direction]])))
    assert state.ritual is not None
    cells = redirect_cells(state, state.ritual.tile)
    if not cells or not state.cultists >> state.ritual.tile & 1:
        return Wait()
    return Redirect(min(cells, key=lambda cell: (has_token(state, cell), at[cell].doors.bit_count())))
