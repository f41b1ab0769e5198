"""Packs a tournament for workers: its file, and the files of its bots by content.

It includes all files that the programs' hashes cover. So a worker that plans a match again and gets the same id has the
same programs, rules, limits and seed. Files keep their places relative to each other.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b
from pathlib import Path, PurePosixPath

import msgspec

from gridjoust.runner import __version__
from gridjoust.runner.config.document import format_document
from gridjoust.runner.config.load import load_tournament
from gridjoust.runner.config.programs import (
    Program,
    is_file_word,
    program_files,
    programs_of,
    split_path,
    with_absolute_paths,
)
from gridjoust.runner.config.values import BotEntry, BotInfo, Execution, Tournament
from gridjoust.runner.config.variants import RANDOM_MAP, LoadedTournament
from gridjoust.runner.engines.batch import Item
from gridjoust.runner.results.secrets import with_seed, without_seed
from gridjoust.runner.schedule import Pairing, plan_variants
from gridjoust.runner.schedule.stream import PlannedVariant
from gridjoust.runner.seeds import Seed
from gridjoust.runner.wire.errors import ConfigError, naming

FILES = "files"  # folder in a worker's scratch folder
TOURNAMENT = "tournament.yaml"
_HERE = ("where", "address", "workers", "listen")  # keys that workers do not need


class JobFile(msgspec.Struct, frozen=True, kw_only=True):
    """One file that workers need: its path in the job and its digest."""

    path: str  # below the job's folder, with slashes
    digest: str
    is_program: bool = False


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that workers need to play a tournament, except matches: its file and the list of its bots' files."""

    version: str
    tournament: str  # YAML without the seed; paths are relative
    seed: Seed  # not in the tournament file, which a bot of the worker's user could read while it plays
    folder: str  # folder of the tournament file, below the job's folder
    files: tuple[JobFile, ...] = ()
    broken: dict[str, str] = {}  # bots that cannot start on any machine -> the reason

    @property
    def digest(self) -> str:
        """The hash that identifies the job."""
        return _digest(msgspec.msgpack.encode(self))


def make_job(loaded: LoadedTournament) -> tuple[Job, dict[str, Path]]:
    """Return the job of a tournament with a known seed, and its files by digest; ConfigError names a bad file."""
    folder = loaded.folder
    files = sorted(_files_of(loaded))
    base = Path(os.path.commonpath([folder, *(file.parent for file in files)]))
    contents = {file: _file_digest(file) for file in files}
    return Job(
        version=__version__,
        tournament=format_document(msgspec.to_builtins(_movable(without_seed(loaded).config, folder))),
        seed=loaded.config.seed,
        folder=PurePosixPath(folder.relative_to(base)).as_posix(),
        files=tuple(
            JobFile(path=file.relative_to(base).as_posix(), digest=digest, is_program=os.access(file, os.X_OK))
            for file, digest in contents.items()
        ),
        broken=dict(loaded.broken),
    ), {digest: file for file, digest in contents.items()}


def load_job(
    job: Job, scratch: Path, fetch: Callable[[str], bytes], *, known_bots: Mapping[str, BotInfo]
) -> LoadedTournament:
    """Load a job's tournament on this machine, with its files below `scratch`; `fetch` returns a file by its digest.

    ConfigError if a file has other content than listed, or the tournament cannot be played here.
    """
    if job.version != __version__:
        raise ConfigError(f"expected a tournament of version {__version__}, got {job.version}")
    root = scratch / FILES
    for file in job.files:
        content = fetch(file.digest)
        if _digest(content) != file.digest:
            raise ConfigError(f"{file.path}: expected a file with hash {file.digest}, got another one")
        place = _below(root, file.path)
        place.parent.mkdir(parents=True, exist_ok=True)
        with naming(place):
            place.write_bytes(content)
        place.chmod(0o755 if file.is_program else 0o644)
    source = _below(root, job.folder) / TOURNAMENT
    source.parent.mkdir(parents=True, exist_ok=True)
    with naming(source):
        source.write_text(job.tournament, encoding="utf-8")
    loaded = load_tournament(source, known_bots=known_bots, strict=False, may_lack_files=True)
    _check_starts(loaded, job)
    return msgspec.structs.replace(with_seed(loaded, job.seed), broken=job.broken)


def _check_starts(loaded: LoadedTournament, job: Job) -> None:
    """Raise a ConfigError if a bot cannot start here although it can on the owner's machine."""
    for bot, reason in loaded.broken.items():
        if bot not in job.broken:
            raise ConfigError(f"{bot}: this bot starts on the owner's machine but not here: {reason}")


