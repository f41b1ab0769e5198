"""Checks of action texts, the notation in messages, records and golden files."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from gridjoust.conformance.matches import describe
from gridjoust.conformance.subject import Case
from gridjoust.games.api import AnyGame
from gridjoust.runner.wire.protocol import ANSWER_LIMIT_BYTES

FUZZ_COUNT = 300
NASTY_TEXTS = (
    "", " ", "\n", "\t", "\0", "\x1b[2J", "\x7f", "\ud800", "\u202e", "\u2028", "é", "N̈", "🂡",
    "0", "-1", "٣", "１", "1e9", "1_0", "0x1", "+1", "NaN", "inf", "-inf", "9" * 5_000, "1" * 70_000, "A" * 70_000,
    "[]", "{}", "null", "None", "true", '"', "'", "\\", "%s", "{0}", "{}{}", "../..", ",", ";", ":", " a" * 999,
)  # fmt: skip
INSERTIONS = (" ", "\n", "\0", ",", "-", "0", "9", "99999999999999999999", "é", "٣", "x", "(", ")", ">", "\ud800")


def action_texts_round_trip(case: Case) -> Iterator[str]:
    """Check that `str` gives one printable line of at most 64 kB, and that `parse_action` returns the equal action."""
    for action in case.pool:
        text = str(action)
        if fault := _line_fault(text):
            yield f"expected one printable line, got {text[:60]!r}: {fault}"
            continue
        try:
            parsed = case.game.parse_action(text)
        except Exception as error:  # whatever a foreign game raises is the finding
            yield f"expected parse_action({text!r}) to give the action back, got {describe(error)}"
            continue
        if parsed != action or str(parsed) != text:
            yield f"expected parse_action({text!r}) to give the action back, got {parsed!s}"


def action_texts_are_unique(case: Case) -> Iterator[str]:
    """Check that two legal actions of a seat in one state have different texts."""
    game = case.game
    for moment in case.sample():
        for seat in game.seats_to_act(moment.state):
            met: dict[str, Any] = {}
            for action in game.legal_actions(moment.state, seat):
                if str(action) in met:
                    yield f"seat {seat}: expected a text of its own for each action, got {str(action)!r} twice"
                met[str(action)] = action


def fuzzed_texts_give_value_error_only(case: Case) -> Iterator[str]:
    """Check that any text either raises ValueError or gives an action whose own text gives it back."""
    for text in (*NASTY_TEXTS, *mutated_texts(case.pool, count=FUZZ_COUNT)):
        try:
            action = case.game.parse_action(text)
        except ValueError:
            continue
        except Exception as error:  # whatever a foreign game raises is the finding
            yield f"{text[:60]!r}: expected ValueError, got {describe(error)}"
            continue
        own = str(action)
        if fault := _line_fault(own):
            yield f"{text[:60]!r}: expected ValueError, got an action whose text {own[:60]!r} {fault}"
        elif parse_or_none(case.game, own) != action:
            yield f"{text[:60]!r}: expected ValueError, got an action whose text {own[:60]!r} does not give it back"


def mutated_texts(pool: Sequence[Any], *, count: int) -> list[str]:
    """Return texts of actions with a few characters changed, the same on every call."""
    rng = random.Random("conformance/fuzz")
    texts = [str(action) for action in pool]
    return [_mutated(rng.choice(texts), texts, rng) for _ in range(count)] if texts else []


def parse_or_none(game: AnyGame, text: str) -> Any:
    """Return the action of a text, None if the text is refused in any way."""
    try:
        return game.parse_action(text)
    except Exception:  # another check tests how it is refused
        return None


def _mutated(text: str, texts: Sequence[str], rng: random.Random) -> str:
    for _ in range(rng.randint(1, 3)):
        place = rng.randint(0, len(text))
        match rng.randrange(7):
            case 0:
                text = text[:place] + rng.choice(INSERTIONS) + text[place:]
            case 1:
                text = text[:place] + text[place + 1 :]
            case 2:
                text = text[:place] + rng.choice("0123456789NESW -,.") + text[place + 1 :]
            case 3:
                text = text.swapcase()
            case 4:
                text = text[place:] + text[:place]
            case 5:
                text = text + rng.choice(("", " ", ",", ";", "-")) + rng.choice(texts)
            case _:
                text = rng.choice((" ", "")) + text + rng.choice((" ", "\n", "\r\n"))
    return text


def _line_fault(text: str) -> str:
    """Return why an action text is not one printable line; "" if it is."""
    if not text or not text.isprintable():
        return "is empty or has characters that do not print"
    if text != text.strip():
        return "starts or ends with a space"
    if len(text.encode()) > ANSWER_LIMIT_BYTES:
        return f"is longer than {ANSWER_LIMIT_BYTES} bytes"
    return ""
