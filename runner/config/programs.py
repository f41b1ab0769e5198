"""The programs that play: where their files are and what identifies them. Starts and imports none of them.

Relative paths start at the tournament file's folder. In a `command` the first word is a path if it has a slash; any
other word is made absolute if a file of that name exists there, and stays as written if not.

What a bot in the sandbox may read is what its hash covers: its file or the files of its command, the modules beside
them that they import, and what `files` names. Only installed packages, Python's and Node's, are read unhashed.
"""

from __future__ import annotations

import codecs
import hashlib
import json
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import TypeVar

import msgspec

from gridjoust.runner import __version__
from gridjoust.runner.config.sources import absolute_pattern, imported_files, named_files, named_paths
from gridjoust.runner.config.values import BotEntry, RoleProgram
from gridjoust.runner.wire.errors import ConfigError

BOT_RUNNER = "gridjoust.bots"  # what plays Python bots: `python -m gridjoust.bots SPEC`; nothing else is known of it
BOTS = Path(__file__).parents[2] / "bots"
ANY_GAME = "*/"  # `*/astar`: that planner's bot in whichever game is played
HASH_BYTES = 8
_LONGEST_START = 4096  # bytes of a script's first line; Linux reads 256
Program = TypeVar("Program", bound=RoleProgram)


def programs_of(bot: BotEntry) -> dict[str, RoleProgram]:
    """Role -> program; under "" the one that plays every role."""
    if bot.roles:
        return dict(bot.roles)
    return {"": RoleProgram(**{key: getattr(bot, key) for key in RoleProgram.__struct_fields__})}


def resolve_program(program: RoleProgram, *, game: str, folder: Path) -> RoleProgram:
    """The program as it plays `game`: `*/astar` replaced, relative paths made absolute."""
    named = program.bot
    if named is not None and named.startswith(ANY_GAME):
        program = msgspec.structs.replace(program, bot=f"{game}/{named.removeprefix(ANY_GAME)}")
    return with_absolute_paths(program, folder=folder)


def with_absolute_paths(program: Program, *, folder: Path) -> Program:
    """The program with every path of its files absolute."""
    path = program.path if program.path is None else str(folder / program.path)
    is_built = bool(program.build)
    command = program.command
    if command:
        first = str(folder / command[0]) if is_file_word(command[0]) else command[0]
        command = (first, *(_absolute_word(word, folder, is_built=is_built) for word in command[1:]))
    build = tuple(_absolute_word(word, folder, is_built=is_built) for word in program.build)
    files = tuple(absolute_pattern(pattern, folder) for pattern in program.files)
    return msgspec.structs.replace(program, path=path, command=command, build=build, files=files)


def _absolute_word(word: str, folder: Path, *, is_built: bool) -> str:
    """A word of a command line; where something is built first, a file or folder that is not there yet counts too."""
    is_path = (is_built and is_file_word(word) and not word.startswith("-")) or (word and (folder / word).is_file())
    return str(folder / word) if is_path else word


def is_file_word(word: str) -> bool:
    """Whether the first word of a command names a file rather than a program on PATH."""
    return "/" in word


def script_problem(script: Path, word: str) -> tuple[str, str] | None:
    """Return (expected, got) if the system cannot start a script because of an editor's invisible signs, else None.

    The system takes a carriage return for a part of the interpreter's name and says that a file is missing which is
    there; behind a byte order mark it does not see the `#!`. `word`: the script as the command names it.
    """
    try:
        with script.open("rb") as file:
            first = file.readline(_LONGEST_START)
    except OSError:
        return None
    if first.startswith(b"#!") and first.rstrip(b"\n").endswith(b"\r"):
        return "a script saved with Unix line ends", f"{word!r}, whose first line ends in a carriage return"
    if first.startswith(codecs.BOM_UTF8 + b"#!"):
        return "a script saved without a byte order mark", f"{word!r}, which begins with one"
    return None


def split_path(path: str) -> tuple[str, str]:
    """`bots/x.py:First` -> (`bots/x.py`, `First`)."""
    file, _, class_name = path.rpartition(":")
    return file, class_name


