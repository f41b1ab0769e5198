"""Loads a contest's file, a tournament file with a section `contest`, and makes tournaments of its versions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec

from gridjoust.games.chance import SEED_LIMIT
from gridjoust.recorded.session import bot_entry
from gridjoust.runner.config.document import Document
from gridjoust.runner.config.formats import NotNegative, Positive, Section, means
from gridjoust.runner.config.load import check_document, read_document, refusal
from gridjoust.runner.config.mistakes import NO_KEY, Mistake, find_mistakes, nearest
from gridjoust.runner.config.programs import program_hash, programs_of, with_absolute_paths
from gridjoust.runner.config.values import ResourceLimits, RoleProgram
from gridjoust.runner.config.variants import LoadedTournament
from gridjoust.runner.processes.sandbox.bubblewrap import why_no_bubblewrap
from gridjoust.runner.processes.sandbox.built_in import why_not_built_in
from gridjoust.runner.results.secrets import with_seed
from gridjoust.runner.schedule import Pairing
from gridjoust.runner.schedule.stream import plan_variant
from gridjoust.runner.seeds import SECRET, Seed, keyed_id
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.serve.values import Threshold
from gridjoust.tournament import KnownBots

SECTION = "contest"
FAILED = "failed.jsonl"  # in the folder of an admission: the record of the match that ended it
LEAST_CODE = 8  # letters of a join code
PERSON = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,31}")
_OF_A_VERSION = re.compile(r"-[0-9]+\Z")  # ends the name of a version in records
_UNUSED = ("format", "stop")


class ThresholdEntry(Section, frozen=True, kw_only=True):
    """A grade and the score that reaches it."""

    grade: Annotated[str, means("the grade, as the table shows it")]
    score: Annotated[float, means("percent of the points that reach it")]
    against: Annotated[str, means("the staff bot that the points are taken from; default: all, with equal weight")] = ""


class GradesEntry(Section, frozen=True, kw_only=True):
    """How versions are graded against the staff bots."""

    pairs: Annotated[Positive, means("pairs of matches against each staff bot that count")] = 4
    thresholds: Annotated[tuple[ThresholdEntry, ...], means("the grades, in any order")] = ()


class TrackEntry(Section, frozen=True, kw_only=True):
    """A group of entrants with a ranking of its own."""

    name: Annotated[str, means("the name, as pages show it")]
    code: Annotated[str, means("the join code of this track")]


class Quotas(Section, frozen=True, kw_only=True):
    """What one person may ask for."""

    uploads_per_hour: Annotated[Positive, means("uploads in 60 minutes")] = 10
    versions_per_day: Annotated[Positive, means("uploads in 24 hours")] = 30
    matches_per_hour: Annotated[NotNegative, means("matches on demand in 60 minutes")] = 10


class ContestSection(Section, frozen=True, kw_only=True):
    """The section `contest` of a file for `joust serve`; without it, the rest is a tournament file."""

    deadline: Annotated[str | None, means("last moment of hand-in, with its zone: 2026-12-01T23:59+01:00")] = None
    grace_s: Annotated[NotNegative, means("time in s after the deadline in which uploads still count")] = 60
    code: Annotated[str | None, means("the join code; default: drawn at the first start")] = None
    tracks: Annotated[tuple[TrackEntry, ...], means("groups of entrants that are also ranked apart")] = ()
    grades: Annotated[GradesEntry, means("the table of grades")] = GradesEntry()
    quotas: Annotated[Quotas, means("what one person may ask for")] = Quotas()
    admission_s: Annotated[Positive, means("time in s for the whole admission of a version")] = 60
    suspend_after: Annotated[Positive, means("forfeits in a row after which a version is suspended")] = 3
    final_batches: Annotated[Positive, means("pairs that each version plays in the final")] = 20
    limits: Annotated[ResourceLimits, means("resources that one process of an entrant may use")] = ResourceLimits()


@dataclass(frozen=True, slots=True)
class ContestFile:
    """A checked contest: its staff bots as a tournament, and its own section."""

    loaded: LoadedTournament  # `config.bots` are the staff bots, weakest first
    section: ContestSection
    deadline_s: float | None
    trust: bool

    @property
    def name(self) -> str:
        """The contest's name, and that of its folder."""
        return self.loaded.config.tournament

    @property
    def staff(self) -> tuple[str, ...]:
        """The names of the staff bots, weakest first."""
        return tuple(bot.name for bot in self.loaded.config.bots)

    @property
    def closes_s(self) -> float | None:
        """The moment after which an upload does not count; None: never."""
        return None if self.deadline_s is None else self.deadline_s + self.section.grace_s

    @property
    def thresholds(self) -> tuple[Threshold, ...]:
        """The thresholds, the highest score first."""
        entries = self.section.grades.thresholds
        return tuple(
            Threshold(one.grade, one.score, one.against) for one in sorted(entries, key=lambda one: -one.score)
        )


