"""Plans which heroes bring the tokens of a colour to its seal, once a large team holds enough of them.

One of the holders, the breaker, breaks the seal. The others hand their tokens to this hero, at the seal or at a cell on
its path there. The best place is chosen by the turns until the seal falls, plus a small cost for walking. The Wizard
may send its tokens instead of coming.

If they cannot all reach the seal, they go to one hero who can, if only by a master skill: the courier, who then goes
there alone.

For each order of the seals, the best party is chosen seal by seal; the order with the lowest total cost is taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, permutations
from math import ceil
from typing import NamedTuple

from gridjoust.bots.eidolon.roles import FAR_AP, Requirements
from gridjoust.games.eidolon.legal import MASTER_AP
from gridjoust.games.eidolon.params import AP_PER_TURN, SURGE_AP
from gridjoust.games.eidolon.state import Seat
from gridjoust.games.eidolon.tiles import SEALS, TOKENS_NEEDED, Colour
from gridjoust.games.grid import Cell

WALK_TURN = 0.07  # cost of every AP that a party walks, against 1 for each turn of a hero until its seal falls
MISSED_TURNS = 1000.0  # cost of a seal that no party can reach


class Party(NamedTuple):
    """The heroes who come to one seal, the one who breaks it, and the number of hero turns until it falls.

    The others bring the breaker their tokens: to the cell `meeting` on its path, or to its own cell if `is_courier`.
    """

    walkers: tuple[Seat, ...]
    breaker: Seat
    turns: int
    is_courier: bool = False
    meeting: Cell | None = None  # cell where the breaker gets the others' tokens; None with a courier
    met_turns: int = 0  # turns until all have met; with a courier, until the seal falls


class Leg(NamedTuple):
    """The cell where a hero is once it has spent `ap` AP, counted from now."""

    ap: int
    cell: Cell


class Outing(NamedTuple):
    """A party's path to its seal: its cost in turns, and for each hero the cell where it ends and when it is there."""

    cost: float
    party: Party
    legs: Mapping[Seat, Leg]


class Clock:
    """Counts the hero turns until each hero has spent a number of AP; the present turn is number 0."""

    def __init__(self, needs: Requirements) -> None:
        state, living = needs.state, needs.living
        self.team = len(living)
        active = living.index(state.active) if state.active in living else 0
        self._delays = {seat: (index - active) % self.team for index, seat in enumerate(living)}
        self._first_ap = {seat: AP_PER_TURN - state.heroes[seat].is_lying for seat in living}
        if state.active in living:
            self._first_ap[state.active] = state.ap_left

    def turns(self, seat: Seat, ap: int) -> int:
        """Return in which turn the hero spends the last of `ap`, counted from now; 0 AP: in its next turn."""
        return self._delays[seat] + self.team * max(0, ceil((ap - self._first_ap[seat]) / AP_PER_TURN))

    def next_ap(self, seat: Seat, ap: int, turn: int) -> int:
        """Return the AP spent at the start of the hero's first turn from `turn` on, or `ap` if that is more."""
        while self.turns(seat, ap + 1) < turn:
            first = self._first_ap[seat]
            ap = first if ap < first else ap + AP_PER_TURN - (ap - first) % AP_PER_TURN
        return ap


