"""Apply one answer and its consequences, as an ordered list of named stages; the answer is already checked.

An act is paid for and done; `gridjoust.games.eidolon.ritual` handles answers in a ritual. If a hero has no AP left, its
turn ends: first the ritual, which may stop to ask a seat, then the stages of the mode, then the next hero.
"""

from __future__ import annotations

from gridjoust.games.bitset import members
from gridjoust.games.eidolon import actions, ritual
from gridjoust.games.eidolon.actions import MASTER_SKILLS, Act, Action, Tokens, tokens_of
from gridjoust.games.eidolon.dungeon import Edge, Placed, edge_of
from gridjoust.games.eidolon.ending import end_of
from gridjoust.games.eidolon.events import MODES
from gridjoust.games.eidolon.legal import ALL_BROKEN, cost
from gridjoust.games.eidolon.maps import drawable
from gridjoust.games.eidolon.params import AP_PER_TURN, SURGE_AP, Rules
from gridjoust.games.eidolon.state import End, Message, Phase, Seat, State, TurnDraft
from gridjoust.games.eidolon.tiles import COLOURS, DOORS, SEALS, TILES, TOKENS_NEEDED, has_door, turned_to
from gridjoust.games.grid import DIRECTIONS, Cell, Direction


def play(rules: Rules, state: State, seat: Seat, action: Action) -> State:
    """Return the state after a legal action of the seat to act and all that follows from it."""
    draft = TurnDraft(rules, state)
    if action.words:
        draft.set(messages=(*draft.state.messages, Message(seat, action.words)))
    if state.phase is Phase.ACT:
        do(draft, seat, action.act, cost(rules, state, seat, action.act))
        _check_end(draft, state)
        if draft.state.end is None and draft.state.ap_left == 0:
            draft.set(is_surging=False, is_strike_used=False, hero_turns=state.hero_turns + 1)
            draft.set_hero(seat, turns=draft.state.heroes[seat].turns + 1)
            if ritual.is_due(rules, draft.state):
                ritual.begin(draft)
    else:
        ritual.answer(draft, seat, action.act)
    if draft.state.ap_left == 0 and draft.state.phase is Phase.ACT:
        for stage in (lambda draft: _check_end(draft, state), *MODES[rules.mode], next_hero):
            if draft.state.end is None:
                stage(draft)
    return draft.state


def _check_end(draft: TurnDraft, before: State) -> None:
    """End the match if it is over."""
    is_changed = draft.state.dungeon.placed is not before.dungeon.placed
    if end := end_of(draft.rules, draft.state, is_changed=is_changed):
        draft.set(end=end)


def next_hero(draft: TurnDraft) -> None:
    """Begin the next living hero's turn; a game round ends if no later seat lives.

    The hero has fresh AP, minus one for standing up; its earlier messages are removed.
    """
    later = [seat for seat in draft.state.living() if seat > draft.state.active]
    if not later:
        if draft.state.game_round >= draft.rules.max_game_rounds:
            draft.set(end=End.ROUNDS)
            return
        draft.set(game_round=draft.state.game_round + 1)
    seat = later[0] if later else draft.state.living()[0]
    messages = tuple(message for message in draft.state.messages if message.seat != seat)
    draft.set(active=seat, ap_left=AP_PER_TURN, messages=messages)
    if draft.state.heroes[seat].is_lying:
        draft.set_hero(seat, is_lying=False)
        draft.pay(seat, 1)


def do(draft: TurnDraft, seat: Seat, act: Act, price: int) -> None:
    """Take the act's price in AP and carry the act out; `gridjoust.games.eidolon.ritual` does `redirect` and `dive`."""
    draft.pay(seat, price)
    if isinstance(act, MASTER_SKILLS):
        draft.set_hero(seat, is_master_used=True)
        _use_master_skill(draft, seat, act)
    else:
        _act(draft, seat, act, draft.state.cell_of(seat))


def _act(draft: TurnDraft, seat: Seat, act: Act, here: Cell) -> None:
    match act:
        case actions.Move(direction):
            draft.walk(seat, here.step(direction))
        case actions.Passage():
            draft.walk(seat, draft.state.dungeon.passages[here])
        case actions.Explore():
            _explore(draft, seat, act, here)
        case actions.Grab():
            _take_token(draft, here, seat)
            draft.set_hero(seat, grabbed=draft.state.heroes[seat].grabbed + 1)
        case actions.BreakSeal():
            _break_seal(draft, seat)
        case actions.BreakBarrier(direction):
            draft.set(dungeon=draft.state.dungeon.without_barrier(here, direction))
        case actions.TakeFire():
            draft.set(carrier=seat)
        case actions.Trade(other, give, take):
            _hand_over(draft, seat, other, give)
            _hand_over(draft, other, seat, take)
        case actions.Send(colour, other):
            _hand_over(draft, seat, other, tokens_of(colour, 1))
        case actions.Attack(Cell() as target):
            draft.set(is_strike_used=True)
            draft.remove_cultist(seat, target)
        case actions.Attack(Direction() as direction):
            draft.remove_cultist(seat, here.step(direction))
        case actions.Attack():
            draft.remove_cultist(seat, here)
        case actions.Wait():
            draft.set(ap_left=0)


