"""The game of placement: set-up, end and utility; `apply` plays a turn, `view` says what seats see.

It is for 2 to 4 seats that act in turn; `gridjoust.games.placement` names its source and its own rules.

Returns: the number of opponents that a seat beats minus the number that beat it, so +1, 0 or -1 with two seats. Before
the end, the returns describe the present standing: goals collected, then steps to the nearest missing goal.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from gridjoust.games.api import Dynamics, Game, GameSpec, IllegalAction, Json, ParamValue, Turn, Utility
from gridjoust.games.bitset import mask_of
from gridjoust.games.chance import SEED_LIMIT, rng_for
from gridjoust.games.placement import view
from gridjoust.games.placement.actions import PASS, Plan, parse_plan
from gridjoust.games.placement.apply import BarrierRules, Position, apply_plan, deal, is_new_round, play
from gridjoust.games.placement.ascii import render
from gridjoust.games.placement.board import make_board, steps_between
from gridjoust.games.placement.legal import SAMPLE_EACH, sample_plans
from gridjoust.games.placement.maps import generate, parse_map
from gridjoust.games.placement.params import METRICS, PARAMS, expand, make_rules
from gridjoust.games.placement.pieces import Shape, piece_set, smallest_ways
from gridjoust.games.placement.redeal import redeal
from gridjoust.games.placement.state import Layout, Player, Seat, State

FAR = 10**6  # steps to a goal that no path over Floor reaches


class Placement(Game[State, Plan]):
    """Rules and parameters of one variant of placement."""

    spec = GameSpec(
        name="placement",
        version="2",
        min_seats=2,
        max_seats=4,
        dynamics=Dynamics.SEQUENTIAL,
        utility=Utility.ZERO_SUM,
        perfect_information=True,
        max_turns=200,
        params=PARAMS,
        metrics=METRICS,
        summary="lay pieces into the void to build a way, and be first at your goal",
    )

    def __init__(self, params: Mapping[str, ParamValue] | None = None, *, seats: int | None = None) -> None:
        super().__init__(expand(params or {}), seats=seats)
        text = str(self.params["map"])
        self._map = parse_map(text, seats=self.seats) if text.strip() else None
        self.rules = make_rules(self.params, size=None if self._map is None else (self._map.width, self._map.height))
        self.board = make_board(self.rules.width, self.rules.height)
        self.pieces: tuple[Shape, ...] = piece_set(self.rules.min_cells, self.rules.max_cells)
        self._smallest = smallest_ways(self.pieces, reflect=self.rules.reflect)

    def variant_spec(self) -> GameSpec:
        """Return the spec: `hidden_hands` decides the information; `max_game_rounds` and seats decide the length."""
        max_turns = int(self.params["max_game_rounds"]) * self.seats
        return replace(type(self).spec, perfect_information=not self.params["hidden_hands"], max_turns=max_turns)

    def initial_state(self, seed: int) -> State:
        """Return the start position on the given map, or on one generated from the seed, with the first hand drawn."""
        layout = self._map or generate(self.rules, seats=self.seats, rng=rng_for(seed, 0, "map"))
        players = tuple(Player(start, mask_of(goals)) for start, goals in zip(layout.starts, layout.goals, strict=True))
        return deal(self.rules, len(self.pieces), State(seed, layout, 1, 0, layout.floor, layout.walls, players))

    def seats_to_act(self, state: State) -> tuple[Seat, ...]:
        """Return the seat in turn, or none if the match is over."""
        return () if self.is_terminal(state) else (state.seat,)

    def position(self, state: State, seat: Seat) -> Position:
        """Return what a turn of that seat depends on: the board, its figure, hand, steps and barriers."""
        player = state.players[seat]
        hand = tuple(self.pieces[number] for number in player.hand)
        rules = self.rules
        left = rules.barriers - player.barriers
        figures = tuple((other.cell, other.missing) for other in state.players)
        ways = BarrierRules(left, figures, self._smallest) if left > 0 else None
        return Position(self.board, state.floor, state.walls, player.cell, hand, rules.moves, rules.reflect, ways)

    def legal_actions(self, state: State, seat: Seat) -> tuple[Plan, ...]:
        """Return a sample: pass, a walk to every cell in reach, some placements with a walk to a goal, barriers."""
        if seat not in self.seats_to_act(state):
            return ()
        return tuple(sample_plans(self.position(state, seat), state.players[seat].missing, each=SAMPLE_EACH))

    def legal_complete(self, state: State, seat: Seat) -> bool:
        """Return False for the seat that may act, because there are too many plans to list."""
        return seat not in self.seats_to_act(state)

    def is_legal(self, state: State, seat: Seat, action: Plan) -> bool:
        """Return True if the whole plan can be carried out."""
        if seat not in self.seats_to_act(state):
            return False
        try:
            play(self.position(state, seat), action)
        except IllegalAction:
            return False
        return True

    def default_action(self, state: State, seat: Seat) -> Plan:  # noqa: ARG002 - part of the interface
        """Return `PASS` for every seat."""
        return PASS

    def apply(self, state: State, turn: Turn[Plan]) -> State:
        """Play one seat's turn, end the game round after its last seat, and let the next seat draw."""
        seats = self.seats_to_act(state)
        if not seats:
            raise IllegalAction(f"expected no turn after the end, got one for seats {list(turn.actions)}")
        if tuple(turn.actions) != seats:
            raise IllegalAction(f"expected an action of seat {state.seat}, got {list(turn.actions)}")
        plan = turn.actions[state.seat]
        if not isinstance(plan, Plan):
            raise IllegalAction(f"seat {state.seat}: expected a plan, got {plan!r}")
        state = apply_plan(self.rules, self.position(state, state.seat), state, plan)
        return state if self.is_terminal(state) else deal(self.rules, len(self.pieces), state)

    def is_terminal(self, state: State) -> bool:
        """Return True after the last game round, or once a seat has all its goals.

        With the parameter `finish_round`, the game round is played to its end before such a win ends the match.
        """
        if state.game_round > self.rules.max_game_rounds:
            return True
        return bool(self._winners(state)) and (not self.rules.finish_round or is_new_round(self.rules, state))

    def _winners(self, state: State) -> list[Seat]:
        return [seat for seat, player in enumerate(state.players) if not player.missing]

    def returns(self, state: State) -> tuple[float, ...]:
        """Return for each seat the number of opponents that it beats minus the number that beat it."""
        ranks = self._ranks(state)
        return tuple(
            float(sum(rank < other for other in ranks) - sum(rank > other for other in ranks)) for rank in ranks
        )

    def _ranks(self, state: State) -> list[tuple[int, ...]]:
        """Return a rank per seat, as a tuple to compare: the smaller ranks higher, equal ones draw.

        Seats with all their goals rank first, in the order of the tie-break. Without such a seat the standing counts,
        at the end with the tie-break, or nobody ranks higher with `tie_break: draw`.
        """
        if winners := self._winners(state):
            return [(0, *self._effort(state, seat)) if seat in winners else (1,) for seat in range(self.seats)]
        if not self.is_terminal(state):
            return self._standing(state)
        if self.rules.tie_break == "draw":
            return [(0,)] * self.seats
        return [(*rank, *self._effort(state, seat)) for seat, rank in enumerate(self._standing(state))]

    def _standing(self, state: State) -> list[tuple[int, ...]]:
        """Return each seat's number of missing goals and its steps to the nearest of them."""
        return [(player.missing.bit_count(), self.distance(state, seat)) for seat, player in enumerate(state.players)]

    def _effort(self, state: State, seat: Seat) -> tuple[int, ...]:
        """Return what breaks a tie, fewer being better: steps and cells laid, in the order of `tie_break`, or ()."""
        player = state.players[seat]
        efforts = {"steps": (player.steps, player.cells), "cells": (player.cells, player.steps)}
        return efforts.get(self.rules.tie_break, ())

    def distance(self, state: State, seat: Seat) -> int:
        """Return the steps over Floor to the seat's nearest missing goal; `FAR` if there is no path."""
        player = state.players[seat]
        steps = steps_between(self.board, state.floor, player.cell, player.missing) if player.missing else 0
        return FAR if steps is None else steps

    def metrics(self, state: State) -> tuple[Mapping[str, float], ...]:
        """Return each seat's counts; `distance`: steps over Floor to its nearest missing goal, -1 without a path."""
        distances = [self.distance(state, seat) for seat in range(self.seats)]
        return tuple(
            {
                "goals": len(goals) - player.missing.bit_count(),
                "pieces": player.pieces,
                "cells": player.cells,
                "barriers": player.barriers,
                "steps": player.steps,
                "passes": player.passes,
                "distance": -1 if distance == FAR else distance,
                "game_rounds": state.game_round - is_new_round(self.rules, state),
            }
            for player, goals, distance in zip(state.players, state.layout.goals, distances, strict=True)
        )

    def reason(self, state: State) -> str:
        """Say which seat has all its goals, or how the match ended at the last game round."""
        winners, ranks = self._winners(state), self._ranks(state)
        if len(winners) == 1:
            return f"seat {winners[0]} {'stands on its goal' if self.rules.goals == 1 else 'has its goals'}"
        best = [seat for seat in range(self.seats) if ranks[seat] == min(ranks)]
        if winners:
            together = f"seats {', '.join(map(str, winners))} are done in the same game round"
            first = "walked least" if self.rules.tie_break == "steps" else "laid least"
            return together if best == winners else f"{together}, seat {', '.join(map(str, best))} {first}"
        if len(best) > 1:
            return "no more game rounds: a draw"
        standing = self._standing(state)
        if standing.count(min(standing)) == 1:
            return f"no more game rounds: seat {best[0]} is nearest to its goal"
        return f"no more game rounds: seat {best[0]} is as near to its goal as any, with less effort"

    def briefing(self, state: State, seat: Seat) -> Json:  # noqa: ARG002 - the same for all seats
        """Return parameters, size, walls, goals and the piece set."""
        return view.briefing(self.board, self.pieces, dict(self.params), state.layout)

    def observation(self, state: State, seat: Seat) -> dict[str, Json]:
        """Return what the seat may know now; `view` explains the keys."""
        return {"seat": seat} | view.public_view(self.board, self.pieces, self.rules, state, owner=seat)

    def public_view(self, state: State) -> dict[str, Json]:
        """Return what everyone may know now; `view` explains the keys."""
        return view.public_view(self.board, self.pieces, self.rules, state)

    def redeal(self, state: State, seat: Seat, rng: random.Random) -> State:
        """Resample the seed and, with hidden hands, the other seats' hands and bags."""
        return redeal(self.rules, len(self.pieces), state, seat, rng)

    def redeal_unknown(self, state: State, rng: random.Random) -> State:
        """Draw another seed for all later draws; each seat knows its own hand and bag, so they stay."""
        return replace(state, seed=rng.randrange(SEED_LIMIT))

    def encode(self, state: State) -> bytes:
        """Return layout, board, players and ages as canonical text; masks are hexadecimal."""
        board = (state.game_round, state.seat, f"{state.floor:x}", f"{state.walls:x}", state.built)
        players = tuple((player.cell, f"{player.missing:x}", *player[2:]) for player in state.players)
        return f"({state.seed}, {_layout_text(state.layout)}, {board}, {players})".encode()

    def parse_action(self, text: str) -> Plan:
        """Parse a plan in its canonical text; ValueError for any other text."""
        return parse_plan(text)

    def render(self, state: State) -> str:
        """Draw the board, a line per player, and the hand of the seat in turn."""
        return render(self.board, self.pieces, state)


@lru_cache(maxsize=64)
def _layout_text(layout: Layout) -> str:
    return repr((layout.width, layout.height, f"{layout.floor:x}", f"{layout.walls:x}", layout.starts, layout.goals))
