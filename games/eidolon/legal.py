"""Decide which acts of eidolon are legal, compute their costs, and list all legal acts.

The carrier of the Fire may use passive skills only. These change an ordinary action (the Warrior's reach, the Ranger's
`stay`, the Rogue's doors) or a ritual (the Sage's redirection). The carrier may not attack from afar, send tokens or
use a master skill.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from gridjoust.games.bitset import members
from gridjoust.games.eidolon import actions
from gridjoust.games.eidolon.actions import Act, Tokens, tokens_of
from gridjoust.games.eidolon.maps import drawable
from gridjoust.games.eidolon.params import Rules
from gridjoust.games.eidolon.state import Phase, Seat, State
from gridjoust.games.eidolon.tiles import COLOURS, FIRE, SEALS, TILES, TOKENS_NEEDED, Kind
from gridjoust.games.grid import DIRECTIONS, Cell, Direction

ALL_BROKEN = 0b111
MASTER_AP = 3
_DEGREES = (0, 90, 180, 270)


def seat_to_act(state: State) -> Seat | None:
    """Return the seat that has to answer; None = the match is over."""
    if state.end is not None:
        return None
    if state.phase is Phase.DIVE:
        assert state.ritual is not None
        return state.ritual.divers[0]
    return state.active


_AP: Mapping[type[Any], int] = {
    **dict.fromkeys((actions.Wait, actions.Redirect, actions.Dive, actions.Surge), 0),
    **dict.fromkeys((actions.Rush, actions.Strike, actions.Fetch, actions.Restore), MASTER_AP),
}


def cost(rules: Rules, state: State, seat: Seat, act: Act) -> int:
    """Return the AP that the act takes."""
    if type(act) is actions.Grab:
        colour = TILES[state.tile_of(seat)].colour
        return 0 if colour is None else rules.grab_cost(seat, colour)
    return _AP.get(type(act), 1)


def fault(rules: Rules, state: State, seat: Seat, act: Act) -> str:
    """Return why the act of the seat to act is not legal now, or "" if it is legal."""
    if state.phase is not Phase.ACT:
        return _answer_fault(rules, state, seat, act)
    kind = type(act)
    if kind is actions.Redirect or kind is actions.Dive:
        return "nothing of the kind was asked"
    if (price := cost(rules, state, seat, act)) > state.ap_left:
        return f"{price} AP are needed, {state.ap_left} are left"
    if heroes := _MASTERS.get(kind):
        return _master_fault(rules, state, seat, heroes) or _master_target_fault(rules, state, seat, act)
    return _act_fault(rules, state, seat, act, state.cell_of(seat))


def _answer_fault(rules: Rules, state: State, seat: Seat, act: Act) -> str:
    """Return why an answer in a ritual is not legal, or "" if it is legal."""
    match state.phase, act:
        case Phase.REDIRECT, actions.Wait():
            return ""
        case Phase.REDIRECT, actions.Redirect(cell):
            return "" if cell in redirect_cells(state, _drawn(state)) else "not a chamber without a cultist"
        case Phase.DIVE, actions.Dive(direction):
            return "" if direction in dives(rules, state, seat) else "no doorway there"
        case _:
            return "something else was asked"


def steps(rules: Rules, state: State, seat: Seat, cell: Cell) -> Mapping[Direction, Cell]:
    """Return direction -> cell for each move that the hero can make from that cell."""
    if state.is_surging and seat == state.active:
        return state.dungeon.ways("beside")[cell]
    kind = rules.way_of(seat)
    return state.dungeon.links[cell] if kind == "doors" else state.dungeon.open_ways(cell, kind)


def dives(rules: Rules, state: State, seat: Seat) -> Mapping[Direction, Cell]:
    """Return direction -> cell for each dive off the hero's tile; skills do not help, `free_movement` does."""
    cell = state.cell_of(seat)
    if rules.free_movement:
        return steps(rules, state, seat, cell)
    return state.dungeon.links[cell]


def _drawn(state: State) -> int:
    assert state.ritual is not None
    return state.ritual.tile


def redirect_cells(state: State, tile: int) -> list[Cell]:
    """Return the cells to which the Sage may send a cultist: chambers without one, except the drawn `tile`."""
    return [
        placed.cell
        for placed in state.dungeon.placed
        if TILES[placed.tile].kind is Kind.CHAMBER and not state.cultists >> placed.tile & 1 and placed.tile != tile
    ]


