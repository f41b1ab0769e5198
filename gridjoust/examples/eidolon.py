"""A first bot for eidolon: works where there is work, explores, and walks where it has been least."""

from __future__ import annotations

from collections import Counter

import gridjoust as joust

Place = tuple[int, int]

STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
IDLE = ("wait", "trade", "passage")  # no idea yet when these are worth an action


class Example(joust.Bot):
    """The heroes it plays share one memory of where they have been."""

    plays = ("eidolon",)

    def start(self, setup: joust.MatchSetup) -> None:
        """Before the first turn. A bot may hold several seats."""
        self.seats = setup.seats
        self.visits: Counter[Place] = Counter()

    def act(self, observation: joust.Observation) -> str:
        """The answer to one question; `observation.seat` says for which hero."""
        words = {action: action.split()[0] for action in observation.legal}
        work = [action for action, word in words.items() if word not in (*IDLE, "move", "explore")]
        if work:  # grab a token, break a seal, fight, take the Fire: whatever can be done here
            return self.rng.choice(work)
        unknown = [action for action, word in words.items() if word == "explore"]
        if unknown:
            return self.rng.choice(unknown)
        moves = [action for action, word in words.items() if word == "move"]
        return self.walk(observation, moves) if moves else self.rng.choice(observation.legal)

    def walk(self, observation: joust.Observation, moves: list[str]) -> str:
        """To the neighbour with the fewest visits, any of them if there are several."""
        x, y = observation.view["heroes"][observation.seat]["at"]
        self.visits[(x, y)] += 1
        behind = {move: self.visits[(x + STEPS[move[-1]][0], y + STEPS[move[-1]][1])] for move in moves}
        return self.rng.choice([move for move in moves if behind[move] == min(behind.values())])
