"""Views of heroquest for each seat and for everyone, as fresh lists of plain JSON values.

A place is `[x, y]`, x to the right, y down, `[0, 0]` top left; an edge is `[x, y, x, y]`, the two squares beside it.
What the heroes know is public, so Zargon sees it too. The public part does not depend on anything that is not revealed.

Briefing: `params` (in a hidden dungeon without the quest's name and text), `size` `[width, height]`, `regions` (the
drawn board, see `gridjoust.games.heroquest.sight.board`: rooms and walls are printed on it), `stairs`, `goal` `{"kill",
"loot", "return"}`, `rounds` (game rounds after which Zargon has won), `monsters` and `hero_profiles` by kind `[move,
attack, defend, body, mind]`. Zargon's also has `dungeon`: `doors`, `secret_doors`, `blocked`, `chests` `[x, y, gold]`,
`furniture`, `traps` and `monsters` `[kind, x, y]` as they were at the start.

Observation and public view:

| key | value |
|---|---|
| `round`, `acting` | game round from 1, seat whose turn it is |
| `rolled`, `points` | movement of the acting hero: the roll, and what is left |
| `can_act` | true if the acting hero still has its action |
| `heroes` | by seat: `kind`, `position`, `body`, `mind`, `items`, `spells`, `potions`, `effects`, `in_pit`, |
| | `gold`, `searched` (rooms' letters) |
| `monsters` | in sight and alive: `number`, `kind`, `position`, `body`, `bonus` (attack dice), `asleep`, |
| | `dazed`, `moved`, `acted` |
| `map` | rows: `?` not revealed, `.` floor, `#` blocked, `f` furniture, `c` full chest, `e` empty chest |
| `doors` | known ones: `[x, y, x, y, is open]` |
| `traps` | known ones: `[kind, x, y]` |
| `furniture` | revealed pieces: `[kind, x, y]` of each square |
| `goal` | `[part, done]` of every part: kill, loot, return |
| `deck` | number of cards left of each treasure card |
| `events` | the events of the last action, in order; a playback draws them one by one |

An observation also has `seat`, and for Zargon `hidden`: `monsters` and `traps` not yet seen, `[kind, x, y]`.

Events are `{"what", "who", "at", "value", "name", "squares"}`, with only the keys that apply. `who` is a hero's kind or
a monster's number.

| what | means |
|---|---|
| `step` | `who` is on `at` now |
| `see` | `squares` were revealed by `who` |
| `appear` | monster number `who`, a `name`, is in sight |
| `open` | `who` opened the door between the two `squares` |
| `hit` | `who` lost `value` body points through `name` (0 = no damage) |
| `die`, `wake` | `who` died or woke up |
| `heal` | `who` gained `value` body points |
| `trap`, `jump`, `disarm` | `who` sprang, tried to jump over, or removed the trap `name` |
| `search` | `who` searched for `name` and found something on `squares` |
| `treasure` | `who` found `name`, worth `value` |
| `cast` | `who` cast `name` at `at` or at the door between `squares` |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gridjoust.games.api import Json, ParamValue
from gridjoust.games.bitset import members
from gridjoust.games.heroquest.catalogue import CARDS, HEROES, MONSTERS
from gridjoust.games.heroquest.params import Rules
from gridjoust.games.heroquest.sight.board import SIGNS, Board
from gridjoust.games.heroquest.situation import Situation
from gridjoust.games.heroquest.state import Door, Dungeon, Event, Hero, Lurker, Monster, Seat, State, Trap

UNSEEN, FLOOR, BLOCKED, FURNITURE, FULL_CHEST, EMPTY_CHEST = "?.#fce"


def briefing(rules: Rules, params: Mapping[str, ParamValue], state: State, seat: Seat) -> dict[str, Json]:
    """Return what stays true for the whole match."""
    dungeon = state.dungeon
    board, goal = dungeon.board, dungeon.goal
    shown: dict[str, Json] = {
        "params": dict(params),
        "size": [board.width, board.height],
        "regions": board.rows(),
        "stairs": _places(board, dungeon.starts),
        "goal": {"kill": goal.kill, "loot": goal.loot, "return": goal.back},
        "rounds": rules.max_game_rounds,
        "monsters": {kind: list(profile) for kind, profile in MONSTERS[rules.edition].items()},
        "hero_profiles": {kind: list(profile) for kind, profile in HEROES.items()},
    }
    if seat == len(state.heroes):
        shown["dungeon"] = _dungeon(dungeon)
    return shown


def _dungeon(dungeon: Dungeon) -> dict[str, Json]:
    board = dungeon.board
    return {
        "doors": [_edge(board, door) for door in dungeon.doors],
        "secret_doors": [_edge(board, door) for door in dungeon.secret_doors],
        "blocked": [list(square) for square in sorted(board.blocked)],
        "furniture": [[piece.kind, *_place(board, cell)] for piece in dungeon.furniture for cell in piece.cells],
        "chests": [[*_place(board, chest.cell), chest.gold] for chest in dungeon.chests],
        "traps": _named(board, dungeon.traps),
        "monsters": _named(board, dungeon.monsters),
    }


def observation(situation: Situation, seat: Seat) -> dict[str, Json]:
    """Return what the seat may know now."""
    seen = {"seat": seat, **public_view(situation)}
    if seat == situation.zargon_seat:
        board, state = situation.board, situation.state
        traps = [trap for trap in situation.traps().values() if not state.found_traps >> trap.cell & 1]
        seen["hidden"] = {"monsters": _named(board, state.lurkers), "traps": _named(board, traps)}
    return seen


def public_view(situation: Situation) -> dict[str, Json]:
    """Return what everyone may know now."""
    state, board = situation.state, situation.board
    doors = [(door, False) for door in situation.known_closed_doors()]
    doors += [(door, True) for door in sorted(situation.open_doors())]
    return {
        "round": state.round,
        "acting": state.seat,
        "rolled": state.rolled,
        "points": state.points,
        "can_act": not state.has_acted,
        "heroes": [_hero(board, hero) for hero in state.heroes],
        "monsters": [_monster(board, number, one) for number, one in enumerate(state.monsters) if one.body > 0],
        "map": map_rows(situation),
        "doors": [[*_edge(board, door), is_open] for door, is_open in doors],
        "traps": _named(board, [trap for trap in situation.traps().values() if state.found_traps >> trap.cell & 1]),
        "furniture": [
            [piece.kind, *_place(board, cell)]
            for piece in situation.dungeon.furniture
            for cell in piece.cells
            if state.seen >> cell & 1
        ],
        "goal": [[part, done] for part, done in situation.goal_parts()],
        "deck": dict(zip(CARDS, state.deck, strict=True)),
        "events": [_event(board, event) for event in state.events],
    }


def map_rows(situation: Situation) -> list[str]:
    """Return the board as far as it is revealed, as rows of text."""
    state, width = situation.state, situation.board.width
    known = situation.known_obstacles()
    seen = f"{state.seen:0{len(situation.board.regions)}b}"[::-1]
    signs = list(seen.replace("0", UNSEEN).replace("1", FLOOR))
    for cell in members(known):
        signs[cell] = BLOCKED
    for cell in members(known & situation.things.furniture & ~situation.layout.rock):
        signs[cell] = FURNITURE
    for chest in state.dungeon.chests:
        if signs[chest.cell] == FURNITURE:
            signs[chest.cell] = EMPTY_CHEST if state.looted >> chest.cell & 1 else FULL_CHEST
    text = "".join(signs)
    return [text[row : row + width] for row in range(0, len(text), width)]


def _hero(board: Board, hero: Hero) -> dict[str, Json]:
    return {
        "kind": hero.kind,
        "position": _place(board, hero.cell),
        "body": hero.body,
        "mind": hero.mind,
        **{name: list(getattr(hero, name)) for name in ("items", "spells", "potions", "effects")},
        "in_pit": hero.is_in_pit,
        "gold": hero.gold,
        "searched": [SIGNS[room] for room in hero.searched],
    }


def _monster(board: Board, number: int, monster: Monster) -> dict[str, Json]:
    return {
        "number": number,
        "kind": monster.kind,
        "position": _place(board, monster.cell),
        "body": monster.body,
        "bonus": monster.bonus,
        "asleep": monster.is_asleep,
        "dazed": monster.is_dazed,
        "moved": monster.has_moved,
        "acted": monster.has_acted,
    }


def _event(board: Board, event: Event) -> dict[str, Json]:
    shown: dict[str, Json] = {"what": event.what}
    if event.who:
        shown["who"] = event.who
    if event.cell >= 0:
        shown["at"] = _place(board, event.cell)
    if event.what in ("hit", "heal", "treasure"):
        shown["value"] = event.value
    if event.name:
        shown["name"] = event.name
    if event.cells:
        shown["squares"] = _places(board, event.cells)
    return shown


def _place(board: Board, cell: int) -> list[int]:
    return [cell % board.width, cell // board.width]


def _places(board: Board, cells: Iterable[int]) -> list[list[int]]:
    return [_place(board, cell) for cell in cells]


def _named(board: Board, things: Iterable[Trap | Lurker]) -> list[Json]:
    return [[thing.kind, *_place(board, thing.cell)] for thing in things]


def _edge(board: Board, door: Door) -> list[int]:
    return [*_place(board, door[0]), *_place(board, door[1])]
