"""The paper's keys for people at the terminal: w a s d move, e take, q passage, p plan, l wait, u let the bot play on.

A key stands for the first of a few actions that is legal now, so that one key is enough for moving, exploring and
clearing a barrier in one direction. Everything else is typed as an action text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

_WAYS: Mapping[str, str] = {"w": "N", "a": "W", "s": "S", "d": "E"}
_DIRECTED = ("dive {}", "move {}", "explore {}", "break {}")
_TEXTS: Mapping[str, tuple[str, ...]] = {
    **{key: tuple(form.format(way) for form in _DIRECTED) for key, way in _WAYS.items()},
    "e": ("grab", "break", "fire", "attack"),
    "q": ("passage",),
    "l": ("wait",),
}


class Command(Enum):
    """Keys that are no action."""

    SHOW_PLAN = "p"
    PLAY_ON = "u"


def parse_input(text: str, legal: Sequence[str]) -> Command | str:
    """The command or action text that a person's input stands for; ValueError says what was expected.

    Words for the team-mates may follow the key as they follow an action: `w say "this way"`.
    """
    key, _, rest = text.strip().partition(" ")
    if key in (command.value for command in Command):
        return Command(key)
    if key not in _TEXTS:
        return text.strip()
    for candidate in _TEXTS[key]:
        if candidate in legal:
            return f"{candidate} {rest}" if rest else candidate
    raise ValueError(f"{key}: expected a key with an effect here, got one for {', '.join(_TEXTS[key])}")
