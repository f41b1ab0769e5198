"""Resample what one seat of heroquest cannot see; everything that the seat sees stays exactly as it was.

Zargon sees the dungeon, so only future chance is drawn. For heroes, everything that is not revealed moves elsewhere in
the same number: monsters, doors, secret doors, blocked squares, furniture, chests, traps. A trap that is not known may
also lie on a revealed square that no hero has walked on or searched; all such squares and hidden ones have equal
chances. The heroes' views from their squares stay the same; if new blocked squares would change a line of sight, the
old ones stay.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace

from gridjoust.games.bitset import mask_of, members
from gridjoust.games.chance import SEED_LIMIT
from gridjoust.games.heroquest.catalogue import TRAPS
from gridjoust.games.heroquest.legal import legal_actions
from gridjoust.games.heroquest.maps import wall_edges
from gridjoust.games.heroquest.params import Rules
from gridjoust.games.heroquest.sight.board import Board
from gridjoust.games.heroquest.sight.tables import visible_mask
from gridjoust.games.heroquest.situation import Situation
from gridjoust.games.heroquest.state import Chest, Door, Furniture, Seat, State, Trap

TRIES = 5
MAX_GOLD = 200


def redeal(rules: Rules, state: State, seat: Seat, rng: random.Random) -> State:
    """Return the state with a new seed and, for heroes, another dungeon that fits all that they know."""
    fresh = replace(state, seed=rng.randrange(SEED_LIMIT))
    if seat == len(state.heroes):
        return fresh
    situation = Situation(rules, fresh)
    for _ in range(TRIES):
        dealt = _dealt_anew(situation, rng, blocked=_redeal_blocked(situation, rng))
        twin = Situation(rules, dealt)
        is_same = all(_sight(situation, cell) == _sight(twin, cell) for cell in situation.hero_cells())
        if is_same and legal_actions(situation) == legal_actions(twin):
            return dealt
    return _dealt_anew(situation, rng, blocked=situation.dungeon.board.blocked)


def _sight(situation: Situation, cell: int) -> int:
    board, rules = situation.board, situation.rules
    return visible_mask(board, board.square(cell), rules.los, rules.rays)


def _redeal_blocked(situation: Situation, rng: random.Random) -> frozenset[tuple[int, int]]:
    board, state = situation.dungeon.board, situation.state
    known = {square for square in board.blocked if state.seen >> board.number(square) & 1}
    figures = mask_of(situation.hero_cells()) | mask_of(situation.monster_cells())
    places = members(situation.layout.corridor & ~state.seen & ~situation.things.furniture & ~figures)
    count = min(len(board.blocked) - len(known), len(places))
    return frozenset(known | {board.square(cell) for cell in rng.sample(places, count)})


class _Dealer:
    """Random squares that the heroes have not seen, each handed out once."""

    def __init__(self, situation: Situation, blocked: Iterable[tuple[int, int]], rng: random.Random) -> None:
        self._regions = situation.board.regions
        taken = mask_of(situation.board.number(square) for square in blocked) | situation.layout.rock
        taken |= mask_of(situation.dungeon.starts) | mask_of(cell for door in situation.open_doors() for cell in door)
        taken |= mask_of(situation.hero_cells()) | mask_of(situation.monster_cells())
        self._free = members(situation.layout.everything & ~situation.state.seen & ~taken)
        rng.shuffle(self._free)

    def draw(self, otherwise: int) -> int:
        """Return a random unseen square, or `otherwise` if none is left."""
        return self._free.pop(0) if self._free else otherwise

    def draw_in_room(self, otherwise: int) -> int:
        """Return a random unseen square of a room, or `otherwise` if none is left."""
        index = next((index for index, cell in enumerate(self._free) if self._regions[cell] > 0), -1)
        return otherwise if index < 0 else self._free.pop(index)


def _dealt_anew(situation: Situation, rng: random.Random, *, blocked: frozenset[tuple[int, int]]) -> State:
    state, dungeon = situation.state, situation.dungeon
    board = dungeon.board  # the board keeps its tables if it does not change
    if blocked != board.blocked:
        board = Board(board.width, board.height, board.regions, blocked=blocked)
    dealer = _Dealer(situation, blocked, rng)
    chests = []
    for chest in dungeon.chests:
        cell = chest.cell if state.seen >> chest.cell & 1 else dealer.draw_in_room(chest.cell)
        chests.append(chest if state.looted >> chest.cell & 1 else Chest(cell, rng.randint(1, MAX_GOLD)))
    lurkers = tuple(lurker._replace(cell=dealer.draw(lurker.cell)) for lurker in state.lurkers)
    furniture = tuple(_redeal_piece(piece, state.seen, dealer) for piece in dungeon.furniture)
    solid = mask_of(cell for piece in furniture for cell in piece.cells) | mask_of(chest.cell for chest in chests)
    solid |= mask_of(board.number(square) for square in blocked)
    fresh = replace(
        dungeon,
        board=board,
        doors=_redeal_doors(situation, dungeon.doors, rng, known=situation.known_closed_doors()),
        secret_doors=_redeal_doors(situation, dungeon.secret_doors, rng, known=list(state.found_doors)),
        furniture=furniture,
        chests=tuple(chests),
        traps=_redeal_traps(situation, rng, solid=solid),
        monsters=(*dungeon.monsters[: len(dungeon.monsters) - len(lurkers)], *lurkers),
    )
    return replace(state, dungeon=fresh, lurkers=lurkers)


def _redeal_doors(
    situation: Situation, doors: tuple[Door, ...], rng: random.Random, *, known: list[Door]
) -> tuple[Door, ...]:
    """Return the doors: known and open ones as they are, the others moved to walls between two unseen squares."""
    stay = {*known, *situation.open_doors()}
    seen = situation.state.seen
    places = [edge for edge in wall_edges(situation.dungeon.board) if not (seen >> edge[0] | seen >> edge[1]) & 1]
    drawn = rng.sample(places, min(len(places), sum(door not in stay for door in doors)))
    return tuple(door if door in stay or not drawn else drawn.pop() for door in doors)


def _redeal_piece(piece: Furniture, seen: int, dealer: _Dealer) -> Furniture:
    """Return the piece of furniture if it is seen, otherwise one on as many single unseen squares elsewhere.

    Heroes see its shape only when they reveal it, so until then they cannot notice the difference.
    """
    if seen & mask_of(piece.cells):
        return piece
    cells = [dealer.draw_in_room(-1) for _ in piece.cells]
    return Furniture(piece.kind, tuple(sorted(cell for cell in cells if cell >= 0)))


def _redeal_traps(situation: Situation, rng: random.Random, *, solid: int) -> tuple[Trap, ...]:
    """Return the traps, unknown ones moved to squares where heroes cannot rule them out, off things (`solid`)."""
    state, dungeon = situation.state, situation.dungeon
    known = state.found_traps | state.gone_traps
    taken = known | state.proven | solid | situation.fallen | situation.layout.rock
    taken |= mask_of(dungeon.starts) | mask_of(situation.hero_cells())
    places = members(situation.layout.everything & ~taken)
    unknown = [trap for trap in dungeon.traps if not known >> trap.cell & 1]
    drawn = rng.sample(places, min(len(places), len(unknown)))
    moved = {trap: Trap(rng.choice(TRAPS), cell) for trap, cell in zip(unknown, drawn, strict=False)}
    return tuple(moved.get(trap, trap) for trap in dungeon.traps)
