"""Infers the whole state, in the rules' own form, from one seat's observations.

Each observation is explained by one tick of the rules: players are put where they are seen, new bombs are laid by the
player that stands on them, and the rules' own stages simulate the rest (fire, damage, pick-ups, timers). Observations
override inferences. If every tick was seen (lockstep), the result is exact but for what no observation shows:

- the order of two bombs laid in the same tick by two seats (it decides who is paid for a block that both destroy);
- another seat's bomb laid on fire, which goes off before anyone sees it: its fire, and that seat's ammo;
- the tick of the next treasure.

If ticks were missed (realtime), a new bomb has a window of ticks in which it may go off (`windows`), its owner is the
nearest seat that could have laid it, and opponents' HP, ammo and score are estimates that ignore unseen events. With
`hidden: false` the observation shows all this, so nothing is inferred.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gridjoust.bots.api import MatchSetup
from gridjoust.bots.bomber.situation import Situation
from gridjoust.bots.planners.budget import Budget
from gridjoust.games.api import resolve_params
from gridjoust.games.bomber import Bomber
from gridjoust.games.bomber.maps import make_blocks
from gridjoust.games.bomber.params import Rules, make_rules
from gridjoust.games.bomber.stages import (
    Tick,
    burn_players,
    burn_things,
    bury,
    clean_up,
    close,
    explode,
    pick_up,
    run_out,
)
from gridjoust.games.bomber.state import FREE, HP_MASK, METAL, ORE, SOFT, Bomb, Fire, Player, Seat, State, Token

View = Mapping[str, Any]

_SEEN_TICK = (burn_players, burn_things, pick_up, run_out, close, bury, explode, clean_up)
_MISSED_TICK = (burn_things, run_out, close, explode, clean_up)
BARRED_TICKS = 20  # how long a cell is barred, for items and for bombs, after it could not be had


class Tracker:
    """One seat's belief about the whole state, kept up to date by `update`; `state` is valid after the first update."""

    def __init__(self, rules: Rules, *, seat: Seat, seat_count: int) -> None:
        self.rules = rules
        self.seat = seat
        self.state: State
        self.windows: dict[int, tuple[int, int]] = {}  # bomb's cell -> first and last tick at whose end it may fire
        self._board = rules.board
        self._seat_count = seat_count
        self._is_new = True

    def update(self, view: View) -> State:
        """Return the belief after this observation; an observation of a known tick changes nothing."""
        if self._is_new:
            self._is_new = False
            self.state = self._first_belief(view)
        elif view["tick"] > self.state.tick:
            self.state = self._next_belief(view)
        if "bomb_timers" in view:
            self.windows.clear()
            self.state = self._as_shown(view)
        return self.state

    def _cells(self, places: Iterable[Iterable[int]]) -> list[int]:
        return [self._board.cell(x, y) for x, y in places]

    def _first_belief(self, view: View) -> State:
        """Make the first belief: players as at the start, blocks unhurt; bombs already there may go off any time."""
        rules, last_tick = self.rules, view["tick"] - 1
        metal, soft, ore = (self._cells(view[kind]) for kind in ("metal", "soft", "ore"))
        blocks = make_blocks(rules, metal=metal, soft=soft, ore=ore)
        players = (Player(0, rules.player_hp, rules.player_ammo),) * self._seat_count
        treasure_due = view["tick"] + rules.treasure_max_ticks
        return self._corrected(Tick(rules, State(0, last_tick, players, blocks, treasure_due=treasure_due), {}), view)

    def _undated_bomb(self, cell: int, tick: int) -> Bomb:
        self.windows[cell] = (tick, tick + self.rules.bomb_ticks - 2)
        return Bomb(cell, self.seat, tick)

    def _next_belief(self, view: View) -> State:
        last_seen = self.state
        last_tick = view["tick"] - 1
        self.state = self.state._replace(bombs=self._redated_bombs(self._cells(view["bombs"]), last_tick))
        for missed in range(last_seen.tick, last_tick):
            if self.state.bombs or self.state.fires or self.state.ammo:
                tick = Tick(self.rules, self.state, {})
                tick.tick = missed
                for stage in _MISSED_TICK:
                    stage(tick)
                self.state = tick.frozen()
        tick = Tick(self.rules, self.state, {})
        tick.tick = last_tick
        self._lay_seen_bombs(tick, view, last_seen)
        tick.players = self._moved_players(view, tick.players)
        for stage in _SEEN_TICK:
            stage(tick)
        return self._corrected(tick, view)

    def _redated_bombs(self, seen: list[int], last_tick: int) -> tuple[Bomb, ...]:
        """Return the bombs with corrected timers: one still there has not fired, one that is gone has.

        In lockstep nothing changes.
        """
        bombs: list[Bomb] = []
        for bomb in self.state.bombs:
            if bomb.cell not in seen:
                bombs.append(bomb._replace(fires_tick=min(bomb.fires_tick, last_tick)))
            elif bomb.fires_tick > last_tick:
                bombs.append(bomb)
            elif bomb.cell in self.windows:
                bombs.append(bomb._replace(fires_tick=last_tick + 1))
            else:
                bombs.append(self._undated_bomb(bomb.cell, last_tick + 1))
        return tuple(bombs)

    def _lay_seen_bombs(self, tick: Tick, view: View, last_seen: State) -> None:
        known = {bomb.cell for bomb in tick.bombs}
        positions = self._positions(view)
        new = [cell for cell in self._cells(view["bombs"]) if cell not in known]
        for cell in sorted(new, key=lambda cell: positions.index(cell) if cell in positions else -1):
            owner, first, last = self._who_laid(cell, last_seen, tick.tick, positions)
            self._lay(tick, owner, Bomb(cell, owner, first + self.rules.bomb_ticks - 1))
            if first < last:
                self.windows[cell] = (first + self.rules.bomb_ticks - 1, last + self.rules.bomb_ticks - 1)
        if self._has_own_bomb_gone_off_at_once(tick, view, new):
            here = positions[self.seat]
            self._lay(tick, self.seat, Bomb(here, self.seat, tick.tick + self.rules.bomb_ticks - 1))

    def _lay(self, tick: Tick, owner: Seat, bomb: Bomb) -> None:
        player = tick.players[owner]
        tick.players[owner] = player._replace(ammo=max(0, player.ammo - 1), ammo_used=player.ammo_used + 1)
        tick.bombs.append(bomb)
        tick.ammo_due.append(bomb.fires_tick - self.rules.bomb_ticks + self.rules.ammo_return_ticks)
        tick.ammo_due.sort()

    def _has_own_bomb_gone_off_at_once(self, tick: Tick, view: View, new: list[int]) -> bool:
        """Return True if own ammo shows that a bomb was laid on fire and is gone before it could be seen."""
        here = self._board.cell(*view["position"])
        if here in new or all(fire.cell != here for fire in tick.fires):
            return False
        taken = sum(token.cell == here for token in tick.ammo)
        return bool(view["hp"] > 0 and view["ammo"] < tick.players[self.seat].ammo + taken)

    def _who_laid(self, cell: int, seen: State, last_tick: int, positions: list[int]) -> tuple[Seat, int, int]:
        """Return (owner, first tick, last tick): who may have laid the bomb in this cell, and when.

        The owner must have been there, and a player moves one cell a tick.
        """
        candidates: list[tuple[int, Seat, int, int]] = []
        for seat, player in enumerate(seen.players):
            before, after = self._board.distance(player.cell, cell), self._board.distance(cell, positions[seat])
            first, last = seen.tick + before, last_tick - after
            if first <= last and player.died_tick is None:
                candidates.append((before + after, seat, first, last))
        if not candidates:  # no player can have been here: some earlier belief is wrong, so be careful
            return self.seat, seen.tick, last_tick
        _, owner, _, _ = min(candidates)
        return owner, min(first for *_, first, _ in candidates), max(last for *_, last in candidates)

    def _corrected(self, tick: Tick, view: View) -> State:
        """Return the belief after the tick, corrected by the view."""
        self._correct_blocks(tick, view)
        self._correct_bombs(tick, self._cells(view["bombs"]))
        self._correct_ammo(tick, self._cells(view["ammo_tokens"]))
        tick.treasure = self._cells(view["treasure"])
        tick.players = self._seen_players(view, tick.players)
        return tick.frozen()

    def _correct_blocks(self, tick: Tick, view: View) -> None:
        seen = dict.fromkeys(self._cells(view["soft"]), SOFT) | dict.fromkeys(self._cells(view["ore"]), ORE)
        for cell, block in enumerate(tick.blocks):
            if block > METAL and cell not in seen:
                tick.blocks[cell] = FREE
            elif block == FREE and cell in seen:  # was believed gone too early
                tick.blocks[cell] = seen[cell] + 1

    def _correct_bombs(self, tick: Tick, seen: list[int]) -> None:
        believed, now = {bomb.cell for bomb in tick.bombs}, tick.tick + 1
        tick.bombs += [self._undated_bomb(cell, now) for cell in seen if cell not in believed]
        windows = [(cell, *self.windows[cell]) for cell in seen if cell in self.windows]
        self.windows = {cell: (max(first, now), max(last, now)) for cell, first, last in windows}

    def _correct_ammo(self, tick: Tick, seen: list[int]) -> None:
        known = {token.cell: token for token in tick.ammo}
        last_tick = tick.tick + self.rules.ammo_lifetime_ticks
        tick.ammo = [known.get(cell) or Token(cell, last_tick) for cell in seen]
        missing = -sum(cell not in known for cell in seen)  # below 0: tokens that were not known to be due
        while tick.ammo_due and tick.ammo_due[0] <= tick.tick:
            del tick.ammo_due[0]
            missing += 1
        tick.ammo_due += [tick.tick + self.rules.ammo_return_ticks] * missing  # no free cell: due again later

    def _positions(self, view: View) -> list[int]:
        """Return, by seat, the cells in which players and dead bodies are seen."""
        places = {opponent["seat"]: opponent["position"] for opponent in view["opponents"]}
        places[self.seat] = view["position"]
        return self._cells(places[seat] for seat in range(self._seat_count))

    def _moved_players(self, view: View, players: list[Player]) -> list[Player]:
        return [player._replace(cell=cell) for player, cell in zip(players, self._positions(view), strict=True)]

    def _seen_players(self, view: View, players: list[Player]) -> list[Player]:
        """Return the players with all that the view shows about them."""
        seen = self._moved_players(view, players)
        own = seen[self.seat]
        seen[self.seat] = own._replace(hp=view["hp"], ammo=view["ammo"], score=view["score"])
        for opponent in view["opponents"]:
            seat, player = opponent["seat"], seen[opponent["seat"]]
            if opponent["alive"]:
                seen[seat] = player._replace(hp=max(1, player.hp), died_tick=None)
            elif player.died_tick is None:
                seen[seat] = player._replace(hp=min(0, player.hp), died_tick=view["tick"] - 1)
        return seen

    def _as_shown(self, view: View) -> State:
        """Return the belief with everything replaced that a view under `hidden: false` shows."""
        last = self.state.tick - 1
        blocks = bytearray(self.state.blocks)
        for kind, block in (("soft", SOFT), ("ore", ORE)):
            for cell, hp in zip(self._cells(view[kind]), view[f"{kind}_hp"], strict=True):
                blocks[cell] = block + (hp & HP_MASK)
        players = list(self.state.players)
        for shown in view["opponents"]:
            seat = shown["seat"]
            players[seat] = players[seat]._replace(hp=shown["hp"], ammo=shown["ammo"], score=shown["score"])
        bombs = zip(self._cells(view["bombs"]), view["bomb_owners"], view["bomb_timers"], strict=True)
        tokens = zip(self._cells(view["ammo_tokens"]), view["ammo_timers"], strict=True)
        return self.state._replace(
            players=tuple(players),
            blocks=bytes(blocks),
            bombs=tuple([Bomb(cell, owner, last + timer) for cell, owner, timer in bombs]),
            fires=tuple([Fire(self._board.cell(x, y), owner) for x, y, owner in view["fire"]]),
            ammo=tuple([Token(cell, last + timer) for cell, timer in tokens]),
            ammo_due=tuple([last + due for due in view["ammo_due"]]),
        )