def _act_fault(rules: Rules, state: State, seat: Seat, act: Act, here: Cell) -> str:
    match act:
        case actions.Move(direction):
            return "" if direction in steps(rules, state, seat, here) else "no way through there"
        case actions.Explore():
            return _explore_fault(rules, state, seat, act)
        case actions.BreakBarrier(direction):
            return "" if state.dungeon.is_blocked(here, direction) else "no barrier stands there"
        case actions.Passage():
            return "" if here in state.dungeon.passages else "no Secret Passage leads from here"
        case actions.Grab():
            return "" if has_token(state, here) else "no token lies here"
        case actions.BreakSeal():
            return _seal_fault(rules, state, seat)
        case actions.TakeFire() if state.tile_of(seat) != FIRE or state.carrier is not None:
            return "the Fire is not here"
        case actions.TakeFire():
            return "" if state.broken == ALL_BROKEN else "not all seals are broken"
        case actions.Attack():
            return _attack_fault(rules, state, seat, act)
        case actions.Trade():
            return _trade_fault(state, seat, act)
        case actions.Send():
            return _send_fault(rules, state, seat, act)
        case _:
            return ""


def _master_target_fault(rules: Rules, state: State, seat: Seat, act: Act) -> str:
    match act:
        case actions.Rush(directions):
            return _rush_fault(rules, state, seat, directions)
        case actions.Strike(cell) if rules.heroes[seat] == "paladin":
            return "" if state.has_cultist(cell) else "no cultist is there"
        case actions.Strike(cell):
            is_away = cell in state.dungeon.at and cell != state.cell_of(seat)
            return "" if is_away else "no other tile lies there"
        case actions.Fetch(cell) if not has_token(state, cell):
            return "no token lies there"
        case actions.Fetch(_, receiver):
            return "" if state.is_living(receiver) else "no such hero to give it to"
        case actions.Restore(tile) if not state.void >> tile & 1:
            return "that tile is not in the Void"
        case actions.Restore(_, cell):
            return "" if cell in state.dungeon.rim else "not an empty cell beside a tile"
        case _:
            return ""


def has_token(state: State, cell: Cell) -> bool:
    """Return True if a chamber lies in the cell and its token has not been taken."""
    placed = state.dungeon.at.get(cell)
    return placed is not None and bool(state.tokens >> placed.tile & 1)


def _explore_fault(rules: Rules, state: State, seat: Seat, act: actions.Explore) -> str:
    cell, dungeon = state.cell_of(seat), state.dungeon
    if rules.known_map:
        return "the map is known"
    if not dungeon.has_door(cell, act.direction) or cell.step(act.direction) in dungeon.at:
        return "no door onto an empty cell there"
    if dungeon.is_blocked(cell, act.direction):
        return "a barrier stands in that doorway"
    if not drawable(rules, dungeon.stack, dungeon.at[cell].tile):
        return "no tile is left that may be laid there"
    if act.stay and not rules.has_skill(seat, "ranger"):
        return "only the Ranger need not enter"
    return ""


def _seal_fault(rules: Rules, state: State, seat: Seat) -> str:
    tile = state.tile_of(seat)
    if tile not in SEALS or state.broken >> SEALS.index(tile) & 1:
        return "no seal stands here"
    held = tokens_for_seal(rules, state, seat)[SEALS.index(tile)]
    return "" if held >= TOKENS_NEEDED else f"{TOKENS_NEEDED} tokens of the seal's colour are needed, got {held}"


def tokens_for_seal(rules: Rules, state: State, seat: Seat) -> Tokens:
    """Return the numbers of red, green and blue tokens that count if this hero breaks a seal."""
    if rules.seal_rule == "personal":
        return state.heroes[seat].tokens
    living = [hero.tokens for hero in state.heroes if hero.cell is not None]
    red, green, blue = (sum(tokens[colour] for tokens in living) for colour in COLOURS)
    return red, green, blue


def _trade_fault(state: State, seat: Seat, act: actions.Trade) -> str:
    if act.seat >= len(state.heroes) or act.seat == seat or state.heroes[act.seat].cell != state.cell_of(seat):
        return "that hero is not on this tile"
    if not any(act.give) and not any(act.take):
        return "nothing changes hands"
    own, other = state.heroes[seat].tokens, state.heroes[act.seat].tokens
    for colour in COLOURS:
        if act.give[colour] and act.take[colour]:
            return "one colour cannot go both ways"
        if act.give[colour] > own[colour] or act.take[colour] > other[colour]:
            return "there are not so many tokens"
    return ""


def _attack_fault(rules: Rules, state: State, seat: Seat, act: actions.Attack) -> str:
    here = state.cell_of(seat)
    match act.target:
        case None:
            target = here
        case Direction() as direction:
            if not rules.has_skill(seat, "warrior") or direction not in steps(rules, state, seat, here):
                return "no attack reaches there"
            target = here.step(direction)
        case Cell() as target:
            if not rules.has_skill(seat, "paladin") or target == here or state.carrier == seat:
                return "no attack reaches there"
            if state.is_strike_used:
                return "only once a turn"
    return "" if state.has_cultist(target) else "no cultist is there"


