"""The base of all sections of a tournament file, and sections that come in several kinds.

In such a section one key, the tag, decides which other keys there are. Each kind is a struct with its own keys; the
first of a union is the default. A file may set keys of another kind if they keep their defaults. So a file is first
checked against `all_keys`, where each union is one struct with the keys of all kinds; a wrong key then gets the same
sentence with every tag. After that, `choose_kinds` takes out the keys that the chosen kind does not have.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args, get_type_hints

import msgspec
from msgspec import UNSET, Meta

Kind = type[msgspec.Struct]
Positive = Annotated[int, Meta(ge=1)]
NotNegative = Annotated[int, Meta(ge=0)]


class Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base: immutable, keyword-only, unknown keys refused."""


def means(description: str, **bounds: Any) -> Meta:
    """Return metadata with a key's description, which the schema and the reference show."""
    return Meta(description=description, **bounds)


def unions_of(kind: Kind) -> dict[str, tuple[Kind, ...]]:
    """Return the kinds of each section that comes in several kinds, by key; the first is the default."""
    kinds_by_key = {key: _kinds_in(hint) for key, hint in get_type_hints(kind, include_extras=True).items()}
    return {key: kinds for key, kinds in kinds_by_key.items() if kinds}


def tag_of(kind: Kind) -> tuple[str, str]:
    """Return the tag (key, value) that chooses this kind."""
    config = kind.__struct_config__
    return str(config.tag_field), str(config.tag)


def all_keys(kind: Kind) -> Kind:
    """Return the struct with each union of kinds replaced by one struct of the tag and the keys of all kinds."""
    hints, unions = get_type_hints(kind, include_extras=True), unions_of(kind)
    fields = []
    for field in msgspec.structs.fields(kind):
        hint = hints[field.name]
        if field.name in unions:
            merged: Any = _merged(unions[field.name])
            hint = merged | None if type(None) in _options(hint) else merged
        fields.append((field.name, hint) if field.required else (field.name, hint, UNSET))
    return _make(kind.__name__, fields)


def choose_kinds(data: Mapping[str, Any], kind: Kind) -> tuple[dict[str, Any], dict[str, dict[str, object]]]:
    """Turn data that fits `all_keys(kind)` into data that fits `kind`; return it and each section's unused values."""
    chosen, unused = dict(data), {}
    for part, kinds in unions_of(kind).items():
        if isinstance(data.get(part), dict):
            chosen[part], unused[part] = _choose(data[part], kinds)
    return chosen, unused


def _choose(section: Mapping[str, Any], kinds: tuple[Kind, ...]) -> tuple[dict[str, Any], dict[str, object]]:
    tag_field, default = tag_of(kinds[0])
    tag = section.get(tag_field, default)
    own = next(kind for kind in kinds if tag_of(kind) == (tag_field, tag)).__struct_fields__
    given = msgspec.convert(section, _merged(kinds))
    foreign = {key: getattr(given, key) for key in _fields(kinds) if key in section and key not in own}
    unused = {key: value for key, value in foreign.items() if value != _fields(kinds)[key][1]}
    return {tag_field: tag} | {key: value for key, value in section.items() if key not in foreign}, unused


def _merged(kinds: tuple[Kind, ...]) -> Kind:
    tags = [tag_of(kind) for kind in kinds]
    choice: Any = Literal
    tag_field = (tags[0][0], choice[tuple(tag for _, tag in tags)], tags[0][1])
    return _make("Section", [tag_field, *((key, *kept) for key, kept in _fields(kinds).items())])


def _fields(kinds: tuple[Kind, ...]) -> dict[str, tuple[Any, Any]]:
    """Return type and default of the keys of all kinds; a key that several kinds have is the same in each."""
    fields: dict[str, tuple[Any, Any]] = {}
    for kind in kinds:
        hints = get_type_hints(kind, include_extras=True)
        fields |= {field.name: (hints[field.name], field.default) for field in msgspec.structs.fields(kind)}
    return fields


def _make(name: str, fields: list[Any]) -> Kind:
    return msgspec.defstruct(name, fields, frozen=True, kw_only=True, forbid_unknown_fields=True)


def _kinds_in(hint: Any) -> tuple[Kind, ...]:
    kinds = (kind for kind in _options(hint) if isinstance(kind, type) and issubclass(kind, msgspec.Struct))
    return tuple(kind for kind in kinds if kind.__struct_config__.tag is not None)


def _options(hint: Any) -> tuple[Any, ...]:
    """Return the members of a union, with or without `Annotated` around it."""
    return get_args(get_args(hint)[0] if hasattr(hint, "__metadata__") else hint)
