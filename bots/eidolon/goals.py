"""What one hero could go for next, and what each choice is worth. Chooses nothing and finds no ways.

A goal's `rest` is the AP from the arrival to the end of all that the hero has to do, less what the goal is worth to the
team: distance + rest ranks goals of every kind on one scale. 0 is what doing nothing at all costs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from bots.eidolon.claims import Claim
from bots.eidolon.division import divide
from bots.eidolon.roles import Needs, Roles
from bots.eidolon.threats import Horizon, Threats
from bots.eidolon.tours import FAR_AP, UNSEEN_AP, Errand, rest_after, tour
from games.eidolon.dungeon import ORIGIN
from games.eidolon.maps import drawable
from games.eidolon.params import AP_PER_TURN
from games.eidolon.state import Seat
from games.eidolon.tiles import ENDS, FIRE, SEALS, TOKENS_NEEDED, Colour
from games.grid import Cell, Direction

FOREIGN_AP = 2.0  # for a goal in another hero's part of the dungeon
CLAIMED_AP = 4.0  # for a goal that a team-mate has claimed
CLAIMED_SHARE = 0.3  # of a fight's worth that is left for a second hero
SEARCH_WORTH = 12.0  # of a new tile while something needed has not been seen
HELP_SHARE = 1.0  # of the AP that a token brought to another saves it
IDLE_HELP_SHARE = 4.0  # the same for a hero who has nothing else to do
VIGIL_WORTH = 10.0  # of waiting at the Fire with nothing else to do
STICK_AP = (
    1.0  # in favour of the goal told last, where time is short: estimates that change make heroes walk to and fro
)
HAND_OVER_AP = 3.0  # to bring it there
DELIVERY_WORTH = 6.0  # of bringing tokens early
LAST_DELIVERY_WORTH = 30.0  # of bringing the tokens that a hero at its seal waits for
HOME_WORTH = 40.0
THREAT_SHARE = 0.75  # of the worth of a threatened token, for the hero who gathers it


class Kind(Enum):
    """What to do at a goal."""

    GRAB = "grab"
    SEAL = "seal"
    FIRE = "fire"
    EXPLORE = "explore"
    FIGHT = "fight"
    MEET = "meet"
    STAY = "stay"  # be there: the way out, the Vestibule, a place to wait


@dataclass(frozen=True, slots=True)
class Goal:
    """Something to do in a cell; `seat` is whom to meet, `direction` the door to explore."""

    kind: Kind
    cell: Cell
    rest: float
    direction: Direction | None = None
    seat: Seat | None = None


class TeamGoals:
    """The goals of every hero in one state, given who gathers what and what team-mates have told."""

    def __init__(self, needs: Needs, roles: Roles, claims: Mapping[Seat, Claim], *, division: str) -> None:
        self.needs = needs
        self.roles = roles
        self.claims = claims
        self.division = division
        self._goals: dict[Seat, tuple[Goal, ...]] = {}
        self._savings: dict[tuple[Colour, Cell], float] = {}

    @cached_property
    def threats(self) -> Threats:
        """What cultists threaten."""
        return Threats(self.needs, self.horizon)

    @cached_property
    def horizon(self) -> Horizon:
        """How long things will take: each hero's own tour, then the Fire and the way out."""
        needs = self.needs
        found = {
            seat: tour(needs.roads(seat), needs.cell(seat), self.errands(seat))
            for seat in needs.living
            if self.colours(seat)
        }
        team = len(needs.living)
        hero_turns = {seat: team * found[seat].cost / AP_PER_TURN if seat in found else 0.0 for seat in needs.living}
        ends = [needs.cell(seat) for seat in needs.living] if not found else [own.end for own in found.values()]
        way_ap = min([self._way_out_ap(end) for end in ends], default=0.0)
        turns = max(hero_turns.values(), default=0.0) + team * way_ap / AP_PER_TURN
        if needs.state.carrier is not None:
            hero_turns[needs.state.carrier] = turns
        return Horizon(hero_turns, {colour: hero_turns[seat] for colour, seat in self.roles.items()}, turns)

    def _way_out_ap(self, start: Cell) -> float:
        """AP from there to the Fire, where somebody has still to take it, and out."""
        needs = self.needs
        fire = needs.state.dungeon.where.get(FIRE)
        roads = needs.roads(needs.living[0])
        to_fire = 0.0
        if needs.state.carrier is not None:
            start = needs.cell(needs.state.carrier)
        elif fire is not None:
            to_fire, start = 1 + roads.distances(start).get(fire, FAR_AP), fire
        distances = roads.distances(start)
        return to_fire + min([distances.get(cell, FAR_AP) for cell in self.exits], default=UNSEEN_AP)

    def goals(self, seat: Seat) -> tuple[Goal, ...]:
        """Everything the hero could go for, in no order."""
        if seat not in self._goals:
            self._goals[seat] = tuple(self._find(seat))
        return self._goals[seat]

    def colours(self, seat: Seat) -> tuple[Colour, ...]:
        """Colours that this hero gathers."""
        return tuple(colour for colour, holder in self.roles.items() if holder == seat)

    def errands(self, seat: Seat) -> list[Errand]:
        """What the hero has to do itself."""
        needs = self.needs
        return [needs.errand(seat, colour, incoming=self.incoming(colour)) for colour in self.colours(seat)]

    def incoming(self, colour: Colour) -> int:
        """Tokens that others will bring to the hero who gathers the colour: only where time is short."""
        needs = self.needs
        if not needs.rules.cultists or needs.rules.seal_rule == "team":
            return 0
        return needs.held(colour) - needs.state.heroes[self.roles[colour]].tokens[colour]

    def _find(self, seat: Seat) -> Iterator[Goal]:
        needs, state = self.needs, self.needs.state
        if state.carrier == seat:
            yield from self._ways_out()
        elif not needs.standing:
            yield from self._after_seals(seat)
        else:
            yield from self._stops(seat)
            yield from self._deliveries(seat)
            if needs.rules.cultists:
                yield from self._help(seat)
                yield from self._vigil(seat)
        if self._is_searching(seat):
            yield from self._frontiers(seat)
        if needs.rules.cultists and state.carrier != seat:
            yield from self._fights(seat)

    @cached_property
    def exits(self) -> tuple[Cell, ...]:
        """Where the Fire has to go, as far as it is known."""
        if self.needs.rules.win_at == "vestibule":
            return (ORIGIN,)
        where = self.needs.state.dungeon.where
        return tuple(where[end] for end in ENDS if end in where)

    def _ways_out(self) -> Iterator[Goal]:
        return (Goal(Kind.STAY, cell, -HOME_WORTH) for cell in self.exits)

    def _after_seals(self, seat: Seat) -> Iterator[Goal]:
        state = self.needs.state
        fire = state.dungeon.where.get(FIRE)
        if state.carrier is None and fire is not None and seat == self.runner:
            distances = self.needs.roads(seat).distances(fire)
            way_out = min([distances.get(cell, FAR_AP) for cell in self.exits], default=UNSEEN_AP)
            yield Goal(Kind.FIRE, fire, 1 + way_out - HOME_WORTH)
        elif self.needs.rules.win_at == "vestibule" and (state.carrier is not None or fire is not None):
            yield Goal(Kind.STAY, ORIGIN, -HOME_WORTH)

    @cached_property
    def runner(self) -> Seat:
        """The hero with the shortest way to the Fire."""
        needs = self.needs
        fire = needs.state.dungeon.where.get(FIRE, ORIGIN)
        return min(needs.living, key=lambda seat: needs.roads(seat).distances(needs.cell(seat)).get(fire, 99))

    def _vigil(self, seat: Seat) -> Iterator[Goal]:
        """Of the heroes without a colour the nearest one waits at the Fire."""
        needs = self.needs
        fire = needs.state.dungeon.where.get(FIRE)
        idle = [other for other in needs.living if not self.colours(other)]
        if fire is not None and seat in idle:
            nearest = min(idle, key=lambda other: needs.roads(other).distances(needs.cell(other)).get(fire, 99))
            if seat == nearest:
                yield Goal(Kind.STAY, fire, -VIGIL_WORTH)

    def _stops(self, seat: Seat) -> Iterator[Goal]:
        errands = self.errands(seat)
        worth = self.threats.token_worth if self.needs.rules.cultists else {}
        for stop, rest in rest_after(self.needs.roads(seat), errands).items():
            kind = Kind.SEAL if stop.is_seal else Kind.GRAB
            yield Goal(kind, stop.cell, rest - THREAT_SHARE * worth.get(stop.cell, 0.0))

    def _help(self, seat: Seat) -> Iterator[Goal]:
        """Tokens of colours that others gather: worth the AP that those save."""
        needs, errands = self.needs, self.errands(seat)
        hand_over = 0.0 if needs.rules.seal_rule == "team" else HAND_OVER_AP
        for colour in needs.standing:
            if self.roles[colour] == seat or needs.held(colour) >= TOKENS_NEEDED:
                continue
            for cell in needs.token_cells[colour]:
                worth = self._saved(colour, cell) * (HELP_SHARE if errands else IDLE_HELP_SHARE)
                worth += self.threats.token_worth.get(cell, 0.0)
                ap = needs.rules.grab_cost(seat, colour) + hand_over + self._extra(seat, cell)
                yield Goal(Kind.GRAB, cell, ap - worth + self._tour(seat, cell, errands))

    def _saved(self, colour: Colour, cell: Cell) -> float:
        """AP that the hero who gathers the colour saves if somebody brings it the token of that cell."""
        if (colour, cell) not in self._savings:
            needs, holder = self.needs, self.roles[colour]
            roads, start, errands = needs.roads(holder), needs.cell(holder), self.errands(holder)
            fewer = [
                errand._replace(missing=errand.missing - 1, cells=tuple(c for c in errand.cells if c != cell))
                if errand.colour is colour
                else errand
                for errand in errands
            ]
            self._savings[colour, cell] = tour(roads, start, errands).cost - tour(roads, start, fewer).cost
        return self._savings[colour, cell]

    def _deliveries(self, seat: Seat) -> Iterator[Goal]:
        """Tokens in hand that somebody else gathers."""
        needs, state = self.needs, self.needs.state
        if needs.rules.seal_rule == "team":
            return
        for colour in needs.standing:
            taker = self.roles[colour]
            tokens = state.heroes[seat].tokens[colour]
            if taker == seat or not tokens:
                continue
            cell = self._meeting_place(taker, colour)
            worth = self._delivery_worth(taker, colour, tokens)
            rest = 1 - worth + self._tour(seat, cell, self.errands(seat))
            yield Goal(Kind.MEET, cell, rest, seat=taker)

    def _meeting_place(self, taker: Seat, colour: Colour) -> Cell:
        """At the seal once the taker has nothing else to do, else where it is."""
        seal = self.needs.state.dungeon.where.get(SEALS[colour])
        is_on_its_way = self.needs.errand(taker, colour, incoming=self.incoming(colour)).missing == 0
        return seal if seal is not None and is_on_its_way else self.needs.cell(taker)

    def _delivery_worth(self, taker: Seat, colour: Colour, tokens: int) -> float:
        """AP that the taker saves; where time is short it relies on the tokens already, and else it may have to."""
        needs = self.needs
        gathered = needs.state.heroes[taker].tokens[colour] + len(needs.token_cells[colour])
        if gathered < TOKENS_NEEDED and gathered + needs.held(colour) >= TOKENS_NEEDED:
            return LAST_DELIVERY_WORTH
        incoming = self.incoming(colour)
        if incoming:
            errand = needs.errand(taker, colour, incoming=incoming)
            return LAST_DELIVERY_WORTH if errand.missing == 0 else DELIVERY_WORTH
        roads, start = needs.roads(taker), needs.cell(taker)
        alone = tour(roads, start, [needs.errand(taker, colour)]).cost
        return alone - tour(roads, start, [needs.errand(taker, colour, incoming=tokens)]).cost

    def _is_searching(self, seat: Seat) -> bool:
        """Whether something that this hero waits for is still to be found."""
        needs, where = self.needs, self.needs.state.dungeon.where
        if needs.rules.known_map or not needs.state.dungeon.stack:
            return False
        if needs.state.carrier == seat:
            return not self.exits
        is_short = any(self._unseen(colour) for colour in needs.standing)
        has_fire = needs.state.carrier is not None or FIRE in where
        return is_short or not has_fire or not self.exits

    def _unseen(self, colour: Colour) -> int:
        """Tokens, and the seal, that are needed and not yet on the board."""
        needs = self.needs
        tokens = TOKENS_NEEDED - needs.held(colour) - len(needs.token_cells[colour])
        return max(0, tokens) + (SEALS[colour] not in needs.state.dungeon.where)

    def _frontiers(self, seat: Seat) -> Iterator[Goal]:
        needs, dungeon = self.needs, self.needs.state.dungeon
        errands = self.errands(seat)
        own_unseen = sum(self._unseen(errand.colour) for errand in errands)
        stack_size = dungeon.stack.bit_count()
        gain = UNSEEN_AP * own_unseen / stack_size if errands else SEARCH_WORTH
        for cell in needs.roads(seat).distances(needs.cell(seat)):
            directions = dungeon.frontier(cell)
            if not directions or not drawable(needs.rules, dungeon.stack, dungeon.at[cell].tile):
                continue
            rest = 1 - gain + self._extra(seat, cell) + self._tour(seat, cell, errands)
            for direction in directions:
                barrier_ap = float(dungeon.is_blocked(cell, direction))
                yield Goal(Kind.EXPLORE, cell, rest + barrier_ap, direction=direction)

    def _fights(self, seat: Seat) -> Iterator[Goal]:
        errands = self.errands(seat)
        worths = self.threats.worth if errands else self.threats.stakes
        for cell, worth in worths.items():
            share = CLAIMED_SHARE if self._is_claimed(seat, cell) else 1.0
            rest = 1 - worth * share + self._tour(seat, cell, errands)
            yield Goal(Kind.FIGHT, cell, rest)

    def _tour(self, seat: Seat, cell: Cell, errands: list[Errand]) -> float:
        return tour(self.needs.roads(seat), cell, errands).cost if errands else 0.0

    def _extra(self, seat: Seat, cell: Cell) -> float:
        """What team-mates' claims and parts add to a goal."""
        is_foreign = self.parts.get(cell, seat) != seat
        return CLAIMED_AP * self._is_claimed(seat, cell) + FOREIGN_AP * is_foreign

    def _is_claimed(self, seat: Seat, cell: Cell) -> bool:
        return any(claim.goal == cell for other, claim in self.claims.items() if other != seat)

    @cached_property
    def parts(self) -> Mapping[Cell, Seat]:
        """Cell -> the seat in whose part of the dungeon it lies."""
        needs = self.needs
        seats = needs.living
        roads = needs.roads(seats[0])
        shares = divide(roads.neighbours, [needs.cell(seat) for seat in seats], method=self.division)
        return {cell: seats[index] for cell, index in shares.items()}


def best_goals(team_goals: TeamGoals, seat: Seat) -> list[tuple[float, Goal]]:
    """The goals that can be reached, by distance + rest; of equals the first found comes first.

    Where rituals take the time the goal that the hero has told last is a little ahead.
    """
    distances = team_goals.needs.roads(seat).distances(team_goals.needs.cell(seat))
    own = team_goals.claims.get(seat)
    kept = own.goal if own is not None and team_goals.needs.rules.cultists else None
    ranked = [
        (distances[goal.cell] + goal.rest - STICK_AP * (goal.cell == kept), goal)
        for goal in team_goals.goals(seat)
        if goal.cell in distances
    ]
    return sorted(ranked, key=lambda entry: entry[0])
