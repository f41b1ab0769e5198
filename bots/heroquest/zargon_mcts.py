"""Zargon by Monte Carlo tree search: the dungeon is known to Zargon, so only dice are drawn anew."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from gridjoust.bots.api import MatchSetup, Observation
from gridjoust.bots.heroquest.knowledge import Knowledge
from gridjoust.bots.mcts_bot import MctsBot
from gridjoust.games.heroquest.situation import Situation
from gridjoust.games.heroquest.state import State

WIN_VALUE = 40.0  # in body points
HERO_VALUE = 3.0  # of a living hero, beyond its body
MONSTER_VALUE = 1.0  # of a living monster, beyond its body
STEP_VALUE = 0.1  # of each step between a monster and the hero nearest to it


class ZargonMcts(MctsBot):
    """Tries the monsters' walks and strikes, and what the heroes may do next; counts body points and distances."""

    plays: ClassVar[tuple[str, ...]] = ("heroquest",)

    def start(self, setup: MatchSetup) -> None:
        """Read the dungeon and the number of rounds from the briefing."""
        self._knowledge = Knowledge(setup)
        rounds = self._knowledge.rules.max_game_rounds
        super().start(msgspec.structs.replace(setup, params={**setup.params, "max_game_rounds": rounds}))

    def belief(self, observation: Observation) -> State:
        """Return the dungeon as the view shows it."""
        return self._knowledge.situation(observation.view).state

    def worth(self, state: State) -> list[float]:
        """Return the heroes' lead over the monsters in sight for each hero's seat, and its negative for Zargon."""
        heroes_lead = self._heroes_lead(Situation(self._knowledge.rules, state))
        return [heroes_lead] * len(state.heroes) + [-heroes_lead]

    def _heroes_lead(self, situation: Situation) -> float:
        state = situation.state
        if state.winner:
            return WIN_VALUE if state.winner == "heroes" else -WIN_VALUE
        heroes = [hero for hero in state.heroes if hero.body > 0]
        monsters = [monster for monster in state.monsters if monster.body > 0]
        steps = sum(min(situation.distance(monster.cell, hero.cell) for hero in heroes) for monster in monsters)
        lead = sum(hero.body + HERO_VALUE for hero in heroes)
        return lead - sum(monster.body + MONSTER_VALUE for monster in monsters) + STEP_VALUE * steps
