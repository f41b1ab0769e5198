"""Finds which moves a player survives, and whether it may lay a bomb.

There are three degrees of safety; the best that any move offers is taken:

1. no damage even if every rival lays a bomb now (and walks into the path, as far as `rival_reach` allows);
2. no damage if the rivals stay where they are and lay nothing;
3. the least damage possible.

The seat that holds the last cell of a closing board (`Situation.keeper`) stays there as long as its HP last.
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

NEARING_TICKS = 5  # how long a rival is assumed to come nearer and block the path


@dataclass
class LookAhead:
    """Finds which moves of one seat survive a schedule of fires; offsets count ticks from the one to be played.

    `rivals`: cell -> offset from which a rival may stand in it (dead bodies: 0). A path that avoids them cannot be
    blocked by any player. When `budget` is spent, the look-ahead ends before the next layer of cells and counts as not
    survived.
    """

    board: Board
    schedule: Schedule
    rivals: Mapping[int, float]
    budget: Budget = UNLIMITED
    cost: PlanStats = field(default_factory=PlanStats)

    def is_open(self, cell: int, offset: int) -> bool:
        """Return True if the cell may be entered at that offset."""
        return self.schedule.opens.get(cell, 0) <= offset < self.rivals.get(cell, NEVER)

    def moves(self, cell: int, offset: int = 0) -> list[int]:
        """Return the cell itself and the neighbours that may be entered at that offset."""
        return [cell, *(other for other in self.board.neighbours[cell] if self.is_open(other, offset))]

    def survives(self, cell: int, *, until: float = NEVER) -> bool:
        """Return True if a player in `cell` after its next move can go on to that offset without damage."""
        offset = 0
        burning, last = self.schedule.burning, self.schedule.last_burning
        layer: Collection[int] = () if cell in burning.get(offset, ()) else (cell,)
        while layer and not self.budget.is_spent:
            self.cost.expanded += len(layer)
            self.cost.frontier = max(self.cost.frontier, len(layer))
            if offset >= until or any(last.get(reached, -1) <= offset for reached in layer):
                return True
            offset += 1
            fire = burning.get(offset, ())
            heads = [head for reached in layer for head in self.moves(reached, offset)]
            self.cost.generated += self.budget.spend(len(heads))
            layer = {head for head in heads if head not in fire}
        return False

    def least_damage(self, cell: int) -> float:
        """Return the least number of fires on any path from `cell` (entered next) to the end of the schedule."""
        offset = 0
        burning = self.schedule.burning
        damage: dict[int, float] = {cell: burning.get(offset, {}).get(cell, 0)}
        while offset < self.schedule.last_offset and not self.budget.is_spent:
            offset += 1
            generated = 0
            fire = burning.get(offset, {})
            reached: dict[int, float] = {}
            for here, taken in damage.items():
                heads = self.moves(here, offset)
                generated += len(heads)
                for there in heads:
                    total = taken + fire.get(there, 0)
                    if total < reached.get(there, total + 1):
                        reached[there] = total
            self.cost.expanded += len(damage)
            self.cost.generated += self.budget.spend(generated)
            self.cost.frontier = max(self.cost.frontier, len(reached))
            damage = reached
        return min(damage.values())


def still_rivals(now: Situation) -> dict[int, float]:
    """Return cell -> offset from which it is taken: 0 if another player stays there, later if the cell closes."""
    figures = {player.cell: 0 for other, player in enumerate(now.state.players) if other != now.seat}
    return {**now.closings, **figures}


def roaming_rivals(now: Situation, *, reach: int) -> dict[int, float]:
    """Return cell -> offset from which a living rival may be there, within `reach` ticks; dead bodies stay."""
    neighbours = now.rules.board.neighbours
    arrivals = still_rivals(now)
    blocked = now.blocks.union(now.bomb_cells)
    frontier = [rival.cell for _, rival in now.rivals]
    for offset in range(reach):
        near = [n for cell in frontier for n in neighbours[cell] if n not in blocked]
        now.work.count_tactics(len(near))
        frontier = [n for n in near if arrivals.get(n, NEVER) > offset]
        arrivals.update((cell, offset) for cell in frontier)
    return arrivals


class Safety:
    """Judges by look-ahead which moves of one seat are safe in this tick.

    In the careful look-ahead each rival blocks all cells that it may reach within `rival_reach` ticks.
    """

    def __init__(self, now: Situation, *, rival_reach: int = 0, budget: Budget = UNLIMITED) -> None:
        self._now = now
        self._budget = budget
        self._roaming = roaming_rivals(now, reach=rival_reach)
        schedule = blast_schedule(now)
        armed = self._with_rival_bombs(schedule)
        self._looks: list[LookAhead] = []
        self.plain = self._look(schedule, still_rivals(now))
        self.careful = self._look(armed, self._roaming)

    def _look(self, schedule: Schedule, rivals: Mapping[int, float]) -> LookAhead:
        """Make a look-ahead and note it, so that its cost is reported with the answer."""
        look = LookAhead(self._now.rules.board, schedule, rivals, self._budget)
        self._looks.append(look)
        return look

    def moves(self) -> list[int]:
        """Return the bot's own cell and the neighbours that may be entered now."""
        return self._counted(self.plain.moves(self._now.here))

    def _counted(self, cells: list[int]) -> list[int]:
        self._now.work.count_tactics(len(cells))
        return cells

    @cached_property
    def best_moves(self) -> list[int]:
        """The cells to move to, or to stay in, with the best degree of safety that any of them has."""
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
        """Return the first of the moves (best first) that has the best degree of safety among them."""
        return next(choice for choice in choices if choice in self.best_moves)

    @cached_property
    def keeps_refuge(self) -> bool:
        """True if the seat stands on the cell that closes last and has more HP than rivals' fires that will reach it.

        Leaving the cell would cost the match, a hit costs one HP. If its own bomb burns there, the seat leaves.
        """
        now, burning = self._now, self.plain.schedule.burning
        if now.keeper != now.seat or (self._own_fire and now.here in self._own_fire.schedule.last_burning):
            return False
        return sum(fires.get(now.here, 0) for fires in burning.values()) < now.own.hp

    def may_bomb(self) -> bool:
        """Return True if a bomb laid now leaves an escape even if all rivals bomb too, wherever a rival near by goes.

        While a rival stands on the cell that closes last, it is enough to survive the fire of the bomb.
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
        """Return True if the seat, staying now, survives until that offset, wherever one rival near by goes.

        `arrivals`: cell -> offset from which a rival may stand in it in any case.
        """
        now = self._now
        look = self._look(schedule, arrivals)
        return look.survives(now.here, until=until) and self._survives_nearing(look, now.here, arrivals, until=until)

    def _is_free_of_own(self, choice: int) -> bool:
        """Return True if no rival near by can trap the seat in the fire of the seat's own bombs after this move.

        That includes a rival that takes the chosen cell, which leaves the seat in its burning one.
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
        """Return True if the seat survives this move, whichever cell near by one rival goes to while the others stay.

        `arrivals`: cell -> offset from which a rival may stand in it in any case.
        """
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
        """The look-ahead through the fire of own bombs, laid or now burning; None if there is none."""
        now = self._now
        own = tuple(bomb for bomb in now.state.bombs if bomb.owner == now.seat)
        if not own and not any(fire.owner == now.seat for fire in now.state.fires):
            return None
        alone = Situation(now.rules, now.state._replace(bombs=own), now.seat)
        schedule = blast_schedule(alone)
        walls = {bomb.cell: NEVER for bomb in now.state.bombs if bomb.owner != now.seat}
        schedule = Schedule(schedule.burning, {**walls, **schedule.opens}, schedule.last_burning)
        return self._look(schedule, still_rivals(now))

    def blocking_moves(self) -> list[int]:
        """Return moves after which a rival beside the seat's own bombs can no longer escape their fire."""
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
                if not any(look.survives(reached) for reached in self._counted(look.moves(rival.cell))):
                    found.append(move)
        return found

    def _places_near(self, start: int) -> Iterator[tuple[int, int]]:
        """Yield (cell, offset from which a rival now in `start` may be there) for a few ticks, without far cells.

        The seat's own cell is among them: a rival may step into it as soon as it is left.
        """
        now = self._now
        for cell, steps in takewhile(
            lambda there: there[1] <= NEARING_TICKS, maps.flood(now.rules, start, now.standing, now.work)
        ):
            if now.rules.board.distance(cell, now.here) <= NEARING_TICKS + now.rules.blast_radius:
                yield cell, max(0, steps - 1)

    @property
    def costs(self) -> list[PlanStats]:
        """Costs of all look-aheads so far."""
        return [look.cost for look in self._looks]

    def _is_careful(self, choice: int) -> bool:
        """Return True if the move is safe even if all rivals bomb now.

        If a rival may take that cell first, staying must be as safe.
        """
        is_contested = choice != self._now.here and self._roaming.get(choice, 1) == 0
        return self.careful.survives(choice) and (not is_contested or self.careful.survives(self._now.here))

    def _with_rival_bombs(self, schedule: Schedule, *extra: Bomb) -> Schedule:
        """Return the schedule with the fires of `extra` bombs and of one that each rival with ammo lays in its cell."""
        now = self._now
        fires_tick = now.state.tick + now.rules.bomb_ticks - 1
        armed = [(seat, rival.cell) for seat, rival in now.rivals if rival.ammo and rival.cell not in now.bomb_cells]
        bombs = [Bomb(cell, seat, fires_tick) for seat, cell in armed]
        return merged(schedule, blast_schedule(now, [*extra, *bombs])) if bombs else schedule
