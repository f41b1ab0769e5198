"""Finds the places where plain data does not fit a type, and describes them in words.

msgspec decides what fits. Its messages leave out the key inside a mapping, the bounds and the value, so this module
searches for the place again, from the outside in, and describes the type.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import inspect

from gridjoust.runner.config.document import KeyPath

NO_KEY = "nothing: the key is required"
EXAMPLES = {  # key -> how its value, or that of one entry, is written around a text
    "games": "{game: %s}",
    "bots": "{name: NAME, bot: %s}",
    "format": "{type: %s}",
    "time": "{turn_ms: %s}",
    "command": "[%s]",
    "exclude": "{%s: REASON}",
    "limits": "{memory_mb: %s}",
}
PATTERNS = {  # beginning of a pattern -> its meaning in words
    "^[A-Za-z0-9_]": "a name of 1 to 64 letters, digits, - and _",
    "^(secret|": "secret",
}


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake and its place.

    `fact`, if any, is said instead of `expected ..., got ...`; `aside` is added to the sentence but not recorded.
    `is_text_expected`: missing quotes in the YAML text may be the cause.
    """

    path: KeyPath
    expected: str
    got: str
    is_text_expected: bool = False
    within: str = ""  # a place inside the value, such as a row of a map
    fact: str = ""  # said instead, if there is no other value to expect
    aside: str = ""  # said after it, but not recorded: what differs from machine to machine, such as a folder
    is_missing: bool = False  # a file is not there

    @property
    def sentence(self) -> str:
        """The mistake as a sentence, `expected ..., got ...` or a fact, to follow the key path."""
        return self.recorded + self.aside

    @property
    def recorded(self) -> str:
        """The part of the sentence that is the same on every machine."""
        within = f"{self.within}: " if self.within else ""
        return within + (self.fact or f"expected {self.expected}, got {self.got}")


def find_mistakes(data: object, kind: Any, path: KeyPath = ()) -> Iterator[Mistake]:
    """Yield every innermost value of `data` that does not fit the type `kind`."""
    try:
        msgspec.convert(data, kind)
    except msgspec.ValidationError:
        pass
    else:
        return
    kind = _without_null(kind, data)
    fields = _struct_fields(kind)
    mistakes = _unknown_keys(data, fields, path)
    for key, child, child_kind in _children(data, kind):
        mistakes += find_mistakes(child, child_kind, (*path, key))
    meant = {mistake.expected for mistake in mistakes}  # a misspelt required key is not reported as missing too
    mistakes += (mistake for mistake in _missing_keys(data, kind, path) if mistake.path[-1] not in meant)
    yield from mistakes or [_misfit(data, kind, path)]


def _unknown_keys(data: object, fields: Mapping[str, Any] | None, path: KeyPath) -> list[Mistake]:
    if fields is None or not isinstance(data, dict):
        return []
    unknown = [(key, _section_of(key, fields)) for key in data if key not in fields]
    return [
        Mistake((*path, key), nearest(key, fields), "an unknown key", fact=section and f"write it below {section}")
        for key, section in unknown
    ]


def _section_of(key: str, fields: Mapping[str, Any]) -> str:
    """Return the name of the first section that has this key at its top level; "" if none has."""
    kinds = ((name, _undescribed(kind)) for name, kind in fields.items())
    options = ((name, _undescribed(option)) for name, kind in kinds for option in (kind, *get_args(kind)))
    return next((name for name, option in options if key in (_struct_fields(option) or ())), "")


def nearest(wrong: str, known: Iterable[str]) -> str:
    """Return the known word nearest to a wrong one, or "one of" and all known words if none is near."""
    names = list(known)
    near = difflib.get_close_matches(wrong, names, n=1)
    return near[0] if near else "one of " + ", ".join(names)


def repeated(names: Sequence[object], at: KeyPath, expected: str, *key: str) -> Iterator[Mistake]:
    """Yield a mistake for each name that occurs earlier in the list at `at`; `key`: the name's key in its entry."""
    for position, name in enumerate(names):
        if name in names[:position]:
            yield Mistake((*at, position, *key), expected, f"a second {name!r}")


def format_value(value: object) -> str:
    """Describe a value as a person would, in at most 80 characters."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case dict():
            return "a mapping"
        case list() | tuple():
            return "a list" if value else "an empty list"
        case _:
            text = repr(value)
            return text if len(text) <= 80 else text[:77] + "..."


def _without_null(kind: Any, data: object) -> Any:
    """Return the struct in `Struct | None` if the data is a mapping, else the type as it is."""
    union = _undescribed(kind)
    if get_origin(union) in (Union, UnionType) and isinstance(data, dict):
        return next((option for option in get_args(union) if _struct_fields(option) is not None), kind)
    return union if _struct_fields(union) is not None else kind


def _undescribed(kind: Any) -> Any:
    """Return the type in `Annotated[type, ...]`; any other type as it is."""
    return get_args(kind)[0] if hasattr(kind, "__metadata__") else kind


def _struct_fields(kind: Any) -> dict[str, Any] | None:
    """Return the type of each key of a struct, or None for any other type."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        hints = get_type_hints(kind, include_extras=True)
        return {field.encode_name: hints[field.name] for field in msgspec.structs.fields(kind)}
    return None


