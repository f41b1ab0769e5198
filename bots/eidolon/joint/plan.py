"""One plan for all heroes if a ritual follows every turn: each hero's next tasks.

All heroes then share one clock, so the time at which the last task is done counts, not the AP that it takes. Every
task (tokens, doors to explore, tokens to hand over, seals) goes to the hero who will be done with it first, one after
the other: list scheduling, as in R. L. Graham, "Bounds on multiprocessing timing anomalies" (1969), with the time from
task to task. The goals of the acting hero are its first task and those that no other hero has taken before it.

Tiles are laid close to the exit: short paths home, and more than one, are worth more than a step saved now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from gridjoust.bots.eidolon.goals import Goal, GoalPlanner, Kind, TeamGoals
from gridjoust.bots.eidolon.joint.parties import Parties
from gridjoust.bots.eidolon.roles import FAR_AP
from gridjoust.bots.eidolon.threats import Risks
from gridjoust.games.eidolon.dungeon import ORIGIN
from gridjoust.games.eidolon.maps import drawable
from gridjoust.games.eidolon.params import AP_PER_TURN
from gridjoust.games.eidolon.state import Seat
from gridjoust.games.eidolon.tiles import COLOURS, FIRE, SEALS, TOKENS_NEEDED, Colour
from gridjoust.games.grid import DIRECTIONS, Cell, Direction

TAKE_AP = 4.0  # bonus of a token in reach over a door: no hero has to come back for it
RISK_AP = 12.0  # bonus of a token that will be lost
FOREIGN_AP = 4.0  # price of a token that will have to be handed over
FOREIGN_AP_OF_MANY = 1.0  # that price in a large team, where parties bring tokens together on the path to seals
DEAR_AP = 1.0  # price of a token that costs a whole turn, if others pay less
NEAR_TILES = 3  # steps from the exit, as the crow flies, within which new tiles are welcome
STEP_AP = 3.0  # price of each such step of a new tile
FAR_STEP_AP = 5.0  # price of each step beyond those
LOOP_AP = 4.0  # bonus of each adjacent tile, after the first, with a door to the new one
BRIDGE_STEP_AP = 2.0  # price of each step from a new tile to what is cut off
PATROL_AP = 0.5  # price of a step towards a fight
NEAR_HOME_AP = 2  # distance from home within which heroes of a large team fight once all tokens are in hand
FIGHT_AP = 1.0  # least value of a fight off the path
MOST_TASKS = 40  # most tasks that are assigned


class Task(NamedTuple):
    """Something that one hero has to do in a cell, such as to grab a token, explore a door or break a seal."""

    kind: Kind
    cell: Cell
    colour: Colour | None = None
    direction: Direction | None = None
    takers: tuple[Seat, ...] = ()  # the only heroes who can do it; () = any hero


class JointGoals(TeamGoals):
    """The tasks of one state, each assigned to the hero who will be done with it first."""

    @property
    def planner_type(self) -> type[JointGoalPlanner]:
        """Class of the heroes' goal planners."""
        return JointGoalPlanner

    def of(self, seat: Seat) -> JointGoalPlanner:
        """Return the goal planner of one living hero."""
        known = super().of(seat)
        assert isinstance(known, JointGoalPlanner)
        return known

    @cached_property
    def home(self) -> Cell:
        """Cell to which the Fire must be brought, as far as it is known."""
        return next(iter(self.exits), ORIGIN)

    @cached_property
    def risks(self) -> Risks:
        """The losses that rituals threaten, in AP."""
        return Risks(self.needs, self.home)

    @cached_property
    def fire(self) -> Cell | None:
        """Cell of the Fire, if it is on the board and no hero carries it."""
        state = self.needs.state
        return state.dungeon.where.get(FIRE) if state.carrier is None else None

    @cached_property
    def is_searching(self) -> bool:
        """True if something that the team needs is not on the board yet."""
        has_fire = self.needs.state.carrier is not None or self.fire is not None
        return not has_fire or not self.exits or any(map(self.unseen, self.needs.standing))

    def reach(self, seat: Seat, start: Cell) -> Mapping[Cell, int]:
        """Return the AP from `start` to every cell that the hero can walk to."""
        return self.needs.roads(seat).distances(start)

    @cached_property
    def tasks(self) -> list[Task]:
        """All tasks that can be done now except fights, in no order."""
        needs = self.needs
        tasks = [Task(Kind.GRAB, cell, colour) for colour in needs.wanted for cell in needs.token_cells[colour]]
        if self.is_searching:
            tasks += [Task(Kind.EXPLORE, cell, direction=direction) for cell, direction in self.doors]
        return tasks + list(self._outings() if self.parties.are_formed else self._trips())

    @cached_property
    def doors(self) -> list[tuple[Cell, Direction]]:
        """(cell, direction) of every door beyond which a tile can be laid."""
        rules, dungeon = self.needs.rules, self.needs.state.dungeon
        if rules.known_map:
            return []
        cells = [cell for cell, placed in dungeon.at.items() if drawable(rules, dungeon.stack, placed.tile)]
        return [(cell, direction) for cell in cells for direction in dungeon.frontier(cell)]

    @cached_property
    def parties(self) -> Parties:
        """The groups of heroes who bring tokens to each seal, in a large team."""
        return Parties(self.needs)

    def _outings(self) -> Iterator[Task]:
        """Yield a task for each hero of a party: go to its meeting cell, or break the seal if it comes alone."""
        for colour, party in self.parties.found.items():
            kind = Kind.SEAL if len(party.walkers) == 1 else Kind.STAY
            for seat in party.walkers:
                yield Task(kind, self.parties.meeting_cell(colour, seat), colour, takers=(seat,))

    def _trips(self) -> Iterator[Task]:
        """Yield the tasks for each colour once heroes hold enough of its tokens: bring them together, break the seal.

        A hero with tokens to give gives them before it goes to its own seal, so that no two heroes wait for each other.
        """
        where = self.needs.state.dungeon.where
        ready = [colour for colour in self.needs.full if SEALS[colour] in where]
        gifts = [(giver, colour) for colour in ready for giver in self._givers(colour)]
        busy = {giver for giver, _ in gifts}
        for colour in ready:
            taker, seal = self.roles[colour], where[SEALS[colour]]
            if taker not in busy or self.needs.state.heroes[taker].tokens[colour] >= TOKENS_NEEDED:
                yield Task(Kind.SEAL, seal, colour, takers=(taker,))
        for giver, colour in gifts:
            taker = self.roles[colour]
            cell = self.needs.state.cell_of(taker) if taker in busy else where[SEALS[colour]]
            yield Task(Kind.STAY, cell, colour, takers=(giver,))

    def _givers(self, colour: Colour) -> list[Seat]:
        """Return the heroes who bring the collector its missing tokens, those with most first.

        The Wizard is not among them, as it can send its tokens.
        """
        needs, taker = self.needs, self.roles[colour]
        if needs.rules.seal_rule == "team":
            return []
        held = {seat: needs.state.heroes[seat].tokens[colour] for seat in needs.living}
        others = [seat for seat in needs.living if seat != taker and held[seat]]
        senders = [seat for seat in others if needs.rules.has_skill(seat, "wizard")]
        lacking = TOKENS_NEEDED - held[taker] - sum(held[seat] for seat in senders)
        found = []
        for seat in sorted(set(others).difference(senders), key=lambda seat: (-held[seat], seat)):
            if lacking > 0:
                found.append(seat)
                lacking -= held[seat]
        return found

    def rest(self, seat: Seat, task: Task) -> float:
        """Return the AP that the task takes once the hero is there, plus a surcharge if others should do it."""
        if (seat, task) not in self._rests:
            self._rests[seat, task] = self._rest(seat, task)
        return self._rests[seat, task]

    @cached_property
    def _rests(self) -> dict[tuple[Seat, Task], float]:
        return {}

    def _rest(self, seat: Seat, task: Task) -> float:
        if task.kind is Kind.EXPLORE:
            return self.ap(seat, task) + self._remoteness(task)
        if task.kind is not Kind.GRAB or task.colour is None:
            return self.ap(seat, task)
        price = self.ap(seat, task)
        is_foreign = self.roles[task.colour] != seat and self.needs.rules.seal_rule != "team"
        foreign_ap = FOREIGN_AP_OF_MANY if self.needs.is_large_team else FOREIGN_AP
        is_dear = price == AP_PER_TURN and len(self.needs.living) > 2
        worth = TAKE_AP + RISK_AP * self.risks.token_odds(task.cell)
        return price - worth + foreign_ap * is_foreign + DEAR_AP * is_dear

    def ap(self, seat: Seat, task: Task) -> float:
        """Return the AP that the task itself takes."""
        if task.kind is Kind.GRAB and task.colour is not None:
            return self.needs.rules.grab_cost(seat, task.colour)
        is_blocked = task.direction is not None and self.needs.state.dungeon.is_blocked(task.cell, task.direction)
        return 1 + is_blocked

    def _remoteness(self, task: Task) -> float:
        """Return the price in AP of laying a tile there: its distance from home, less if several paths lead to it."""
        assert task.direction is not None
        there, dungeon = task.cell.step(task.direction), self.needs.state.dungeon
        steps = abs(there.x - self.home.x) + abs(there.y - self.home.y)
        doors = sum(dungeon.has_door(there.step(side), side.opposite) for side in DIRECTIONS)
        return STEP_AP * steps + FAR_STEP_AP * max(0, steps - NEAR_TILES) - LOOP_AP * (doors - 1)

    def first_tasks(self, seat: Seat) -> tuple[list[Task], frozenset[Seat]]:
        """Return (tasks left when it is this hero's turn to take one, seats that have taken one before).

        Each task is taken by the hero who will be done with it first, one after the other.
        """
        state, left = self.needs.state, list(self.tasks)
        heroes = [hero for hero in self.needs.living if hero != state.carrier or not self.exits]
        places = {hero: state.cell_of(hero) for hero in heroes}
        clocks = {hero: self._delay_ap(hero) for hero in heroes}
        lacking = {colour: TOKENS_NEEDED - self.needs.held(colour) for colour in COLOURS}
        busy: set[Seat] = set()
        for _ in range(MOST_TASKS):
            options = (
                (clocks[hero] + distances[task.cell] + self.rest(hero, task), hero, number)
                for hero in heroes
                for distances in [self.reach(hero, places[hero])]
                for number, task in enumerate(left)
                if task.cell in distances and (not task.takers or hero in task.takers)
            )
            _, hero, number = min(options, default=(0.0, -1, -1))
            if hero in (seat, -1):
                return left, frozenset(busy)
            task = left.pop(number)
            clocks[hero] += self.reach(hero, places[hero])[task.cell] + self.ap(hero, task)
            places[hero] = task.cell
            busy.add(hero)
            if task.kind is Kind.GRAB and task.colour is not None:
                lacking[task.colour] -= 1
                if not lacking[task.colour]:
                    left = [one for one in left if (one.kind, one.colour) != (Kind.GRAB, task.colour)]
        return left, frozenset(busy)

    def _delay_ap(self, seat: Seat) -> float:
        """Return the AP that have passed before a hero's turn: those spent of this turn, or a share of the round."""
        state, living = self.needs.state, self.needs.living
        if seat == state.active:
            return AP_PER_TURN - state.ap_left
        turns = (living.index(seat) - living.index(state.active)) % len(living) if state.active in living else 0
        return AP_PER_TURN * turns / len(living)


