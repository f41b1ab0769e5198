"""Rounds with bids, sand clock and proofs: the effects of every answer and every timer."""

from __future__ import annotations

from gridjoust.games.api import IllegalAction, Seat, Turn
from gridjoust.games.chance import rng_for
from gridjoust.games.draft import Draft
from gridjoust.games.ricochet.actions import Action, Bid, Pass, Redeal, Solve
from gridjoust.games.ricochet.deal import deal_robots, deal_round
from gridjoust.games.ricochet.params import MAX_MOVES, Rules
from gridjoust.games.ricochet.proof import Move, judge
from gridjoust.games.ricochet.state import Phase, Proof, State


def max_turns(rules: Rules, seats: int) -> int:
    """Return the largest possible number of turns in a match.

    Bids only fall, so a seat has at most 99 bids and one pass a round; then come one timer and one turn per prover. A
    request for new robot positions is valid until the seat's next bid.
    """
    requests = MAX_MOVES + 1 if rules.redeal == "asked" else 0
    return rules.max_rounds * (seats * (MAX_MOVES + 1 + requests) + 1 + seats)


def apply(state: State, turn: Turn[Action], rules: Rules) -> State:
    """Return the state after one answer, or after the timer if there is none; the actions are already checked."""
    if state.wake_ms is not None and turn.stamp > state.wake_ms:
        raise IllegalAction(f"stamp {turn.stamp}: expected at most {state.wake_ms}, when the timer goes off")
    if not turn.actions and turn.stamp != state.wake_ms:
        raise IllegalAction(f"stamp {turn.stamp}: expected {state.wake_ms}, when the timer goes off")
    if len(turn.actions) > 1:
        raise IllegalAction(f"expected one answer a turn, got {len(turn.actions)}")
    draft = RoundDraft(state, rules)
    draft.set(clock_ms=turn.stamp)
    for seat, action in turn.actions.items():
        draft.answer(seat, action)
    if not turn.actions:
        draft.end_wait()
    return draft.state


