"""Parse and write quest files: the small part of YAML that they use, and the dungeon that they describe.

A quest file is YAML that any YAML reader understands. This parser knows only what quests need, so that bots need no
YAML library: `key: value`, `key:` with an indented list of `- value`, `key: |` with an indented drawing. A value is a
word, a number, `[..., ...]` or `{key: value, ...}`; `#` starts a comment.

| key | value |
|---|---|
| `name`, `title`, `text` | name of the quest; `title` and `text` are for people |
| `board` | `standard`, or a drawing (see `gridjoust.games.heroquest.sight.board`) |
| `start` | squares `[x, y]`, at least one for each hero; they are the stairs |
| `goal` | `{kill: KIND, loot: true, return: true}`, at least one of these keys |
| `rounds` | game rounds for the heroes, 1 to 500; 30 by default |
| `wandering` | kind of the wandering monster |
| `doors`, `secret_doors` | `[x, y, x, y]`: the two squares |
| `blocked`, `dark` | squares |
| `furniture` | `[KIND, x, y]` or `[KIND, x, y, turned]`, top left square |
| `chests` | `[x, y, gold]` |
| `traps` | `[KIND, x, y]` |
| `monsters` | `[KIND, x, y]` or `[KIND, x, y, extra attack dice]`; or `monsters_us` and `monsters_eu` |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from gridjoust.games.bitset import mask_of
from gridjoust.games.heroquest.catalogue import FURNITURE, MONSTERS_US, TRAPS
from gridjoust.games.heroquest.sight.board import Board
from gridjoust.games.heroquest.state import (
    DEFAULT_ROUNDS,
    MAX_ROUNDS,
    Chest,
    Door,
    Dungeon,
    Furniture,
    Goal,
    Lurker,
    Trap,
)

Value = Any  # a YAML value: str, int, bool, list or dict
KEYS = (
    "name", "title", "text", "board", "start", "goal", "rounds", "wandering", "doors", "secret_doors", "blocked",
    "dark", "furniture", "chests", "traps", "monsters", "monsters_us", "monsters_eu",
)  # fmt: skip
_REQUIRED = ("name", "board", "start", "goal")
_TOKEN = re.compile(r"\s*([\[\]{},]|:(?=\s)|[^\[\]{},:#]+|[:#])")


def parse_document(text: str) -> dict[str, Value]:
    """Parse a quest file into keys and values; ValueError names the line that cannot be understood."""
    document: dict[str, Value] = {}
    lines = [(number, line.rstrip()) for number, line in enumerate(text.splitlines(), start=1)]
    lines = [(number, line) for number, line in lines if line.strip() and not line.lstrip().startswith("#")]
    while lines:
        number, line = lines.pop(0)
        key, colon, rest = line.partition(":")
        if not colon or key != key.strip() or not key:
            raise ValueError(f"line {number}: expected `key: value`, got {line!r:.60}")
        if key in document:
            raise ValueError(f"line {number}: expected each key once, got {key!r} again")
        block = list(takewhile(lambda numbered: numbered[1].startswith(" "), lines))
        del lines[: len(block)]
        document[key] = _parse_block(number, rest, block)
    return document


def _parse_block(number: int, rest: str, block: list[tuple[int, str]]) -> Value:
    if rest.strip() == "|":
        indent = min((len(line) - len(line.lstrip()) for _, line in block), default=0)
        return "".join(line[indent:] + "\n" for _, line in block)
    if not block:
        return _parse_flow(number, rest)
    if rest.partition("#")[0].strip():
        raise ValueError(f"line {block[0][0]}: expected a key, got {block[0][1]!r:.60}")
    for at, line in block:
        if not line.lstrip().startswith("- "):
            raise ValueError(f"line {at}: expected `- value`, got {line!r:.60}")
    return [_parse_flow(at, line.lstrip()[2:]) for at, line in block]


def _parse_flow(number: int, text: str) -> Value:
    plain = re.split(r"(?:^|\s)#", text, maxsplit=1)[0].strip()
    if not plain.startswith(("[", "{")):
        return _parse_word(plain)
    tokens = [token.strip() for token in _TOKEN.findall(plain)]
    try:
        value = _parse_tokens(tokens)
    except IndexError:
        raise ValueError(f"line {number}: expected a closing bracket, got {plain!r:.60}") from None
    except RecursionError:
        raise ValueError(f"line {number}: expected fewer brackets within each other, got {plain!r:.60}") from None
    except ValueError as error:
        raise ValueError(f"line {number}: {error}") from None
    if tokens:
        raise ValueError(f"line {number}: expected one value, got {plain!r:.60}")
    return value


def _parse_tokens(tokens: list[str]) -> Value:
    first = tokens.pop(0)
    if first == "[":
        return _parse_series(tokens, "]", _parse_tokens)
    if first == "{":
        return dict(_parse_series(tokens, "}", _parse_pair))
    if first in "]},:#":
        raise ValueError(f"expected a value, got {first!r}")
    return _parse_word(first)


def _parse_series(tokens: list[str], closing: str, parse_item: Callable[[list[str]], Value]) -> list[Value]:
    items = []
    while tokens[0] != closing:
        items.append(parse_item(tokens))
        if tokens[0] == ",":
            tokens.pop(0)
        elif tokens[0] != closing:
            raise ValueError(f"expected ',' or {closing!r}, got {tokens[0]!r}")
    tokens.pop(0)
    return items


def _parse_pair(tokens: list[str]) -> tuple[str, Value]:
    key, colon = tokens.pop(0), tokens.pop(0)
    if colon != ":":
        raise ValueError(f"expected ':' after {key!r}, got {colon!r}")
    return key, _parse_tokens(tokens)


def _parse_word(word: str) -> str | int | bool:
    if re.fullmatch(r"-?[0-9]+", word):
        return int(word)
    if len(word) > 1 and word[0] == word[-1] and word[0] in "\"'":
        return word[1:-1]
    return {"true": True, "false": False}.get(word, word)


def parse_quest(text: str, *, edition: str = "us") -> Dungeon:
    """Return the dungeon that a quest file describes; ValueError says which key is wrong and what was expected."""
    document = parse_document(text)
    for key in document:
        if key not in KEYS:
            raise ValueError(f"{key}: expected one of {', '.join(KEYS)}, got an unknown key")
    for key in _REQUIRED:
        if key not in document:
            raise ValueError(f"{key}: expected in every quest, got none")
    board = _parse_board(document["board"])
    place = _Places(board, document)
    blocked = [board.square(number) for number in place.squares("blocked")]
    monsters = document.get(f"monsters_{edition}", document.get("monsters", []))
    return checked(
        Dungeon(
            name=str(document["name"]),
            board=Board(board.width, board.height, board.regions, blocked=frozenset(blocked)),
            starts=tuple(place.squares("start")),
            goal=_parse_goal(document["goal"]),
            rounds=_parse_rounds(document.get("rounds", DEFAULT_ROUNDS)),
            wandering=_known("wandering", document.get("wandering", "orc"), MONSTERS_US),
            doors=tuple(place.doors("doors")),
            secret_doors=tuple(place.doors("secret_doors")),
            furniture=tuple(place.furniture()),
            chests=tuple(
                Chest(place.at("chests", x, y), _whole("chests", gold)) for x, y, gold in place.rows("chests", 3)
            ),
            traps=tuple(
                Trap(_known("traps", kind, TRAPS), place.at("traps", x, y)) for kind, x, y in place.rows("traps", 3)
            ),
            monsters=tuple(place.monster(item) for item in _list("monsters", monsters)),
            dark=mask_of(place.squares("dark")),
        )
    )


def _parse_board(value: Value) -> Board:
    if value == "standard":
        return Board.standard()
    try:
        return Board.parse(*str(value).split())
    except ValueError as error:
        raise ValueError(f"board: {error}") from None


def _parse_goal(value: Value) -> Goal:
    known = ("kill", "loot", "return")
    if not isinstance(value, dict) or not value or any(key not in known for key in value):
        raise ValueError(f"goal: expected some of {', '.join(known)} in braces, got {value!r}")
    kill = _known("goal", value["kill"], MONSTERS_US) if "kill" in value else ""
    return Goal(kill, bool(value.get("loot", False)), bool(value.get("return", False)))


def _parse_rounds(value: Value) -> int:
    rounds = _whole("rounds", value)
    if not 1 <= rounds <= MAX_ROUNDS:
        raise ValueError(f"rounds: expected 1 to {MAX_ROUNDS}, got {rounds}")
    return rounds


class _Places:
    """Convert the squares in a quest file to square numbers of one board."""

    def __init__(self, board: Board, document: Mapping[str, Value]) -> None:
        self._board = board
        self._document = document

    def rows(self, key: str, length: int) -> list[list[Value]]:
        """Return the value of a key if it is a list of lists of `length` values; ValueError for any other value."""
        rows = _list(key, self._document.get(key, []))
        for item in rows:
            if not isinstance(item, list) or len(item) != length:
                raise ValueError(f"{key}: expected lists of {length} values, got {item!r}")
        return rows

    def at(self, key: str, x: Value, y: Value) -> int:
        """Return the number of the square at x, y."""
        try:
            return self._board.number((_whole(key, x), _whole(key, y)))
        except ValueError as error:
            raise ValueError(f"{key}: {error}") from None

    def squares(self, key: str) -> list[int]:
        """Return the square numbers in a key's list of [x, y]."""
        return [self.at(key, x, y) for x, y in self.rows(key, 2)]

    def doors(self, key: str) -> Iterator[Door]:
        """Yield the doors in a key's list of [x, y, x, y], each with the smaller square number first."""
        for item in self.rows(key, 4):
            one, other = sorted((self.at(key, *item[:2]), self.at(key, *item[2:])))
            near, far = self._board.square(one), self._board.square(other)
            if near.manhattan(far) != 1 or not self._board.is_wall(near, far):
                raise ValueError(f"{key}: expected two squares with a wall between them, got {item!r}")
            yield one, other

    def furniture(self) -> Iterator[Furniture]:
        """Yield the pieces of furniture with all their squares; ValueError unless each lies in one room or corridor."""
        for item in _list("furniture", self._document.get("furniture", [])):
            if not isinstance(item, list) or len(item) < 3 or item[3:] not in ([], ["turned"]):
                raise ValueError(f"furniture: expected [kind, x, y] or [kind, x, y, turned], got {item!r}")
            width, height = FURNITURE[_known("furniture", item[0], FURNITURE)]
            if item[3:]:
                width, height = height, width
            x, y = _whole("furniture", item[1]), _whole("furniture", item[2])
            cells = tuple(self.at("furniture", x + i, y + j) for j in range(height) for i in range(width))
            if len({self._board.regions[cell] for cell in cells}) > 1:
                raise ValueError(f"furniture: expected a place within one room, got {item!r}")
            yield Furniture(item[0], cells)

    def monster(self, item: Value) -> Lurker:
        """Return the monster that [kind, x, y] or [kind, x, y, extra attack dice] describes."""
        if not isinstance(item, list) or len(item) not in (3, 4):
            raise ValueError(f"monsters: expected [kind, x, y] or [kind, x, y, extra dice], got {item!r}")
        kind, x, y, *extra = item
        bonus = _whole("monsters", extra[0]) if extra else 0
        return Lurker(_known("monsters", kind, MONSTERS_US), self.at("monsters", x, y), bonus)


