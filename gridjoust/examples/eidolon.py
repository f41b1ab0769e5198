"""A first bot for eidolon: it does the work at hand, explores, and walks to the least visited places."""

from __future__ import annotations

from collections import Counter

import gridjoust as joust

Place = tuple[int, int]

STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
IDLE = ("wait", "trade", "passage")  # this bot has no use for these yet


class Example(joust.Bot):
    """Plays heroes that share one memory of the places they have visited."""

    plays = ("eidolon",)

    def start(self, setup: joust.MatchSetup) -> None:
        """Prepare for the match; a bot may hold several seats."""
        self.seats = setup.seats
        self.visits: Counter[Place] = Counter()

    def act(self, observation: joust.Observation) -> str:
        """Return the action of the hero in `observation.seat`."""
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
        """Return the step to the neighbour with the fewest visits, a random one of several."""
        x, y = observation.view["heroes"][observation.seat]["at"]
        self.visits[(x, y)] += 1
        behind = {move: self.visits[(x + STEPS[move[-1]][0], y + STEPS[move[-1]][1])] for move in moves}
        return self.rng.choice([move for move in moves if behind[move] == min(behind.values())])