def load_contest(path: Path, *, trust: bool = False) -> ContestFile:
    """Load and check a contest's file; a ConfigError lists the mistakes, one a line, with their lines in the file.

    `trust`: all bots are the user's own, so no sandbox is needed. Without, ConfigError if none works here.
    """
    document = read_document(path)
    data = document.data
    if not isinstance(data, dict) or SECTION not in data:
        raise refusal(path, document, [Mistake((SECTION,), "a mapping", NO_KEY)])
    if mistakes := [*find_mistakes(data[SECTION], ContestSection, (SECTION,)), *_unused(data)]:
        raise refusal(path, document, mistakes)
    section = msgspec.convert(data[SECTION], ContestSection)
    rest = {key: value for key, value in data.items() if key != SECTION}
    loaded = check_document(path, Document(rest, document.root), known_bots=KnownBots())
    if mistakes := [*_check(section, loaded)]:
        raise refusal(path, document, mistakes)
    if not trust and (reason := why_not_built_in()) and (other := why_no_bubblewrap()):
        raise ConfigError(f"no sandbox works here (bubblewrap: {other}; built-in: {reason}); --trust plays without one")
    config = loaded.config
    isolation = config.execution.isolation if trust else "sandbox"
    config = msgspec.structs.replace(
        config,
        seed=config.seed if "seed" in rest else SECRET,
        execution=msgspec.structs.replace(config.execution, isolation=isolation),
    )
    deadline = None if section.deadline is None else datetime.fromisoformat(section.deadline).timestamp()
    return ContestFile(msgspec.structs.replace(loaded, config=config), section, deadline, trust)


def _unused(data: dict[str, object]) -> Iterator[Mistake]:
    """Yield a mistake for each section of a tournament file that a contest must not have."""
    for key in _UNUSED:
        if key in data:
            yield Mistake((key,), "", "", fact="a contest has a schedule of its own: remove this section")


def _check(section: ContestSection, loaded: LoadedTournament) -> Iterator[Mistake]:
    """Yield the mistakes that types alone do not show, such as a threshold against an unknown staff bot."""
    staff = [bot.name for bot in loaded.config.bots]
    if section.deadline is not None and not _has_zone(section.deadline):
        expected = "a time with its zone, such as 2026-12-01T23:59+01:00"
        yield Mistake((SECTION, "deadline"), expected, repr(section.deadline))
    yield from _check_codes(section)
    for place, entry in enumerate(section.grades.thresholds):
        if not 0 <= entry.score <= 100:
            yield Mistake(
                (SECTION, "grades", "thresholds", place, "score"), "a number from 0 to 100", f"{entry.score:g}"
            )
        if entry.against and entry.against not in staff:
            yield Mistake(
                (SECTION, "grades", "thresholds", place, "against"), nearest(entry.against, staff), repr(entry.against)
            )
    for place, variant in enumerate(loaded.config.games):
        sides = {len(one.sides) for one in loaded.variants if one.entry == variant}
        if sides != {2}:
            yield Mistake(("games", place), "a game of two sides", f"{max(sides)} sides")
    for place, bot in enumerate(loaded.config.bots):
        if PERSON.fullmatch(bot.name) is None or _OF_A_VERSION.search(bot.name):
            expected = "a name of 1 to 32 letters, digits, - and _ that does not end in a number after a dash"
            yield Mistake(("bots", place, "name"), expected, repr(bot.name))
        if any(program.remote for program in programs_of(bot).values()):
            yield Mistake(("bots", place, "remote"), "a staff bot that starts here", "a remote bot")
    if loaded.config.execution.where != "local":
        yield Mistake(("execution", "where"), "local", loaded.config.execution.where)


