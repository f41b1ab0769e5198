"""Plans what heroes have left to do, and who gathers which colour: with least AP, or least time if that is short.

A tour goes to the nearest stop next, again and again; `rest_after` prices every first stop by such a tour behind it;
the cheapest of them is much better than nearest-first alone, and exact if few stops are left.

Announced roles are kept unless a change saves more than `KEEP_AP` for each colour: heroes that change their plans with
every new tile walk in circles.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

from gridjoust.bots.eidolon.roads import RoadBook, Roads
from gridjoust.games.bitset import members
from gridjoust.games.eidolon.dungeon import Dungeon, Reach
from gridjoust.games.eidolon.params import Rules
from gridjoust.games.eidolon.state import Seat, State
from gridjoust.games.eidolon.tiles import COLOURS, FIRE, OF_COLOUR, SEALS, TOKENS_NEEDED, Colour
from gridjoust.games.grid import Cell

UNSEEN_AP = 3.0  # to find and reach something that has not been seen yet
FAR_AP = 60.0  # replaces the distance to what cannot be reached now


class Errand(NamedTuple):
    """The work of one hero for one colour: the tokens to gather, and the seal to break."""

    colour: Colour
    missing: int  # tokens
    cells: tuple[Cell, ...]  # cells with tokens
    price: int  # AP for one token
    seal: Cell | None  # None: not seen yet


class Stop(NamedTuple):
    """A stop of a tour: a token's cell, or the seal of a colour."""

    cell: Cell
    is_seal: bool
    colour: Colour


@dataclass(frozen=True, slots=True)
class Tour:
    """The total AP of a tour, and its last cell."""

    cost: float
    end: Cell


def tour(roads: Roads, start: Cell, errands: Sequence[Errand]) -> Tour:
    """Return the tour that goes to the nearest stop, again and again, until all errands are done.

    Stops that are unseen or out of reach count at a flat rate.
    """
    missing = {errand.colour: min(errand.missing, len(errand.cells)) for errand in errands}
    left = {errand.colour: list(errand.cells) for errand in errands}
    cost = sum((errand.missing - missing[errand.colour]) * (UNSEEN_AP + errand.price) for errand in errands)
    open_errands, here = list(errands), start
    while open_errands:
        ap, cell, errand = _nearest(roads.distances(here), open_errands, missing, left)
        if cell is None:
            cost += missing[errand.colour] * (FAR_AP + errand.price) + UNSEEN_AP + 1
            open_errands.remove(errand)
            continue
        here = cell
        if missing[errand.colour] > 0:
            cost += ap + errand.price
            missing[errand.colour] -= 1
            left[errand.colour].remove(cell)
        else:
            cost += ap + 1
            open_errands.remove(errand)
    return Tour(cost, here)


def _nearest(
    distances: Mapping[Cell, int],
    errands: Sequence[Errand],
    missing: Mapping[Colour, int],
    left: Mapping[Colour, Iterable[Cell]],
) -> tuple[float, Cell | None, Errand]:
    """Return (AP to the nearest stop, its cell, its errand).

    If no stop is in reach, the cell is None and the errand the last one.
    """
    best: tuple[float, Cell | None, Errand] = (FAR_AP, None, errands[-1])
    for errand in errands:
        cells = left[errand.colour] if missing[errand.colour] > 0 else () if errand.seal is None else (errand.seal,)
        for cell in cells:
            ap = distances.get(cell, FAR_AP)
            if ap < best[0]:
                best = (ap, cell, errand)
    return best


def after(stop: Stop, errands: Sequence[Errand]) -> list[Errand]:
    """Return the errands that are left once a stop is done."""
    left = []
    for errand in errands:
        if errand.colour is not stop.colour:
            left.append(errand)
        elif not stop.is_seal:
            cells = tuple(cell for cell in errand.cells if cell != stop.cell)
            left.append(errand._replace(missing=errand.missing - 1, cells=cells))
    return left


