"""What every deed changes, on the working copy of a turn. Checks nothing: `games.eidolon.legal` has done that."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, assert_never

from games.eidolon.actions import (
    Attack,
    BreakBarrier,
    BreakSeal,
    Deed,
    Explore,
    Fetch,
    Grab,
    Move,
    Passage,
    Restore,
    Rush,
    Send,
    Strike,
    Surge,
    TakeFire,
    Tokens,
    Trade,
    Wait,
)
from games.eidolon.dungeon import Edge, Placed, edge_of
from games.eidolon.legal import ALL_BROKEN
from games.eidolon.maps import drawable
from games.eidolon.params import SURGE_AP
from games.eidolon.state import Seat
from games.eidolon.tiles import (
    COLOURS,
    DOORS,
    SEALS,
    TILES,
    TOKENS_NEEDED,
    Colour,
    TileSet,
    has_door,
    members,
    turned_to,
)
from games.eidolon.work import Work
from games.grid import DIRECTIONS, Cell, Direction

# ruff: noqa: ARG001 - all effects are called alike


def do(work: Work, seat: Seat, deed: Deed, price: int) -> None:
    """Pay for the deed of an acting hero and do it; `redirect` and `dive` are answers of `games.eidolon.ritual`."""
    work.pay(seat, price)
    _EFFECTS[type(deed)](work, seat, deed)


def _move(work: Work, seat: Seat, deed: Move) -> None:
    work.walk(seat, work.cell_of(seat).step(deed.direction))


def _passage(work: Work, seat: Seat, deed: Passage) -> None:
    work.walk(seat, work.dungeon.passages[work.cell_of(seat)])


def _explore(work: Work, seat: Seat, deed: Explore) -> None:
    here = work.cell_of(seat)
    there, entrance = here.step(deed.direction), deed.direction.opposite
    tiles = drawable(work.rules, work.dungeon.stack, work.dungeon.at[here].tile)
    tile = work.rng("tile").choice(members(tiles))
    quarters = turned_to(tile, entrance, first=deed.degrees // 90)
    barriers = _new_barriers(work, Placed(tile, there, quarters), entrance)
    work.dungeon = work.dungeon.with_tile(Placed(tile, there, quarters)).with_barriers(barriers)
    if not deed.stay:
        work.walk(seat, there)


def _new_barriers(work: Work, placed: Placed, entrance: Direction) -> list[Edge]:
    """Which doors of a new tile are blocked: `barriers_left` of the doors still to come, all equally likely.

    Every tile still to come is counted with one door less, that by which it will be entered.
    """
    if not work.barriers_left:
        return []
    doors = [d for d in DIRECTIONS if d is not entrance and has_door(placed.tile, placed.quarters, d)]
    to_come = len(doors) + _spare_doors(work.dungeon.stack & ~(1 << placed.tile))
    rng = work.rng("barriers")
    blocked = []
    for direction in doors:
        if rng.randrange(to_come) < work.barriers_left:
            blocked.append(edge_of(placed.cell, direction))
            work.barriers_left -= 1
        to_come -= 1
    return blocked


def _spare_doors(tiles: TileSet) -> int:
    return sum(DOORS[tile][0].bit_count() - 1 for tile in members(tiles))


def _grab(work: Work, seat: Seat, deed: Grab) -> None:
    _take_token(work, work.cell_of(seat), seat)
    work.change_hero(seat, grabbed=work.heroes[seat].grabbed + 1)


def _take_token(work: Work, cell: Cell, receiver: Seat) -> None:
    tile = work.dungeon.at[cell].tile
    colour = TILES[tile].colour
    assert colour is not None
    work.tokens &= ~(1 << tile)
    _give(work, receiver, only(colour, 1))


def _give(work: Work, seat: Seat, tokens: Tokens, *, sign: int = 1) -> None:
    held = work.heroes[seat].tokens
    red, green, blue = (held[colour] + sign * tokens[colour] for colour in COLOURS)
    work.change_hero(seat, tokens=(red, green, blue))


def only(colour: Colour, count: int) -> Tokens:
    """So many tokens of one colour."""
    red, green, blue = (count if own is colour else 0 for own in COLOURS)
    return red, green, blue


def _break_seal(work: Work, seat: Seat, deed: BreakSeal) -> None:
    colour = COLOURS[SEALS.index(work.dungeon.at[work.cell_of(seat)].tile)]
    held = work.heroes[seat].tokens[colour]
    spent = TOKENS_NEEDED if work.rules.seal_rule == "personal" else held
    _give(work, seat, only(colour, spent), sign=-1)
    work.change_hero(seat, seals_broken=work.heroes[seat].seals_broken + 1)
    work.broken |= 1 << colour
    if work.broken == ALL_BROKEN and work.rules.cultists:
        work.raise_threat()


def _break_barrier(work: Work, seat: Seat, deed: BreakBarrier) -> None:
    work.dungeon = work.dungeon.without_barrier(work.cell_of(seat), deed.direction)


def _take_fire(work: Work, seat: Seat, deed: TakeFire) -> None:
    work.carrier = seat


def _trade(work: Work, seat: Seat, deed: Trade) -> None:
    for giver, taker, tokens in ((seat, deed.seat, deed.give), (deed.seat, seat, deed.take)):
        _give(work, giver, tokens, sign=-1)
        _give(work, taker, tokens)


def _attack(work: Work, seat: Seat, deed: Attack) -> None:
    here = work.cell_of(seat)
    match deed.target:
        case None:
            target = here
        case Direction() as direction:
            target = here.step(direction)
        case Cell() as target:
            work.is_strike_used = True
        case _:
            assert_never(deed.target)
    work.remove_cultist(seat, target)


def _send(work: Work, seat: Seat, deed: Send) -> None:
    _trade(work, seat, Trade(deed.seat, give=only(deed.colour, 1)))


def _wait(work: Work, seat: Seat, deed: Wait) -> None:
    work.ap_left = 0


# ---- master skills --------------------------------------------------------------------------------------------------


def _rush(work: Work, seat: Seat, deed: Rush) -> None:
    _use_master(work, seat)
    for direction in deed.directions:
        work.walk(seat, work.cell_of(seat).step(direction))
        work.remove_cultist(seat, work.cell_of(seat))


def _surge(work: Work, seat: Seat, deed: Surge) -> None:
    _use_master(work, seat)
    work.is_surging = True
    work.ap_left += SURGE_AP


def _strike(work: Work, seat: Seat, deed: Strike) -> None:
    _use_master(work, seat)
    if work.rules.heroes[seat] == "wizard":
        work.change_hero(seat, cell=deed.cell)
        return
    for cell in (deed.cell, *(deed.cell.step(direction) for direction in DIRECTIONS)):
        if cell in work.dungeon.at:
            work.remove_cultist(seat, cell)


def _fetch(work: Work, seat: Seat, deed: Fetch) -> None:
    _use_master(work, seat)
    _take_token(work, deed.cell, deed.seat)


def _restore(work: Work, seat: Seat, deed: Restore) -> None:
    _use_master(work, seat)
    work.void &= ~(1 << deed.tile)
    work.dungeon = work.dungeon.with_tile(Placed(deed.tile, deed.cell, deed.degrees // 90))


def _use_master(work: Work, seat: Seat) -> None:
    work.change_hero(seat, is_master_used=True)


_EFFECTS: Mapping[type[Any], Callable[[Work, Seat, Any], None]] = {
    Move: _move,
    Passage: _passage,
    Explore: _explore,
    Grab: _grab,
    BreakSeal: _break_seal,
    BreakBarrier: _break_barrier,
    TakeFire: _take_fire,
    Trade: _trade,
    Attack: _attack,
    Send: _send,
    Wait: _wait,
    Rush: _rush,
    Surge: _surge,
    Strike: _strike,
    Fetch: _fetch,
    Restore: _restore,
}
