"""Prepares variants for the schedule, and turns pairings of bots into a stream of numbered matches.

The pairings are known in advance or decided by results. The first seating of a group of bots is drawn by a hash of its
names and then rotated. Its seed follows from the bots' positions in the file. Neither depends on the other bots, so a
match keeps its id when bots are added at the end of the file.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, repeat

import msgspec

from gridjoust.games.api import ParamValue
from gridjoust.runner.config.programs import programs_of, resolve_program
from gridjoust.runner.config.values import BotEntry, RoleProgram, TimeLimits, number_of, with_override
from gridjoust.runner.config.variants import LoadedTournament, Variant
from gridjoust.runner.results.tables.columns import Row
from gridjoust.runner.results.tables.schedule_file import Planned
from gridjoust.runner.schedule.pairing import Decisions, Entrant, Meeting, Pairing, Result
from gridjoust.runner.seeds import content_id, keyed_id_of, match_seed
from gridjoust.runner.wire.errors import ConfigError

HashProgram = Callable[[RoleProgram], str]

NO_PROGRAM = "0" * 16
_KEPT = 4096  # the most groups of bots whose seatings are cached
_ZEROS = repeat(0)
_OF_WORK = ("turn_work", "bank_work", "increment_work")


@dataclass(frozen=True, slots=True)
class Contender:
    """One bot in one variant of a game, with all its properties that match ids depend on."""

    name: str
    number: int  # from which its seeds follow
    by_side: tuple[tuple[Entrant, ...], ...]  # its entrants by the side it takes
    content_by_side: tuple[list[object], ...]  # its part of a match id, by the side it takes
    content: list[object]  # its part of a pair id, independent of its side


@dataclass(frozen=True, slots=True)
class _Seated:
    """The bots of a match with their seats, and functions from a seed to the ids of the match and its pair."""

    entrants: tuple[Entrant, ...]
    match_id: Callable[[int], str]
    pair_id: Callable[[int], str]


@dataclass(frozen=True, slots=True)
class PlannedVariant:
    """One variant of a game on one map, with all that its matches have in common."""

    variant: Variant
    params: tuple[tuple[str, ParamValue], ...]
    params_id: str
    rules: Mapping[str, object]  # everything but seed and entrants that can change a result
    contenders: tuple[Contender, ...]
    run_key: bytes
    swap_seats: bool
    has_shared_seeds: bool  # True: all groups of a round play on the same seed
    _rotations: dict[tuple[int, ...], list[_Seated]] = field(default_factory=dict, compare=False, repr=False)

    def matches(self, meeting: Meeting, numbers: Iterator[int] = _ZEROS) -> Iterator[Pairing]:
        """Return a group's matches in this variant, on one seed; `numbers`: their numbers in the schedule."""
        name, map_name = self.variant.name, self.variant.map_name
        numbers_of_bots = tuple(self.contenders[place].number for place in meeting.bots)
        places = () if self.has_shared_seeds else numbers_of_bots
        seed = match_seed(self.run_key, name, map_name, meeting.round, number=meeting.number, places=places)
        return (_pairing(self, seated, meeting, seed, next(numbers)) for seated in self._seatings(meeting))

    def match(self, bots: Sequence[str], *, seed: int, round_number: int, reason: str) -> Pairing:
        """Return the match of these bots, listed by team, on a given seed; KeyError for an unknown bot."""
        by_name = {contender.name: contender for contender in self.contenders}
        meeting = Meeting((), round_number, reason)
        return _pairing(self, _seat(self, [by_name[bot] for bot in bots]), meeting, seed, 0)

    def _seatings(self, meeting: Meeting) -> Sequence[_Seated]:
        """Return every rotation of the bots over the teams; without seat swaps only one, the next for each seed."""
        if (rotations := self._rotations.get(meeting.bots)) is None:
            if len(self._rotations) >= _KEPT:
                self._rotations.clear()
            rotations = self._rotations[meeting.bots] = self._make_rotations(meeting.bots)
        turn = meeting.round + meeting.number - 2
        return rotations if self.swap_seats else [rotations[turn % len(rotations)]]

    def _make_rotations(self, bots: tuple[int, ...]) -> list[_Seated]:
        contenders = [self.contenders[place] for place in bots]
        together = sorted(contender.name for contender in contenders)
        contenders.sort(key=lambda contender: content_id([contender.name, together]))
        return [_seat(self, contenders[start:] + contenders[:start]) for start in range(len(contenders))]