def checked(dungeon: Dungeon) -> Dungeon:
    """Return the dungeon unchanged; ValueError if things share a square or block a door, or it cannot be won."""
    taken: dict[int, str] = {dungeon.board.number(square): "a blocked square" for square in dungeon.board.blocked}
    things = [(cell, piece.kind) for piece in dungeon.furniture for cell in piece.cells]
    things += [(chest.cell, "chest") for chest in dungeon.chests]
    standing = taken | dict(things)
    things += [(cell, "start") for cell in dungeon.starts]
    things += [(monster.cell, monster.kind) for monster in dungeon.monsters]
    for cell, kind in things:
        if cell in taken or dungeon.board.regions[cell] < 0:
            square = tuple(dungeon.board.square(cell))
            raise ValueError(f"{kind} on {square}: expected a free square, got {taken.get(cell, 'rock')}")
        taken[cell] = kind
    for door in (*dungeon.doors, *dungeon.secret_doors):
        for cell in door:
            if cell in standing:
                square = tuple(dungeon.board.square(cell))
                raise ValueError(f"door at {square}: expected a free square on both sides, got {standing[cell]}")
    if not dungeon.starts:
        raise ValueError("start: expected at least one square, got none")
    if dungeon.goal.kill and all(monster.kind != dungeon.goal.kill for monster in dungeon.monsters):
        raise ValueError(f"goal: expected a {dungeon.goal.kill} among the monsters, got none")
    if dungeon.goal.loot and not dungeon.chests:
        raise ValueError("goal: expected a chest to loot, got none")
    return dungeon


