"""Parses YAML text into plain data that remembers the line of each value.

YAML 1.1 has traps that PyYAML keeps: `1:30` is ninety, `010` is eight, `2026-01-01` is a date, and a repeated key
replaces the first one silently. Here only plain decimal numbers are numbers, and a repeated key is a mistake. `yes`,
`no`, `on` and `off` stay true and false, as people use them so; `as_written` returns the text that is in the file.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

import yaml

KeyPath = tuple[str | int, ...]  # ("bots", 2, "roles") = bots[2].roles
Data = object  # None, bool, int, float, str, list or dict with text keys

_INT = "tag:yaml.org,2002:int"
_FLOAT = "tag:yaml.org,2002:float"
_BOOL = "tag:yaml.org,2002:bool"
_TAG = "a tag"  # the problem that `_Loader.fetch_tag` raises
_MERGE = "tag:yaml.org,2002:merge"
_NOT_OURS = {_INT, _FLOAT, "tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:value"}
_DECIMAL = re.compile(r"[-+]?(0|[1-9][0-9]*)\Z")
_FRACTION = re.compile(r"[-+]?([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))([eE][-+]?[0-9]+)?\Z")
MOST_TEXT = 1_500_000  # bytes; a map of a million cells fits
TOO_LONG = f"expected at most {MOST_TEXT} bytes, got more"
_MOST_VALUES = 30_000  # keys and values; those of an *alias count at each use
_LONGEST_NUMBER = 30  # digits; a longer number is beyond every limit of a tournament


class DocumentError(ValueError):
    """The text is not usable YAML: `expected ..., got ...`, with the line (from 1) and the key path."""

    def __init__(self, message: str, *, line: int, path: KeyPath = ()) -> None:
        super().__init__(message)
        self.line = line
        self.path = path


@dataclass(frozen=True, slots=True)
class Document:
    """Data parsed from YAML, and the tree of YAML nodes, which tells the line of each value."""

    data: Data
    root: yaml.Node | None  # None = only comments

    def line_of(self, path: KeyPath) -> int:
        """Return the line (from 1) of the deepest part of `path` that exists."""
        line, node = 1, self.root
        for key in path:
            found = _child(node, key)
            if found is None:
                break
            line, node = found[0].start_mark.line + 1, found[1]
        return line

    def as_written(self, path: KeyPath) -> str | None:
        """Return the characters of the unquoted scalar at `path`, or None for anything else."""
        node = self.root
        for key in path:
            found = _child(node, key)
            if found is None:
                return None
            node = found[1]
        return str(node.value) if isinstance(node, yaml.ScalarNode) and node.style is None else None


def format_path(path: KeyPath) -> str:
    """Return `bots[2].roles` for `("bots", 2, "roles")`; a key that is not a plain word is quoted in brackets."""
    text = ""
    for key in path:
        if isinstance(key, str) and re.fullmatch(r"[\w-]+", key):
            text += f".{key}" if text else key
        else:
            text += f"[{key!r}]"
    return text


def parse_document(text: str) -> Document:
    """Parse the one document in `text`; a DocumentError says what is wrong and where."""
    if len(text) > MOST_TEXT:
        raise DocumentError(TOO_LONG, line=1)
    try:
        loader = _Loader(text)
        root = loader.get_single_node()
        if root is None:
            return Document(None, None)
        _check_keys(root, (), {})
        return Document(loader.construct_document(root), root)
    except yaml.MarkedYAMLError as error:
        raise _explained(error, text) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise DocumentError(f"expected text, got the character {error.character:#04x}", line=line) from None
    except RecursionError:
        raise DocumentError("expected a few levels of nesting, got hundreds", line=1) from None


class _Loader(yaml.SafeLoader):
    """SafeLoader that reads only plain decimal numbers as numbers, refuses tags, and limits the number of values."""

    composed = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """Compose the next node; refuse a file with too many values before the rest of it is parsed."""
        self.composed += 1
        if self.composed > _MOST_VALUES:
            raise _too_many(self.line)
        return super().compose_node(parent, index)

    def fetch_tag(self) -> None:
        """Refuse a YAML tag (`!anything`): values here need no tags, and a wrong one breaks PyYAML's constructors."""
        raise yaml.scanner.ScannerError(None, None, _TAG, self.get_mark())