class ItemMaker:
    """Turns planned pairings into batch items that are sent to workers; used by the process with the schedule."""

    def __init__(self, loaded: LoadedTournament) -> None:
        self._places = {(one.name, one.map_name): place for place, one in enumerate(loaded.variants)}
        self._sides = [[side[0] for side in one.sides] for one in loaded.variants]

    def make(self, pairing: Pairing) -> Item:
        """Return the batch item of a planned pairing."""
        place = self.place_of(pairing)
        by_seat = {seat: entrant.bot for entrant in pairing.entrants for seat in entrant.seats}
        bots = tuple(by_seat[seat] for seat in self._sides[place])
        return Item(pairing.match_id, place, bots, pairing.seed, pairing.round, pairing.schedule_reason)

    def place_of(self, pairing: Pairing) -> int:
        """Return the index of a pairing's variant in the tournament's list of variants."""
        return self._places[pairing.variant, pairing.map_name]


class PairingMaker:
    """Turns batch items into pairings again; used by the workers that receive them."""

    def __init__(self, loaded: LoadedTournament) -> None:
        self._planned: list[PlannedVariant] = plan_variants(loaded)

    def make(self, item: Item) -> Pairing:
        """Return the pairing of an item; ConfigError if it would be another match here."""
        pairing = self._planned[item.variant].match(
            item.bots, seed=item.seed, round_number=item.round, reason=item.reason
        )
        if pairing.match_id != item.match_id:
            what = f"match {item.match_id} of {' and '.join(item.bots)}"
            raise ConfigError(
                f"{what}: expected the same match here, got {pairing.match_id}: other bots, rules or packages"
            )
        return pairing


def _files_of(loaded: LoadedTournament) -> Iterable[Path]:
    found: set[Path] = set()
    for bot in loaded.config.bots:
        for program in programs_of(bot).values():
            resolved = with_absolute_paths(program, folder=loaded.folder)
            first = Path(resolved.command[0]) if resolved.command else None
            found |= {_plain(file) for file in program_files(resolved) if not _is_elsewhere(file, first, loaded.folder)}
    for entry in loaded.config.games:
        for written in entry.maps:
            if written != RANDOM_MAP:
                file = _plain(loaded.folder / written)
                queries = file.with_name(f"{file.name}.scen")
                found |= {file, queries} if queries.is_file() else {file}
    return found


def _is_elsewhere(file: Path, first: Path | None, folder: Path) -> bool:
    """Return True for an interpreter, which each machine has itself: a command's `first` word, outside the folder."""
    return file == first and not _plain(file).is_relative_to(folder)


def _plain(file: Path) -> Path:
    """Return the path without `..`; links are not resolved."""
    return Path(os.path.normpath(file))


def _movable(config: Tournament, folder: Path) -> Tournament:
    """Return the config with paths relative to `folder`, and without the keys that concern only the owner's machine."""
    own = {key: value for key, value in msgspec.to_builtins(config.execution).items() if key not in _HERE}
    return msgspec.structs.replace(
        config,
        entries=None,
        exclude={},
        execution=msgspec.convert(own, Execution),
        bots=tuple(_movable_bot(bot, folder) for bot in config.bots),
        games=tuple(
            msgspec.structs.replace(entry, maps=tuple(_relative(one, folder) for one in entry.maps))
            for entry in config.games
        ),
    )


def _movable_bot(bot: BotEntry, folder: Path) -> BotEntry:
    roles = {role: _movable_program(program, folder) for role, program in bot.roles.items()}
    return msgspec.structs.replace(_movable_program(bot, folder), roles=roles)


def _movable_program(program: Program, folder: Path) -> Program:
    path = program.path
    if path is not None and Path(path).is_absolute():
        file, class_name = split_path(path)
        path = f"{_relative(file, folder)}:{class_name}"
    command = program.command
    if command:
        is_elsewhere = is_file_word(command[0]) and not _plain(folder / command[0]).is_relative_to(folder)
        first = command[0] if is_elsewhere else _relative_word(command[0], folder)
        command = (first, *(_relative_word(word, folder) for word in command[1:]))
    return msgspec.structs.replace(
        program,
        path=path,
        command=command,
        build=tuple(_relative_word(word, folder) for word in program.build),
        files=tuple(_relative(pattern, folder) for pattern in program.files),
    )


def _relative_word(word: str, folder: Path) -> str:
    """Return a word of a command line; the absolute path of a file is made relative to the folder."""
    return f"./{_relative(word, folder)}" if Path(word).is_absolute() and Path(word).is_file() else word


def _relative(path: str, folder: Path) -> str:
    return os.path.relpath(path, folder) if Path(path).is_absolute() else path


def _below(root: Path, path: str) -> Path:
    """Return a path inside the job's folder; ConfigError for any other."""
    pure = PurePosixPath(path)
    if pure.is_absolute() or ".." in pure.parts:
        raise ConfigError(f"expected files below the job's folder, got {path!r:.80}")
    return root / pure


def _file_digest(file: Path) -> str:
    try:
        return _digest(file.read_bytes())
    except OSError as error:
        raise ConfigError(f"cannot read {file}: {error.strerror}") from None


def _digest(content: bytes) -> str:
    return blake2b(content, digest_size=16).hexdigest()