def _check_codes(section: ContestSection) -> Iterator[Mistake]:
    """Yield the mistakes in join codes and tracks."""
    if section.code is not None and section.tracks:
        yield Mistake((SECTION, "code"), "", "", fact="each track has a join code of its own: remove this one")
    if section.code is not None and len(section.code) < LEAST_CODE:
        yield Mistake((SECTION, "code"), f"at least {LEAST_CODE} letters", repr(section.code))
    for at, track in enumerate(section.tracks):
        path, before = (SECTION, "tracks", at), section.tracks[:at]
        if PERSON.fullmatch(track.name) is None or track.name in [one.name for one in before]:
            yield Mistake((*path, "name"), "another name, of 1 to 32 letters, digits, - and _", repr(track.name))
        if len(track.code) < LEAST_CODE or track.code in [one.code for one in before]:
            yield Mistake((*path, "code"), f"another code, of at least {LEAST_CODE} letters", repr(track.code))


def _has_zone(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


def record_name(label: str) -> str:
    """Return the name of a version in records and logs, which may not contain `@`: `ada-3` for `ada@3`."""
    return label.replace("@", "-")


class Folders:
    """The folders of a contest, below its own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.results = root / "matches"  # a results folder, with the records and logs of all matches
        self.uploads = root / "uploads"  # as received
        self.bots = root / "bots"  # the unpacked versions, a folder each

    def home(self, label: str) -> Path:
        """Return the folder of an unpacked version."""
        return self.bots / record_name(label)

    def admission(self, label: str) -> Path:
        """Return the folder with records and logs of a version's admission."""
        return self.root / "admission" / record_name(label)

    def upload(self, label: str) -> Path:
        """Return the file of an upload."""
        return self.uploads / record_name(label)


@dataclass(frozen=True, slots=True)
class Entry:
    """A version that plays: its label, and its program with absolute paths."""

    label: str
    program: RoleProgram


def tournament_of(file: ContestFile, entries: Iterable[Entry], *, seed: Seed, start: Path) -> LoadedTournament:
    """Return a tournament of the staff bots and these versions; all start in the folder `start`."""
    loaded = with_seed(file.loaded, seed)
    staff = [with_absolute_paths(bot, folder=loaded.folder) for bot in loaded.config.bots]
    bots = [bot_entry(record_name(entry.label), entry.program, file.section.limits) for entry in entries]
    config = msgspec.structs.replace(loaded.config, bots=(*staff, *bots))
    return msgspec.structs.replace(loaded, config=config, source=start / loaded.source.name)


class Arena:
    """Makes the matches of a contest's bots; a pair is two matches on one seed with swapped seats."""

    def __init__(self, loaded: LoadedTournament) -> None:
        self._key = loaded.config.run_key
        self._variants = [plan_variant(loaded, variant, program_hash) for variant in loaded.variants]

    def pair(self, first: str, second: str, *, purpose: str, number: int, seed: int | None = None) -> list[Pairing]:
        """Return the two matches of a pair; their seed follows from the arguments and the contest's secret alone.

        `number` counts the pairs for this purpose; it also chooses the variant in turn. `seed` replaces the derived
        seed.
        """
        at = number % len(self._variants)
        address = ["pair", purpose, *sorted((first, second)), number]
        drawn = int(keyed_id(self._key, address), 16) % SEED_LIMIT if seed is None else seed
        bots = [record_name(first), record_name(second)]
        return [
            replace(self._variants[at].match(seated, seed=drawn, round_number=number + 1, reason=purpose), index=number)
            for seated in (bots, bots[::-1])
        ]

    def rows(
        self, first: str, second: str, *, purpose: str, number: int, seed: int | None = None
    ) -> list[dict[str, Any]]:
        """Return the rows of a pair's two matches for the store: the columns that are known before they are played."""
        one, other = sorted((first, second))
        pair = self.pair(one, other, purpose=purpose, number=number, seed=seed)
        return [
            {
                "match_id": pairing.match_id,
                "pair": number,
                "pair_id": pairing.pair_id,
                "first": sides[0],
                "second": sides[1],
                "purpose": purpose,
                "seed": seed,
            }
            for pairing, sides in zip(pair, ((one, other), (other, one)), strict=True)
        ]
