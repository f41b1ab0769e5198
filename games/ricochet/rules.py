"""The game `ricochet` for the referee; `bidding` and `solving` have the rules of the two modes."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from gridjoust.games.api import Dynamics, Game, GameSpec, IllegalAction, Json, ParamValue, Seat, Turn, Utility
from gridjoust.games.chance import SEED_LIMIT, rng_for
from gridjoust.games.ricochet import bidding, legal, solving, view
from gridjoust.games.ricochet.actions import Action, Pass, Solve, parse_action
from gridjoust.games.ricochet.ascii import render
from gridjoust.games.ricochet.deal import check_room, deal_board, deal_robots
from gridjoust.games.ricochet.params import METRICS, PARAMS, Rules, make_rules
from gridjoust.games.ricochet.state import Phase, Player, State

MIN_BIDDERS = 2
MAX_SEATS = 6

_SPEC = GameSpec(
    name="ricochet",
    version="3",
    min_seats=1,
    max_seats=MAX_SEATS,
    dynamics=Dynamics.REAL_TIME,
    utility=Utility.ZERO_SUM,
    perfect_information=True,
    max_turns=bidding.max_turns(make_rules({name: param.default for name, param in PARAMS.items()}, 2), MAX_SEATS),
    params=PARAMS,
    metrics=METRICS,
    summary="sliding robots: bid for the shortest solution against the sand clock, or solve positions alone",
)


class Ricochet(Game[State, Action]):
    """Ricochet Robots: two to six seats bid in real time (one may practise); `mode: solve` has one to six."""

    spec = _SPEC

    def __init__(self, params: Mapping[str, ParamValue] | None = None, *, seats: int | None = None) -> None:
        is_solo = (params or {}).get("mode") == "solve"
        super().__init__(params, seats=(1 if is_solo else MIN_BIDDERS) if seats is None else seats)

    def variant_spec(self) -> GameSpec:
        """Return the spec: bidding runs in real time; with `mode: solve` all seats answer at once."""
        if self._is_solo:
            return replace(
                _SPEC, dynamics=Dynamics.SIMULTANEOUS, utility=Utility.INDIVIDUAL, max_turns=self.rules.positions
            )
        return replace(
            _SPEC, min_seats=min(MIN_BIDDERS, self.seats), max_turns=bidding.max_turns(self.rules, self.seats)
        )

    @property
    def _is_solo(self) -> bool:
        return self.params["mode"] == "solve"

    @cached_property
    def rules(self) -> Rules:
        """The typed parameters."""
        return make_rules(self.params, self.seats)

    def initial_state(self, seed: int) -> State:
        """Return the start position; ValueError if the board has no room, or no solo position can be found."""
        rules = self.rules
        board, robots = deal_board(self.params, rng_for(seed, 0, "board"))
        check_room(board, rules)
        robots = robots or deal_robots(board, rules, rng_for(seed, 1, "robots"))
        state = State(
            seed=seed,
            board=board,
            phase=Phase.SOLVING if self._is_solo else Phase.BIDDING,
            round=1,
            robots=robots,
            dealt=robots,
            target=board.targets[0],
            pool=board.targets,
            players=(Player(),) * self.seats,
        )
        if not self._is_solo:
            draft = bidding.RoundDraft(state, rules)
            draft.open_round()
            return draft.state
        dealt = solving.deal(state, rules)
        if dealt is None:
            raise ValueError("mode: expected a board with solvable positions for solve, found none")
        return dealt

    def seats_to_act(self, state: State) -> tuple[Seat, ...]:
        """Return the seats that may act: all in a solo position, those still bidding, or the one that must prove."""
        return legal.seats_to_act(state)

    def legal_actions(self, state: State, seat: Seat) -> tuple[Action, ...]:
        """Return pass, all legal bids and, if allowed, `Redeal`; or pass and, as a sample, one-move solutions."""
        return legal.legal_actions(state, seat, self.rules)

    def legal_complete(self, state: State, seat: Seat) -> bool:
        """Return True while bids are open, because all bids are listed; solutions are only a sample."""
        return state.phase is Phase.BIDDING or seat not in self.seats_to_act(state)

    def is_legal(self, state: State, seat: Seat, action: Action) -> bool:
        """Return True if the seat may do this now; a solution need only be well-formed, not right."""
        return legal.is_legal(state, seat, action, self.rules)

    def default_action(self, state: State, seat: Seat) -> Action:  # noqa: ARG002 - part of the interface
        """Return `pass`: no bid, no proof, no solution."""
        return Pass()

    def apply(self, state: State, turn: Turn[Action]) -> State:
        """Return the state after one answer in real time, all answers to a solo position, or the timer."""
        if state.phase is Phase.OVER:
            raise IllegalAction("expected no turn after the end")
        for seat, action in turn.actions.items():
            if not self.is_legal(state, seat, action):
                raise IllegalAction(f"seat {seat}: {action} is not legal now")
        if turn.stamp < state.clock_ms:
            raise IllegalAction(f"stamp {turn.stamp}: expected at least {state.clock_ms}")
        if state.phase is Phase.SOLVING:
            return solving.apply(state, turn, self.rules)
        return bidding.apply(state, turn, self.rules)

    def ask_key(self, state: State, seat: Seat) -> object:  # noqa: ARG002 - the same for every seat
        """Return what the question is about: the bidding of a round, one seat's proof, or one solo position."""
        return (state.round, state.phase, state.provers)

    def wake_at(self, state: State) -> int | None:
        """Return the match time in ms when thinking time, sand or the time for a proof is up, or None."""
        return state.wake_ms

    def is_terminal(self, state: State) -> bool:
        """Return True if enough chips are won, the pool is empty or all rounds are played."""
        return state.phase is Phase.OVER

    def returns(self, state: State) -> tuple[float, ...]:
        """Return each seat's chips above the average; with `mode: solve` its sum of optimum / moves."""
        return solving.returns(state) if self._is_solo else bidding.returns(state)

    def metrics(self, state: State) -> tuple[Mapping[str, float], ...]:
        """Return chips, bids and proofs; with `mode: solve` positions solved, moves and moves over the optimum."""
        return solving.metrics(state) if self._is_solo else bidding.metrics(state)

    def reason(self, state: State) -> str:
        """Say who has won, or what has run out."""
        return "every position has been answered" if self._is_solo else bidding.reason(state, self.rules)

    def briefing(self, state: State, seat: Seat) -> Json:  # noqa: ARG002 - the same for every seat
        """Return the parameters and the board, drawn and as lists."""
        return {"params": dict(self.params), **view.board_view(state.board)}

    def observation(self, state: State, seat: Seat) -> dict[str, Json]:
        """Return the public view and the seat's own number."""
        return {"seat": seat, **view.public_view(state)}

    def public_view(self, state: State) -> dict[str, Json]:
        """Return robots, target, pool, chips, bids, remaining sand and the last proof."""
        return view.public_view(state)

    def redeal(self, state: State, seat: Seat, rng: random.Random) -> State:  # noqa: ARG002 - nothing is hidden
        """Resample future chance only, because nothing is hidden."""
        return replace(state, seed=rng.randrange(SEED_LIMIT))

    def encode(self, state: State) -> bytes:
        """Return canonical JSON of the whole state, with the board as a drawing."""
        players, passed = state.players, [player.has_passed for player in state.players]
        passed += [player.has_asked for player in players]
        times = [state.clock_ms, state.wake_ms, state.chips, passed, state.calls, state.provers, state.optimum]
        bids = [None if player.bid is None else (player.bid, player.call) for player in players]
        counts = [[(player.bids, player.proven, player.failed) for player in players], [own.answers for own in players]]
        targets = [(target.cell, str(target)) for target in (state.target, *state.pool)]
        proof = None if state.proof is None else [state.proof.seat, str(Solve(state.proof.moves)), state.proof.fault]
        head = [state.seed, view.drawn(state.board), state.phase.value, state.round, state.robots, state.dealt]
        rest = [targets[0], targets[1:], times, bids, *counts, proof]
        return json.dumps(head + rest, separators=(",", ":")).encode()

    def parse_action(self, text: str) -> Action:
        """Parse `bid 7`, `solve blue E, red N`, `redeal` or `pass`; ValueError for any other text."""
        return parse_action(text)

    def render(self, state: State) -> str:
        """Draw one line about the round, then the board."""
        return render(state)