def plan_variant(loaded: LoadedTournament, variant: Variant, hash_program: HashProgram) -> PlannedVariant:
    """Return the variant with all bots; ConfigError if a program cannot be hashed.

    Bots without opponents share the seed of a round, so that their returns are compared on the same start positions.
    """
    config, game = loaded.config, variant.game
    params = tuple(sorted(game.params.items()))
    rules = {
        "game": variant.entry.game,
        "version": game.spec.version,
        "params": content_id(dict(params)),
        "seats": game.seats,
        "faults": msgspec.to_builtins(config.faults),
    }
    return PlannedVariant(
        variant=variant,
        params=params,
        params_id=content_id([variant.entry.game, dict(params)], digits=8),
        rules=rules,
        contenders=tuple(
            _make_contender(bot, number_of(bot, position), loaded, variant, hash_program)
            for position, bot in enumerate(config.bots)
        ),
        run_key=config.run_key,
        swap_seats=config.format.swap_seats,
        has_shared_seeds=loaded.seed_rule == 1 or len(set(game.teams)) == 1,
    )


def _make_contender(
    bot: BotEntry, number: int, loaded: LoadedTournament, variant: Variant, hash_program: HashProgram
) -> Contender:
    time = with_override(with_override(loaded.config.time, variant.entry.time), bot.time)
    programs = {
        role: resolve_program(program, game=variant.entry.game, folder=loaded.folder)
        for role, program in programs_of(bot).items()
    }
    hashes = {
        role: _hash(program, hash_program, is_broken=bot.name in loaded.broken) for role, program in programs.items()
    }
    by_side = tuple(
        tuple(
            Entrant(bot.name, programs[role], hashes[role], seats, time, bot.limits)
            for role, seats in _seats_by_role(bot, variant, side).items()
        )
        for side in variant.sides
    )
    limits = _content_of(time)
    return Contender(
        name=bot.name,
        number=number,
        by_side=by_side,
        content_by_side=tuple([_content(entrant, limits) for entrant in side] for side in by_side),
        content=[bot.name, hashes, {role: program.options for role, program in programs.items()}, limits],
    )


def _hash(program: RoleProgram, hash_program: HashProgram, *, is_broken: bool) -> str:
    """Return the hash of a program; `NO_PROGRAM` if it cannot be read and `is_broken` (its bot will only forfeit).

    ConfigError for any other program that cannot be read.
    """
    try:
        return hash_program(program)
    except ConfigError:
        if not is_broken:
            raise
        return NO_PROGRAM


def _content_of(time: TimeLimits) -> dict[str, object]:
    """Return the limits as part of match ids, without the keys that the clock does not use (older ids have none)."""
    unused = {"wall": ("clock", "wall_factor", *_OF_WORK), "cpu": _OF_WORK, "work": ()}[time.clock]
    return {key: value for key, value in msgspec.to_builtins(time).items() if key not in unused}


