"""The places where plain data does not fit a type, in words. Knows types only, not what the values mean.

msgspec decides what fits; its messages leave out the key inside a mapping, the bounds and the value, so the place is
looked for again here, from the outside in, and described from the type.
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

PATTERNS = {  # how a pattern starts -> what it means
    "^[A-Za-z0-9_]": "a name of 1 to 64 letters, digits, - and _",
    "^(secret|": "secret",
}


@dataclass(frozen=True, slots=True)
class Mistake:
    """What does not fit, and where. `is_text_expected`: unquoted YAML may be the cause."""

    path: KeyPath
    expected: str
    got: str
    is_text_expected: bool = False
    within: str = ""  # a closer place than the file has keys for: a row of a map

    @property
    def sentence(self) -> str:
        """What goes behind the key path."""
        within = f"{self.within}: " if self.within else ""
        return f"{within}expected {self.expected}, got {self.got}"


def find_mistakes(data: object, kind: Any, path: KeyPath = ()) -> Iterator[Mistake]:
    """Every misfit of `data` to the type `kind`, innermost; none if it fits."""
    try:
        msgspec.convert(data, kind)
    except msgspec.ValidationError:
        pass
    else:
        return
    kind = _without_null(kind, data)
    fields = _struct_fields(kind)
    found = _unknown_keys(data, fields, path)
    for key, child, child_kind in _children(data, kind):
        found += find_mistakes(child, child_kind, (*path, key))
    meant = {mistake.expected for mistake in found}  # a required key that is misspelt is not missing too
    found += (mistake for mistake in _missing_keys(data, kind, path) if mistake.path[-1] not in meant)
    yield from found or [_misfit(data, kind, path)]


def _unknown_keys(data: object, fields: Mapping[str, Any] | None, path: KeyPath) -> list[Mistake]:
    if fields is None or not isinstance(data, dict):
        return []
    return [Mistake((*path, key), nearest(key, fields), "an unknown key") for key in data if key not in fields]


def nearest(wrong: str, known: Iterable[str]) -> str:
    """What to offer instead of a wrong word: the nearest known one, else all of them."""
    names = list(known)
    near = difflib.get_close_matches(wrong, names, n=1)
    return near[0] if near else "one of " + ", ".join(names)


def repeated(names: Sequence[str], at: KeyPath, expected: str, *key: str) -> Iterator[Mistake]:
    """A mistake at every name that stood before in the list at `at`; `key`: where in its entry a name stands."""
    for position, name in enumerate(names):
        if name in names[:position]:
            yield Mistake((*at, position, *key), expected, f"a second {name!r}")


def format_value(value: object) -> str:
    """A value as a person would name it; long ones are cut."""
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
    """The struct in `Struct | None`, if there is a mapping to look into."""
    union = _undescribed(kind)
    if get_origin(union) in (Union, UnionType) and isinstance(data, dict):
        return next((option for option in get_args(union) if _struct_fields(option) is not None), kind)
    return union if _struct_fields(union) is not None else kind


def _undescribed(kind: Any) -> Any:
    """The type in `Annotated[type, ...]`."""
    return get_args(kind)[0] if hasattr(kind, "__metadata__") else kind


def _struct_fields(kind: Any) -> dict[str, Any] | None:
    """Key -> type of a struct, None for any other type."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        hints = get_type_hints(kind, include_extras=True)
        return {field.encode_name: hints[field.name] for field in msgspec.structs.fields(kind)}
    return None


def _children(data: object, kind: Any) -> Iterator[tuple[str | int, object, Any]]:
    """(key, value, its type) of everything directly inside."""
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
            yield Mistake(
                (*path, key), _describe(_bare(inspect.type_info(fields[key]))), "nothing: the key is required"
            )


def _misfit(data: object, kind: Any, path: KeyPath) -> Mistake:
    info = _bare(inspect.type_info(kind))
    words = _words(info)
    hint = ""
    if words and isinstance(data, str):
        near = difflib.get_close_matches(data, words, n=1)
        hint = f": did you mean {near[0]}?" if near else ""
    kinds = {type(part) for part in _parts(info)}
    is_text = not kinds.isdisjoint({inspect.StrType, inspect.LiteralType}) and inspect.IntType not in kinds
    return Mistake(path, _describe(info), format_value(data) + hint, is_text and not isinstance(data, str))


def _bare(info: inspect.Type) -> inspect.Type:
    """A type without what is written beside it."""
    return info.type if isinstance(info, inspect.Metadata) else info


def _parts(info: inspect.Type) -> tuple[inspect.Type, ...]:
    return info.types if isinstance(info, inspect.UnionType) else (info,)


def _words(info: inspect.Type) -> list[str]:
    """The closed set of texts a type allows."""
    return [str(value) for part in _parts(info) if isinstance(part, inspect.LiteralType) for value in part.values]


def _describe(info: inspect.Type) -> str:
    """A type in words, bounds included."""
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