class _Dumper(yaml.SafeDumper):
    """Quotes text that `_Loader` (or another YAML reader) would read as something else."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 - part of PyYAML's interface
        """Return True, so that equal parts are written in full: people read this file."""
        return True


def format_document(data: Data) -> str:
    """Return plain data as YAML text from which `parse_document` reads equal data."""
    # Everything but ASCII is escaped: PyYAML writes some Unicode line ends as they are and reads them as spaces.
    text: str = yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=False, width=120)
    return text


def _construct_text(_loader: _Loader, node: yaml.ScalarNode) -> str:
    """Return a scalar's text; escaped surrogate pairs, as JSON writes them, become single characters.

    DocumentError for half a pair.
    """
    try:
        return str(node.value).encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError:
        message = "expected text, got half of a surrogate pair"
        raise DocumentError(message, line=node.start_mark.line + 1) from None


def _construct_number(_loader: _Loader, node: yaml.ScalarNode) -> int | float:
    text = str(node.value)
    if len(text) > _LONGEST_NUMBER or not math.isfinite(float(text)):
        line = node.start_mark.line + 1
        raise DocumentError(f"expected a number of at most {_LONGEST_NUMBER} digits, got {_shortened(text)}", line=line)
    return int(text) if node.tag == _INT else float(text)


_Loader.yaml_implicit_resolvers = {
    sign: [(tag, pattern) for tag, pattern in rules if tag not in _NOT_OURS]
    for sign, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
for _class in (_Loader, _Dumper):
    _class.add_implicit_resolver(_INT, _DECIMAL, list("-+0123456789"))
    _class.add_implicit_resolver(_FLOAT, _FRACTION, list("-+.0123456789"))
_Loader.add_constructor(_INT, _construct_number)
_Loader.add_constructor(_FLOAT, _construct_number)
_Loader.add_constructor("tag:yaml.org,2002:str", _construct_text)


def _child(node: yaml.Node | None, key: str | int) -> tuple[yaml.Node, yaml.Node] | None:
    """Return (the node of the key or list item, the node of its value), or None if it is missing."""
    if isinstance(node, yaml.SequenceNode) and isinstance(key, int) and key < len(node.value):
        return node.value[key], node.value[key]
    if isinstance(node, yaml.MappingNode):
        # Merged keys (`<<`) come before the mapping's own keys: the last one counts.
        return next(((name, value) for name, value in reversed(node.value) if name.value == key), None)
    return None


def _check_keys(node: yaml.Node, path: KeyPath, sizes: dict[int, int]) -> int:
    """Count the keys and values in a node; a shared part (`*alias`) is checked once and counts at each use.

    DocumentError if a key is not text or is repeated, or if there are too many values.
    """
    if id(node) in sizes:
        return sizes[id(node)]
    sizes[id(node)] = size = 1  # a node that contains itself counts once
    if isinstance(node, yaml.SequenceNode):
        size += sum(_check_keys(item, (*path, position), sizes) for position, item in enumerate(node.value))
    first_line: dict[str, int] = {}
    for key, value in node.value if isinstance(node, yaml.MappingNode) else ():
        line = key.start_mark.line + 1
        if key.tag == _MERGE:
            size += _check_keys(value, path, sizes)
            continue
        if key.tag != "tag:yaml.org,2002:str":
            raise DocumentError(f"expected text as a key, got {_key_text(key)}", line=line, path=path)
        if key.value in first_line:
            again = f"got it again (first in line {first_line[key.value]})"
            raise DocumentError(f"expected each key once, {again}", line=line, path=(*path, key.value))
        first_line[key.value] = line
        size += 1 + _check_keys(value, (*path, key.value), sizes)
    if size > _MOST_VALUES:
        raise _too_many(node.start_mark.line)
    sizes[id(node)] = size
    return size


def _too_many(line: int) -> DocumentError:
    return DocumentError(f"expected at most {_MOST_VALUES} keys and values, got more", line=line + 1)


def _key_text(key: yaml.Node) -> str:
    if not isinstance(key, yaml.ScalarNode):
        return "a list or a mapping"
    reading = ", which YAML reads as true or false" if key.tag == _BOOL else ""
    return f"{key.value}{reading}: put it in quotes"


_SENTENCES = (  # part of PyYAML's problem text -> the sentence that users see
    ("'\\t' that cannot start", "expected spaces, got a tab: YAML does not indent with tabs"),
    (
        "mapping values are not allowed",
        "expected one `key: value` a line, got another ': ': put text in quotes, line keys up",
    ),
    (_TAG, "expected no YAML tag, got one: put text that starts with ! in quotes"),
    ("end of stream", "expected a closing quote, got the end of the file"),
    ("<stream end>", "expected a closing bracket, got the end of the file"),
    ("found ']'", "expected as many opening as closing brackets, got one ] more"),
    ("found '}'", "expected as many opening as closing brackets, got one } more"),
    ("<block end>", "expected keys that line up, got a line that is indented differently"),
    ("another document", "expected one document, got a second one after ---"),
    ("unhashable key", "expected text as a key, got a list or a mapping"),
)


def _explained(error: yaml.MarkedYAMLError, text: str) -> DocumentError:
    """Return PyYAML's error as a plain sentence, with the line of the mistake rather than of its discovery."""
    problem = error.problem or error.context or "something else"
    mark = error.problem_mark or error.context_mark
    if ("end of stream" in problem or "<stream end>" in problem) and error.context_mark is not None:
        mark = error.context_mark  # where the quote or bracket opens, not the end of the file
    line = 1 if mark is None else mark.line + 1
    before = text.splitlines()[line - 2].strip() if line > 1 else ""
    if "mapping values" in problem and before and not re.search(r":(\s|$)", before):
        wanted = "a space after the colon" if ":" in before else "`key: value`"
        return DocumentError(f"expected {wanted}, got {_shortened(before)!r}", line=line - 1)
    for part, sentence in _SENTENCES:
        if part in problem:
            return DocumentError(sentence, line=line)
    row = text.splitlines()[line - 1 : line]
    return DocumentError(f"expected valid YAML, got {_shortened(''.join(row).strip())!r}: {problem}", line=line)


def _shortened(text: str, length: int = 60) -> str:
    return text if len(text) <= length else text[:length] + "..."
