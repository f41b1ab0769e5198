"""Golden records: one seeded match of a game, saved as actions and state hashes.

JSON Lines: a header, one line per turn, and the returns at the end. If a change of the rules changes any match, raise
the version of the game and write the record again with `python -m gridjoust.conformance golden NAME PATH`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from gridjoust import games
from gridjoust.conformance.matches import Style, describe, play_match, state_hash
from gridjoust.conformance.subject import SEEDS, Subject, load_game_class
from gridjoust.games.api import AnyGame, ParamValue, Turn


class GoldenHeader(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="header"):
    """The first line of a golden record: variant and seed; `hash` is that of the first state."""

    game: str
    version: str
    params: dict[str, Any]
    seats: int
    seed: int
    hash: str


class GoldenTurn(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="turn"):
    """A line of a golden record: one turn as action texts; `hash` is that of the state after it."""

    stamp: int
    actions: dict[str, str]
    hash: str


class GoldenEnd(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="end"):
    """The last line of a golden record: the returns by seat."""

    returns: list[float]


GoldenLine = GoldenHeader | GoldenTurn | GoldenEnd
_DECODER: msgspec.json.Decoder[GoldenLine] = msgspec.json.Decoder(GoldenLine)


def write_golden(
    game: type[AnyGame] | str,
    path: Path | str,
    *,
    params: Mapping[str, ParamValue] | None = None,
    seats: int | None = None,
    seed: int = SEEDS[0],
) -> int:
    """Play one match of random legal actions and save it; return its number of turns.

    ValueError if the match ends with an error of the game.
    """
    made = load_game_class(game)(params, seats=seats)
    played = play_match(made, seed, Style.RANDOM)
    if played.breakdown or not made.is_terminal(played.moments[-1].state):
        raise ValueError(f"the match did not end by its rules: {played.breakdown or 'too many turns'}")
    first, *rest = played.moments
    spec = type(made).spec  # as the check will see it
    header = GoldenHeader(
        game=spec.name, version=spec.version, params=dict(made.params), seats=made.seats, seed=seed,
        hash=state_hash(first.code),
    )  # fmt: skip
    lines: list[GoldenLine] = [header]
    for before, after in zip(played.moments, rest, strict=False):
        assert before.turn is not None
        actions = {str(seat): str(action) for seat, action in before.turn.actions.items()}
        lines.append(GoldenTurn(stamp=before.turn.stamp, actions=actions, hash=state_hash(after.code)))
    lines.append(GoldenEnd(returns=list(made.returns(played.moments[-1].state))))
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    return len(rest)


def golden_record_exists_and_replays(subject: Subject) -> Iterator[str]:
    """Check that the golden record exists, and that its actions lead to its hashes and returns."""
    if not subject.golden.is_file():
        yield f"golden record not found: {subject.golden}: write it with {golden_command(subject)}"
        return
    try:
        header, turns, end = _read(subject.golden)
        yield from _differences(subject, header, turns, end)
    except ValueError as error:
        yield f"{subject.golden}: expected a golden record that replays, got {describe(error)}"


def _differences(subject: Subject, header: GoldenHeader, turns: list[GoldenTurn], end: GoldenEnd) -> Iterator[str]:
    spec = subject.game_class.spec
    if (header.game, header.version) != (spec.name, spec.version):
        kept, now = f"{header.game} {header.version}", f"{spec.name} {spec.version}"
        yield f"expected a golden record of {now}, got one of {kept}: write it anew with {golden_command(subject)}"
        return
    game = subject.game_class(header.params, seats=header.seats)
    state = game.initial_state(header.seed)
    hashes = [state_hash(game.encode(state))]
    for turn in turns:
        actions = {int(seat): game.parse_action(text) for seat, text in turn.actions.items()}
        state = game.apply(state, Turn(actions, turn.stamp))
        hashes.append(state_hash(game.encode(state)))
    kept_hashes = [header.hash, *(turn.hash for turn in turns)]
    for number, (kept_hash, now_hash) in enumerate(zip(kept_hashes, hashes, strict=True)):
        if kept_hash != now_hash:
            yield f"expected hash {kept_hash} after turn {number}, got {now_hash}: a changed match needs a new version"
            return
    if not game.is_terminal(state) or list(game.returns(state)) != end.returns:
        yield f"expected the end with returns {end.returns!r}, got {list(game.returns(state))!r}"


def _read(path: Path) -> tuple[GoldenHeader, list[GoldenTurn], GoldenEnd]:
    """Return the lines of a golden record; ValueError for any other file."""
    lines = [_DECODER.decode(line) for line in path.read_bytes().splitlines()]
    match lines:
        case [GoldenHeader() as header, *middle, GoldenEnd() as end]:
            turns = [line for line in middle if isinstance(line, GoldenTurn)]
            if len(turns) == len(middle):
                return header, turns, end
    raise ValueError("expected a header, turns and an end, got other lines")


def golden_command(subject: Subject) -> str:
    """Return the command that writes the record; a game that is not registered is named by its file."""
    game_class = subject.game_class
    name = game_class.spec.name
    if name not in games.game_names():
        file = getattr(sys.modules.get(game_class.__module__), "__file__", None)
        name = f"{file}:{game_class.__qualname__}"
    return f"`python -m gridjoust.conformance golden {name} {subject.golden}`"