def _send_fault(rules: Rules, state: State, seat: Seat, act: actions.Send) -> str:
    if not rules.has_skill(seat, "wizard") or state.carrier == seat:
        return "only a Wizard without the Fire sends tokens"
    if act.seat == seat or not state.is_living(act.seat):
        return "no such hero to send to"
    return "" if state.heroes[seat].tokens[act.colour] else "no token of that colour"


def _rush_fault(rules: Rules, state: State, seat: Seat, directions: tuple[Direction, ...]) -> str:
    cell = state.cell_of(seat)
    for direction in directions:
        ways = steps(rules, state, seat, cell)
        if direction not in ways:
            return "no way through there"
        cell = ways[direction]
    return ""


def _master_fault(rules: Rules, state: State, seat: Seat, heroes: tuple[str, ...]) -> str:
    if not rules.skills or rules.heroes[seat] not in heroes:
        return "that is no skill of this hero"
    if state.heroes[seat].is_master_used:
        return "a master skill works once a match"
    return "the carrier of the Fire uses passive skills only" if state.carrier == seat else ""


_MASTERS: Mapping[type[Any], tuple[str, ...]] = {
    actions.Rush: ("warrior",),
    actions.Surge: ("rogue",),
    actions.Strike: ("paladin", "wizard"),
    actions.Fetch: ("ranger",),
    actions.Restore: ("sage",),
}


def legal_acts(rules: Rules, state: State, seat: Seat) -> list[Act]:
    """Return all legal acts except some trades of several tokens, which `fault` accepts too; a legal `wait` is last."""
    return [act for act in _candidates(rules, state, seat) if not fault(rules, state, seat, act)]


def _candidates(rules: Rules, state: State, seat: Seat) -> Iterator[Act]:
    if state.phase is Phase.DIVE:
        yield from map(actions.Dive, DIRECTIONS)
        return
    if state.phase is Phase.REDIRECT:
        yield from map(actions.Redirect, redirect_cells(state, _drawn(state)))
        yield actions.Wait()
        return
    here = state.cell_of(seat)
    yield from map(actions.Move, steps(rules, state, seat, here))
    yield from (actions.Grab(), actions.BreakSeal(), actions.TakeFire(), actions.Passage(), actions.Attack())
    if state.dungeon.barriers:
        yield from map(actions.BreakBarrier, DIRECTIONS)
    if state.dungeon.stack and not rules.known_map:
        yield from (actions.Explore(d, degrees) for d in state.dungeon.frontier(here) for degrees in _DEGREES)
    for other in state.living():
        if other != seat and state.heroes[other].cell == here:
            yield from _small_trades(state, seat, other)
    if rules.skills:
        yield from _skills(rules, state, seat)
    yield actions.Wait()


def _small_trades(state: State, seat: Seat, other: Seat) -> Iterator[Act]:
    """Yield trades with the other seat of one token, or of all tokens of a colour, in either direction."""
    for colour in COLOURS:
        for count in dict.fromkeys((1, state.heroes[seat].tokens[colour])):
            yield actions.Trade(other, give=tokens_of(colour, count))
        for count in dict.fromkeys((1, state.heroes[other].tokens[colour])):
            yield actions.Trade(other, take=tokens_of(colour, count))


def _skills(rules: Rules, state: State, seat: Seat) -> Iterator[Act]:
    """Yield acts that only this hero's skills allow; not all of them are legal now."""
    match rules.heroes[seat]:
        case "warrior":
            yield from map(actions.Attack, DIRECTIONS)
        case "paladin" if not state.is_strike_used:
            yield from map(actions.Attack, (placed.cell for placed in state.dungeon.placed))
        case "ranger":
            frontier = state.dungeon.frontier(state.cell_of(seat))
            yield from (actions.Explore(d, degrees, stay=True) for d in frontier for degrees in _DEGREES)
        case "rogue":
            yield actions.Surge()
        case "wizard":
            yield from (actions.Send(colour, other) for colour in COLOURS for other in state.living())
    if state.ap_left >= MASTER_AP and not state.heroes[seat].is_master_used:
        yield from _masters(rules, state, seat)


def _masters(rules: Rules, state: State, seat: Seat) -> Iterator[Act]:
    cells = [placed.cell for placed in state.dungeon.placed]
    match rules.heroes[seat]:
        case "warrior":
            yield from (actions.Rush(way) for length in (1, 2, 3) for way in product(DIRECTIONS, repeat=length))
        case "paladin" | "wizard":
            yield from map(actions.Strike, cells)
        case "ranger":
            yield from (actions.Fetch(cell, other) for cell in cells for other in state.living())
        case "sage":
            places = product(members(state.void), state.dungeon.rim, _DEGREES)
            yield from (actions.Restore(*place) for place in places)
