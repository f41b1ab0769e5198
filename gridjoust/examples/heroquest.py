"""A first bot for heroquest, for both roles: it fights enemies in reach and moves towards others."""

from __future__ import annotations

import gridjoust as joust

STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
FIRST = ("attack", "shoot", "open")  # in this order, as soon as one of them is legal


class Example(joust.Bot):
    """Opens doors and wanders with heroes; moves Zargon's monsters towards the nearest hero."""

    plays = ("heroquest",)

    def start(self, setup: joust.MatchSetup) -> None:
        """Prepare for the match; a bot may hold several seats, with their roles in `setup.roles`."""
        self.roles = setup.roles

    def act(self, observation: joust.Observation) -> str:
        """Return the action of the seat `observation.seat`."""
        for word in FIRST:
            actions = [action for action in observation.legal if action.startswith(word)]
            if actions:
                return self.rng.choice(actions)
        moves = [action for action in observation.legal if action.startswith("move")]
        if not moves:
            return "end" if "end" in observation.legal else self.rng.choice(observation.legal)
        if self.roles[observation.seat] == "zargon":
            return self.close_in(observation, moves)
        return self.rng.choice(moves)

    def close_in(self, observation: joust.Observation, moves: list[str]) -> str:
        """Return the move that ends nearest to a hero in a straight line; `end` if none comes nearer."""
        monsters = {str(monster["number"]): monster["position"] for monster in observation.view["monsters"]}
        heroes = [hero["position"] for hero in observation.view["heroes"] if hero["body"] > 0 and hero["position"]]

        def distance(x: int, y: int) -> int:
            return min((abs(x - hx) + abs(y - hy) for hx, hy in heroes), default=0)

        def gain(move: str) -> int:
            number, *steps = move.split()[1:]  # for example: move 4 W W S
            x, y = monsters[number]
            end_x = x + sum(STEPS[step][0] for step in steps)
            end_y = y + sum(STEPS[step][1] for step in steps)
            return distance(x, y) - distance(end_x, end_y)

        best = max(moves, key=gain)
        return best if gain(best) > 0 else "end"
