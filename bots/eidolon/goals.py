"""Lists what heroes could go for next, and rates each goal.

A goal's `rest` is the AP from the arrival to the end of all that the hero has to do, minus the goal's value to the
team. So distance + rest ranks goals of every kind on one scale; doing nothing at all has the value 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from gridjoust.bots.eidolon.belief import Claim
from gridjoust.bots.eidolon.division import divide
from gridjoust.bots.eidolon.roads import SHARED_CELL_AP
from gridjoust.bots.eidolon.roles import FAR_AP, UNSEEN_AP, Errand, Requirements, Roles, Stop, after, rest_after, tour
from gridjoust.bots.eidolon.threats import Horizon, Threats
from gridjoust.games.eidolon.actions import Act
from gridjoust.games.eidolon.dungeon import ORIGIN
from gridjoust.games.eidolon.legal import fault
from gridjoust.games.eidolon.maps import drawable
from gridjoust.games.eidolon.params import AP_PER_TURN
from gridjoust.games.eidolon.state import Seat
from gridjoust.games.eidolon.tiles import ENDS, FIRE, SEALS, TOKENS_NEEDED, Colour
from gridjoust.games.grid import Cell, Direction

FOREIGN_AP = 2.0  # extra price of a goal in another hero's part of the dungeon
CLAIMED_AP = 4.0  # extra price of a goal that a team-mate has claimed
CLAIMED_SHARE = 0.3  # share of a fight's value that is left for a second hero
SEARCH_WORTH = 12.0  # value of a new tile while something needed is unseen
HELP_SHARE = 1.0  # share of the AP that a token brought to another hero saves it
IDLE_HELP_SHARE = 4.0  # that share for a hero without other errands
VIGIL_WORTH = 10.0  # value of waiting at the Fire without other errands
STICK_AP = 1.0  # bonus for the goal told last when time is short: heroes who follow changing estimates walk to and fro
HAND_OVER_AP = 3.0  # price of handing a token over
DELIVERY_WORTH = 6.0  # value of bringing tokens early
LAST_DELIVERY_WORTH = 30.0  # value of bringing the tokens that a hero at its seal waits for
HOME_WORTH = 40.0
IDLE = -0.5  # a hero without errands of its own acts only for goals that are worth more than they cost
THREAT_SHARE = 0.75  # share of a threatened token's value that counts for the hero who gathers it


class Kind(Enum):
    """The act to do at a goal."""

    GRAB = "grab"
    SEAL = "seal"
    FIRE = "fire"
    EXPLORE = "explore"
    FIGHT = "fight"
    STAY = "stay"  # be there: at the exit, the Vestibule, or a place to wait or to hand tokens over


@dataclass(frozen=True, slots=True)
class Goal:
    """An act to do in a cell; `rest`: AP needed from there on, less its value; `direction`: the door to explore."""

    kind: Kind
    cell: Cell
    rest: float
    direction: Direction | None = None


class TeamGoals:
    """The goals of all heroes in one state, given who gathers which colour and which plans were announced."""

    @property
    def planner_type(self) -> type[GoalPlanner]:
        """Class of the heroes' goal planners; that of this base class can rank goals, but not act."""
        return GoalPlanner

    def __init__(self, needs: Requirements, roles: Roles, claims: Mapping[Seat, Claim], *, division: str) -> None:
        self.needs = needs
        self.roles = roles
        self.claims = claims
        self.division = division
        self._planners: dict[Seat, GoalPlanner] = {}
        self._savings: dict[tuple[Colour, Cell], float] = {}

    def of(self, seat: Seat) -> GoalPlanner:
        """Return the goal planner of one living hero."""
        if seat not in self._planners:
            self._planners[seat] = self.planner_type(self, seat)
        return self._planners[seat]

    @cached_property
    def threats(self) -> Threats:
        """The threats of cultists to tokens and tiles, with the value in AP of stopping them."""
        return Threats(self.needs, self.horizon)

    @cached_property
    def horizon(self) -> Horizon:
        """Estimated hero turns until each hero's tour is done, and until the Fire is brought to the exit."""
        needs = self.needs
        found = {
            seat: tour(needs.roads(seat), needs.state.cell_of(seat), self.errands(seat))
            for seat in needs.living
            if self.colours(seat)
        }
        team = len(needs.living)
        hero_turns = {seat: team * found[seat].cost / AP_PER_TURN if seat in found else 0.0 for seat in needs.living}
        ends = [own.end for own in found.values()] or [needs.state.cell_of(seat) for seat in needs.living]
        way_ap = min(map(self._last_leg_ap, ends), default=0.0)
        turns = max(hero_turns.values(), default=0.0) + team * way_ap / AP_PER_TURN
        if needs.state.carrier is not None:
            hero_turns[needs.state.carrier] = turns
        return Horizon(hero_turns, {colour: hero_turns[seat] for colour, seat in self.roles.items()}, turns)

    def _last_leg_ap(self, start: Cell) -> float:
        """Return the AP from `start` to the Fire, if it must still be taken, and to the exit."""
        state, walker = self.needs.state, self.needs.living[0]
        fire = state.dungeon.where.get(FIRE)
        if state.carrier is not None:
            return self.way_out_ap(walker, state.cell_of(state.carrier))
        if fire is None:
            return self.way_out_ap(walker, start)
        to_fire = 1 + self.needs.roads(walker).distances(start).get(fire, FAR_AP)
        return to_fire + self.way_out_ap(walker, fire)

    def way_out_ap(self, seat: Seat, start: Cell) -> float:
        """Return the AP that the hero needs from `start` to the nearest exit."""
        distances = self.needs.roads(seat).distances(start)
        return min([distances.get(cell, FAR_AP) for cell in self.exits], default=UNSEEN_AP)

    @cached_property
    def exits(self) -> tuple[Cell, ...]:
        """Cells to which the Fire must be brought, as far as they are known."""
        if self.needs.rules.win_at == "vestibule":
            return (ORIGIN,)
        where = self.needs.state.dungeon.where
        return tuple(where[end] for end in ENDS if end in where)

    def nearest_to(self, cell: Cell, seats: Sequence[Seat]) -> Seat:
        """Return the hero with the shortest path to a cell."""
        return min(seats, key=lambda seat: self.of(seat).distances.get(cell, 99))

    def colours(self, seat: Seat) -> tuple[Colour, ...]:
        """Return the colours that this hero gathers."""
        return tuple(colour for colour, holder in self.roles.items() if holder == seat)

    def errands(self, seat: Seat) -> list[Errand]:
        """Return what this hero still has to do for each colour that it gathers."""
        return [self.needs.errand(seat, colour, incoming=self.incoming(colour)) for colour in self.colours(seat)]

    def incoming(self, colour: Colour) -> int:
        """Return the number of tokens that other heroes hold and will bring to the hero who gathers the colour.

        0 in games without cultists, and if a seal counts the tokens of the whole team.
        """
        needs = self.needs
        if not needs.rules.cultists or needs.rules.seal_rule == "team":
            return 0
        return needs.held(colour) - needs.state.heroes[self.roles[colour]].tokens[colour]

    def saved(self, colour: Colour, cell: Cell) -> float:
        """Return the AP that the hero who gathers the colour saves if another brings it the token of that cell."""
        if (colour, cell) not in self._savings:
            errands = self.errands(self.roles[colour])
            fewer = after(Stop(cell, is_seal=False, colour=colour), errands)
            self._savings[colour, cell] = self._saving(self.roles[colour], errands, fewer)
        return self._savings[colour, cell]

    def _saving(self, seat: Seat, errands: Sequence[Errand], fewer: Sequence[Errand]) -> float:
        roads, start = self.needs.roads(seat), self.needs.state.cell_of(seat)
        return tour(roads, start, errands).cost - tour(roads, start, fewer).cost

    def delivery_worth(self, colour: Colour, tokens: int) -> float:
        """Return the value in AP of bringing so many tokens to the hero who gathers the colour.

        It is the AP that the delivery saves this hero, or more if the hero waits for the tokens or cannot get others.
        """
        needs, taker = self.needs, self.roles[colour]
        gathered = needs.state.heroes[taker].tokens[colour] + len(needs.token_cells[colour])
        if gathered < TOKENS_NEEDED and gathered + needs.held(colour) >= TOKENS_NEEDED:
            return LAST_DELIVERY_WORTH
        if incoming := self.incoming(colour):
            errand = needs.errand(taker, colour, incoming=incoming)
            return LAST_DELIVERY_WORTH if errand.missing == 0 else DELIVERY_WORTH
        alone, helped = (needs.errand(taker, colour, incoming=brought) for brought in (0, tokens))
        return self._saving(taker, [alone], [helped])

    def meeting_place(self, colour: Colour) -> Cell:
        """Return the cell to which others bring the colour's tokens: its seal, or the cell of the hero who gathers it.

        It is the seal if that hero lacks no other tokens of the colour.
        """
        taker, seal = self.roles[colour], self.needs.state.dungeon.where.get(SEALS[colour])
        is_on_its_way = self.needs.errand(taker, colour, incoming=self.incoming(colour)).missing == 0
        return seal if seal is not None and is_on_its_way else self.needs.state.cell_of(taker)

    def unseen(self, colour: Colour) -> int:
        """Return how many things of the colour are needed and not yet on the board: tokens, and the seal."""
        needs = self.needs
        tokens = TOKENS_NEEDED - needs.held(colour) - len(needs.token_cells[colour])
        return max(0, tokens) + (SEALS[colour] not in needs.state.dungeon.where)

    @cached_property
    def parts(self) -> Mapping[Cell, Seat]:
        """Cell -> seat of the hero in whose part of the dungeon it lies."""
        needs, seats = self.needs, self.needs.living
        cells = [needs.state.cell_of(seat) for seat in seats]
        shares = divide(needs.roads(seats[0]).counted_neighbours, cells, method=self.division)
        return {cell: seats[index] for cell, index in shares.items()}


