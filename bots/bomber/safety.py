"""Which moves are survived, and whether a bomb may be laid. Wants nothing itself.

Three degrees of safety, the best that any move offers is taken:

1. no damage even if every rival lays a bomb now (and walks into the way, as far as `rival_reach` lets it);
2. no damage if the rivals stay where they are and lay nothing;
3. the least damage there is.

Who has the cell of a closing board that closes last (`Situation.keeper`) stays there as long as its HP last.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile

from gridjoust.bots.bomber import maps
from gridjoust.bots.bomber.schedule import NEVER, Schedule, blast_schedule, merged
from gridjoust.bots.bomber.situation import Situation
from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.bots.planners.stats import PlanStats
from gridjoust.games.bomber.board import Board
from gridjoust.games.bomber.state import Bomb

NEARING_TICKS = 5  # for which a rival is feared to come nearer and stand in the way


@dataclass
class LookAhead:
    """Ways through a schedule for one seat. `rivals`: cell -> offset from which a rival may stand in it (bodies: 0).

    A way that keeps clear of `rivals` cannot be cut off by anybody's feet. Where `budget` does not last for a layer of
    cells the look ends before it: who was not seen to survive does not.
    """

    board: Board
    schedule: Schedule
    rivals: Mapping[int, float]
    budget: Budget = UNLIMITED
    cost: PlanStats = field(default_factory=PlanStats)

    def is_open(self, cell: int, offset: int) -> bool:
        """Whether the cell may be entered at that offset."""
        return self.schedule.opens.get(cell, 0) <= offset < self.rivals.get(cell, NEVER)

    def moves(self, cell: int, offset: int = 0) -> list[int]:
        """The cell itself and the neighbours that may be entered."""
        return [cell, *(other for other in self.board.neighbours[cell] if self.is_open(other, offset))]

    def survives(self, cell: int, *, until: float = NEVER) -> bool:
        """Whether who is in `cell` after its next move can go on to that offset without any damage."""
        offset = 0
        burning, last = self.schedule.burning, self.schedule.last_burning
        layer: Collection[int] = () if cell in burning.get(offset, ()) else (cell,)
        while layer and len(layer) <= self.budget.left:
            self.budget.spend(len(layer))
            self.cost.expanded += len(layer)
            self.cost.frontier = max(self.cost.frontier, len(layer))
            if offset >= until or any(last.get(reached, -1) <= offset for reached in layer):
                return True
            offset += 1
            fire = burning.get(offset, ())
            layer = {n for reached in layer for n in self.moves(reached, offset) if n not in fire}
            self.cost.generated += len(layer)
        return False

    def least_damage(self, cell: int) -> float:
        """The least number of fires on any way from `cell` (entered next) to the end of the schedule."""
        offset = 0
        burning = self.schedule.burning
        damage: dict[int, float] = {cell: burning.get(offset, {}).get(cell, 0)}
        while offset < self.schedule.last_offset and len(damage) <= self.budget.left:
            self.budget.spend(len(damage))
            offset += 1
            fire = burning.get(offset, {})
            reached: dict[int, float] = {}
            for here, taken in damage.items():
                for there in self.moves(here, offset):
                    total = taken + fire.get(there, 0)
                    if total < reached.get(there, total + 1):
                        reached[there] = total
            self.cost.expanded += len(damage)
            self.cost.generated += len(reached)
            self.cost.frontier = max(self.cost.frontier, len(reached))
            damage = reached
        return min(damage.values())


def still_rivals(now: Situation) -> dict[int, float]:
    """Every other figure, living or dead, stays where it is; a cell that closes is nobody's from then on."""
    figures = {player.cell: 0 for other, player in enumerate(now.state.players) if other != now.seat}
    return {**now.closings, **figures}