def rest_after(roads: Roads, errands: Sequence[Errand]) -> dict[Stop, float]:
    """Return, for each possible next stop (a missing token, a breakable seal), the AP from there to the tour's end."""
    prices: dict[Stop, float] = {}
    for errand in errands:
        if errand.missing > 0:
            prices |= {Stop(cell, is_seal=False, colour=errand.colour): errand.price for cell in errand.cells}
        elif errand.seal is not None:
            prices[Stop(errand.seal, is_seal=True, colour=errand.colour)] = 1
    return {stop: price + tour(roads, stop.cell, after(stop, errands)).cost for stop, price in prices.items()}


KEEP_AP = 3.0  # AP that a change of one colour must save, for each hero
HURRY = 1.0  # weight of the time that all heroes' turns take; the sum of AP has weight 1, as in the returns

LARGE_TEAM = 4  # number of heroes from which on turns run out, as each hero's are far apart

Roles = Mapping[Colour, Seat]


class Requirements:
    """The tokens and seals that the team still needs in one state."""

    def __init__(self, rules: Rules, state: State, book: RoadBook) -> None:
        self.rules = rules
        self.state = state
        self.book = book

    @cached_property
    def standing(self) -> tuple[Colour, ...]:
        """Colours whose seals are not broken yet."""
        return tuple(colour for colour in COLOURS if not self.state.broken >> colour & 1)

    @cached_property
    def wanted(self) -> tuple[Colour, ...]:
        """Colours that have an unbroken seal and too few tokens in the hands of living heroes."""
        return tuple(colour for colour in self.standing if self.held(colour) < TOKENS_NEEDED)

    @cached_property
    def full(self) -> tuple[Colour, ...]:
        """Colours that have an unbroken seal and enough tokens in the hands of living heroes."""
        return tuple(colour for colour in self.standing if colour not in self.wanted)

    @cached_property
    def living(self) -> tuple[Seat, ...]:
        """Seats whose heroes are in the dungeon."""
        return self.state.living()

    @property
    def is_large_team(self) -> bool:
        """True if the team has so many heroes that each has only few turns."""
        return len(self.living) >= LARGE_TEAM

    @cached_property
    def token_cells(self) -> tuple[tuple[Cell, ...], ...]:
        """For each colour, the cells where its tokens lie."""
        where, tokens = self.state.dungeon.where, self.state.tokens
        return tuple(
            tuple(where[tile] for tile in members(tokens & OF_COLOUR[colour]) if tile in where) for colour in COLOURS
        )

    def held(self, colour: Colour) -> int:
        """Return the number of tokens of a colour in the hands of living heroes."""
        return sum(self.state.heroes[seat].tokens[colour] for seat in self.living)

    def roads(self, seat: Seat) -> Roads:
        """Return the arcs that this hero can walk in the state's dungeon."""
        return self.book.roads(self.state, seat)

    def reach(self, start: Cell, *, dungeon: Dungeon | None = None, steps: Reach | None = None) -> frozenset[Cell]:
        """Return the cells that can be reached from `start`, like `Dungeon.reach`, and count the steps as tactics.

        The default is the state's dungeon. `steps`, cell -> next cells, replaces the dungeon's own.
        """
        dungeon = dungeon or self.state.dungeon
        reached = dungeon.reach(start, steps=steps)
        neighbours = dungeon.neighbours("doors") if steps is None else steps
        self.book.work.count_tactics(sum(len(neighbours.get(cell, ())) for cell in reached))
        return reached

    def errand(self, seat: Seat, colour: Colour, *, incoming: int = 0) -> Errand:
        """Return what this hero has to do for a colour that it gathers, if others bring it `incoming` tokens."""
        is_team = self.rules.seal_rule == "team"
        own = self.held(colour) if is_team else self.state.heroes[seat].tokens[colour] + incoming
        seal = self.state.dungeon.where.get(SEALS[colour])
        price = self.rules.grab_cost(seat, colour)
        return Errand(colour, max(0, TOKENS_NEEDED - own), self.token_cells[colour], price, seal)


