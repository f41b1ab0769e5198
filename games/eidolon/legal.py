"""What is legal in eidolon: costs, who may do what, and the list of all that may be done. Changes nothing.

The carrier of the Fire uses passive skills only: those that bend an ordinary action (the Warrior's reach, the Ranger's
`stay`, the Rogue's doors) or a ritual (the Sage's redirection), but no attack from afar, no sending, no master skill.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any

from games.bitset import members
from games.eidolon.actions import (
    Attack,
    BreakBarrier,
    BreakSeal,
    Deed,
    Dive,
    Explore,
    Fetch,
    Grab,
    Move,
    Passage,
    Redirect,
    Restore,
    Rush,
    Send,
    Strike,
    Surge,
    TakeFire,
    Tokens,
    Trade,
    Wait,
    tokens_of,
)
from games.eidolon.dungeon import Dungeon
from games.eidolon.maps import drawable
from games.eidolon.params import Rules
from games.eidolon.state import Phase, Seat, State
from games.eidolon.tiles import COLOURS, FIRE, SEALS, TILES, TOKENS_NEEDED, Kind
from games.grid import DIRECTIONS, Cell, Direction

# ruff: noqa: ARG001 - all checks are called alike

ALL_BROKEN = 0b111
MASTER_AP = 3
_DEGREES = (0, 90, 180, 270)


def seat_to_act(state: State) -> Seat | None:
    """Whose answer is waited for; None = the match is over."""
    if state.end is not None:
        return None
    if state.phase is Phase.DIVE:
        assert state.ritual is not None
        return state.ritual.divers[0]
    return state.active


_AP: Mapping[type[Any], int] = {
    **dict.fromkeys((Wait, Redirect, Dive, Surge), 0),
    **dict.fromkeys((Rush, Strike, Fetch, Restore), MASTER_AP),
}


def cost(rules: Rules, state: State, seat: Seat, deed: Deed) -> int:
    """AP that the deed takes."""
    if isinstance(deed, Grab):
        colour = TILES[state.tile_of(seat)].colour
        return 0 if colour is None else rules.grab_cost(seat, colour)
    return _AP.get(type(deed), 1)


def fault(rules: Rules, state: State, seat: Seat, deed: Deed) -> str:
    """Why the deed of the seat to act is not legal now; "" if it is."""
    if state.phase is not Phase.ACT:
        return _answer_fault(rules, state, seat, deed)
    if isinstance(deed, (Redirect, Dive)):
        return "nothing of the kind was asked"
    if (price := cost(rules, state, seat, deed)) > state.ap_left:
        return f"{price} AP are needed, {state.ap_left} are left"
    kind = type(deed)
    if kind in _MASTERS and (why := _master_fault(rules, state, seat, _MASTERS[kind])):
        return why
    return _CHECKS[kind](rules, state, seat, deed)


def _answer_fault(rules: Rules, state: State, seat: Seat, deed: Deed) -> str:
    """The same in a ritual."""
    match state.phase, deed:
        case Phase.REDIRECT, Wait():
            return ""
        case Phase.REDIRECT, Redirect(cell):
            return "" if cell in redirect_cells(state, _drawn(state)) else "not a chamber without a cultist"
        case Phase.DIVE, Dive(direction):
            return "" if direction in dives(rules, state, seat) else "no doorway there"
        case _:
            return "something else was asked"


def steps(rules: Rules, state: State, seat: Seat, cell: Cell) -> Mapping[Direction, Cell]:
    """Where the hero could move from that cell."""
    dungeon = state.dungeon
    if state.is_surging and seat == state.active:
        return {d: cell.step(d) for d in DIRECTIONS if cell.step(d) in dungeon.at}
    if rules.free_movement:
        return {
            d: other for d in DIRECTIONS if (other := cell.step(d)) in dungeon.at and not dungeon.is_blocked(cell, d)
        }
    if rules.has_skill(seat, "rogue"):
        ways = [d for d in DIRECTIONS if has_half_door(dungeon, cell, d) and not dungeon.is_blocked(cell, d)]
        return {d: cell.step(d) for d in ways}
    return dungeon.links[cell]


def has_half_door(dungeon: Dungeon, cell: Cell, direction: Direction) -> bool:
    """Whether a tile lies there and at least one of the two has a door; barriers do not matter."""
    other = cell.step(direction)
    if other not in dungeon.at:
        return False
    return dungeon.has_door(cell, direction) or dungeon.has_door(other, direction.opposite)


def dives(rules: Rules, state: State, seat: Seat) -> Mapping[Direction, Cell]:
    """Where the hero can dive to: skills do not help, `free_movement` does."""
    cell = state.cell_of(seat)
    if rules.free_movement:
        return steps(rules, state, seat, cell)
    return state.dungeon.links[cell]


def _drawn(state: State) -> int:
    assert state.ritual is not None
    return state.ritual.tile


def redirect_cells(state: State, tile: int) -> list[Cell]:
    """Cells of the chambers in play without a cultist, but for the drawn chamber `tile`."""
    return [
        placed.cell
        for placed in state.dungeon.placed
        if TILES[placed.tile].kind is Kind.CHAMBER and not state.cultists >> placed.tile & 1 and placed.tile != tile
    ]


def _no_fault(rules: Rules, state: State, seat: Seat, deed: Wait | Surge) -> str:
    return ""


def _check_move(rules: Rules, state: State, seat: Seat, deed: Move) -> str:
    return "" if deed.direction in steps(rules, state, seat, state.cell_of(seat)) else "no way through there"


def _check_explore(rules: Rules, state: State, seat: Seat, deed: Explore) -> str:
    cell, dungeon = state.cell_of(seat), state.dungeon
    if rules.known_map:
        return "the map is known"
    if not dungeon.has_door(cell, deed.direction) or cell.step(deed.direction) in dungeon.at:
        return "no door onto an empty cell there"
    if dungeon.is_blocked(cell, deed.direction):
        return "a barrier stands in that doorway"
    if not drawable(rules, dungeon.stack, dungeon.at[cell].tile):
        return "no tile is left that may be laid there"
    if deed.stay and not rules.has_skill(seat, "ranger"):
        return "only the Ranger need not enter"
    return ""


def _check_passage(rules: Rules, state: State, seat: Seat, deed: Passage) -> str:
    return "" if state.cell_of(seat) in state.dungeon.passages else "no Secret Passage leads from here"


def _check_grab(rules: Rules, state: State, seat: Seat, deed: Grab) -> str:
    tile = state.tile_of(seat)
    has_token = TILES[tile].kind is Kind.CHAMBER and state.tokens >> tile & 1
    return "" if has_token else "no token lies here"


def _check_break_seal(rules: Rules, state: State, seat: Seat, deed: BreakSeal) -> str:
    tile = state.tile_of(seat)
    if tile not in SEALS or state.broken >> SEALS.index(tile) & 1:
        return "no seal stands here"
    held = tokens_for_seal(rules, state, seat)[SEALS.index(tile)]
    return "" if held >= TOKENS_NEEDED else f"{TOKENS_NEEDED} tokens of the seal's colour are needed, got {held}"


def tokens_for_seal(rules: Rules, state: State, seat: Seat) -> Tokens:
    """The tokens that count when this hero breaks a seal."""
    if rules.seal_rule == "personal":
        return state.heroes[seat].tokens
    living = [hero.tokens for hero in state.heroes if hero.cell is not None]
    red, green, blue = (sum(tokens[colour] for tokens in living) for colour in COLOURS)
    return red, green, blue


def _check_break_barrier(rules: Rules, state: State, seat: Seat, deed: BreakBarrier) -> str:
    cell = state.cell_of(seat)
    return "" if state.dungeon.is_blocked(cell, deed.direction) else "no barrier stands there"


def _check_fire(rules: Rules, state: State, seat: Seat, deed: TakeFire) -> str:
    if state.tile_of(seat) != FIRE or state.carrier is not None:
        return "the Fire is not here"
    return "" if state.broken == ALL_BROKEN else "not all seals are broken"


def _check_trade(rules: Rules, state: State, seat: Seat, deed: Trade) -> str:
    if deed.seat >= len(state.heroes) or deed.seat == seat or state.heroes[deed.seat].cell != state.cell_of(seat):
        return "that hero is not on this tile"
    if not any(deed.give) and not any(deed.take):
        return "nothing changes hands"
    own, other = state.heroes[seat].tokens, state.heroes[deed.seat].tokens
    for colour in COLOURS:
        if deed.give[colour] and deed.take[colour]:
            return "one colour cannot go both ways"
        if deed.give[colour] > own[colour] or deed.take[colour] > other[colour]:
            return "there are not so many tokens"
    return ""


def _check_attack(rules: Rules, state: State, seat: Seat, deed: Attack) -> str:
    here = state.cell_of(seat)
    match deed.target:
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


def _check_send(rules: Rules, state: State, seat: Seat, deed: Send) -> str:
    if not rules.has_skill(seat, "wizard") or state.carrier == seat:
        return "only a Wizard without the Fire sends tokens"
    if deed.seat == seat or not state.is_living(deed.seat):
        return "no such hero to send to"
    return "" if state.heroes[seat].tokens[deed.colour] else "no token of that colour"


def _check_rush(rules: Rules, state: State, seat: Seat, deed: Rush) -> str:
    cell = state.cell_of(seat)
    for direction in deed.directions:
        ways = steps(rules, state, seat, cell)
        if direction not in ways:
            return "no way through there"
        cell = ways[direction]
    return ""


def _check_strike(rules: Rules, state: State, seat: Seat, deed: Strike) -> str:
    if rules.heroes[seat] == "paladin":
        return "" if state.has_cultist(deed.cell) else "no cultist is there"
    is_away = deed.cell in state.dungeon.at and deed.cell != state.cell_of(seat)
    return "" if is_away else "no other tile lies there"


def _check_fetch(rules: Rules, state: State, seat: Seat, deed: Fetch) -> str:
    placed = state.dungeon.at.get(deed.cell)
    if placed is None or TILES[placed.tile].kind is not Kind.CHAMBER or not state.tokens >> placed.tile & 1:
        return "no token lies there"
    return "" if state.is_living(deed.seat) else "no such hero to give it to"


def _check_restore(rules: Rules, state: State, seat: Seat, deed: Restore) -> str:
    if not state.void >> deed.tile & 1:
        return "that tile is not in the Void"
    at = state.dungeon.at
    is_beside = any(deed.cell.step(direction) in at for direction in DIRECTIONS)
    return "" if is_beside and deed.cell not in at else "not an empty cell beside a tile"


def _master_fault(rules: Rules, state: State, seat: Seat, heroes: tuple[str, ...]) -> str:
    if not rules.skills or rules.heroes[seat] not in heroes:
        return "that is no skill of this hero"
    if state.heroes[seat].is_master_used:
        return "master skills work once a match"
    return "the carrier of the Fire uses passive skills only" if state.carrier == seat else ""


_MASTERS: Mapping[type[Any], tuple[str, ...]] = {
    Rush: ("warrior",),
    Surge: ("rogue",),
    Strike: ("paladin", "wizard"),
    Fetch: ("ranger",),
    Restore: ("sage",),
}
_CHECKS: Mapping[type[Any], Callable[[Rules, State, Seat, Any], str]] = {
    Wait: _no_fault,
    Move: _check_move,
    Explore: _check_explore,
    Passage: _check_passage,
    Grab: _check_grab,
    BreakSeal: _check_break_seal,
    BreakBarrier: _check_break_barrier,
    TakeFire: _check_fire,
    Trade: _check_trade,
    Attack: _check_attack,
    Send: _check_send,
    Rush: _check_rush,
    Surge: _no_fault,
    Strike: _check_strike,
    Fetch: _check_fetch,
    Restore: _check_restore,
}


def legal_deeds(rules: Rules, state: State, seat: Seat) -> list[Deed]:
    """Everything but trades of several tokens, which `fault` knows too; `wait` last where it is legal."""
    return [deed for deed in _candidates(rules, state, seat) if not fault(rules, state, seat, deed)]


def _candidates(rules: Rules, state: State, seat: Seat) -> Iterator[Deed]:
    if state.phase is Phase.DIVE:
        yield from map(Dive, DIRECTIONS)
        return
    if state.phase is Phase.REDIRECT:
        yield from map(Redirect, redirect_cells(state, _drawn(state)))
        yield Wait()
        return
    yield from map(Move, DIRECTIONS)
    yield from (Grab(), BreakSeal(), TakeFire(), Passage(), Attack())
    if state.dungeon.barriers:
        yield from map(BreakBarrier, DIRECTIONS)
    if state.dungeon.stack and not rules.known_map:
        yield from (Explore(d, degrees) for d in DIRECTIONS for degrees in _DEGREES)
    for other in state.living():
        if other != seat and state.heroes[other].cell == state.heroes[seat].cell:
            yield from _small_trades(state, seat, other)
    if rules.skills:
        yield from _skills(rules, state, seat)
    yield Wait()


def _small_trades(state: State, seat: Seat, other: Seat) -> Iterator[Deed]:
    """One token, or all of a colour, in either direction."""
    for colour in COLOURS:
        for count in dict.fromkeys((1, state.heroes[seat].tokens[colour])):
            yield Trade(other, give=tokens_of(colour, count))
        for count in dict.fromkeys((1, state.heroes[other].tokens[colour])):
            yield Trade(other, take=tokens_of(colour, count))


def _skills(rules: Rules, state: State, seat: Seat) -> Iterator[Deed]:
    """Uses of the hero's own skills."""
    match rules.heroes[seat]:
        case "warrior":
            yield from map(Attack, DIRECTIONS)
        case "paladin" if not state.is_strike_used:
            yield from map(Attack, (placed.cell for placed in state.dungeon.placed))
        case "ranger":
            yield from (Explore(d, degrees, stay=True) for d in DIRECTIONS for degrees in _DEGREES)
        case "rogue":
            yield Surge()
        case "wizard":
            yield from (Send(colour, other) for colour in COLOURS for other in state.living())
    if state.ap_left >= MASTER_AP and not state.heroes[seat].is_master_used:
        yield from _masters(rules, state, seat)


def _masters(rules: Rules, state: State, seat: Seat) -> Iterator[Deed]:
    cells = [placed.cell for placed in state.dungeon.placed]
    match rules.heroes[seat]:
        case "warrior":
            yield from (Rush(way) for length in (1, 2, 3) for way in product(DIRECTIONS, repeat=length))
        case "paladin" | "wizard":
            yield from map(Strike, cells)
        case "ranger":
            yield from (Fetch(cell, other) for cell in cells for other in state.living())
        case "sage":
            yield from (
                Restore(tile, cell, d) for tile in members(state.void) for cell in _rim(state) for d in _DEGREES
            )


def _rim(state: State) -> list[Cell]:
    """Empty cells beside tiles, in the order of the tiles."""
    at = state.dungeon.at
    beside = (cell.step(direction) for cell in at for direction in DIRECTIONS)
    return [cell for cell in dict.fromkeys(beside) if cell not in at]