def _children(data: object, kind: Any) -> Iterator[tuple[str | int, object, Any]]:
    """Yield (key, value, type) for each value directly inside `data`."""
    kind = _undescribed(kind)
    options = [kind, *get_args(kind)]  # a union holds at most one container type
    fields = _struct_fields(kind)
    for option in options:
        if get_origin(option) is tuple and isinstance(data, list):
            yield from ((position, item, get_args(option)[0]) for position, item in enumerate(data))
        if get_origin(option) is dict and isinstance(data, dict):
            yield from ((key, item, get_args(option)[1]) for key, item in data.items())
    if fields is not None and isinstance(data, dict):
        yield from ((key, data[key], fields[key]) for key in fields if key in data)


def _missing_keys(data: object, kind: Any, path: KeyPath) -> Iterator[Mistake]:
    fields = _struct_fields(kind)
    if fields is None or not isinstance(data, dict):
        return
    required = (field.encode_name for field in msgspec.structs.fields(kind) if field.required)
    for key in required:
        if key not in data:
            yield Mistake((*path, key), _describe(_bare(inspect.type_info(fields[key]))), NO_KEY)


def _misfit(data: object, kind: Any, path: KeyPath) -> Mistake:
    info = _bare(inspect.type_info(kind))
    words = _words(info)
    hint = ""
    if words and isinstance(data, str):
        near = difflib.get_close_matches(data, words, n=1)
        hint = f": did you mean {near[0]}?" if near else ""
    kinds = {type(part) for part in _parts(info)}
    is_text = not kinds.isdisjoint({inspect.StrType, inspect.LiteralType}) and inspect.IntType not in kinds
    hint = hint or _example(path, data)
    return Mistake(path, _describe(info), format_value(data) + hint, is_text and not isinstance(data, str))


def _example(path: KeyPath, data: object) -> str:
    """Return how to write a value that was given without its brackets; "" if that is unknown."""
    key = next((part for part in reversed(path) if isinstance(part, str)), "")
    names = data if isinstance(data, list) else [data]
    if (
        key not in EXAMPLES
        or not data
        or isinstance(data, dict)
        or any(isinstance(name, dict | list) for name in names)
    ):
        return ""
    text = str(data).replace(" ", ", ") if key == "command" else ", ".join(map(str, names))
    shown = EXAMPLES[key] % text
    return f": write {key}: [{shown}]" if path[-1:] == (key,) and key in ("games", "bots") else f": write {shown}"


def _bare(info: inspect.Type) -> inspect.Type:
    """Return a type of msgspec without its metadata."""
    return info.type if isinstance(info, inspect.Metadata) else info


def _parts(info: inspect.Type) -> tuple[inspect.Type, ...]:
    return info.types if isinstance(info, inspect.UnionType) else (info,)


def _words(info: inspect.Type) -> list[str]:
    """Return the texts that a type with a fixed set of texts allows."""
    return [str(value) for part in _parts(info) if isinstance(part, inspect.LiteralType) for value in part.values]


def _describe(info: inspect.Type) -> str:
    """Describe a type in words, with its bounds."""
    match info:
        case inspect.UnionType():
            has_float = any(isinstance(part, inspect.FloatType) for part in info.types)
            shown = [part for part in info.types if not (has_float and isinstance(part, inspect.IntType))]
            return " or ".join(dict.fromkeys(_describe(part) for part in shown))
        case inspect.IntType():
            return "a whole number" + _range_text(info)
        case inspect.FloatType():
            return "a number"
        case inspect.StrType(pattern=str(pattern)):
            return next(words for start, words in PATTERNS.items() if pattern.startswith(start))
        case inspect.StrType(max_length=int(most)):
            return f"text of 1 to {most} letters"
        case inspect.StrType():
            return "text"
        case inspect.LiteralType():
            choices = [str(value) for value in info.values]
            return "one of " + ", ".join(choices) if len(choices) > 1 else choices[0]
        case inspect.VarTupleType():
            return "a list with at least one entry" if info.min_length else "a list"
        case inspect.DictType() | inspect.StructType():
            return "a mapping"
        case inspect.BoolType():
            return "true or false"
        case inspect.NoneType():
            return "null"
        case _:
            raise AssertionError(f"a type that no tournament value has: {info}")


def _range_text(info: inspect.IntType) -> str:
    low = info.ge
    high = info.le if info.lt is None else info.lt - 1
    if low is not None and high is not None:
        return f" from {low} to {high}"
    return "" if low is None else f" of at least {low}"
