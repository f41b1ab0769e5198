"""Prints the referee's messages to a remote bot as lines for its user."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from gridjoust.runner.wire.errors import ProtocolFault
from gridjoust.runner.wire.protocol import End, Start, Stop, decode_to_bot
from gridjoust.runner.wire.text import plain_text

Say = Callable[[str], None]
LETTERS = 300  # of a line
_SHOWN = tuple(b'{"type":"%s"' % kind for kind in (b"start", b"end", b"stop"))
_COMPLETED = "completed"


class Narrator:
    """Reads the messages to one bot and prints its matches; questions are not decoded, so that they are not delayed."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._start: Start | None = None
        self._outcomes: Counter[str] = Counter()
        self.is_over = False  # the referee has sent `stop`: there are no more matches

    def on_message(self, topic: str, payload: bytes) -> None:  # noqa: ARG002 - the bus's signature
        """Note the start of a match, and report its end."""
        if not payload.startswith(_SHOWN):
            return
        try:
            message = decode_to_bot(payload)
        except ProtocolFault:
            return  # the bot's own side reports it
        match message:
            case Start():
                self._start = message
            case End() if self._start is not None and message.match == self._start.match:
                outcome, line = outcome_of(message, self._start.seats)
                self._outcomes[outcome] += 1
                self.say(line)
                self._start = None
            case Stop():
                self.is_over = True
            case _:
                pass

    def on_notice(self, topic: str, payload: bytes) -> None:  # noqa: ARG002 - the bus's signature
        """Print a notice of the host."""
        self.say(payload.decode("utf-8", "replace"))

    def say(self, line: str) -> None:
        """Print a line without control characters, as others may have written it."""
        self._say(plain_text(line, limit=LETTERS))

    def tally(self) -> str:
        """Return the number of matches by outcome, as `8 won, 1 drawn, 3 lost`."""
        counts = (f"{count} {outcome}" for outcome, count in self._outcomes.most_common())
        return ", ".join(counts) or "no match played"


def outcome_of(end: End, seats: Sequence[int]) -> tuple[str, str]:
    """Return the outcome of a match for these seats: a word, and a line with the reason unless it was completed.

    >>> outcome_of(End(match="m", termination="late", reason="b was late", returns=[1, 0], ranks=[1, 2]), [1])
    ('lost', 'lost: b was late')
    """
    own = min(end.ranks[seat] for seat in seats)
    others = [rank for seat, rank in enumerate(end.ranks) if seat not in seats]
    if not others:
        outcome = "finished"
    elif own > 1:
        outcome = "lost"
    else:
        outcome = "drawn" if 1 in others else "won"
    place = f" (place {own} of {len(end.ranks)})" if others and len(end.ranks) > 2 else ""
    returns = end.returns[seats[0]]
    alone = f", returns {returns:g}" if not others and returns is not None else ""
    reason = "" if end.termination == _COMPLETED else f": {end.reason}"
    return outcome, f"{outcome}{place}{alone}{reason}"
