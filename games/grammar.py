"""Convert actions to one-line texts and back, with one form such as `move {direction}` for each class of action."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

MOST_CHOICES = 8  # number of choices that a message lists
_SLOT = re.compile(r"\{(\w+)(?::(\w+))?\}")


class Field(NamedTuple):
    """The text form of one type of value: a regular expression without named groups, a parser and a formatter."""

    pattern: str
    parse: Callable[[str], Any]
    format: Callable[[Any], str] = str

    def optional(self, default: object = None, *, prefix: str = " ") -> Field:
        """Return a field whose text is empty for the default value, and otherwise `prefix` and the value."""
        return Field(
            f"(?:{prefix}(?:{self.pattern}))?",
            lambda text: self.parse(text.removeprefix(prefix)) if text else default,
            lambda value: "" if value == default else prefix + self.format(value),
        )


class Grammar:
    """Convert actions to texts and back.

    A form consists of letters, spaces and slots. `{cell}` stands for the attribute `cell` in the format of the field
    `cell`; `{side:direction}` stands for the attribute `side` in the format of the field `direction`.

    >>> grammar = Grammar({complex: "{real:part} and {imag:part}"}, {"part": Field("[0-9]+", int, "{:g}".format)})
    >>> grammar.format(3 + 7j), grammar.parse("3 and 7"), grammar.parse("3 and x")
    ('3 and 7', (3+7j), None)
    """

    def __init__(self, forms: Mapping[type[Any], str], fields: Mapping[str, Field]) -> None:
        self._slots = {
            kind: [(name, fields[field or name]) for name, field in _SLOT.findall(form)] for kind, form in forms.items()
        }
        self._templates = {kind: _SLOT.sub("{}", form) for kind, form in forms.items()}
        self._patterns = {
            kind: re.compile(_SLOT.sub(lambda slot: f"(?P<{slot[1]}>{fields[slot[2] or slot[1]].pattern})", form))
            for kind, form in forms.items()
        }

    def format(self, action: object) -> str:
        """Return the text of an action."""
        kind = type(action)
        values = [field.format(getattr(action, name)) for name, field in self._slots[kind]]
        return self._templates[kind].format(*values)

    def parse(self, text: str) -> Any:
        """Return the action of the first form that fits the text, or None; `format` may spell it differently."""
        for kind, pattern in self._patterns.items():
            if found := pattern.fullmatch(text):
                return kind(**{name: field.parse(found[name]) for name, field in self._slots[kind]})
        return None


def choices_text(choices: Sequence[object], *, is_complete: bool = True, one_of: str = "one of ") -> str:
    """List the choices as the end of a sentence that begins with `expected`; `one_of` comes before several.

    >>> choices_text(["up", "down"])
    'one of up, down'
    >>> choices_text([*"abcdefghijkl"], is_complete=False)
    'something like a, b, c, d, e, f, g, h, …'
    """
    shown = ", ".join(map(str, choices[:MOST_CHOICES]))
    if not is_complete:
        return f"something like {shown}, …"
    more = len(choices) - MOST_CHOICES
    return f"{one_of}{shown}, … ({more} more)" if more > 0 else f"{one_of}{shown}" if len(choices) > 1 else shown
