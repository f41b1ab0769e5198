"""Which of the moves at hand are survived, and whether a bomb may be laid. Wants nothing itself.

Three degrees of safety, the best that any move offers is taken:

1. no damage even if every rival lays a bomb now (and walks into the way, as far as `rival_reach` lets it);
2. no damage if the rivals stay where they are and lay nothing;
3. the least damage there is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bots.bomber.danger import LookAhead, Schedule, blast_schedule, merged, roaming_rivals, still_rivals
from games.bomber.params import Rules
from games.bomber.state import Bomb, Seat, State


class Safety:
    """The look-ahead of one seat in one tick; `rival_reach` is for how many ticks rivals may cut off ways."""

    def __init__(
        self,
        rules: Rules,
        state: State,
        seat: Seat,
        *,
        windows: Mapping[int, tuple[int, int]] | None = None,
        rival_reach: int = 0,
    ) -> None:
        self._rules = rules
        self._state = state
        self._seat = seat
        self._windows = windows
        self._roaming = roaming_rivals(rules, state, seat, reach=rival_reach)
        schedule = self._schedule()
        self.plain = LookAhead(rules, schedule, still_rivals(state, seat))
        self.careful = LookAhead(rules, self._with_rival_bombs(schedule), self._roaming)
        self._with_bomb: LookAhead | None = None

    def moves(self) -> list[int]:
        """The own cell and the neighbours that may be entered now."""
        return self.plain.moves(self._state.players[self._seat].cell)

    def pick(self, choices: Sequence[int]) -> int:
        """The first of the moves (best first) that has the best degree of safety among them."""
        for choice in choices:
            if self._is_careful(choice):
                return choice
        for choice in choices:
            if self.plain.survives(choice):
                return choice
        return min(choices, key=self.plain.least_damage)

    def may_bomb(self) -> bool:
        """Whether a bomb laid now leaves a way of the first degree."""
        own = self._state.players[self._seat]
        bomb = Bomb(own.cell, self._seat, self._state.tick + self._rules.bomb_ticks - 1)
        schedule = self._with_rival_bombs(self._schedule(bomb), bomb)
        self._with_bomb = LookAhead(self._rules, schedule, self._roaming)
        return self._with_bomb.survives(own.cell)

    @property
    def searches(self) -> list[LookAhead]:
        """All look-aheads so far."""
        return [look for look in (self.plain, self.careful, self._with_bomb) if look]

    def _is_careful(self, choice: int) -> bool:
        """The first degree; a cell that a rival may want as well must leave the own cell as good."""
        here = self._state.players[self._seat].cell
        is_contested = choice != here and self._roaming.get(choice, 1) == 0
        return self.careful.survives(choice) and (not is_contested or self.careful.survives(here))

    def _schedule(self, *extra: Bomb) -> Schedule:
        return blast_schedule(self._rules, self._state, extra=extra, windows=self._windows)

    def _with_rival_bombs(self, schedule: Schedule, *extra: Bomb) -> Schedule:
        """The schedule, and what else burns if each living rival with ammo lays a bomb where it stands."""
        fires_tick = self._state.tick + self._rules.bomb_ticks - 1
        taken = {bomb.cell for bomb in self._state.bombs}
        rivals = [
            Bomb(player.cell, seat, fires_tick)
            for seat, player in enumerate(self._state.players)
            if seat != self._seat and player.died_tick is None and player.ammo > 0 and player.cell not in taken
        ]
        return merged(schedule, self._schedule(*extra, *rivals)) if rivals else schedule
