"""Solo positions: every seat answers the same row of positions, one a turn."""

from __future__ import annotations

from dataclasses import replace

from games.api import IllegalAction, Seat, Turn
from games.chance import rng_for
from games.ricochet.actions import Action, Solve
from games.ricochet.board import Board, Target
from games.ricochet.deal import Deal, deal_solo
from games.ricochet.params import Rules
from games.ricochet.proof import judge
from games.ricochet.state import Answer, Phase, Proof, State


def deal(board: Board, seed: int, number: int, rules: Rules) -> Deal | None:
    """Position `number` (from 1) of the row; None if chance finds none whose optimum is known."""
    wanted = rules.optima[(number - 1) % len(rules.optima)] if rules.optima else 0
    pool: tuple[Target, ...] = board.targets
    return deal_solo(board, pool, rules, wanted, rng_for(seed, number, "position"))


def apply(state: State, turn: Turn[Action], rules: Rules) -> State:
    """Judge every seat's answer and go on to the next position."""
    if sorted(turn.actions) != list(range(len(state.answers))):
        raise IllegalAction(f"expected an answer of every seat, got {sorted(turn.actions)}")
    answers = tuple((*given, _answer(state, turn.actions[seat], rules)) for seat, given in enumerate(state.answers))
    state = replace(state, answers=answers, proof=_first_proof(state, turn, rules))
    if state.round >= rules.positions:
        return replace(state, phase=Phase.OVER)
    # a board on which chance finds nothing more is played on with the position at hand
    dealt = deal(state.board, state.seed, state.round + 1, rules) or Deal(state.robots, state.target, state.optimum)
    return replace(
        state,
        round=state.round + 1,
        robots=dealt.robots,
        dealt=dealt.robots,
        target=dealt.target,
        optimum=dealt.optimum,
    )


def _answer(state: State, action: Action, rules: Rules) -> Answer:
    moves = action.moves if isinstance(action, Solve) else ()
    is_right = bool(moves) and judge(state.position, moves, rules.moves).is_right
    return Answer(len(moves) if is_right else 0, state.optimum)


def _first_proof(state: State, turn: Turn[Action], rules: Rules) -> Proof | None:
    """What viewers are shown of a turn: the answer of the lowest seat that gave one."""
    for seat in sorted(turn.actions):
        action = turn.actions[seat]
        if isinstance(action, Solve):
            return Proof(seat, action.moves, judge(state.position, action.moves, rules.moves).fault)
    return None


def returns(state: State) -> tuple[float, ...]:
    """The sum over positions of optimum / moves: 1 for a shortest solution, 0 for none."""
    return tuple(
        float(sum(answer.optimum / answer.moves for answer in given if answer.moves)) for given in state.answers
    )


def metrics(state: State) -> tuple[dict[str, float], ...]:
    """Per seat: positions solved and solved best, moves, the optimum of the same positions, the excess."""
    return tuple(_seat_metrics(state, seat) for seat in range(len(state.answers)))


def _seat_metrics(state: State, seat: Seat) -> dict[str, float]:
    solved = [answer for answer in state.answers[seat] if answer.moves]
    moves, optimum = sum(answer.moves for answer in solved), sum(answer.optimum for answer in solved)
    best = sum(answer.moves == answer.optimum for answer in solved)
    return {"solved": len(solved), "best": best, "moves": moves, "optimum": optimum, "over_optimum": moves - optimum}
