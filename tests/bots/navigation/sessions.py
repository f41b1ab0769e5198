"""A bot put before one situation at a time; every answer must be legal. Expects nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field

from bots.api import Bot, SearchStats
from tests.bots.seats import asked, seated
from tests.games.navigation.scenes import Scene


@dataclass
class Session:
    """One bot in seat 0 of a scene, asked turn by turn."""

    bot: Bot
    scene: Scene
    answers: list[str] = field(default_factory=list)
    stats: list[SearchStats | None] = field(default_factory=list)

    def __post_init__(self) -> None:
        seated(self.bot, self.scene.game, self.scene.state)

    def ask(self) -> str:
        """The bot's answer to the scene as it is; a robot that may not do it fails the test."""
        answer = asked(self.bot, self.scene.game, self.scene.state)
        self.answers.append(answer)
        self.stats.append(self.bot.stats)
        assert self.scene.is_legal(answer), (answer, self.scene.game.render(self.scene.state))
        return answer

    def step(self) -> str:
        """Ask and play the answer."""
        answer = self.ask()
        self.scene = self.scene.play(answer)
        return answer

    def run(self, limit: int = 500) -> Session:
        """Until the match is over."""
        for _ in range(limit):
            if self.scene.is_over:
                break
            self.step()
        return self