def _use_master_skill(draft: TurnDraft, seat: Seat, act: Act) -> None:
    match act:
        case actions.Rush(directions):
            for direction in directions:
                draft.walk(seat, draft.state.cell_of(seat).step(direction))
                draft.remove_cultist(seat, draft.state.cell_of(seat))
        case actions.Surge():
            draft.set(is_surging=True, ap_left=draft.state.ap_left + SURGE_AP)
        case actions.Strike(cell) if draft.rules.heroes[seat] == "wizard":
            draft.set_hero(seat, cell=cell)
        case actions.Strike(cell):
            for target in (cell, *map(cell.step, DIRECTIONS)):
                draft.remove_cultist(seat, target)
        case actions.Fetch(cell, receiver):
            _take_token(draft, cell, receiver)
        case actions.Restore(tile, cell, degrees):
            dungeon = draft.state.dungeon.with_tile(Placed(tile, cell, degrees // 90))
            draft.set(void=draft.state.void & ~(1 << tile), dungeon=dungeon)


def _explore(draft: TurnDraft, seat: Seat, act: actions.Explore, here: Cell) -> None:
    there, entrance = here.step(act.direction), act.direction.opposite
    dungeon = draft.state.dungeon
    tile = draft.rng("tile").choice(members(drawable(draft.rules, dungeon.stack, dungeon.at[here].tile)))
    placed = Placed(tile, there, turned_to(tile, entrance, first=act.degrees // 90))
    draft.set(dungeon=dungeon.with_tile(placed).with_barriers(_new_barriers(draft, placed, entrance)))
    if not act.stay:
        draft.walk(seat, there)


def _new_barriers(draft: TurnDraft, placed: Placed, entrance: Direction) -> list[Edge]:
    """Return the doorways of a new tile in which barriers are put.

    The `barriers_left` barriers are spread over all doors still to come, each with the same chance. Every tile still to
    come counts one door less, because a hero will enter it through that door.
    """
    if not draft.state.barriers_left:
        return []
    doors = [d for d in DIRECTIONS if d is not entrance and has_door(placed.tile, placed.quarters, d)]
    later = members(draft.state.dungeon.stack & ~(1 << placed.tile))
    to_come = len(doors) + sum(DOORS[tile][0].bit_count() - 1 for tile in later)
    rng = draft.rng("barriers")
    blocked = []
    for direction in doors:
        if rng.randrange(to_come) < draft.state.barriers_left:
            blocked.append(edge_of(placed.cell, direction))
            draft.set(barriers_left=draft.state.barriers_left - 1)
        to_come -= 1
    return blocked


def _take_token(draft: TurnDraft, cell: Cell, receiver: Seat) -> None:
    tile = draft.state.dungeon.at[cell].tile
    colour = TILES[tile].colour
    assert colour is not None
    draft.set(tokens=draft.state.tokens & ~(1 << tile))
    _give(draft, receiver, tokens_of(colour, 1))


def _hand_over(draft: TurnDraft, giver: Seat, taker: Seat, tokens: Tokens) -> None:
    _give(draft, giver, tokens, sign=-1)
    _give(draft, taker, tokens)


def _give(draft: TurnDraft, seat: Seat, tokens: Tokens, *, sign: int = 1) -> None:
    held = draft.state.heroes[seat].tokens
    red, green, blue = (held[colour] + sign * tokens[colour] for colour in COLOURS)
    draft.set_hero(seat, tokens=(red, green, blue))


def _break_seal(draft: TurnDraft, seat: Seat) -> None:
    colour = COLOURS[SEALS.index(draft.state.tile_of(seat))]
    held = draft.state.heroes[seat].tokens[colour]
    spent = TOKENS_NEEDED if draft.rules.seal_rule == "personal" else held
    _give(draft, seat, tokens_of(colour, spent), sign=-1)
    draft.set_hero(seat, seals_broken=draft.state.heroes[seat].seals_broken + 1)
    draft.set(broken=draft.state.broken | 1 << colour)
    if draft.state.broken == ALL_BROKEN and draft.rules.cultists:
        draft.raise_threat()
