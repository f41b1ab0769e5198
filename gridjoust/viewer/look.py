"""The recorded questions of a match to one of its bots again, in this process, for what it shows of its search.

The match itself, its times and its record stay as they are. Judges nothing; says where the bot answers otherwise now.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from bots import load_bot_spec
from bots.answers import NoAnswerError
from bots.api import AnytimeBot, Bot
from bots.harness import TURN_BASED, act, improve, make_bot, now_ms
from bots.lens import Lens, ShownLayer
from games.api import Seat
from gridjoust.doctor.source import Source, entrants_of
from gridjoust.doctor.transcript import exchanges_with, start_of
from runner.schedule import Entrant
from runner.wire.errors import ConfigError
from runner.wire.protocol import Start, TurnMessage
from runner.wire.text import plain_text

_MOST_LETTERS = 200


@dataclass(slots=True)
class Looked:
    """Layers by seat and turn, and the answers that are other ones than those recorded."""

    bot: str
    layers: dict[Seat, dict[int, list[Any]]] = field(default_factory=dict)
    answered: int = 0
    differences: list[tuple[int, Seat, str, str]] = field(default_factory=list)  # turn, seat, recorded, now
    left_out: int = 0

    def as_json(self) -> dict[str, Any]:
        """For the page."""
        return asdict(self)

    def layers_of(self, seat: Seat) -> dict[int, list[ShownLayer]]:
        """What a seat showed, by turn."""
        return {turn: [ShownLayer(**one) for one in shown] for turn, shown in self.layers.get(seat, {}).items()}


def entrants_named(source: Source, bot: str) -> list[Entrant]:
    """Those of a match that play under this name; ConfigError if nobody does, or not with a Python bot."""
    found = [one for one in entrants_of(source) if one.bot == bot]
    if not found:
        names = ", ".join(dict.fromkeys(seat.bot for seat in source.record.header.seats))
        raise ConfigError(f"--bot: expected one of {plain_text(names, limit=_MOST_LETTERS)}, got {bot!r}")
    if any(one.program.bot is None and one.program.path is None for one in found):
        raise ConfigError(f"--bot: expected a Python bot, as only these can be looked into, got {bot!r}")
    return found


def look(source: Source, entrants: Sequence[Entrant], *, first: int, last: int) -> Looked:
    """Ask each of the entrants everything up to turn `last`, and keep what they show from `first` on."""
    looked = Looked(entrants[0].bot)
    for entrant in entrants:
        start = start_of(source.record, entrant, run_key=source.config.run_key)
        spec = entrant.program.bot or entrant.program.path or ""
        try:
            bot = make_bot(load_bot_spec(spec), start)
        except ValueError as error:
            raise ConfigError(f"--bot: {error}") from None
        bot.lens = Lens()
        _look_at(looked, source, entrant, bot, start, turns=range(first, last + 1))
        looked.left_out += bot.lens.left_out
    return looked


def _look_at(looked: Looked, source: Source, entrant: Entrant, bot: Bot, start: Start, *, turns: range) -> None:
    assert bot.lens is not None
    for told in exchanges_with(source.record, entrant.seats):
        message = told.message
        if message.turn >= turns.stop:
            return
        if not isinstance(message, TurnMessage):
            bot.hear(message)
            continue
        answers = _answers(bot, message, start)
        shown = [asdict(layer) for layer in bot.lens.take()]
        looked.answered += 1
        if message.turn in turns:
            looked.layers.setdefault(message.seat, {})[message.turn] = shown
        recorded = "" if told.recorded is None else told.recorded.action
        is_timed = start.dynamics not in TURN_BASED  # then each of its answers counted, and one of them is recorded
        if recorded and recorded not in (answers if is_timed else answers[-1:]):
            now = answers[-1] if answers else "nothing"
            before, after = (plain_text(text, limit=_MOST_LETTERS) for text in (recorded, now))
            looked.differences.append((message.turn, message.seat, before, after))


def _answers(bot: Bot, question: TurnMessage, start: Start) -> list[str]:
    """Each in its order; an anytime bot has several."""
    try:
        if not isinstance(bot, AnytimeBot):
            return [act(bot, question, now_ms).action]
        return [one.action for one in improve(bot, question, start, now_ms=now_ms) if one is not None]
    except NoAnswerError:
        return []
