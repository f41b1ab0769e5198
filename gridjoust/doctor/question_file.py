"""A question in a file, so that it can be kept, changed and put again. Reads and writes; asks nobody.

The file is a JSON object as a bot gets it: a `turn` message (`seat`, `turn`, `observation`, `legal`, `legal_complete`,
`limit_ms`; only `observation` must be there), and beside its keys, if wanted, `start`: the message with which the match
began. An object without the key `observation` is taken for the observation itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from runner.wire.errors import ConfigError
from runner.wire.protocol import Event, Start, TurnMessage
from runner.wire.text import UNREADABLE


class QuestionFile(msgspec.Struct, frozen=True, kw_only=True):
    """What the file holds."""

    observation: dict[str, Any]
    seat: int | None = None  # None: the seat of `start`, else 0
    turn: int = 1
    legal: list[str] = []
    legal_complete: bool = False
    limit_ms: int | None = None
    start: Start | None = None


def load_question(path: Path) -> QuestionFile:
    """The question in a file; ConfigError says what does not fit."""
    try:
        data = msgspec.json.decode(path.read_bytes())
        if isinstance(data, dict) and "observation" not in data:
            data = {"observation": data}
        return msgspec.convert(data, QuestionFile)
    except OSError as error:
        raise ConfigError(
            f"{path}: expected a question (JSON), got: {(error.strerror or str(error)).lower()}"
        ) from None
    except UNREADABLE as error:
        raise ConfigError(f"{path}: expected a question (JSON), got: {error}") from None


def save_question(path: Path, start: Start, asked: TurnMessage | Event) -> None:
    """Write a question with its start; `load_question` reads it back."""
    limit_ms = asked.limit_ms if isinstance(asked, TurnMessage) else None
    held = QuestionFile(
        observation=asked.observation,
        seat=asked.seat,
        turn=asked.turn,
        legal=asked.legal,
        legal_complete=asked.legal_complete,
        limit_ms=limit_ms,
        start=start,
    )
    path.write_bytes(msgspec.json.format(msgspec.json.encode(held), indent=1) + b"\n")


def message_of(held: QuestionFile, *, match: str, seat: int) -> TurnMessage:
    """The question as a message."""
    return TurnMessage(
        match=match,
        ask=0,
        seat=seat,
        turn=held.turn,
        observation=held.observation,
        legal=held.legal,
        legal_complete=held.legal_complete,
        limit_ms=held.limit_ms,
    )
