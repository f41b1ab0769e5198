"""The transition: one answer applied, then what follows it, as an ordered list of named stages. Checks nothing.

A deed is paid for and done; a ritual's answer is `games.eidolon.ritual`'s. When a hero's AP are gone its turn ends:
ritual (which may stop to ask), the stages of the mode, the next hero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from games.bitset import members
from games.eidolon import actions, ritual
from games.eidolon.actions import MASTER_SKILLS, Action, Deed, Tokens, tokens_of
from games.eidolon.dungeon import Edge, Placed, edge_of
from games.eidolon.ending import end_of
from games.eidolon.legal import ALL_BROKEN, cost
from games.eidolon.maps import drawable
from games.eidolon.params import AP_PER_TURN, SURGE_AP, Rules
from games.eidolon.state import End, Message, Phase, Seat, State
from games.eidolon.tiles import COLOURS, DOORS, SEALS, TILES, TOKENS_NEEDED, has_door, turned_to
from games.eidolon.work import Work
from games.grid import DIRECTIONS, Cell, Direction


def play(rules: Rules, state: State, seat: Seat, action: Action) -> State:
    """The state after a legal action of the seat to act."""
    work = Work(rules, state)
    if action.words:
        work.set(messages=(*work.state.messages, Message(seat, action.words)))
    if state.phase is Phase.ACT:
        do(work, seat, action.deed, cost(rules, state, seat, action.deed))
        _check_end(work, state)
        if work.state.end is None and work.state.ap_left == 0:
            _end_turn(work)
    else:
        ritual.answer(work, seat, action.deed)
    if work.state.ap_left == 0 and work.state.phase is Phase.ACT:
        for stage in (lambda work: _check_end(work, state), *MODES[rules.mode], next_hero):
            if work.state.end is None:
                stage(work)
    return work.state


def _end_turn(work: Work) -> None:
    """The hero's turn is over: the ritual begins."""
    active = work.state.active
    work.set(is_surging=False, is_strike_used=False)
    work.set_hero(active, turns=work.state.heroes[active].turns + 1)
    if work.rules.cultists:
        ritual.begin(work)


def _check_end(work: Work, before: State) -> None:
    """Whether the match is over."""
    is_changed = work.state.dungeon.placed is not before.dungeon.placed
    if end := end_of(work.rules, work.state, is_changed=is_changed):
        work.set(end=end)


def next_hero(work: Work) -> None:
    """The next living hero's turn begins; a game round ends when it is one further up the table."""
    later = [seat for seat in work.state.living() if seat > work.state.active]
    if not later:
        if work.state.game_round >= work.rules.max_game_rounds:
            work.set(end=End.ROUNDS)
            return
        work.set(game_round=work.state.game_round + 1)
    start_turn(work, later[0] if later else work.state.living()[0])


def start_turn(work: Work, seat: Seat) -> None:
    """Fresh AP, less one for standing up; what the hero said before is forgotten."""
    messages = tuple(message for message in work.state.messages if message.seat != seat)
    work.set(active=seat, ap_left=AP_PER_TURN, messages=messages)
    if work.state.heroes[seat].is_lying:
        work.set_hero(seat, is_lying=False)
        work.pay(seat, 1)


def tremor(work: Work) -> None:
    """At the end of a game round one open doorway, all equally likely, falls shut: a barrier stands in it."""
    if work.state.active != max(work.state.living()):
        return
    dungeon = work.state.dungeon
    open_doorways = [edge for edge in dungeon.doorways() if edge not in dungeon.barriers]
    if open_doorways:
        work.set(dungeon=dungeon.with_barriers([work.rng("tremor").choice(open_doorways)]))


MODES: Mapping[str, tuple[Callable[[Work], None], ...]] = {
    "plain": (),
    "tremors": (tremor,),
}
"""Further stages, after the ritual and before the next hero, by the parameter `mode`."""


def do(work: Work, seat: Seat, deed: Deed, price: int) -> None:
    """Pay for the deed of an acting hero and do it; `redirect` and `dive` are answers of `games.eidolon.ritual`."""
    work.pay(seat, price)
    if isinstance(deed, MASTER_SKILLS):
        work.set_hero(seat, is_master_used=True)
        _use_master_skill(work, seat, deed)
    else:
        _act(work, seat, deed, work.state.cell_of(seat))


