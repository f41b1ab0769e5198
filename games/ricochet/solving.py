"""Solo positions: every seat answers the same series of positions, one a turn."""

from __future__ import annotations

from dataclasses import replace

from gridjoust.games.api import IllegalAction, Turn
from gridjoust.games.chance import rng_for
from gridjoust.games.ricochet.actions import Action, Solve
from gridjoust.games.ricochet.deal import deal_solo
from gridjoust.games.ricochet.params import Rules
from gridjoust.games.ricochet.proof import judge
from gridjoust.games.ricochet.state import Answer, Phase, Player, Proof, State


def deal(state: State, rules: Rules) -> State | None:
    """Return the state with a new solo position drawn, or None if no position with a known optimum is found."""
    wanted = rules.optima[(state.round - 1) % len(rules.optima)] if rules.optima else 0
    found = deal_solo(state.board, rules, wanted, rng_for(state.seed, state.round, "position"))
    if found is None:
        return None
    return replace(state, robots=found.robots, dealt=found.robots, target=found.target, optimum=found.optimum)


def apply(state: State, turn: Turn[Action], rules: Rules) -> State:
    """Return the state after every seat's answer has been checked, with the next position or at the end."""
    if sorted(turn.actions) != list(range(len(state.players))):
        raise IllegalAction(f"expected an answer of every seat, got {sorted(turn.actions)}")
    players = tuple(
        player._replace(answers=(*player.answers, _answer(state, turn.actions[seat], rules)))
        for seat, player in enumerate(state.players)
    )
    state = replace(state, players=players, proof=_first_proof(state, turn, rules))
    if state.round >= rules.positions:
        return replace(state, phase=Phase.OVER)
    state = replace(state, round=state.round + 1)
    return deal(state, rules) or state  # if no new position is found, the present one is played again


def _answer(state: State, action: Action, rules: Rules) -> Answer:
    moves = action.moves if isinstance(action, Solve) else ()
    is_right = bool(moves) and judge(state.position, moves, rules.moves).is_right
    return Answer(len(moves) if is_right else 0, state.optimum)


def _first_proof(state: State, turn: Turn[Action], rules: Rules) -> Proof | None:
    """Return the solution that spectators see, right or wrong: that of the lowest seat that gave one, or None."""
    for seat in sorted(turn.actions):
        action = turn.actions[seat]
        if isinstance(action, Solve):
            return Proof(seat, action.moves, judge(state.position, action.moves, rules.moves).fault)
    return None


def returns(state: State) -> tuple[float, ...]:
    """Return each seat's sum over positions of optimum / moves: 1 for a shortest solution, 0 for none."""
    return tuple(
        float(sum(answer.optimum / answer.moves for answer in player.answers if answer.moves))
        for player in state.players
    )


def metrics(state: State) -> tuple[dict[str, float], ...]:
    """Return per seat the positions solved, those in fewest moves, its moves, the fewest possible, and the excess."""
    return tuple(map(_metrics, state.players))


def _metrics(player: Player) -> dict[str, float]:
    solved = [answer for answer in player.answers if answer.moves]
    moves, optimum = sum(answer.moves for answer in solved), sum(answer.optimum for answer in solved)
    best = sum(answer.moves == answer.optimum for answer in solved)
    return {"solved": len(solved), "best": best, "moves": moves, "optimum": optimum, "over_optimum": moves - optimum}
