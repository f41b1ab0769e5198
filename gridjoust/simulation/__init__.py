"""Matches in this process, without broker, processes and event loop, judged by the same referee.

Time is simulated: an answer comes `think_ms` after its question, however long the bot really thinks, and the timers of
a real-time game use simulated time. So a match repeats exactly, and a turn-based match has the same record as in a
tournament. A bot that reads its deadline sees the real clock while it thinks, so its answers may depend on the machine,
as in a tournament.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from operator import index
from pathlib import Path
from typing import Any, SupportsIndex

import msgspec

from gridjoust import games
from gridjoust.bots import load_bot_spec
from gridjoust.bots.api import Bot
from gridjoust.bots.harness import ready_of
from gridjoust.direct import DirectMatch, MakeBot
from gridjoust.games.api import AnyGame, Game, ParamValue, Turn
from gridjoust.runner.config.bot_files import only_class
from gridjoust.runner.config.document import format_path
from gridjoust.runner.config.load import load_played
from gridjoust.runner.config.mistakes import find_mistakes
from gridjoust.runner.config.programs import program_hash
from gridjoust.runner.config.values import FaultPolicy, ResourceLimits, RoleProgram, TimeLimits
from gridjoust.runner.play.link import refusal_of
from gridjoust.runner.results.records.file import write_record
from gridjoust.runner.results.records.lines import AnswerLine, FaultLine, MatchRecord, TurnLine
from gridjoust.runner.schedule import Entrant, Pairing, single_pairing
from gridjoust.runner.seeds import content_id, plain_key
from gridjoust.runner.wire.errors import ConfigError, RecordError
from gridjoust.runner.wire.protocol import Ready

FRAME_PX = 640  # height of a replay in a notebook
THINK_MS = 5.0  # from question to answer, by the simulated clock
TOURNAMENT = "play"  # in the records

BotSpec = str | Bot | Callable[[], Bot]
"""`"bomber/astar"`, `"my_bot.py:Mine"`, a subclass of Bot, an instance of one, or a function that makes one."""


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """One turn of a match, as `on_turn` gets it, hidden things included."""

    number: int  # of the turn, from 1
    stamp: int  # match time in ms; the number in turn-based games
    actions: dict[int, str]  # texts of the actions by seat
    game: AnyGame  # the game with its parameters
    state: Any  # state of the game after the turn

    def __str__(self) -> str:
        """Return the board as text."""
        return self.game.render(self.state)

    def _repr_html_(self) -> str:
        """Return the board for a notebook: as SVG, or as text if the game has no drawing."""
        from gridjoust.drawing.find import draw_state
        from gridjoust.games.svg import write_svg

        try:
            return write_svg(draw_state(self.game, self.state, past=[]))
        except ValueError:
            return f"<pre>{escape(str(self))}</pre>"


@dataclass(frozen=True, slots=True)
class Played:
    """The result of a match, as `play` returns it. Lists are by seat."""

    record: MatchRecord  # it verifies and replays like one of a tournament

    def __repr__(self) -> str:
        """Return the outcome in short, as the record is long."""
        header = self.record.header
        names = " against ".join(dict.fromkeys(seat.bot for seat in header.seats))
        return f"<{header.game}, {names}: {self.termination} after {self.turns} turns, {self.reason}>"

    def _repr_html_(self) -> str:
        """Return the match for a notebook: its replay, or its outcome as text if the game is not installed."""
        said = escape(repr(self))
        try:
            page = self.html()
        except RecordError:
            return f"<pre>{said}</pre>"
        style = f"width: 100%; height: {FRAME_PX}px; border: 0"
        return f'<iframe title="{said}" style="{style}" sandbox="allow-scripts" srcdoc="{escape(page)}"></iframe>'

    def html(self) -> str:
        """Return a page for the browser that replays the match: one text that works offline.

        RecordError if the game is not installed, for example a class in your script.
        """
        from gridjoust.viewer.match import match_view
        from gridjoust.viewer.page import match_page

        return match_page(match_view(self.record))

    @property
    def points(self) -> list[float | None]:
        """By seat, the share of other teams that were beaten, a draw counting half; None if there is only one team."""
        return self.record.end.points

    @property
    def returns(self) -> list[float | None]:
        """Utility of each seat, higher is better; None if it has no value because of a forfeit."""
        return self.record.end.returns

    @property
    def ranks(self) -> list[int]:
        """Ranks from 1, the best; tied seats share a rank."""
        return self.record.end.ranks

    @property
    def metrics(self) -> list[dict[str, float]]:
        """The game's own statistics of each seat: name -> number."""
        return self.record.end.metrics

    @property
    def turns(self) -> int:
        """Number of turns played."""
        return self.record.end.turns

    @property
    def termination(self) -> str:
        """`completed`, or the fault that ended the match."""
        return self.record.end.termination.value

    @property
    def reason(self) -> str:
        """Why the match ended, as a sentence."""
        return self.record.end.reason

    @property
    def faults(self) -> list[FaultLine]:
        """All faults, in order."""
        return [line for line in self.record.lines if isinstance(line, FaultLine)]

    @property
    def actions(self) -> list[dict[int, str]]:
        """The actions of each turn, as texts by seat."""
        turns = [line for line in self.record.lines if isinstance(line, TurnLine)]
        return [{int(seat): text for seat, text in line.actions.items()} for line in turns]

    @property
    def answers(self) -> list[AnswerLine]:
        """All answers with their cost."""
        return self.record.answers

    def save(self, path: Path | str) -> Path:
        """Write the record to a file, or into a folder under the match's id; the file that `joust replay` reads."""
        target = Path(path)
        if target.is_dir():
            target /= f"{self.record.header.match_id}.jsonl"
        write_record(target, self.record)
        return target


