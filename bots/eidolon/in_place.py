"""What a hero does where it stands: seals, tokens, trades, fights, answers in rituals. Goes nowhere.

Two kinds of decisions: what is so good that it is done before any goal is looked at, and what is done at a goal once it
is reached. Without words.
"""

from __future__ import annotations

from bots.eidolon.goals import Goal, Kind, TeamGoals, best_goals
from bots.eidolon.skills import attacks_from_afar, skilful_act
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
from games.eidolon.legal import dives, fault, redirect_cells
from games.eidolon.state import Phase, Seat
from games.eidolon.tiles import BIT, COLOURS, DOORS, TILES, TOKENS_NEEDED, turned_to
from games.eidolon.tiles import Kind as TileKind
from games.grid import DIRECTIONS, Cell, Direction

ATTACK_WORTH = 2.0  # from which on a cultist on the own tile is fought at once


def act_in_place(team_goals: TeamGoals, seat: Seat) -> Act | None:
    """What is done before anything else, if there is something."""
    needs = team_goals.needs
    for act in (TakeFire(), BreakSeal()):
        if not fault(needs.rules, needs.state, seat, act):
            return act
    return _trade(team_goals, seat) or skilful_act(team_goals, seat) or _attack(team_goals, seat)


def spare_act(team_goals: TeamGoals, seat: Seat) -> Act:
    """What to do with AP that would be given up: fight on the own tile, or nothing."""
    needs = team_goals.needs
    if not fault(needs.rules, needs.state, seat, Attack()):
        return Attack()
    if not needs.rules.cultists:
        return Wait()
    return max(attacks_from_afar(team_goals, seat), key=lambda entry: entry[0], default=(0.0, Wait()))[1]


def _attack(team_goals: TeamGoals, seat: Seat) -> Act | None:
    """Fight a cultist on the own tile if that is worth it; a token is grabbed first, then the tile is worth less."""
    needs = team_goals.needs
    here = needs.cell(seat)
    if not needs.rules.cultists or team_goals.threats.stakes.get(here, 0.0) < ATTACK_WORTH:
        return None
    is_grabbing = any(goal.kind is Kind.GRAB and goal.cell == here for _, goal in best_goals(team_goals, seat)[:1])
    if is_grabbing and not fault(needs.rules, needs.state, seat, Grab()):
        return None
    return Attack()


def _trade(team_goals: TeamGoals, seat: Seat) -> Act | None:
    """Give a team-mate on this tile what it gathers and take what this hero gathers, if that saves more than 1 AP."""
    needs = team_goals.needs
    if needs.rules.seal_rule == "team" or not needs.standing:
        return None
    for other in needs.living:
        if other != seat and needs.cell(other) == needs.cell(seat):
            give, take = _wanted(team_goals, seat, other), _wanted(team_goals, other, seat)
            act = Trade(other, give, take)
            if _saving(team_goals, other, give) + _saving(team_goals, seat, take) > 1 and not fault(
                needs.rules, needs.state, seat, act
            ):
                return act
    return None


def _wanted(team_goals: TeamGoals, giver: Seat, taker: Seat) -> Tokens:
    """Tokens of the giver in the colours that the taker gathers, as many as it lacks."""
    heroes = team_goals.needs.state.heroes
    red, green, blue = (
        min(heroes[giver].tokens[colour], max(0, TOKENS_NEEDED - heroes[taker].tokens[colour]))
        if team_goals.roles.get(colour) == taker
        else 0
        for colour in COLOURS
    )
    return red, green, blue


def _saving(team_goals: TeamGoals, taker: Seat, tokens: Tokens) -> float:
    """AP that the taker need not spend on these tokens: at least a step and the price of each."""
    return sum(tokens[colour] * (1 + team_goals.needs.rules.grab_cost(taker, colour)) for colour in COLOURS)


def act_at_goal(team_goals: TeamGoals, seat: Seat, goal: Goal) -> Act:
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
            return _explore(team_goals, seat, goal.cell, goal.direction)
        case Kind.MEET | Kind.STAY:
            return Wait()


def _explore(team_goals: TeamGoals, seat: Seat, cell: Cell, direction: Direction) -> Act:
    """Lay a tile and enter it; the Ranger stays out of a cell from which no tile leads on."""
    dungeon = team_goals.needs.state.dungeon
    if dungeon.is_blocked(cell, direction):
        return BreakBarrier(direction)
    there = cell.step(direction)
    is_pocket = all(there.step(beyond) in dungeon.at for beyond in DIRECTIONS)
    is_staying = is_pocket and team_goals.needs.rules.has_skill(seat, "ranger")
    return Explore(direction, best_degrees(dungeon, there, direction.opposite), stay=is_staying)


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


def answer_ritual(team_goals: TeamGoals, seat: Seat) -> Act:
    """Where to dive, or where the new cultist goes."""
    state = team_goals.needs.state
    if state.phase is Phase.DIVE:
        ways = dives(team_goals.needs.rules, state, seat)
        return Dive(max(ways, key=lambda direction: len(state.dungeon.links[ways[direction]])))
    assert state.ritual is not None
    is_lost = state.cultists >> state.ritual.tile & 1
    cells = sorted(redirect_cells(state, state.ritual.tile), key=lambda cell: _harm(team_goals, cell))
    return Redirect(cells[0]) if is_lost and cells else Wait()


def _harm(team_goals: TeamGoals, cell: Cell) -> tuple[bool, int]:
    """How bad a cultist there would be: a token first, then doors."""
    state = team_goals.needs.state
    placed = state.dungeon.at[cell]
    has_token = TILES[placed.tile].kind is TileKind.CHAMBER and bool(state.tokens >> placed.tile & 1)
    return has_token, placed.doors.bit_count()