@dataclass
class Memory:
    """One seat's memory from tick to tick: its belief, and the cells that it avoids."""

    tracker: Tracker
    _barred: dict[int, int] = field(default_factory=dict)  # cell -> tick until which it is no target

    def look(self, view: View, work: Budget) -> Situation:
        """Return the situation after this observation; `work` counts what its floods of the board generate."""
        tracker = self.tracker
        return Situation(tracker.rules, tracker.update(view), tracker.seat, tracker.windows, work)

    def bar(self, cell: int, *, tick: int) -> None:
        """Remove a cell from the targets for BARRED_TICKS ticks."""
        self._barred[cell] = tick + BARRED_TICKS

    def barred(self, tick: int) -> Collection[int]:
        """Return the cells that are no targets now."""
        self._barred = {cell: until for cell, until in self._barred.items() if until > tick}
        return self._barred.keys()


def make_memories(setup: MatchSetup) -> dict[Seat, Memory]:
    """Make one memory for each seat held; the board has the size of the map in play."""
    briefing = setup.briefing[str(setup.seat)]
    width, height = briefing["size"]
    rules = make_rules(resolve_params(Bomber.spec, briefing["params"]), size=(width, height))
    return {seat: Memory(Tracker(rules, seat=seat, seat_count=setup.seat_count)) for seat in setup.seats}