def roaming_rivals(now: Situation, *, reach: int) -> dict[int, float]:
    """Offsets from which living rivals may be in a cell, as far as `reach` ticks take them; bodies stay."""
    neighbours = now.rules.board.neighbours
    arrivals = still_rivals(now)
    blocked = now.blocks.union(now.bomb_cells)
    frontier = [rival.cell for _, rival in now.rivals]
    for offset in range(reach):
        near = [n for cell in frontier for n in neighbours[cell] if n not in blocked]
        frontier = [n for n in near if arrivals.get(n, NEVER) > offset]
        arrivals.update((cell, offset) for cell in frontier)
    return arrivals


class Safety:
    """The look-ahead of one seat in one tick; `rival_reach` is for how many ticks rivals may cut off ways."""

    def __init__(self, now: Situation, *, rival_reach: int = 0, budget: Budget = UNLIMITED) -> None:
        self._now = now
        self._budget = budget
        self._roaming = roaming_rivals(now, reach=rival_reach)
        schedule = blast_schedule(now)
        armed = self._with_rival_bombs(schedule)
        self.plain = LookAhead(now.rules.board, schedule, still_rivals(now), budget)
        self.careful = LookAhead(now.rules.board, armed, self._roaming, budget)
        self._with_bomb: list[LookAhead] = []

    def moves(self) -> list[int]:
        """The own cell and the neighbours that may be entered now."""
        return self.plain.moves(self._now.here)

    @cached_property
    def best_moves(self) -> list[int]:
        """The moves of the best degree of safety that any has."""
        if self.keeps_refuge:
            return [self._now.here]
        moves = self.moves()
        if careful := [move for move in moves if self._is_careful(move)]:
            return [move for move in careful if self._is_free_of_own(move)] or careful
        if surviving := [move for move in moves if self.plain.survives(move)]:
            return [move for move in surviving if self._is_free_of_own(move)] or surviving
        damages = {move: self.plain.least_damage(move) for move in moves}
        return [move for move in moves if damages[move] == min(damages.values())]

    def pick(self, choices: Sequence[int]) -> int:
        """The first of the moves (best first) that has the best degree of safety among them."""
        return next(choice for choice in choices if choice in self.best_moves)

    @cached_property
    def keeps_refuge(self) -> bool:
        """Whether the seat has the cell that closes last, and HP for all the fires of others that come there.

        Leaving it would cost the match, a hit costs one HP; out of its own fire the seat goes all the same.
        """
        now, burning = self._now, self.plain.schedule.burning
        if now.keeper != now.seat or (self._own_fire and now.here in self._own_fire.schedule.last_burning):
            return False
        return sum(fires.get(now.here, 0) for fires in burning.values()) < now.own.hp

    def may_bomb(self) -> bool:
        """Whether a bomb laid now leaves a way of the first degree, wherever a rival near by may go to stand.

        While a rival keeps the cell that closes last, a way until the bomb has burnt is enough: there is none beyond.
        """
        now = self._now
        bomb = Bomb(now.here, now.seat, now.state.tick + now.rules.bomb_ticks - 1)
        schedule = blast_schedule(now, [bomb])
        if now.keeper not in (None, now.seat) and self._is_survived(
            schedule, still_rivals(now), until=now.rules.bomb_ticks + 1
        ):
            return True
        return self._is_survived(self._with_rival_bombs(schedule, bomb), self._roaming)

    def _is_survived(self, schedule: Schedule, arrivals: Mapping[int, float], *, until: float = NEVER) -> bool:
        """Whether the seat, staying now, gets through to that offset, wherever a rival near by may go to stand."""
        now = self._now
        look = LookAhead(now.rules.board, schedule, arrivals, self._budget)
        self._with_bomb.append(look)
        return look.survives(now.here, until=until) and self._survives_nearing(look, now.here, arrivals, until=until)

    def _is_free_of_own(self, choice: int) -> bool:
        """Whether no rival near by can shut the seat up with its own bombs, wherever it goes to stand.

        Nor by taking the cell that is chosen, which would leave the seat where it burns.
        """
        look, here = self._own_fire, self._now.here
        if look is None:
            return True
        distance = self._now.rules.board.distance
        if choice != here and any(distance(rival.cell, choice) == 1 for _, rival in self._now.rivals):
            look.rivals = still_rivals(self._now)
            if not look.survives(here):
                return False
        if choice not in look.schedule.last_burning:
            return True
        return self._survives_nearing(look, choice, {})

    def _survives_nearing(
        self, look: LookAhead, choice: int, arrivals: Mapping[int, float], *, until: float = NEVER
    ) -> bool:
        """Whether the choice is survived wherever one of the rivals near by goes to stand, beside `arrivals`."""
        still = still_rivals(self._now)
        for _, rival in self._now.rivals:
            others = {cell: since for cell, since in still.items() if cell != rival.cell}
            for cell, steps in self._places_near(rival.cell):
                look.rivals = {**arrivals, **others, cell: steps}
                if cell != choice and not look.survives(choice, until=until):
                    return False
        return True

    @cached_property
    def _own_fire(self) -> LookAhead | None:
        """The look-ahead through the fire of the seat's own bombs, those lit by what burns now; None without any."""
        now = self._now
        own = tuple(bomb for bomb in now.state.bombs if bomb.owner == now.seat)
        if not own and not any(fire.owner == now.seat for fire in now.state.fires):
            return None
        alone = Situation(now.rules, now.state._replace(bombs=own), now.seat)
        schedule = blast_schedule(alone)
        walls = {bomb.cell: NEVER for bomb in now.state.bombs if bomb.owner != now.seat}
        schedule = Schedule(schedule.burning, {**walls, **schedule.opens}, schedule.last_burning)
        return LookAhead(now.rules.board, schedule, still_rivals(now), self._budget)

    def blocking_moves(self) -> list[int]:
        """Moves after which a rival beside the seat's own bombs cannot get away from their fire any more."""
        now, look = self._now, self._own_fire
        if look is None:
            return []
        found = []
        for seat, rival in now.rivals:
            if rival.cell not in look.schedule.last_burning:
                continue
            bodies = {p.cell: 0 for other, p in enumerate(now.state.players) if other not in (seat, now.seat)}
            for move in self.moves():
                look.rivals = {**now.closings, **bodies, move: 0}
                if not any(look.survives(reached) for reached in look.moves(rival.cell)):
                    found.append(move)
        return found

    def _places_near(self, start: int) -> Iterator[tuple[int, int]]:
        """Where a rival can be within a few ticks, and from which offset on; not where it is nobody's danger.

        The seat's own cell is among them: a rival may step into it as soon as it is left.
        """
        now = self._now
        for cell, steps in takewhile(
            lambda there: there[1] <= NEARING_TICKS, maps.flood(now.rules, start, now.standing)
        ):
            if now.rules.board.distance(cell, now.here) <= NEARING_TICKS + now.rules.blast_radius:
                yield cell, max(0, steps - 1)

    @property
    def costs(self) -> list[PlanStats]:
        """Of all look-aheads so far."""
        return [look.cost for look in (self.plain, self.careful, *self._with_bomb)]

    def _is_careful(self, choice: int) -> bool:
        """The first degree; a cell that a rival may want as well must leave the own cell as good."""
        is_contested = choice != self._now.here and self._roaming.get(choice, 1) == 0
        return self.careful.survives(choice) and (not is_contested or self.careful.survives(self._now.here))

    def _with_rival_bombs(self, schedule: Schedule, *extra: Bomb) -> Schedule:
        """The schedule, and what else burns if each living rival with ammo lays a bomb where it stands."""
        now = self._now
        fires_tick = now.state.tick + now.rules.bomb_ticks - 1
        armed = [(seat, rival.cell) for seat, rival in now.rivals if rival.ammo and rival.cell not in now.bomb_cells]
        bombs = [Bomb(cell, seat, fires_tick) for seat, cell in armed]
        return merged(schedule, blast_schedule(now, [*extra, *bombs])) if bombs else schedule
