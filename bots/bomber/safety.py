"""Where and when it burns, which moves are survived, and whether a bomb may be laid. Wants nothing itself.

Offsets count ticks from the one to be played: at offset k a player moves first and then takes damage from what burns at
k. The schedule follows the rules exactly for the bombs that are known: chains, blocks that fall and open the way, fires
that shield each other. Bombs of uncertain timers (`Situation.windows`) burn all through their windows.

Three degrees of safety, the best that any move offers is taken:

1. no damage even if every rival lays a bomb now (and walks into the way, as far as `rival_reach` lets it);
2. no damage if the rivals stay where they are and lay nothing;
3. the least damage there is.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile
from typing import TypeVar

from bots.bomber import maps
from bots.bomber.situation import Situation
from bots.planners.budget import UNLIMITED, Budget
from bots.planners.stats import PlanStats
from games.bomber.board import Board
from games.bomber.params import Rules
from games.bomber.stages import blast, light_chain
from games.bomber.state import FREE, HP_MASK, METAL, Bomb

NEVER = math.inf
NEARING_TICKS = 5  # for which a rival is feared to come nearer and stand in the way
CRUSHED = 10_000  # fires that being crushed is as bad as; later is better
LATER_TICKS = 6  # that make up for one fire
R = TypeVar("R", int, float)
_Dated = tuple[int, int]  # cell of a bomb, offset at whose end it makes fire


@dataclass(frozen=True, slots=True)
class Schedule:
    """What burns when, and when what stands in the way is gone."""

    burning: Mapping[int, Mapping[int, int]]  # offset -> cell -> number of fires
    opens: Mapping[int, float]  # cell of a block or bomb -> first offset at which it may be entered (NEVER)
    last_burning: Mapping[int, int]  # cell -> last offset at which it burns; other cells never do

    @property
    def last_offset(self) -> int:
        """The last offset at which anything burns; -1 if nothing ever does."""
        return max(self.burning, default=-1)


def blast_schedule(now: Situation, extra: Iterable[Bomb] = ()) -> Schedule:
    """The schedule of all bombs on the board and of `extra` ones, laid in this tick after all others."""
    state = now.state
    bombs = [(bomb.cell, max(0, bomb.fires_tick - state.tick)) for bomb in (*state.bombs, *extra)]
    opens: dict[int, float] = dict.fromkeys([*now.blocks, *(cell for cell, _ in bombs)], NEVER)
    fires = [fire.cell for fire in state.fires]
    if (fast := maps.active()) is not None:
        is_instant = now.rules.chain == "instant"
        burning = fast.burn(maps.shape_of(now.rules), state.blocks, bombs, fires, is_instant, opens)
    else:
        burning = dict(_burn(now.rules, bytearray(state.blocks), bombs, fires, opens))
    for cell, (first, last) in now.windows.items():
        reached = blast(cell, now.rules.rays, state.blocks, now.bomb_cells)
        for offset in range(first - state.tick + 1, last - state.tick + 2):
            burning[offset] = dict.fromkeys(reached, 1) | burning.get(offset, {})
    for cell, offset in now.closings.items():
        burning[offset] = {**burning.get(offset, {}), cell: CRUSHED - offset // LATER_TICKS}
    return Schedule(burning, opens, {cell: offset for offset in sorted(burning) for cell in burning[offset]})


def _burn(
    rules: Rules, blocks: bytearray, bombs: list[_Dated], fires: list[int], opens: dict[int, float]
) -> Iterator[tuple[int, dict[int, int]]]:
    """Yield (offset, fires per cell) in order and note in `opens` what goes when."""
    rays = rules.rays
    offset = 0
    while fires or bombs:
        counts = Counter(fires)
        if fires:
            yield offset, counts
            bombs = [(cell, min(fires_at, offset) if cell in counts else fires_at) for cell, fires_at in bombs]
        else:
            offset = max(offset, min(fires_at for _, fires_at in bombs))
        standing = {cell for cell, _ in bombs}
        due = [cell for cell, fires_at in bombs if fires_at <= offset]
        if due and rules.chain == "instant":
            light_chain(due, rays, blocks, standing)
        fires = [reached for cell in due for reached in blast(cell, rays, blocks, standing)]
        bombs = [bomb for bomb in bombs if bomb[0] not in due]
        offset += 1
        opens.update((cell, offset) for cell in due)
        _burn_blocks(blocks, counts, opens, offset)


def _burn_blocks(blocks: bytearray, counts: Mapping[int, int], opens: dict[int, float], next_offset: int) -> None:
    """Blocks lose HP; done after the new fires are known, since a dying block stops them."""
    for cell, count in counts.items():
        if blocks[cell] > METAL:
            blocks[cell] -= min(count, blocks[cell] & HP_MASK)
            if not blocks[cell] & HP_MASK:
                blocks[cell] = FREE
                opens[cell] = next_offset


def merged(first: Schedule, second: Schedule) -> Schedule:
    """What burns in either of the schedules; a cell opens when it has opened in both."""
    offsets = first.burning.keys() | second.burning.keys()
    burning = {at: _maxima(first.burning.get(at, {}), second.burning.get(at, {})) for at in offsets}
    return Schedule(burning, _maxima(first.opens, second.opens), _maxima(first.last_burning, second.last_burning))


def _maxima(first: Mapping[int, R], second: Mapping[int, R]) -> dict[int, R]:
    return {**first, **{cell: max(value, first.get(cell, value)) for cell, value in second.items()}}


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

    def survives(self, cell: int) -> bool:
        """Whether who is in `cell` after its next move can go through all the rest without any damage."""
        offset = 0
        burning, last = self.schedule.burning, self.schedule.last_burning
        layer: Collection[int] = () if cell in burning.get(offset, ()) else (cell,)
        while layer and len(layer) <= self.budget.left:
            self.budget.spend(len(layer))
            self.cost.expanded += len(layer)
            self.cost.frontier = max(self.cost.frontier, len(layer))
            if any(last.get(reached, -1) <= offset for reached in layer):
                return True
            offset += 1
            fire = burning.get(offset, ())
            layer = {n for reached in layer for n in self.moves(reached, offset) if n not in fire}
            self.cost.generated += len(layer)
        return False

    def least_damage(self, cell: int) -> int:
        """The least number of fires on any way from `cell` (entered next) to the end of the schedule."""
        offset = 0
        burning = self.schedule.burning
        damage = {cell: burning.get(offset, {}).get(cell, 0)}
        while offset < self.schedule.last_offset and len(damage) <= self.budget.left:
            self.budget.spend(len(damage))
            offset += 1
            fire = burning.get(offset, {})
            reached: dict[int, int] = {}
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
        self._with_bomb: LookAhead | None = None

    def moves(self) -> list[int]:
        """The own cell and the neighbours that may be entered now."""
        return self.plain.moves(self._now.here)

    @cached_property
    def best_moves(self) -> list[int]:
        """The moves of the best degree of safety that any has."""
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

    def may_bomb(self) -> bool:
        """Whether a bomb laid now leaves a way of the first degree, wherever a rival near by may go to stand."""
        now = self._now
        bomb = Bomb(now.here, now.seat, now.state.tick + now.rules.bomb_ticks - 1)
        schedule = self._with_rival_bombs(blast_schedule(now, [bomb]), bomb)
        self._with_bomb = LookAhead(now.rules.board, schedule, self._roaming, self._budget)
        return self._with_bomb.survives(now.here) and self._survives_nearing(self._with_bomb, now.here, self._roaming)

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

    def _survives_nearing(self, look: LookAhead, choice: int, arrivals: Mapping[int, float]) -> bool:
        """Whether the choice is survived wherever one of the rivals near by goes to stand, beside `arrivals`."""
        still = still_rivals(self._now)
        for _, rival in self._now.rivals:
            others = {cell: since for cell, since in still.items() if cell != rival.cell}
            for cell, steps in self._places_near(rival.cell):
                look.rivals = {**arrivals, **others, cell: steps}
                if cell != choice and not look.survives(choice):
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
        return [look.cost for look in (self.plain, self.careful, self._with_bomb) if look]

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