def _act(work: Work, seat: Seat, deed: Deed, here: Cell) -> None:
    match deed:
        case actions.Move(direction):
            work.walk(seat, here.step(direction))
        case actions.Passage():
            work.walk(seat, work.state.dungeon.passages[here])
        case actions.Explore():
            _explore(work, seat, deed, here)
        case actions.Grab():
            _take_token(work, here, seat)
            work.set_hero(seat, grabbed=work.state.heroes[seat].grabbed + 1)
        case actions.BreakSeal():
            _break_seal(work, seat)
        case actions.BreakBarrier(direction):
            work.set(dungeon=work.state.dungeon.without_barrier(here, direction))
        case actions.TakeFire():
            work.set(carrier=seat)
        case actions.Trade(other, give, take):
            _hand_over(work, seat, other, give)
            _hand_over(work, other, seat, take)
        case actions.Send(colour, other):
            _hand_over(work, seat, other, tokens_of(colour, 1))
        case actions.Attack(Cell() as target):
            work.set(is_strike_used=True)
            work.remove_cultist(seat, target)
        case actions.Attack(Direction() as direction):
            work.remove_cultist(seat, here.step(direction))
        case actions.Attack():
            work.remove_cultist(seat, here)
        case actions.Wait():
            work.set(ap_left=0)


def _use_master_skill(work: Work, seat: Seat, deed: Deed) -> None:
    match deed:
        case actions.Rush(directions):
            for direction in directions:
                work.walk(seat, work.state.cell_of(seat).step(direction))
                work.remove_cultist(seat, work.state.cell_of(seat))
        case actions.Surge():
            work.set(is_surging=True, ap_left=work.state.ap_left + SURGE_AP)
        case actions.Strike(cell) if work.rules.heroes[seat] == "wizard":
            work.set_hero(seat, cell=cell)
        case actions.Strike(cell):
            for target in (cell, *map(cell.step, DIRECTIONS)):
                work.remove_cultist(seat, target)
        case actions.Fetch(cell, receiver):
            _take_token(work, cell, receiver)
        case actions.Restore(tile, cell, degrees):
            dungeon = work.state.dungeon.with_tile(Placed(tile, cell, degrees // 90))
            work.set(void=work.state.void & ~(1 << tile), dungeon=dungeon)


def _explore(work: Work, seat: Seat, deed: actions.Explore, here: Cell) -> None:
    there, entrance = here.step(deed.direction), deed.direction.opposite
    dungeon = work.state.dungeon
    tile = work.rng("tile").choice(members(drawable(work.rules, dungeon.stack, dungeon.at[here].tile)))
    placed = Placed(tile, there, turned_to(tile, entrance, first=deed.degrees // 90))
    work.set(dungeon=dungeon.with_tile(placed).with_barriers(_new_barriers(work, placed, entrance)))
    if not deed.stay:
        work.walk(seat, there)


def _new_barriers(work: Work, placed: Placed, entrance: Direction) -> list[Edge]:
    """Which doors of a new tile are blocked: `barriers_left` of the doors still to come, all equally likely.

    Every tile still to come is counted with one door less, that by which it will be entered.
    """
    if not work.state.barriers_left:
        return []
    doors = [d for d in DIRECTIONS if d is not entrance and has_door(placed.tile, placed.quarters, d)]
    later = members(work.state.dungeon.stack & ~(1 << placed.tile))
    to_come = len(doors) + sum(DOORS[tile][0].bit_count() - 1 for tile in later)
    rng = work.rng("barriers")
    blocked = []
    for direction in doors:
        if rng.randrange(to_come) < work.state.barriers_left:
            blocked.append(edge_of(placed.cell, direction))
            work.set(barriers_left=work.state.barriers_left - 1)
        to_come -= 1
    return blocked


def _take_token(work: Work, cell: Cell, receiver: Seat) -> None:
    tile = work.state.dungeon.at[cell].tile
    colour = TILES[tile].colour
    assert colour is not None
    work.set(tokens=work.state.tokens & ~(1 << tile))
    _give(work, receiver, tokens_of(colour, 1))


def _hand_over(work: Work, giver: Seat, taker: Seat, tokens: Tokens) -> None:
    _give(work, giver, tokens, sign=-1)
    _give(work, taker, tokens)


def _give(work: Work, seat: Seat, tokens: Tokens, *, sign: int = 1) -> None:
    held = work.state.heroes[seat].tokens
    red, green, blue = (held[colour] + sign * tokens[colour] for colour in COLOURS)
    work.set_hero(seat, tokens=(red, green, blue))


def _break_seal(work: Work, seat: Seat) -> None:
    colour = COLOURS[SEALS.index(work.state.tile_of(seat))]
    held = work.state.heroes[seat].tokens[colour]
    spent = TOKENS_NEEDED if work.rules.seal_rule == "personal" else held
    _give(work, seat, tokens_of(colour, spent), sign=-1)
    work.set_hero(seat, seals_broken=work.state.heroes[seat].seals_broken + 1)
    work.set(broken=work.state.broken | 1 << colour)
    if work.state.broken == ALL_BROKEN and work.rules.cultists:
        work.raise_threat()