def choose_roles(needs: Requirements, told: Roles) -> Roles:
    """Return colour -> hero to gather it, for each unbroken seal; `told`: the roles announced before.

    Only the state and `told` decide, so team-mates who compute this on their own agree.
    """
    colours, seats = needs.standing, needs.living
    if len(seats) == 1 or not colours:
        return dict.fromkeys(colours, seats[0])
    costs = _Costs(needs, colours)
    kept = {colour: told[colour] for colour in colours if told.get(colour) in seats}
    choices: list[tuple[Seat, ...]] = [
        (kept[colour],) if colour in kept and needs.errand(kept[colour], colour).missing == 0 else seats
        for colour in colours  # a hero that has all tokens of its colour keeps it
    ]

    def price(holders: tuple[Seat, ...]) -> tuple[float, tuple[Seat, ...]]:
        changed = sum([kept.get(colour, holder) != holder for colour, holder in zip(colours, holders, strict=True)])
        return costs.of(holders) + KEEP_AP * len(seats) * changed, holders

    holders = min(product(*choices), key=price)
    return dict(zip(colours, holders, strict=True))


class _Costs:
    """Costs of assigning colours to heroes; each hero's tour is computed once per set of colours."""

    def __init__(self, needs: Requirements, colours: Sequence[Colour]) -> None:
        self._needs = needs
        self._colours = colours
        self._fire = needs.state.dungeon.where.get(FIRE)
        self._tours: dict[tuple[Seat, int], tuple[float, float]] = {}
        self._idle_fire_ap = sorted((self._tour(seat, 0)[1], seat) for seat in needs.living)

    def of(self, holders: Sequence[Seat]) -> float:
        """Return the AP of all tours and of the path to the Fire after them; rituals add weight to the longest tour."""
        own: dict[Seat, int] = {}
        for index, seat in enumerate(holders):
            own[seat] = own.get(seat, 0) | 1 << index
        total = longest = 0.0
        fire_ap = next((ap for ap, seat in self._idle_fire_ap if seat not in own), FAR_AP)
        for seat, colours in own.items():
            spent, from_end = self._tours.get((seat, colours)) or self._tour(seat, colours)
            total += spent
            longest = max(longest, spent)
            fire_ap = min(fire_ap, from_end)
        total += fire_ap
        return total + HURRY * len(self._idle_fire_ap) * longest

    def _tour(self, seat: Seat, own: int) -> tuple[float, float]:
        """Return (AP of a hero's tour, AP of the path to the Fire from its end); `own`: bit set of its colours."""
        needs = self._needs
        roads, colours = needs.roads(seat), [c for index, c in enumerate(self._colours) if own >> index & 1]
        found = tour(roads, needs.state.cell_of(seat), [needs.errand(seat, colour) for colour in colours])
        fire_ap = 0 if self._fire is None else roads.distances(found.end).get(self._fire, FAR_AP)
        self._tours[seat, own] = found.cost, float(fire_ap)
        return self._tours[seat, own]


LOAD_AP = 6.0  # price of a second colour in the same hands, shared by the other heroes
STEP_FOR_TOKEN_AP = 0.7  # price of the steps to each token
KEEP_COLLECTOR_AP = 3.0  # AP that a change of collector must save


def choose_collectors(needs: Requirements, told: Roles) -> Roles:
    """Return colour -> hero who should collect it, for each unbroken seal.

    It is the hero that needs the fewest AP for its missing tokens. Colours that the hero is to collect already count
    against it. A hero is preferred if it has announced the colour before (`told`).
    """
    found: dict[Colour, Seat] = {}
    for colour in needs.standing:

        def price(seat: Seat, colour: Colour = colour) -> tuple[float, Seat]:
            lacking = TOKENS_NEEDED - needs.state.heroes[seat].tokens[colour]
            load = LOAD_AP * list(found.values()).count(seat) / max(1, len(needs.living) - 1)
            kept = KEEP_COLLECTOR_AP * (told.get(colour) == seat)
            return lacking * (needs.rules.grab_cost(seat, colour) + STEP_FOR_TOKEN_AP) + load - kept, seat

        found[colour] = min(needs.living, key=price)
    return found
