"""A bot that a person can ask for advice: it sees what the person sees and answers when it is asked."""

from __future__ import annotations

import msgspec

from bots.api import Bot
from bots.harness import ask_bot, make_bot
from runner.wire import protocol

ADVICE_MS = 1000  # how long the bot may think
GLANCE_MS = 10  # the same for what it has to catch up with

Question = protocol.TurnMessage | protocol.Event


class Advisor:
    """One bot in one match. A bot with a memory is shown every question, also those that it was not asked about."""

    def __init__(self, bot_class: type[Bot], start: protocol.Start) -> None:
        self.bot = make_bot(bot_class, msgspec.structs.replace(start, options={}))
        self._unseen: list[Question] = []

    def see(self, question: Question) -> None:
        """Keep a question for when advice is wanted."""
        self._unseen.append(question)

    def answer(self, asked: Question) -> str | None:
        """What the bot would answer; None where it has no answer."""
        for missed in self._unseen:
            if missed is not asked:
                ask_bot(self.bot, missed, limit_ms=GLANCE_MS)
        self._unseen = []
        return ask_bot(self.bot, asked, limit_ms=ADVICE_MS)
