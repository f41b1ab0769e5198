"""The game of bomber: set-up, turns, end and utility; `stages` plays the tick, `view` says what seats see.

It follows the tournament game "Dungeons & Data Structures" of CoderOne (December 2020), for 2 to 4 seats. By default
the board is smaller, fuses are shorter and cells turn to metal from the edge inwards, so that good bots meet;
`preset: coderone` is the original contest.

Returns: the number of opponents that a seat beats minus the number that beat it, so +1, 0 or -1 with two seats. Living
players rank above dead ones. The living are ranked by score; the dead by the tick of their death (later is better,
points do not count). Equal ranks draw. Before the end, the returns describe the present standing.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from gridjoust.games.api import Dynamics, Game, GameSpec, IllegalAction, Json, ParamValue, Turn, Utility
from gridjoust.games.bomber import view
from gridjoust.games.bomber.actions import ACTIONS, Action, parse_action
from gridjoust.games.bomber.ascii import render
from gridjoust.games.bomber.maps import check_generator, generate, make_blocks, parse_map
from gridjoust.games.bomber.params import METRICS, PARAMS, expand, make_rules
from gridjoust.games.bomber.redeal import redeal, redeal_unknown
from gridjoust.games.bomber.stages import play_tick
from gridjoust.games.bomber.state import Player, Seat, State, Token
from gridjoust.games.chance import rng_for

_COUNTS = (
    "score",
    "hp",
    "ammo_used",
    "soft_blocks",
    "ore_blocks",
    "treasure",
    "hits",
    "near_misses",
    "traps",
    "own_hits",
)


class Bomber(Game[State, Action]):
    """Rules and parameters of one variant of bomber."""

    spec = GameSpec(
        name="bomber",
        version="2",
        min_seats=2,
        max_seats=4,
        dynamics=Dynamics.SIMULTANEOUS,
        utility=Utility.ZERO_SUM,
        perfect_information=False,
        max_turns=300,
        params=PARAMS,
        metrics=METRICS,
        summary="lay bombs, open blocks, collect ammo and treasure, outlive or outscore the others",
    )
    views_are_fresh = True

    def __init__(self, params: Mapping[str, ParamValue] | None = None, *, seats: int | None = None) -> None:
        super().__init__(expand(params or {}), seats=seats)
        self._asked: tuple[State | None, tuple[Seat, ...]] = (None, ())  # a state, its seats to act
        text = str(self.params["map"])
        self._map = parse_map(text, seats=self.seats) if text.strip() else None
        self.rules = make_rules(self.params, size=None if self._map is None else (self._map.width, self._map.height))
        if self._map is None:
            check_generator(self.rules, seats=self.seats)

    def variant_spec(self) -> GameSpec:
        """Return the spec: `pace` decides the dynamics, `hidden` the information, and `max_ticks` the length."""
        return replace(
            type(self).spec,
            dynamics=Dynamics.TICKED if self.params["pace"] == "realtime" else Dynamics.SIMULTANEOUS,
            perfect_information=not self.params["hidden"],
            max_turns=int(self.params["max_ticks"]),
        )

    def initial_state(self, seed: int) -> State:
        """Return the given map, or a map generated from the seed, as a start position."""
        layout = self._map or generate(self.rules, seats=self.seats, rng=rng_for(seed, 0, "map"))
        first_interval = rng_for(seed, 0, "first treasure").randint(
            self.rules.treasure_min_ticks, self.rules.treasure_max_ticks
        )
        return State(
            seed=seed,
            tick=0,
            players=tuple(Player(cell, self.rules.player_hp, self.rules.player_ammo) for cell in layout.starts),
            blocks=make_blocks(self.rules, metal=layout.metal, soft=layout.soft, ore=layout.ore),
            ammo=tuple(Token(cell, self.rules.ammo_lifetime_ticks - 1) for cell in layout.ammo),
            treasure=layout.treasure,
            treasure_due=first_interval - 1,
        )

    def seats_to_act(self, state: State) -> tuple[Seat, ...]:
        """Return every living seat, or none once the match is over."""
        last, seats = self._asked
        if state is not last:  # the same state is asked for many times
            living = state.living()
            seats = () if len(living) <= 1 or state.tick >= self.rules.max_ticks else living
            self._asked = (state, seats)
        return seats

    def legal_actions(self, state: State, seat: Seat) -> tuple[Action, ...]:
        """Return all six actions for a living seat; an action that is impossible now has no effect."""
        return ACTIONS if seat in self.seats_to_act(state) else ()

    def default_action(self, state: State, seat: Seat) -> Action:  # noqa: ARG002 - part of the interface
        """Return `WAIT` for every seat."""
        return Action.WAIT

    def apply(self, state: State, turn: Turn[Action]) -> State:
        """Return the state after one tick, given actions of all living seats (lockstep) or of those that answered."""
        seats = self.seats_to_act(state)
        if not seats:
            raise IllegalAction(f"expected no turn after the end, got one for seats {list(turn.actions)}")
        for seat, action in turn.actions.items():
            if seat not in seats:
                raise IllegalAction(f"expected actions of seats {list(seats)}, got one of seat {seat}")
            if action not in ACTIONS:
                raise IllegalAction(f"seat {seat}: expected one of {', '.join(ACTIONS)}, got {action!r}")
        if len(turn.actions) < len(seats) and self.spec.dynamics is Dynamics.SIMULTANEOUS:
            missing = [seat for seat in seats if seat not in turn.actions]
            raise IllegalAction(f"expected actions of seats {list(seats)}, got none of {missing}")
        return play_tick(self.rules, state, turn.actions)

    def ask_key(self, state: State, seat: Seat) -> object:  # noqa: ARG002 - part of the interface
        """Return the tick, because each question is about one tick."""
        return state.tick

    def wake_at(self, state: State) -> int | None:
        """Return the end of the next tick in ms at pace realtime, otherwise None."""
        if self.spec.dynamics is not Dynamics.TICKED or self.is_terminal(state):
            return None
        return (state.tick + 1) * self.rules.tick_ms

    def is_terminal(self, state: State) -> bool:
        """Return True if at most one player lives or the last tick is over."""
        return not self.seats_to_act(state)

    def returns(self, state: State) -> tuple[float, ...]:
        """Return for each seat the number of opponents that it beats minus the number that beat it."""
        alive = float("inf")
        ranks = [(alive, p.score) if p.died_tick is None else (p.died_tick, 0) for p in state.players]
        return tuple(float(sum(key > rank for rank in ranks) - sum(key < rank for rank in ranks)) for key in ranks)

    def metrics(self, state: State) -> tuple[Mapping[str, float], ...]:
        """Return each seat's counts by name; `ticks` is how long it lived, blocks are those it was paid for."""
        ticks = [state.tick if player.died_tick is None else player.died_tick + 1 for player in state.players]
        counts = [{name: max(0, getattr(player, name)) for name in _COUNTS} for player in state.players]
        return tuple(counted | {"ticks": lived} for counted, lived in zip(counts, ticks, strict=True))

    def reason(self, state: State) -> str:
        """Say who survived, or how many points each living player has."""
        living = state.living()
        if len(living) == 1:
            return f"seat {living[0]} is the last survivor"
        if not living:
            return f"nobody survived tick {state.tick - 1}"
        if self.seats == 2:
            return "tick limit: {} to {} points".format(*(player.score for player in state.players))
        scores = ", ".join(f"seat {seat} has {state.players[seat].score}" for seat in living)
        return f"tick limit: {scores} points"

    def briefing(self, state: State, seat: Seat) -> Json:  # noqa: ARG002 - the same for all seats
        """Return parameters, board size, metal blocks and the closing order."""
        return view.briefing(self.rules, dict(self.params), state)

    def observation(self, state: State, seat: Seat) -> dict[str, Json]:
        """Return what the seat may know now; `view` explains the keys."""
        return view.observation(self.rules, state, seat)

    def public_view(self, state: State) -> dict[str, Json]:
        """Return what everyone may know now; `view` explains the keys."""
        return view.public_view(self.rules, state)

    def redeal(self, state: State, seat: Seat, rng: random.Random) -> State:
        """Resample future chance and, with `hidden`, all that the seat does not see."""
        return redeal(self.rules, state, seat, rng)

    def redeal_unknown(self, state: State, rng: random.Random) -> State:
        """Resample future chance only; all the rest follows from what the seats have seen and done."""
        return redeal_unknown(self.rules, state, rng)

    def encode(self, state: State) -> bytes:
        """Return canonical bytes of the state: the blocks (one byte a cell), then all other values as text."""
        players = ", ".join(map(_player_text, state.players))
        bombs, fires, ammo = _text(state.bombs), _text(state.fires), _text(state.ammo)
        rest = (
            f"({state.seed}, {state.tick}, ({players}), {bombs}, {fires}, {ammo}, "
            f"{state.treasure}, {state.ammo_due}, {state.treasure_due})"
        )
        return state.blocks + rest.encode()

    def parse_action(self, text: str) -> Action:
        """Parse exactly one of the six texts; ValueError for any other text."""
        return parse_action(text)

    def render(self, state: State) -> str:
        """Draw the board, a line per player, and the facts that the board cannot show."""
        return render(self.rules, state)


@lru_cache(maxsize=1024)
def _player_text(player: Player) -> str:
    """Return the player as the text of a plain tuple; cached, because a waiting player does not change."""
    return repr(tuple(player))


@lru_cache(maxsize=1024)
def _text(things: tuple[tuple[int, ...], ...]) -> str:
    """Return bombs or other things as the text of plain tuples; cached, because they often stay the same for ticks."""
    return repr(tuple(map(tuple, things)))
