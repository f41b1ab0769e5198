"""A first bot for placement: it chooses the listed plan that ends nearest to its goal."""

from __future__ import annotations

import gridjoust as joust

STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


class Example(joust.Bot):
    """Plans one turn ahead. `legal` is only a sample: a plan of your own may be far better."""

    plays = ("placement",)

    def act(self, observation: joust.Observation) -> str:
        """Return the action for this turn."""
        view, seat = observation.view, observation.seat
        x, y = (int(number) for number in view["positions"][seat])
        goals: list[tuple[int, int]] = view["missing"][seat]

        def distance(plan: str) -> int:
            steps = [STEPS[step] for step in steps_of(plan)]
            end_x, end_y = x + sum(dx for dx, _ in steps), y + sum(dy for _, dy in steps)
            return min(abs(end_x - goal_x) + abs(end_y - goal_y) for goal_x, goal_y in goals)

        nearest = min(map(distance, observation.legal))
        return self.rng.choice([plan for plan in observation.legal if distance(plan) == nearest])


def steps_of(plan: str) -> list[str]:
    """Return the walking steps in all parts of a plan such as `place 0 r90 @4,6; walk S E S`."""
    walks = [part.removeprefix("walk ") for part in plan.split("; ") if part.startswith("walk ")]
    return [step for walk in walks for step in walk.split()]