@dataclass(frozen=True, slots=True)
class _Side:
    """A bot for a match, found and checked, with the function that makes it."""

    name: str
    make: MakeBot
    ready: Ready
    program: RoleProgram
    program_hash: str


def play(
    game: str | type[AnyGame] | AnyGame,
    bots: Sequence[BotSpec],
    *,
    seed: int = 0,
    params: Mapping[str, ParamValue] | None = None,
    seats: int | None = None,
    time: Mapping[str, int | None] | None = None,
    faults: Mapping[str, Any] | None = None,
    on_turn: Callable[[PlayedTurn], object] | None = None,
    think_ms: float | None = THINK_MS,
    match_id: str | None = None,
    tournament: Path | str | None = None,
) -> Played:
    """Play one match between bots in this process and return its result.

    A bot that raises an error forfeits as it would in a tournament: see `termination` and `reason` of the result.
    ValueError for arguments that do not fit.

    >>> import gridjoust as joust
    >>> played = joust.play("bomber", ["bomber/astar", "random"], seed=1, params={"max_ticks": 60})
    >>> played.ranks, played.termination
    ([1, 2], 'completed')

    A bot's own chance comes from the tournament's seed, the match's id and the bot's first seat. Without a tournament
    the seed is `seed`, and the id depends on all arguments. To repeat a match of a tournament exactly, give the seed,
    the parameters and the `match_id` of its record, and its results folder as `tournament`.

    Args:
        game: name of a built-in or installed game, your class, or an instance with parameters
        bots: one for each seat, or one for each team: a name such as `bomber/astar`, `my_bot.py:Mine`, a class, an
            instance, or a function that makes one
        seed: decides the start position and all chance of the rules
        params: the game's parameters, by name; those left out have their defaults
        seats: number of seats, for one bot a team; by default the number of bots
        time: limits as below `time` in a tournament file, with the same defaults
        faults: as below `faults` in a tournament file, with the same defaults
        on_turn: called after every turn
        think_ms: simulated time of every answer in ms; None: each answer takes its real time
        match_id: id of a tournament's match that is to be repeated
        tournament: results folder of that tournament
    """
    _check_kinds(seed=(seed, SupportsIndex, "a whole number"))
    simulation = prepare(game, bots, params=params, seats=seats, time=time, faults=faults, think_ms=think_ms)
    run_key = None if tournament is None else load_played(Path(tournament)).run_key
    return simulation.play(index(seed), match_id=match_id, run_key=run_key, on_turn=on_turn)


