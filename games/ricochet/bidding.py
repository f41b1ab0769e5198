"""Rounds with bids, sand clock and proofs: what every answer and every timer changes. Time is that of the stamps."""

from __future__ import annotations

from dataclasses import replace

from games.api import IllegalAction, Seat, Turn
from games.chance import rng_for
from games.ricochet.actions import Action, Bid, Pass, Solve
from games.ricochet.board import Robots
from games.ricochet.deal import deal_robots, deal_round
from games.ricochet.params import MAX_MOVES, Rules
from games.ricochet.proof import judge
from games.ricochet.state import Phase, Proof, Standing, State, Tally


def max_turns(rules: Rules, seats: int) -> int:
    """Bids only fall, so a seat has at most 99 and one pass a round; then one timer and one turn per prover."""
    return rules.max_rounds * (seats * (MAX_MOVES + 1) + 1 + seats)


def apply(state: State, turn: Turn[Action], rules: Rules) -> State:
    """One answer, or (no answer) the timer; the actions have been checked for legality."""
    if state.wake_ms is not None and turn.stamp > state.wake_ms:
        raise IllegalAction(f"stamp {turn.stamp}: expected at most {state.wake_ms}, when the timer goes off")
    if not turn.actions:
        if turn.stamp != state.wake_ms:
            raise IllegalAction(f"stamp {turn.stamp}: expected {state.wake_ms}, when the timer goes off")
        return _on_timer(replace(state, clock_ms=turn.stamp), rules)
    if len(turn.actions) != 1:
        raise IllegalAction(f"expected one answer a turn, got {len(turn.actions)}")
    ((seat, action),) = turn.actions.items()
    state = replace(state, clock_ms=turn.stamp)
    match action:
        case Bid(amount):
            return _on_bid(state, seat, amount, rules)
        case Solve():
            return _on_proof(state, seat, action, rules)
        case Pass():
            return _on_pass(state, seat, rules)


def _on_bid(state: State, seat: Seat, amount: int, rules: Rules) -> State:
    is_first = not any(state.bids)
    bids = (*state.bids[:seat], Standing(amount, state.calls), *state.bids[seat + 1 :])
    # sand starts at the first bid, and lower bids do not turn the glass again
    wake_ms = state.clock_ms + rules.sand_ms if is_first else state.wake_ms
    state = replace(state, bids=bids, calls=state.calls + 1, wake_ms=wake_ms)
    return _tally(state, seat, bids=1)


def _on_pass(state: State, seat: Seat, rules: Rules) -> State:
    if state.phase is Phase.PROOF:
        return _fail(state, seat, Proof(seat, (), "no solution"), rules)
    state = replace(state, passed=(*state.passed[:seat], True, *state.passed[seat + 1 :]))
    return _close_bidding(state, rules) if all(state.passed) else state


def _on_timer(state: State, rules: Rules) -> State:
    if state.phase is Phase.BIDDING:
        return _close_bidding(state, rules)
    return _fail(state, state.provers[0], Proof(state.provers[0], (), "too late"), rules)


def _close_bidding(state: State, rules: Rules) -> State:
    order = _proof_order(state)
    if not order:
        return _end_round(state, rules, winner=None)
    return replace(state, phase=Phase.PROOF, provers=order, wake_ms=state.clock_ms + rules.proof_ms)


def _proof_order(state: State) -> tuple[Seat, ...]:
    """Lowest bid first; among equal bids fewer chips first, then the earlier bid."""
    bidders = [(bid.amount, state.chips[seat], bid.call, seat) for seat, bid in enumerate(state.bids) if bid]
    return tuple(seat for *_, seat in sorted(bidders))


def _on_proof(state: State, seat: Seat, solution: Solve, rules: Rules) -> State:
    standing = state.bids[seat]
    assert standing is not None
    verdict = judge(state.position, solution.moves, rules.moves)
    fault = verdict.fault
    if len(solution.moves) > standing.amount:
        fault = f"{len(solution.moves)} moves where {standing.amount} were bid"
    proof = Proof(seat, solution.moves, fault)
    if fault:
        return _fail(state, seat, proof, rules)
    return _end_round(_tally(replace(state, proof=proof, robots=verdict.robots), seat, proven=1), rules, winner=seat)


def _fail(state: State, seat: Seat, proof: Proof, rules: Rules) -> State:
    """The next bidder's turn; after the last one nobody gets the chip."""
    state = _tally(replace(state, proof=proof, provers=state.provers[1:]), seat, failed=1)
    if state.provers:
        return replace(state, wake_ms=state.clock_ms + rules.proof_ms)
    return _end_round(state, rules, winner=None)


def _tally(state: State, seat: Seat, *, bids: int = 0, proven: int = 0, failed: int = 0) -> State:
    old = state.tallies[seat]
    new = Tally(old.bids + bids, old.proven + proven, old.failed + failed)
    return replace(state, tallies=(*state.tallies[:seat], new, *state.tallies[seat + 1 :]))


def _end_round(state: State, rules: Rules, *, winner: Seat | None) -> State:
    pool, chips = state.pool, state.chips
    if winner is not None:
        pool = tuple(target for target in pool if target != state.target)
        chips = (*chips[:winner], chips[winner] + 1, *chips[winner + 1 :])
    state = replace(state, pool=pool, chips=chips)
    if not pool or state.round >= rules.max_rounds or (rules.chips_to_win and max(chips) >= rules.chips_to_win):
        return replace(state, phase=Phase.OVER, wake_ms=None, provers=())
    robots = state.dealt if rules.reset else state.robots
    dealt = state.dealt
    if rules.redeal == "always" or (rules.redeal == "void" and winner is None):
        robots = dealt = deal_robots(state.board, rules, rng_for(state.seed, state.round + 1, "robots"))
    return open_round(replace(state, round=state.round + 1, dealt=dealt), robots, rules)


def open_round(state: State, robots: Robots, rules: Rules) -> State:
    """Draw the round's target and open the bidding at the state's time."""
    deal = deal_round(state.board, robots, state.pool, rules, rng_for(state.seed, state.round, "target"))
    return replace(
        state,
        phase=Phase.BIDDING,
        robots=deal.robots,
        target=deal.target,
        wake_ms=state.clock_ms + rules.think_ms,
        bids=(None,) * len(state.chips),
        passed=(False,) * len(state.chips),
        calls=0,
        provers=(),
    )


def returns(state: State) -> tuple[float, ...]:
    """Chips above the average: they sum to zero."""
    average = sum(state.chips) / len(state.chips)
    return tuple(chips - average for chips in state.chips)


def metrics(state: State) -> tuple[dict[str, float], ...]:
    """Per seat: chips, bids called, proofs that held and that did not."""
    return tuple(
        {"chips": chips, "bids": tally.bids, "proven": tally.proven, "failed": tally.failed, "rounds": state.round}
        for chips, tally in zip(state.chips, state.tallies, strict=True)
    )


def reason(state: State, rules: Rules) -> str:
    """Why the match is over."""
    best = max(state.chips)
    if rules.chips_to_win and best >= rules.chips_to_win:
        return f"seat {state.chips.index(best)} has {best} chips"
    return "every target has been won" if not state.pool else f"{rules.max_rounds} rounds have been played"
