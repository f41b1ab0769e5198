"""Mutate valid JSON messages and text files step by step: other values, keys, words and bytes."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

_MARK = "\ue000{}\ue001"  # stands in a text for raw bytes
RAW: tuple[bytes, ...] = (
    *(b"null", b"true", b"{}", b"[]", b"[[]]", b'""', b"-1", b"-0", b"0.5", b"1.0", b"01", b"1e400", b"-1e308"),
    *(b"9007199254740993", b"9223372036854775808", b"-18446744073709551616", b"1" + b"0" * 400, b"NaN", b"Infinity"),
    *(b'"\\ud800"', b'"\\udc00\\ud800"', b'"\\u0000"', b'"\xff\xfe"', b'"\xed\xa0\x80"', b'"\x1b[2J"', b'"\n"'),
    *(b'"' + b"A" * 70_000 + b'"', b'"' + b"\\u0061" * 5000 + b'"', b'"\xe2\x80\xae"', b"undefined", b"'1'"),
    *(b"[" * 200 + b"]" * 200, b"[" * 5000 + b"]" * 5000, b"[" * 30_000, b'{"a":' * 3000 + b"1" + b"}" * 3000),
)
TEXTS = ("", "wait", "start", "action", "0", "-1", "\x00", "x" * 5000, "🦆", "../../etc", "%s", "1e9")


def mutate(message: bytes, rng: random.Random) -> bytes:
    """Change a valid message a few times: its values first, its bytes sometimes."""
    tree: Any = {"": json.loads(message)}
    for _ in range(rng.choice((0, 1, 1, 1, 2, 4))):
        _change(tree, rng)
    text = json.dumps(tree[""], ensure_ascii=rng.random() < 0.5, separators=(",", ":"))
    data = text.encode("utf-8", "surrogatepass")
    if "\ue000" in text or "\\ue000" in text:
        for number, raw in enumerate(RAW):
            mark = json.dumps(_MARK.format(number), ensure_ascii="\\ue000" in text).encode()
            data = data.replace(mark, raw)
    return rng.choice(OF_BYTES)(data, rng) if rng.random() < 0.3 else data


def mutate_text(data: bytes, rng: random.Random) -> bytes:
    """Return a valid file with one to four changes of its lines and words, or of its bytes."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        data = rng.choice(OF_LINES)(data, rng) if data else rng.choice(RAW)
    return data


def _word(data: bytes, rng: random.Random) -> bytes:
    """Return the text with one of its words replaced."""
    words = re.split(rb"([\s,:\[\]{}]+)", data)
    words[rng.randrange(len(words))] = rng.choice((*RAW, *(text.encode() for text in TEXTS), rng.choice(words)))
    return b"".join(words)


def _lines(data: bytes, rng: random.Random) -> bytes:
    """Return the text with a line left out, repeated, moved or indented."""
    lines = data.split(b"\n")
    line = lines.pop(rng.randrange(len(lines)))
    for _ in range(rng.choice((0, 1, 2, 2, 500))):
        lines.insert(rng.randrange(len(lines) + 1), rng.choice((line, b"  " + line, line.strip(), line + b"\r")))
    return b"\n".join(lines)


def _number(data: bytes, rng: random.Random) -> bytes:
    """Return the text with another number somewhere."""
    numbers = [*re.finditer(rb"[0-9]+", data)]
    if not numbers:
        return data
    found, other = rng.choice(numbers), rng.choice((b"0", b"-1", b"1e9", b"99999999", b"9" * 40, b"0.5", b"\xd9\xa3"))
    return data[: found.start()] + other + data[found.end() :]


def _change(tree: Any, rng: random.Random) -> None:
    """Change one value, key or item somewhere in the tree."""
    holder, key = rng.choice([*_places(tree)])
    kind = rng.randrange(6)
    if kind == 0 and key != "":
        del holder[key]
    elif kind == 1:
        holder[key] = [holder[key]]
    elif kind == 2 and isinstance(holder[key], dict):
        holder[key][rng.choice(TEXTS)] = rng.choice(TEXTS)
    elif kind == 3:
        holder[key] = rng.choice(TEXTS)
    elif kind == 4 and isinstance(holder[key], int | float):
        holder[key] = rng.choice((holder[key] + 1, -holder[key], holder[key] * 2**60, str(holder[key])))
    else:
        holder[key] = _MARK.format(rng.randrange(len(RAW)))


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Yield (holder, key) of every value, at most some hundred."""
    waiting, left = [tree], 300
    while waiting and left > 0:
        holder = waiting.pop()
        for key, value in holder.items() if isinstance(holder, dict) else enumerate(holder):
            left -= 1
            yield holder, key
            if isinstance(value, dict | list):
                waiting.append(value)


def _cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _flip(data: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :]


def _insert(data: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(data) + 1)
    return data[:place] + rng.choice((b"\xff", b"\x00", b"\xed\xa0\x80", b"\xc0\x80", b'"', b"}", b",")) + data[place:]


def _twice(data: bytes, _: random.Random) -> bytes:
    return data + data


def _repeat_keys(data: bytes, rng: random.Random) -> bytes:
    """Return the object with one more key at its front, which it may have already with another value."""
    key = rng.choice((b'"type"', b'"match"', b'"ask"', b'"seat"', b'"action"', b'"online"'))
    return data.replace(b"{", b"{" + key + b":" + rng.choice(RAW) + b",", 1)


def _with_mark(data: bytes, _: random.Random) -> bytes:
    return b"\xef\xbb\xbf" + data


OF_LINES: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    *(_word, _word, _lines, _lines, _number, _number, _cut, _flip, _insert, _twice, _with_mark),
)
OF_BYTES: tuple[Callable[[bytes, random.Random], bytes], ...] = (_cut, _flip, _insert, _twice, _repeat_keys, _with_mark)