@dataclass(frozen=True, slots=True)
class Simulation:
    """A game and its bots, found and checked once, to be played with any number of seeds."""

    game: AnyGame
    sides: Sequence[_Side]
    held: Sequence[tuple[int, ...]]  # seats of each side
    time: TimeLimits
    faults: FaultPolicy
    think_ms: float | None

    def play(
        self,
        seed: int,
        *,
        match_id: str | None = None,
        run_key: bytes | None = None,
        on_turn: Callable[[PlayedTurn], object] | None = None,
        is_hashed: bool = True,
    ) -> Played:
        """Play one match and return its result; without `is_hashed` its record has no hashes, so it cannot be verified.

        The other arguments are those of `play`.
        """
        game, sides = self.game, self.sides
        match = DirectMatch(
            _make_pairing(game, sides, self.held, seed=seed, time=self.time, match_id=match_id),
            game,
            [side.make for side in sides],
            faults=self.faults,
            run_key=plain_key(seed) if run_key is None else run_key,
            think_ms=self.think_ms,
            on_turn=None if on_turn is None else partial(_show, _Watched(game, game.initial_state(seed)), on_turn),
            is_hashed=is_hashed,
        )
        while match.end is None:
            match.step()
        return Played(match.record(tournament=TOURNAMENT, ready=[side.ready for side in sides]))


def prepare(
    game: str | type[AnyGame] | AnyGame,
    bots: Sequence[BotSpec],
    *,
    params: Mapping[str, ParamValue] | None = None,
    seats: int | None = None,
    time: Mapping[str, int | None] | None = None,
    faults: Mapping[str, Any] | None = None,
    think_ms: float | None = THINK_MS,
) -> Simulation:
    """Find the game and the bots of a simulation; arguments and errors are those of `play`."""
    _check_kinds(bots=(bots, list | tuple, "a list"))
    _check_kinds(params=(params or {}, Mapping, "names with values"), time=(time or {}, Mapping, "names with values"))
    made = _make_game(game, params, seats, len(bots))
    held = _held_seats(made, len(bots))
    sides = [_find_bot(spec, number, made.spec.name) for number, spec in enumerate(bots)]
    return Simulation(
        made, sides, held, _read("time", time, TimeLimits), _read("faults", faults, FaultPolicy), think_ms
    )


def _check_kinds(**given: tuple[object, Any, str]) -> None:
    """Raise ValueError for an argument of a wrong type; each is given as (value, types, types in words)."""
    for name, (value, kinds, words) in given.items():
        if not isinstance(value, kinds):
            raise ValueError(f"{name}: expected {words}, got {value!r:.80}")


@dataclass(slots=True)
class _Watched:
    """The game and its current state, to report turns to `on_turn`."""

    game: AnyGame
    state: Any


def _show(watched: _Watched, on_turn: Callable[[PlayedTurn], object], line: TurnLine) -> None:
    game, texts = watched.game, {int(seat): text for seat, text in line.actions.items()}
    actions = {seat: game.parse_action(text) for seat, text in texts.items()}
    watched.state = game.apply(watched.state, Turn(actions, line.stamp))
    on_turn(PlayedTurn(line.turn, line.stamp, texts, game, watched.state))


def _make_game(
    game: str | type[AnyGame] | AnyGame, params: Mapping[str, ParamValue] | None, seats: int | None, count: int
) -> AnyGame:
    if isinstance(game, Game):
        if params is not None or seats is not None:
            raise ValueError("params and seats cannot be given with a game instance")
        return game
    try:
        game_class = games.load_game(game) if isinstance(game, str) else games.complete_game(game)
    except ValueError as error:
        raise ValueError(f"game: {error}") from None
    spec = game_class.spec
    if seats is None and not spec.min_seats <= count <= spec.max_seats:
        raise ValueError(f"bots: expected {spec.seats_text} for {spec.name}, one a seat, got {count}")
    return game_class(params, seats=count if seats is None else seats)