def _list(key: str, value: Value) -> list[Value]:
    if not isinstance(value, list):
        raise ValueError(f"{key}: expected a list, got {value!r:.60}")
    return value


def _whole(key: str, value: Value) -> int:
    if type(value) is not int:
        raise ValueError(f"{key}: expected a whole number, got {value!r}")
    return value


def _known(key: str, value: Value, names: Sequence[str] | Mapping[str, object]) -> str:
    if not isinstance(value, str) or value not in names:
        raise ValueError(f"{key}: expected one of {', '.join(names)}, got {value!r}")
    return value


def format_quest(dungeon: Dungeon) -> str:
    """Return the quest file of a dungeon; `parse_quest` reads it back as the same dungeon.

    Monsters are written for every edition. The board is drawn.
    """
    board, goal = dungeon.board, dungeon.goal
    place = board.square
    goals = [f"kill: {goal.kill}"] * bool(goal.kill) + ["loot: true"] * goal.loot + ["return: true"] * goal.back
    lines = [f"name: {dungeon.name}", "board: |", *(f"  {row}" for row in board.rows())]
    lines += [f"goal: {{{', '.join(goals)}}}", f"rounds: {dungeon.rounds}", f"wandering: {dungeon.wandering}"]
    listed: dict[str, Iterable[Sequence[object]]] = {
        "start": map(place, dungeon.starts),
        "doors": ((*place(one), *place(other)) for one, other in dungeon.doors),
        "secret_doors": ((*place(one), *place(other)) for one, other in dungeon.secret_doors),
        "blocked": map(place, sorted(map(board.number, board.blocked))),
        "dark": board.squares(dungeon.dark),
        "furniture": (_piece(piece, board) for piece in dungeon.furniture),
        "chests": ((*place(chest.cell), chest.gold) for chest in dungeon.chests),
        "traps": ((trap.kind, *place(trap.cell)) for trap in dungeon.traps),
        "monsters": ((one.kind, *place(one.cell), *[one.bonus][: one.bonus]) for one in dungeon.monsters),
    }
    for key, items in listed.items():
        rows = [f"  - [{', '.join(map(str, item))}]" for item in items]
        lines += [f"{key}:", *rows] if rows else []
    return "\n".join([*lines, ""])


def _piece(piece: Furniture, board: Board) -> tuple[object, ...]:
    x, y = board.square(piece.cells[0])
    width = 1 + board.square(piece.cells[-1]).x - x
    return piece.kind, x, y, *(["turned"] if width != FURNITURE[piece.kind][0] else [])