class Parties:
    """Decides which heroes go together to break which seal, for one state of the game."""

    def __init__(self, needs: Requirements) -> None:
        self._needs = needs
        self.clock = Clock(needs)
        self._wizard = next((seat for seat in needs.living if needs.rules.has_skill(seat, "wizard")), None)

    @property
    def are_formed(self) -> bool:
        """True if the team is large enough for parties; in a small one a hero collects all tokens of a colour."""
        return self._needs.is_large_team and self._needs.rules.seal_rule == "personal"

    @cached_property
    def found(self) -> Mapping[Colour, Party]:
        """Colour -> its party, for each seal on the board whose tokens heroes hold and can bring there."""
        if not self.are_formed:
            return {}
        where = self._needs.state.dungeon.where
        colours = [colour for colour in self._needs.full if SEALS[colour] in where]
        return min(map(self._in_order, permutations(colours)), key=lambda plan: plan[0])[1]

    def meeting_cell(self, colour: Colour, seat: Seat) -> Cell:
        """Return the cell to which this hero goes for its party: the meeting cell, or the seal if it comes alone.

        A courier and the heroes who give it their tokens walk towards each other.
        """
        party, state = self.found[colour], self._needs.state
        if len(party.walkers) == 1:
            return state.dungeon.where[SEALS[colour]]
        if party.meeting is not None:
            return party.meeting
        if seat != party.breaker:
            return state.cell_of(party.breaker)
        ways = self._needs.roads(seat).distances(state.cell_of(seat))
        givers = [other for other in party.walkers if other != seat]
        return min(map(state.cell_of, givers), key=lambda cell: ways.get(cell, FAR_AP))

    def _in_order(self, colours: Iterable[Colour]) -> tuple[float, dict[Colour, Party]]:
        """Choose a party for each seal in this order: the one with the least cost given those before it.

        Return (cost in turns, colour -> party).
        """
        legs = {seat: Leg(0, self._needs.state.cell_of(seat)) for seat in self._needs.living}
        cost, last = 0.0, 0
        found: dict[Colour, Party] = {}
        for colour in colours:
            outings = list(self._outings(colour, legs)) or self._courier_outings(colour, legs)
            best = min(outings, key=lambda outing: outing[:2], default=None)
            if best is None:
                cost += MISSED_TURNS
                continue
            found[colour] = best.party
            cost, last = cost + best.cost, max(last, best.party.turns)
            legs |= best.legs
        return cost + last, found

    def _candidates(self, colour: Colour) -> Iterator[tuple[Seat, ...]]:
        """Yield groups of heroes who together hold enough tokens, each of whom is needed for that.

        First come groups to which the Wizard sends its tokens, then those without.
        """
        needs, wizard = self._needs, self._wizard
        held = {seat: needs.state.heroes[seat].tokens[colour] for seat in needs.living}
        for sender in dict.fromkeys((wizard if wizard is not None and held[wizard] else None, None)):
            sent = 0 if sender is None else held[sender]
            if sent >= TOKENS_NEEDED:
                yield from ((seat,) for seat in needs.living if seat != sender)
                continue
            holders = [seat for seat in needs.living if held[seat] and seat != sender]
            for size in range(1, len(holders) + 1):
                for walkers in combinations(holders, size):
                    total = sent + sum(held[seat] for seat in walkers)
                    if total >= TOKENS_NEEDED > total - min(held[seat] for seat in walkers):
                        yield walkers

    def _outings(self, colour: Colour, legs: Mapping[Seat, Leg]) -> Iterator[Outing]:
        """Yield the best outing of each group of heroes who hold enough tokens and can all come to the seal."""
        for walkers in self._candidates(colour):
            if outing := self._outing(colour, walkers, legs):
                yield outing

    def _outing(self, colour: Colour, walkers: tuple[Seat, ...], legs: Mapping[Seat, Leg]) -> Outing | None:
        """Return the best outing of these heroes; None if one of them cannot come."""
        roads, seal = self._needs.roads, self._needs.state.dungeon.where[SEALS[colour]]
        if any(seal not in roads(seat).distances(legs[seat].cell) for seat in walkers):
            return None
        ways = {seat: roads(seat).path(legs[seat].cell, seal) if len(walkers) > 1 else (seal,) for seat in walkers}
        plans = (self._by_way_of(cell, colour, walkers, seat, legs) for seat in walkers for cell in ways[seat])
        return min((plan for plan in plans if plan is not None), key=lambda plan: plan[:2])

    def _by_way_of(
        self, cell: Cell, colour: Colour, walkers: tuple[Seat, ...], breaker: Seat, legs: Mapping[Seat, Leg]
    ) -> Outing | None:
        """Return an outing in which the others hand over at `cell`, on the breaker's path; None if one cannot come."""
        roads, clock, seal = self._needs.roads, self.clock, self._needs.state.dungeon.where[SEALS[colour]]
        walked = roads(breaker).distances(legs[breaker].cell)[cell]
        ap, after = legs[breaker].ap + walked, {}
        for seat in walkers:
            if seat != breaker:
                way = roads(seat).distances(legs[seat].cell).get(cell)
                if way is None:
                    return None
                walked += way
                ap, after[seat] = self._handed_over(breaker, ap, seat, Leg(legs[seat].ap + way, cell))
        met_turns = clock.turns(breaker, ap)
        way = roads(breaker).distances(cell)[seal]
        ap, sender = self._with_sent(colour, walkers, breaker, ap + way + 1, legs)
        turns = clock.turns(breaker, ap)
        party = Party(walkers, breaker, turns, meeting=cell, met_turns=met_turns)
        return Outing(turns + WALK_TURN * (walked + way), party, {**after, **sender, breaker: Leg(ap, seal)})

    def _handed_over(self, taker: Seat, ap: int, giver: Seat, there: Leg) -> tuple[int, Leg]:
        """Return (AP spent by the taker, giver's leg) after a trade; the hero who can trade sooner does it."""
        taken = self.clock.next_ap(taker, ap, self.clock.turns(giver, there.ap)) + 1
        given = self.clock.next_ap(taker, ap, self.clock.turns(giver, there.ap + 1))
        return min(given, taken), there._replace(ap=there.ap + (given < taken))

    def _with_sent(
        self, colour: Colour, walkers: tuple[Seat, ...], breaker: Seat, ap: int, legs: Mapping[Seat, Leg]
    ) -> tuple[int, dict[Seat, Leg]]:
        """Return (AP spent by the breaker once it has the Wizard's tokens too, the Wizard's seat -> its leg then).

        The mapping is empty if the Wizard need not send any.
        """
        lacking = TOKENS_NEEDED - sum(self._needs.state.heroes[seat].tokens[colour] for seat in walkers)
        if lacking <= 0 or self._wizard is None:
            return ap, {}
        sender = Leg(legs[self._wizard].ap + lacking, legs[self._wizard].cell)
        while self.clock.turns(breaker, ap) < self.clock.turns(self._wizard, sender.ap):
            ap += AP_PER_TURN
        return ap, {self._wizard: sender}

    def _courier_outings(self, colour: Colour, legs: Mapping[Seat, Leg]) -> Iterator[Outing]:
        """Yield outings in which one hero comes to the seal and the others to that hero's cell."""
        seal = self._needs.state.dungeon.where[SEALS[colour]]
        for courier in self._needs.living:
            way = self._way_of_courier(courier, legs[courier].cell, seal)
            if way is None:
                continue
            for walkers in self._candidates(colour):
                met = self._met([seat for seat in walkers if seat != courier], courier, legs)
                if met is None:
                    continue
                turns = met.party.turns + self.clock.team * ceil((way + 1) / AP_PER_TURN)
                end = Leg(turns * AP_PER_TURN // self.clock.team, seal)
                cost = turns + WALK_TURN * len(met.party.walkers)  # any needless token costs a walker
                yield Outing(cost, met.party._replace(turns=turns, met_turns=turns), {**met.legs, courier: end})

    def _met(self, givers: Sequence[Seat], courier: Seat, legs: Mapping[Seat, Leg]) -> Outing | None:
        """Return the outing in which the givers bring the courier their tokens; None if one of them cannot come."""
        here = legs[courier].cell
        after = {}
        for seat in givers:
            way = self._needs.roads(seat).distances(legs[seat].cell).get(here)
            if way is None:
                return None
            after[seat] = Leg(legs[seat].ap + way + 1, here)
        turns = max((self.clock.turns(seat, leg.ap) for seat, leg in after.items()), default=0)
        return Outing(turns, Party((*givers, courier), courier, turns, is_courier=True), after)

    def _way_of_courier(self, seat: Seat, start: Cell, seal: Cell) -> int | None:
        """Return the AP to the seal, or None if the hero cannot reach it.

        The Wizard's leap or the Rogue's surge counts only if walking does not lead there.
        """
        state, rules = self._needs.state, self._needs.rules
        way = self._needs.roads(seat).distances(start).get(seal)
        if way is not None or state.heroes[seat].is_master_used:
            return way
        if rules.has_skill(seat, "wizard"):
            return MASTER_AP
        if rules.has_skill(seat, "rogue"):
            way = self._needs.book.along("walls", state.dungeon).distances(start).get(seal)
            return None if way is None or way >= AP_PER_TURN + SURGE_AP else way
        return None