def _held_seats(game: AnyGame, count: int) -> list[tuple[int, ...]]:
    """Return the seats of each of `count` bots: one seat each, or a team each."""
    if count == game.seats:
        return [(seat,) for seat in range(game.seats)]
    teams = sorted(set(game.teams))
    if count == len(teams):
        return [tuple(seat for seat in range(game.seats) if game.teams[seat] == team) for team in teams]
    either = f"{game.seats} (one a seat)" + (f" or {len(teams)} (one a team)" if len(teams) < game.seats else "")
    raise ValueError(f"bots: expected {either} for {game.spec.name}, got {count}")


def _find_bot(spec: BotSpec, number: int, game: str) -> _Side:
    where = f"bots[{number}]"
    try:
        side = _make_side(spec)
    except (ValueError, ConfigError) as error:
        raise ValueError(f"{where}: {error}") from None
    if refusal := refusal_of(side.ready, game):
        raise ValueError(f"{where}: {side.name} {refusal}")
    return side


def _make_side(spec: BotSpec) -> _Side:
    if isinstance(spec, str):
        if spec.endswith(".py") and Path(spec).is_file():
            spec = f"{spec}:{only_class(Path(spec))}"
        is_file = spec.rpartition(":")[0].endswith(".py")
        program = RoleProgram(path=spec) if is_file else RoleProgram(bot=spec)
        bot_class = load_bot_spec(spec)
        name = spec.rpartition(":")[2] if is_file else spec
        return _Side(name, bot_class, ready_of(bot_class, None), program, program_hash(program))
    if isinstance(spec, type) and issubclass(spec, Bot):
        return _Side(spec.__name__, spec, ready_of(spec, None), RoleProgram(bot=spec.__name__), "")
    if isinstance(spec, Bot):
        return _Side(name := type(spec).__name__, lambda: spec, ready_of(spec, None), RoleProgram(bot=name), "")
    make: Callable[[], Any] = spec if callable(spec) else lambda: None
    bot = make()
    if not isinstance(bot, Bot):
        raise ValueError(f"expected a bot's name, file.py:Class, a Bot or its maker, got {spec!r:.80}")
    name, waiting = type(bot).__name__, [bot]

    def next_bot() -> Bot:
        """Return the bot that has been made already, or a new one for each match after that."""
        next_one: Bot = waiting.pop() if waiting else make()
        return next_one

    return _Side(name, next_bot, ready_of(bot, None), RoleProgram(bot=name), "")


def _read(name: str, given: Mapping[str, Any] | None, kind: type[Any]) -> Any:
    """Read a part of a tournament file, such as `time`, from a mapping; ValueError for the first wrong key."""
    values = dict(given or {})
    for mistake in find_mistakes(values, kind, (name,)):
        raise ValueError(f"{format_path(mistake.path)}: {mistake.sentence}")
    return msgspec.convert(values, kind)


def _make_pairing(
    game: AnyGame,
    sides: Sequence[_Side],
    held: Sequence[tuple[int, ...]],
    *,
    seed: int,
    time: TimeLimits,
    match_id: str | None,
) -> Pairing:
    entrants = tuple(
        Entrant(side.name, side.program, side.program_hash, seats, time, ResourceLimits())
        for side, seats in zip(sides, held, strict=True)
    )
    who = [[entrant.bot, entrant.seats] for entrant in entrants]
    own_id = content_id([game.spec.name, game.spec.version, dict(game.params), seed, who])
    return single_pairing(
        game,
        entrants,
        match_id=own_id if match_id is None else match_id,
        pair_id=own_id,
        seed=seed,
        schedule_reason=TOURNAMENT,
    )
