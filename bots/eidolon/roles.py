"""Which hero gathers which colour: the share-out with the least AP, or the least time where time is short.

What heroes have told is kept as long as a change does not save more than `KEEP_AP` for each colour: heroes that change
their minds with every new tile walk in circles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import product

from bots.eidolon.roads import RoadBook, Roads
from bots.eidolon.tours import FAR_AP, Errand, tour
from games.bitset import members
from games.eidolon.params import Rules
from games.eidolon.state import Seat, State
from games.eidolon.tiles import COLOURS, FIRE, OF_COLOUR, SEALS, TOKENS_NEEDED, Colour
from games.grid import Cell

KEEP_AP = 2.0
KEEP_AP_IN_HURRY = 6.0  # where rituals come
HURRY = 1.0  # weight of the time that all heroes' turns take, against 1 for the sum of AP, where rituals come

Roles = Mapping[Colour, Seat]


class Needs:
    """What the team still has to gather, read off one state."""

    def __init__(self, rules: Rules, state: State, book: RoadBook) -> None:
        self.rules = rules
        self.state = state
        self.book = book

    @cached_property
    def standing(self) -> tuple[Colour, ...]:
        """Colours whose seals stand."""
        return tuple(colour for colour in COLOURS if not self.state.broken >> colour & 1)

    @cached_property
    def living(self) -> tuple[Seat, ...]:
        """Seats whose heroes are in the dungeon."""
        return self.state.living()

    @cached_property
    def token_cells(self) -> tuple[tuple[Cell, ...], ...]:
        """By colour: where tokens lie."""
        where, tokens = self.state.dungeon.where, self.state.tokens
        return tuple(
            tuple(where[tile] for tile in members(tokens & OF_COLOUR[colour]) if tile in where) for colour in COLOURS
        )

    def held(self, colour: Colour) -> int:
        """Tokens of a colour in the hands of the living."""
        return sum(self.state.heroes[seat].tokens[colour] for seat in self.living)

    def roads(self, seat: Seat) -> Roads:
        """How that hero walks."""
        return self.book.roads(self.state, seat)

    def errand(self, seat: Seat, colour: Colour, *, incoming: int = 0) -> Errand:
        """What the hero has to do if the colour is its own; `incoming` tokens will be brought to it."""
        is_team = self.rules.seal_rule == "team"
        own = self.held(colour) if is_team else self.state.heroes[seat].tokens[colour] + incoming
        seal = self.state.dungeon.where.get(SEALS[colour])
        price = self.rules.grab_cost(seat, colour)
        return Errand(colour, max(0, TOKENS_NEEDED - own), self.token_cells[colour], price, seal)


def choose_roles(needs: Needs, told: Roles) -> Roles:
    """A hero for every colour whose seal stands; `told`: who has said that it gathers a colour.

    Nothing but the state and what was told decides, so team-mates who work this out for themselves agree.
    """
    colours, seats = needs.standing, needs.living
    if len(seats) == 1 or not colours:
        return dict.fromkeys(colours, seats[0])
    costs = _Costs(needs, colours)
    kept = {colour: told[colour] for colour in colours if told.get(colour) in seats}
    choices: list[tuple[Seat, ...]] = [
        (kept[colour],) if _is_settled(needs, kept, colour) else seats for colour in colours
    ]
    keep_ap = KEEP_AP_IN_HURRY if needs.rules.cultists else KEEP_AP

    def price(holders: tuple[Seat, ...]) -> tuple[float, tuple[Seat, ...]]:
        changed = sum([kept.get(colour, holder) != holder for colour, holder in zip(colours, holders, strict=True)])
        return costs.of(holders) + keep_ap * changed, holders

    holders = min(product(*choices), key=price)
    return dict(zip(colours, holders, strict=True))


def _is_settled(needs: Needs, kept: Roles, colour: Colour) -> bool:
    """A hero that has all tokens of its colour keeps it."""
    return colour in kept and needs.errand(kept[colour], colour).missing == 0


class _Costs:
    """Costs of share-outs. Each hero's tours are found once for every set of colours, a bit a colour."""

    def __init__(self, needs: Needs, colours: Sequence[Colour]) -> None:
        self._needs = needs
        self._colours = colours
        self._fire = needs.state.dungeon.where.get(FIRE)
        self._tours: dict[tuple[Seat, int], tuple[float, float]] = {}
        self._idle_fire_ap = sorted((self._tour(seat, 0)[1], seat) for seat in needs.living)

    def of(self, holders: Sequence[Seat]) -> float:
        """AP of all tours and of the shortest way to the Fire behind them; with rituals the longest counts more."""
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
        return total + HURRY * len(self._idle_fire_ap) * longest if self._needs.rules.cultists else total

    def _tour(self, seat: Seat, own: int) -> tuple[float, float]:
        """AP of a hero's tour, and of the way to the Fire from its end."""
        needs = self._needs
        roads, colours = needs.roads(seat), [c for index, c in enumerate(self._colours) if own >> index & 1]
        found = tour(roads, needs.state.cell_of(seat), [needs.errand(seat, colour) for colour in colours])
        fire_ap = 0 if self._fire is None else roads.distances(found.end).get(self._fire, FAR_AP)
        self._tours[seat, own] = found.cost, float(fire_ap)
        return self._tours[seat, own]