def _seats_by_role(bot: BotEntry, variant: Variant, side: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
    """Return, by role, which of these seats each of the bot's programs plays; without roles all are under "".

    `side`: the seats that the bot holds in a match.
    """
    seats: dict[str, tuple[int, ...]] = {}
    for seat in side:
        role = variant.game.roles[seat] if bot.roles else ""
        seats[role] = (*seats.get(role, ()), seat)
    return seats


def _content(entrant: Entrant, limits: object) -> dict[str, object]:
    return {
        "bot": entrant.bot,
        "program": entrant.program_hash,
        "options": entrant.program.options,
        "seats": entrant.seats,
        "time": limits,
    }


def _seat(planned: PlannedVariant, seating: Sequence[Contender]) -> _Seated:
    contents = [content for side, contender in enumerate(seating) for content in contender.content_by_side[side]]
    bots = sorted((contender.content for contender in seating), key=str)
    key, rules = planned.run_key, planned.rules
    return _Seated(
        entrants=tuple(entrant for side, contender in enumerate(seating) for entrant in contender.by_side[side]),
        match_id=keyed_id_of(key, {**rules, "entrants": contents}, "seed"),
        pair_id=keyed_id_of(key, {**rules, "bots": bots}, "seed"),
    )


def _pairing(planned: PlannedVariant, seated: _Seated, meeting: Meeting, seed: int, index: int) -> Pairing:
    variant = planned.variant
    return Pairing(
        index=index,
        match_id=seated.match_id(seed),
        game=variant.entry.game,
        game_version=variant.game.spec.version,
        variant=variant.name,
        params=planned.params,
        params_id=planned.params_id,
        map_name=variant.map_name,
        seats=variant.game.seats,
        round=meeting.round,
        pair_id=seated.pair_id(seed),
        seed=seed,
        entrants=seated.entrants,
        schedule_reason=meeting.reason,
    )


class Schedule:
    """The planned matches of a tournament in order. While `is_waiting`, the next one depends on missing results."""

    verdict: str = ""  # the verdict as a sentence, once all pairings have been handed out; "" if there is none

    def __init__(self, pairings: Iterator[Pairing]) -> None:
        self._pairings = pairings
        self._given_back: Pairing | None = None
        self.planned: Planned | None = None  # None: pairings outside a tournament

    def __iter__(self) -> Iterator[Pairing]:
        return self

    def __next__(self) -> Pairing:
        """Return the next pairing; RuntimeError while the schedule waits for results."""
        if (first := self._given_back) is not None:
            self._given_back = None
            return first
        return next(self._pairings)

    def give_back(self, pairing: Pairing) -> None:
        """Take the newest pairing back into the schedule; it comes next again."""
        self._given_back = pairing

    @property
    def is_waiting(self) -> bool:
        """True if results must be entered before the next pairing."""
        return False

    def enter(self, rows: Sequence[Row]) -> None:
        """Take the result rows of one match, on which later pairings may depend; matches come in schedule order."""


class DecidedSchedule(Schedule):
    """Matches of a format that depends on results, batch by batch, independent of how many matches run at once."""

    def __init__(self, decisions: Decisions, planned: Sequence[PlannedVariant]) -> None:
        super().__init__(self._decide(decisions, planned))
        self._batch = _Batch((), planned)

    def _decide(self, decisions: Decisions, planned: Sequence[PlannedVariant]) -> Iterator[Pairing]:
        numbers = count()
        try:
            meetings = next(decisions)
            while True:
                self._batch = _Batch(meetings, planned)
                while self._batch.unplayed:
                    yield replace(self._batch.unplayed.popleft(), index=next(numbers))
                meetings = decisions.send(self._batch.results())
        except StopIteration as end:
            self.verdict = end.value.sentence
            if self.planned is not None:
                holds = msgspec.UNSET if end.value.holds is None else end.value.holds
                self.planned = msgspec.structs.replace(self.planned, decision=end.value.decision, holds=holds)

    def __next__(self) -> Pairing:
        if self.is_waiting:
            raise RuntimeError(f"expected the results of {len(self._batch.missing)} matches before the next one")
        return super().__next__()

    @property
    def is_waiting(self) -> bool:
        """True if the whole batch has been handed out and some of its results are missing."""
        return self._given_back is None and not self._batch.unplayed and bool(self._batch.missing)

    def enter(self, rows: Sequence[Row]) -> None:
        """Add the points of one match; ignore matches of other schedules."""
        self._batch.enter(rows)


class _Batch:
    """Pairings that are played without a decision in between, ordered by variant, then group of bots, then seating."""

    def __init__(self, meetings: Sequence[Meeting], planned: Sequence[PlannedVariant]) -> None:
        self.unplayed: deque[Pairing] = deque()
        self.missing: dict[str, tuple[str, list[float]]] = {}  # match id -> first bot, and the list for its points
        self._points: list[list[list[float]]] = [[[] for _ in planned] for _ in meetings]
        for at, variant in enumerate(planned):
            for meeting, points in zip(meetings, self._points, strict=True):
                first = variant.contenders[meeting.bots[0]].name
                for pairing in variant.matches(meeting):
                    self.unplayed.append(pairing)
                    self.missing[pairing.match_id] = (first, points[at])

    def enter(self, rows: Sequence[Row]) -> None:
        """Add one match's points of the first bot, if the match counts."""
        place = self.missing.pop(str(rows[0]["match_id"]), None)
        if place is None:
            return
        first, points = place
        own = next(row for row in rows if row["bot"] == first)
        if own["counted"]:
            assert isinstance(own["points"], float | int)  # every match here has two sides
            points.append(float(own["points"]))

    def results(self) -> list[Result]:
        """Return one result per pairing, in order."""
        return [Result(tuple(map(tuple, points))) for points in self._points]
