"""The base of bots that search by Monte Carlo through the rules of their game, whatever the game.

A game's own bot says how a view becomes a state, and what a state is worth. States for the search come from `redeal`
alone, so nothing that the seat cannot see has an effect.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from gridjoust.bots.api import AnytimeBot, Deadline, MatchSetup, Observation
from gridjoust.bots.planners.mcts import EXPLORATION, Choice, GameModel, mcts
from gridjoust.bots.reported import search_stats
from gridjoust.games import make
from gridjoust.games.api import AnyGame, Seat, Turn

TIME_SHARE = 0.75  # of the limit of an answer: with the last turn and its message it stays below 0.8
MOST_STATES = 10_000  # made for an answer; the simulation that makes the last one is played to its end
SHOWN = 8  # actions shown to spectators
_SEED_BITS = 64


class MctsBot(AnytimeBot):
    """Plays the action that most simulations began with.

    `depth` is the most turns of a simulation beyond the tree, `exploration` the weight of actions that were seldom
    tried, `states` the number of states after which the search ends if neither time nor work has ended it.
    """

    planner: ClassVar[str] = "mcts"

    def __init__(self, *, depth: int = 0, exploration: float = EXPLORATION, states: int = MOST_STATES) -> None:
        if depth < 0 or states < 1:
            raise ValueError(f"depth and states: expected at least 0 and 1, got {depth} and {states}")
        self._depth = depth
        self._exploration = exploration
        self._states = states

    def start(self, setup: MatchSetup) -> None:
        """Make the game from the parameters that bots may know."""
        self.game: AnyGame = make(setup.game, setup.params, seats=setup.seat_count)

    def improve(self, observation: Observation, deadline: Deadline) -> Iterator[str | None]:
        """Yield the best action when it changes, and None after every other simulation.

        Without time and work for one simulation, yield the first legal action.
        """
        reserve_ms = (1 - TIME_SHARE) * deadline.remaining_ms()
        choices = mcts(
            self.model(self.belief(observation), observation.seat),
            observation.seat,
            rng=random.Random(self.rng.getrandbits(_SEED_BITS)),
            depth=self._depth,
            exploration=self._exploration,
            is_over=lambda: deadline.remaining_ms() < reserve_ms,
            budget=self.work,
        )
        answer = ""
        for choice in choices:
            is_new, answer = str(choice.action) != answer, str(choice.action)
            self.stats = search_stats(choice.stats)
            if self.lens is not None and is_new:
                self.show("visits", text=_most_visited(choice))
            yield answer if is_new else None
            if choice.stats.generated >= self._states:
                return
        if not answer:
            yield observation.legal[0]

    def model(self, state: Any, seat: Seat) -> GameModel[Any, Any]:
        """Return the game as the search sees it, for an answer of this seat in this state."""
        game = self.game

        def any_action(state: Any, seat: Seat, rng: random.Random) -> Any:
            return rng.choice(game.legal_actions(state, seat))

        return GameModel(
            deal=lambda rng: game.redeal(state, seat, rng),
            seats=game.seats_to_act,
            actions=game.legal_actions,
            play=lambda state, actions: game.apply(state, Turn(actions, game.wake_at(state) or 0)),
            worth=self.worth,
            follow=any_action,
        )

    @abstractmethod
    def belief(self, observation: Observation) -> Any:
        """Return a state in which the seat sees what it sees now; what is hidden may be anything."""

    def worth(self, state: Any) -> Sequence[float]:
        """Return what a state is worth for each seat, in any unit; by default the returns if the match stopped now."""
        return self.game.returns(state)


def _most_visited(choice: Choice[Any]) -> str:
    """Return the actions with most simulations as text, one a line with its number of simulations and mean worth."""
    ranked = sorted(choice.arms, key=lambda action: -choice.arms[action].visits)[:SHOWN]
    return "\n".join(f"{action}: {choice.arms[action].visits}, {choice.arms[action].mean:.3g}" for action in ranked)