class RoundDraft(Draft[State]):
    """The state after an answer or a timer, while it is being built."""

    def __init__(self, state: State, rules: Rules) -> None:
        super().__init__(state)
        self.rules = rules

    def answer(self, seat: Seat, action: Action) -> None:
        """Apply one seat's bid, proof, pass or request for new robot positions."""
        match action:
            case Bid(amount):
                self._bid(seat, amount)
            case Solve(moves):
                self._prove(seat, moves)
            case Pass() if self.state.phase is Phase.PROOF:
                self._fail(Proof(seat, (), "no solution"))
            case Pass():
                self.set_item("players", seat, has_passed=True)
                if not self._redeal_if_agreed() and all(player.has_passed for player in self.state.players):
                    self._close_bidding()
            case Redeal():
                self.set_item("players", seat, has_asked=True)
                self._redeal_if_agreed()

    def end_wait(self) -> None:
        """End the phase whose time is up: close the bidding, or count the proof as failed."""
        if self.state.phase is Phase.BIDDING:
            self._close_bidding()
        else:
            self._fail(Proof(self.state.provers[0], (), "too late"))

    def open_round(self) -> None:
        """Draw the round's target and open the bidding now; clear the bids of the last round."""
        state, rules = self.state, self.rules
        deal = deal_round(state.board, state.robots, state.pool, rules, rng_for(state.seed, state.round, "target"))
        self.set(
            phase=Phase.BIDDING,
            robots=deal.robots,
            target=deal.target,
            wake_ms=state.clock_ms + rules.think_ms,
            players=tuple(
                player._replace(bid=None, call=0, has_passed=False, has_asked=False) for player in state.players
            ),
            calls=0,
            provers=(),
        )

    def _bid(self, seat: Seat, amount: int) -> None:
        state = self.state
        if not state.calls:  # sand starts at the first bid, and lower bids do not turn the glass again
            self.set(wake_ms=state.clock_ms + self.rules.sand_ms)
        bids = state.players[seat].bids + 1
        self.set_item("players", seat, bid=amount, call=state.calls, bids=bids, has_asked=False)
        self.set(calls=state.calls + 1)

    def _redeal_if_agreed(self) -> bool:
        """End the round if the seats agree on new robot positions; return True if they do.

        At least one seat must have asked; all others must have asked too or passed without a bid.
        """
        players = self.state.players
        is_agreed = all(player.has_asked or (player.has_passed and player.bid is None) for player in players)
        if is_agreed and any(player.has_asked for player in players):
            self._end_round(is_won=False, is_asked=True)
            return True
        return False

    def _close_bidding(self) -> None:
        """Start the proofs, lowest bid first; without bids, end the round.

        Of equal bids, that of the seat with fewer chips comes first (`equal_bids: chips`), then the earlier one.
        """
        players, by_chips = enumerate(self.state.players), self.rules.equal_bids == "chips"
        bidders = [(own.bid, own.chips * by_chips, own.call, seat) for seat, own in players if own.bid is not None]
        if not bidders:
            self._end_round(is_won=False)
            return
        provers = tuple(seat for *_, seat in sorted(bidders))
        self.set(phase=Phase.PROOF, provers=provers, wake_ms=self.state.clock_ms + self.rules.proof_ms)

    def _prove(self, seat: Seat, moves: tuple[Move, ...]) -> None:
        player = self.state.players[seat]
        assert player.bid is not None
        verdict = judge(self.state.position, moves, self.rules.moves)
        fault = verdict.fault if len(moves) <= player.bid else f"{len(moves)} moves where {player.bid} were bid"
        if fault:
            self._fail(Proof(seat, moves, fault))
            return
        pool = tuple(target for target in self.state.pool if target != self.state.target)
        self.set(proof=Proof(seat, moves, ""), robots=verdict.robots, pool=pool)
        self.set_item("players", seat, proven=player.proven + 1, chips=player.chips + 1)
        self._end_round(is_won=True)

    def _fail(self, proof: Proof) -> None:
        """Record a failed proof and ask the next bidder; after the last bidder, end the round without a chip."""
        self.set_item("players", proof.seat, failed=self.state.players[proof.seat].failed + 1)
        self.set(proof=proof, provers=self.state.provers[1:])
        if self.state.provers:
            self.set(wake_ms=self.state.clock_ms + self.rules.proof_ms)
        else:
            self._end_round(is_won=False)

    def _end_round(self, *, is_won: bool, is_asked: bool = False) -> None:
        state, rules = self.state, self.rules
        has_winner = rules.chips_to_win and max(state.chips) >= rules.chips_to_win
        if not state.pool or state.round >= rules.max_rounds or has_winner:
            self.set(phase=Phase.OVER, wake_ms=None, provers=())
            return
        self.set(round=state.round + 1, robots=state.dealt if rules.reset else state.robots)
        if is_asked or rules.redeal == "always" or (rules.redeal == "void" and not is_won):
            robots = deal_robots(state.board, rules, rng_for(state.seed, state.round, "robots"))
            self.set(robots=robots, dealt=robots)
        self.open_round()


def returns(state: State) -> tuple[float, ...]:
    """Return each seat's chips above the average; the returns sum to zero."""
    average = sum(state.chips) / len(state.chips)
    return tuple(chips - average for chips in state.chips)


def metrics(state: State) -> tuple[dict[str, float], ...]:
    """Return each seat's chips, bids, and proofs that were right and wrong."""
    return tuple(
        {"chips": own.chips, "bids": own.bids, "proven": own.proven, "failed": own.failed, "rounds": state.round}
        for own in state.players
    )


def reason(state: State, rules: Rules) -> str:
    """Say why the match is over."""
    best = max(state.chips)
    if rules.chips_to_win and best >= rules.chips_to_win:
        return f"seat {state.chips.index(best)} has {best} chips"
    return "every target has been won" if not state.pool else f"{rules.max_rounds} rounds have been played"