def program_hash(program: RoleProgram) -> str:
    """16 hex digits of what plays: code or command, and options. Where the files lie does not matter.

    The bytes of all its own files count. A built-in bot stands for the whole `bots` package as it is installed; of a
    remote bot nothing but its options can be known. ConfigError for a file that cannot be read.
    """
    files = {**_modules(program), **named_files(program.files)}
    return _digest(
        [_identity(program), program.options, *([{n: _file_digest(f) for n, f in files.items()}] if files else [])]
    )


def readable_paths(program: RoleProgram) -> tuple[Path, ...]:
    """Files and folders that are the bot's own; it is resolved. What npm has installed beside them is among them."""
    own = _own_files(program)
    named = [path for pattern in program.files for path in named_paths(pattern)]
    beside = () if program.command is None else ("node_modules", "package.json")
    installed = (path for file in own for name in beside if (path := file.parent / name).exists())
    return tuple(dict.fromkeys((*own, *_modules(program).values(), *named, *installed)))


def connects_itself(program: RoleProgram) -> bool:
    """Return True for a program that speaks MQTT with a library of its own."""
    return program.command is not None and program.protocol == "mqtt"


def module_folders(program: RoleProgram) -> tuple[Path, ...]:
    """Return the folders in which Python looks for the modules that the bot's own files import from beside them."""
    files = [file for file in _own_files(program) if file.suffix == ".py"]
    beside = (folder for file in files if imported_files(file) for folder in (file.parent, file.resolve().parent))
    return tuple(dict.fromkeys(beside))


def program_files(program: RoleProgram) -> tuple[Path, ...]:
    """Every file that another machine needs to play it: what its hash covers, and what is built from; it is resolved.

    Without packages that npm has installed beside it.
    """
    words = [Path(word) for word in program.build if word and Path(word).is_file()]
    named = named_files(program.files).values()
    return tuple(dict.fromkeys((*_own_files(program), *_modules(program).values(), *words, *named)))


def _own_files(program: RoleProgram) -> list[Path]:
    """The file of a `path`, or the words of a command that are files."""
    if program.path is not None:
        return [Path(split_path(program.path)[0])]
    if program.build:  # into a folder, perhaps
        return [Path(word) for word in program.command or () if is_file_word(word) and Path(word).exists()]
    return [Path(word) for word in program.command or () if word and Path(word).is_file()]


def _modules(program: RoleProgram) -> dict[str, Path]:
    files = [file for file in _own_files(program) if file.suffix == ".py"]
    return {name: path for file in files for name, path in imported_files(file).items()}


def _identity(program: RoleProgram) -> list[str]:
    if program.bot is not None:
        return ["bot", program.bot, __version__, _bots_digest(), *_brought_by().get(program.bot, ())]
    if program.path is not None:
        file, class_name = split_path(program.path)
        return ["path", _file_digest(Path(file)), class_name]
    if program.command is not None:
        protocol = [] if program.protocol == "mqtt" else [program.protocol]
        if not program.build:
            return ["command", *protocol, *map(_word_identity, program.command)]
        built = [Path(word).name for word in program.command]  # there or not: what it is made of counts
        build = [Path(word).name if Path(word).name in built else _word_identity(word) for word in program.build]
        return ["command", *protocol, *built, "build", *build]
    return ["remote"]


def _word_identity(word: str) -> str:
    return f"{Path(word).name}={_file_digest(Path(word))}" if word and Path(word).is_file() else word


def _file_digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, _hasher).hexdigest()
    except OSError as error:
        raise ConfigError(f"{path}: expected a readable file, got {error.strerror}") from None


@cache
def _brought_by() -> dict[str, list[str]]:
    """Plug-in -> name and version of its distribution."""
    points = [(point.name, point.dist) for point in entry_points(group="joust.bots")]
    return {name: [f"{dist.name} {dist.version}"] for name, dist in points if dist is not None}


@cache
def _bots_digest() -> str:
    """Of every source file of `bots`, found without importing it (the runner does not know bots)."""
    files = sorted((path.relative_to(BOTS).as_posix(), path) for path in BOTS.rglob("*.py"))
    return _digest([[name, _file_digest(path)] for name, path in files])


def _digest(value: object) -> str:
    return _hasher(json.dumps(value, sort_keys=True).encode()).hexdigest()


def _hasher(data: bytes = b"") -> hashlib.blake2b:
    return hashlib.blake2b(data, digest_size=HASH_BYTES)