class GoalPlanner:
    """The goals of one hero in one state, ranked from its cell; subclasses add the acts."""

    def __init__(self, team: TeamGoals, seat: Seat) -> None:
        self.team = team
        self.seat = seat
        self.needs, self.rules, self.state = team.needs, team.needs.rules, team.needs.state
        self.here = self.state.cell_of(seat)
        self.roads = team.needs.roads(seat)
        self.errands = team.errands(seat)

    @property
    def hero(self) -> str:
        """Name of the hero if skills are in play, else ""."""
        return self.rules.heroes[self.seat] if self.rules.skills else ""

    @property
    def distances(self) -> Mapping[Cell, int]:
        """AP to every cell that the hero can reach."""
        return self.roads.distances(self.here)

    @property
    def stakes(self) -> Mapping[Cell, float]:
        """Cell with a cultist -> value in AP of removing it if nothing else were threatened."""
        return self.team.threats.stakes if self.rules.cultists else {}

    def act_at_once(self) -> Act | None:
        """Return the answer to a ritual, or an act that comes before all goals; None if there is none."""
        raise NotImplementedError

    def act_at_goal(self, goal: Goal) -> Act:
        """Return the act to do once the hero is at the goal; it may take more AP than are left in this turn."""
        raise NotImplementedError

    def spare_act(self) -> Act:
        """Return an act for AP that would otherwise be given up."""
        raise NotImplementedError

    def can(self, act: Act) -> bool:
        """Return True if the rules allow the act now."""
        return not fault(self.rules, self.state, self.seat, act)

    def price(self, cell: Cell, other: Cell) -> float:
        """Return the price of an arc: its AP, plus a little if it enters a cell on a team-mate's path."""
        return self.roads.cost(cell, other) + SHARED_CELL_AP * (other in self._shared_cells)

    @cached_property
    def _shared_cells(self) -> set[Cell]:
        """Cells on the paths that team-mates have announced."""
        passages, living = self.state.dungeon.passages, self.needs.living
        claims = [(other, claim) for other, claim in self.team.claims.items() if other != self.seat and other in living]
        return {cell for other, claim in claims for cell in claim.path(self.state.cell_of(other), passages)}

    @cached_property
    def ranked(self) -> list[tuple[float, Goal]]:
        """The goals in reach as (cost, goal), the cheapest first; the cost is the distance + the goal's `rest`, in AP.

        Of equal goals the first found comes first. If rituals follow every round, the goal that the hero announced last
        gets a small bonus.
        """
        distances, own = self.distances, self.team.claims.get(self.seat)
        kept = own.goal if own is not None and self.rules.ritual_every == "round" else None
        ranked = [
            (distances[goal.cell] + goal.rest - STICK_AP * (goal.cell == kept), goal)
            for goal in self.goals
            if goal.cell in distances
        ]
        return sorted(ranked, key=lambda entry: entry[0])

    @property
    def worthwhile(self) -> list[tuple[float, Goal]]:
        """The ranked (cost, goal) pairs that are worth leaving the present cell for."""
        return self.ranked if self.errands else [entry for entry in self.ranked if entry[0] < IDLE]

    @cached_property
    def goals(self) -> tuple[Goal, ...]:
        """Everything the hero could go for, in no order."""
        return tuple(self._find())

    def _find(self) -> Iterator[Goal]:
        is_carrier = self.state.carrier == self.seat
        if is_carrier:
            yield from (Goal(Kind.STAY, cell, -HOME_WORTH) for cell in self.team.exits)
        elif not self.needs.standing:
            yield from self._after_seals()
        else:
            yield from self._stops()
            yield from self._deliveries()
            if self.rules.cultists:
                yield from self._help()
                yield from self._vigil()
        if self._is_searching():
            yield from self._frontiers()
        if self.rules.cultists and not is_carrier:
            yield from self._fights()

    def _after_seals(self) -> Iterator[Goal]:
        fire, is_free = self.state.dungeon.where.get(FIRE), self.state.carrier is None
        if is_free and fire is not None and self.seat == self.team.nearest_to(fire, self.needs.living):
            yield Goal(Kind.FIRE, fire, 1 + self.team.way_out_ap(self.seat, fire) - HOME_WORTH)
        elif self.rules.win_at == "vestibule" and (not is_free or fire is not None):
            yield Goal(Kind.STAY, ORIGIN, -HOME_WORTH)

    def _vigil(self) -> Iterator[Goal]:
        """Yield the Fire as a place to wait if this hero is the nearest to it of those who gather no colour."""
        fire = self.state.dungeon.where.get(FIRE)
        idle = [other for other in self.needs.living if not self.team.colours(other)]
        if fire is not None and self.seat in idle and self.seat == self.team.nearest_to(fire, idle):
            yield Goal(Kind.STAY, fire, -VIGIL_WORTH)

    def _stops(self) -> Iterator[Goal]:
        worth = self.team.threats.token_worth if self.rules.cultists else {}
        for stop, rest in rest_after(self.roads, self.errands).items():
            kind = Kind.SEAL if stop.is_seal else Kind.GRAB
            yield Goal(kind, stop.cell, rest - THREAT_SHARE * worth.get(stop.cell, 0.0))

    def _help(self) -> Iterator[Goal]:
        """Yield a goal for each token that another hero gathers, valued by a share of the AP that the other saves."""
        needs, team = self.needs, self.team
        hand_over = 0.0 if self.rules.seal_rule == "team" else HAND_OVER_AP
        for colour in needs.standing:
            if team.roles[colour] == self.seat or needs.held(colour) >= TOKENS_NEEDED:
                continue
            for cell in needs.token_cells[colour]:
                worth = team.saved(colour, cell) * (HELP_SHARE if self.errands else IDLE_HELP_SHARE)
                worth += team.threats.token_worth.get(cell, 0.0)
                ap = self.rules.grab_cost(self.seat, colour) + hand_over + self._extra(cell)
                yield Goal(Kind.GRAB, cell, ap - worth + self._tour(cell))

    def _deliveries(self) -> Iterator[Goal]:
        """Yield a goal for each cell where this hero can hand over tokens that another hero gathers."""
        if self.rules.seal_rule == "team":
            return
        for colour in self.needs.standing:
            taker, tokens = self.team.roles[colour], self.state.heroes[self.seat].tokens[colour]
            if taker != self.seat and tokens:
                cell = self.team.meeting_place(colour)
                rest = 1 - self.team.delivery_worth(colour, tokens) + self._tour(cell)
                yield Goal(Kind.STAY, cell, rest)

    def _is_searching(self) -> bool:
        """Return True if something that this hero needs is still unseen."""
        if self.rules.known_map or not self.state.dungeon.stack:
            return False
        if self.state.carrier == self.seat:
            return not self.team.exits
        has_fire = self.state.carrier is not None or FIRE in self.state.dungeon.where
        return not has_fire or not self.team.exits or any(map(self.team.unseen, self.needs.standing))

    def _frontiers(self) -> Iterator[Goal]:
        dungeon = self.state.dungeon
        own_unseen = sum(self.team.unseen(errand.colour) for errand in self.errands)
        gain = UNSEEN_AP * own_unseen / dungeon.stack.bit_count() if self.errands else SEARCH_WORTH
        for cell in self.distances:
            directions = dungeon.frontier(cell)
            if not directions or not drawable(self.rules, dungeon.stack, dungeon.at[cell].tile):
                continue
            rest = 1 - gain + self._extra(cell) + self._tour(cell)
            for direction in directions:
                yield Goal(Kind.EXPLORE, cell, rest + dungeon.is_blocked(cell, direction), direction)

    def _fights(self) -> Iterator[Goal]:
        worths = self.team.threats.worth if self.errands else self.stakes
        for cell, worth in worths.items():
            share = CLAIMED_SHARE if self._is_claimed(cell) else 1.0
            yield Goal(Kind.FIGHT, cell, 1 - worth * share + self._tour(cell))

    def _tour(self, cell: Cell) -> float:
        return tour(self.roads, cell, self.errands).cost if self.errands else 0.0

    def _extra(self, cell: Cell) -> float:
        """Return the AP added to a goal that a team-mate has announced, or that lies in another hero's part."""
        owner = self.team.parts.get(cell, self.seat)
        return CLAIMED_AP * self._is_claimed(cell) + FOREIGN_AP * (owner != self.seat)

    def _is_claimed(self, cell: Cell) -> bool:
        return any(claim.goal == cell for other, claim in self.team.claims.items() if other != self.seat)