class JointGoalPlanner(GoalPlanner):
    """The goals of one hero within the joint plan."""

    team: JointGoals

    @property
    def worthwhile(self) -> list[tuple[float, Goal]]:
        """All ranked (cost, goal) pairs: each belongs to the hero's share of the plan."""
        return self.ranked

    @property
    def stakes(self) -> Mapping[Cell, float]:
        """Cell with a cultist -> AP that removing it saves the team."""
        state = self.state
        cells = [cell for cell, placed in state.dungeon.at.items() if state.cultists >> placed.tile & 1]
        return {cell: self.team.risks.worth(cell) for cell in cells}

    def _find(self) -> Iterator[Goal]:
        is_found = self.team.fire is not None or self.state.carrier is not None
        if self.needs.standing or not is_found or not self.team.exits:
            yield from self._shared() or self._idle()
        elif self.state.carrier == self.seat:
            yield from self._to(self.team.home)
        else:
            yield from self._after_seals()

    def _after_seals(self) -> Iterator[Goal]:
        fire = self.team.fire
        if fire is not None and self.seat == self.team.nearest_to(fire, self.needs.living):
            yield from self._to(fire, Kind.FIRE)
        elif self.rules.win_at == "vestibule":
            yield from self._to(ORIGIN)

    def _to(self, cell: Cell, kind: Kind = Kind.STAY) -> list[Goal]:
        """Return the goal to stay in that cell or, if out of reach, doors from which a tile may join it."""
        return [Goal(kind, cell, 1)] if cell in self.distances else self._bridges([cell])

    def _shared(self) -> list[Goal]:
        """Return the goals of the tasks that are this hero's share of the plan."""
        tasks = [task for task in self._plan[0] if not task.takers or self.seat in task.takers]
        return [
            Goal(task.kind, task.cell, self.team.rest(self.seat, task), task.direction)
            for task in tasks
            if task.cell in self.distances
        ]

    @cached_property
    def _plan(self) -> tuple[list[Task], frozenset[Seat]]:
        return self.team.first_tasks(self.seat)

    def _idle(self) -> list[Goal]:
        """Return goals of a hero without a share: reach what is cut off, help, wait at the Fire, fight, go home."""
        return (
            self._bridges(self._cut_off())
            or self._spare_tasks()
            or (self._vigils() if self.team.parties.are_formed else [])
            or self._hand_overs()
            or self._vigils()
            or self._patrol()
            or [Goal(Kind.STAY, self.team.home, 1)]
        )

    def _cut_off(self) -> list[Cell]:
        """Return the cells that the hero needs and cannot walk to."""
        needs, where = self.needs, self.state.dungeon.where
        cells = [cell for colour in needs.wanted for cell in needs.token_cells[colour]]
        tokens = self.state.heroes[self.seat].tokens
        own = [c for c in needs.full if self.team.roles[c] == self.seat or tokens[c]]
        cells += [where[SEALS[colour]] for colour in own if SEALS[colour] in where]
        cells += [self.team.fire] if self.team.fire is not None and len(needs.living) == 1 else []
        cut_off = [cell for cell in cells if cell not in self.distances]
        return cut_off or [self.team.home] * (self.team.home not in self.distances)

    def _bridges(self, wanted: Iterable[Cell]) -> list[Goal]:
        """Return goals: the doors in reach beyond which new tiles may lead to the wanted cells."""
        wanted = list(wanted)
        goals = []
        for cell, direction in self.team.doors if wanted else ():
            there = cell.step(direction)
            gap = min(abs(there.x - far.x) + abs(there.y - far.y) for far in wanted)
            if cell in self.distances:
                goals.append(Goal(Kind.EXPLORE, cell, 1 + BRIDGE_STEP_AP * gap, direction))
        return goals

    def _spare_tasks(self) -> list[Goal]:
        """Return the goals of tasks that others would do later and this hero can do at once."""
        goals = []
        for task in self.team.tasks:
            ap = self.distances.get(task.cell, 99) + self.team.ap(self.seat, task)
            most = self.state.ap_left + AP_PER_TURN * (task.kind is Kind.GRAB)
            if not task.takers and ap <= most:
                rest = self.team.rest(self.seat, task) if task.kind is Kind.EXPLORE else self.team.ap(self.seat, task)
                goals.append(Goal(task.kind, task.cell, rest, task.direction))
        return goals

    def _hand_overs(self) -> list[Goal]:
        """Return goals: the cells where this hero can hand over tokens that others collect."""
        needs, where, tokens = self.needs, self.state.dungeon.where, self.state.heroes[self.seat].tokens
        given = [c for c in needs.standing if self.team.roles[c] != self.seat and tokens[c]]
        cells = [
            where[SEALS[c]] if c in needs.full and SEALS[c] in where else self.state.cell_of(self.team.roles[c])
            for c in (given if self.rules.seal_rule == "personal" else ())
        ]
        return [Goal(Kind.STAY, cell, 1) for cell in cells if cell in self.distances]

    def _vigils(self) -> list[Goal]:
        """Return the Fire as a place to wait if this hero is the nearest to it of those without a task, else []."""
        fire, busy = self.team.fire, self._plan[1]
        idle = [other for other in self.needs.living if other not in busy]
        if fire is None or fire not in self.distances or self.seat != self.team.nearest_to(fire, idle):
            return []
        return [Goal(Kind.STAY, fire, 1)]

    def _patrol(self) -> list[Goal]:
        """Return fights with cultists that are worth the path."""
        near = self.roads.distances(self.team.home) if self.team.parties.are_formed and not self.needs.wanted else None
        goals = [
            Goal(Kind.FIGHT, cell, -worth - (1 - PATROL_AP) * self.distances[cell])
            for cell, worth in self.stakes.items()
            if cell in self.distances and (near is None or near.get(cell, FAR_AP) <= NEAR_HOME_AP)
        ]
        return [goal for goal in goals if -self.distances[goal.cell] - goal.rest > FIGHT_AP]
