"""Finds the files of the programs that play, and identifies programs by hash. Runs and imports none of them.

Relative paths start at the tournament file's folder. In a `command` the first word is a path if it has a slash. Any
other word is made absolute if a file of that name exists in the folder, and stays as written if not.

A bot in the sandbox may read what its hash covers: its file or the files of its command, the modules beside them that
they import, and the files that `files` names. It may also read installed packages of Python and Node, unhashed.

Import statements are read from the text, anywhere in it; an import by a computed name is not found. Python searches the
bot's folder last, so a module there with the name of a standard module or of our package is never imported.
"""

from __future__ import annotations

import ast
import codecs
import contextlib
import glob
import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib.machinery import all_suffixes
from importlib.metadata import entry_points
from pathlib import Path
from typing import TypeVar

import msgspec

from gridjoust.runner import __version__
from gridjoust.runner.config.values import BotEntry, RoleProgram
from gridjoust.runner.wire.errors import ConfigError

BOT_RUNNER = "gridjoust.bots"  # `python -m gridjoust.bots SPEC` runs a Python bot; the runner knows no more of it
BOTS = Path(__file__).parents[2] / "bots"
ANY_GAME = "*/"  # `*/astar`: that planner's bot in whichever game is played
HASH_BYTES = 8
_LONGEST_START = 4096  # bytes of a script's first line; Linux reads 256
Program = TypeVar("Program", bound=RoleProgram)


def programs_of(bot: BotEntry) -> dict[str, RoleProgram]:
    """Return a bot's programs by role; a single program for all roles has the key ""."""
    if bot.roles:
        return dict(bot.roles)
    return {"": RoleProgram(**{key: getattr(bot, key) for key in RoleProgram.__struct_fields__})}


def resolve_program(program: RoleProgram, *, game: str, folder: Path) -> RoleProgram:
    """Return the program for `game`: `*/astar` becomes `GAME/astar`, relative paths become absolute."""
    bot = program.bot
    if bot is not None and bot.startswith(ANY_GAME):
        program = msgspec.structs.replace(program, bot=f"{game}/{bot.removeprefix(ANY_GAME)}")
    return with_absolute_paths(program, folder=folder)


def with_absolute_paths(program: Program, *, folder: Path) -> Program:
    """Return the program with absolute paths to all its files."""
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
    """Make a word of a command line absolute if it is a path: an existing file, or one that the build will make."""
    is_path = (is_built and is_file_word(word) and not word.startswith("-")) or (word and (folder / word).is_file())
    return str(folder / word) if is_path else word


def is_file_word(word: str) -> bool:
    """Return True if the first word of a command names a file rather than a program on PATH."""
    return "/" in word


def script_problem(script: Path, word: str) -> tuple[str, str] | None:
    """Return (expected, got) if invisible characters of an editor keep a script from starting, else None.

    The system reads a carriage return as a part of the interpreter's name and reports that this file is missing. After
    a byte order mark it does not see the `#!`. `word`: the script's name in the command.
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
    """Split `bots/x.py:First` into `bots/x.py` and `First`; the class of `bots/x.py` is ""."""
    if path.endswith(".py"):
        return path, ""
    file, _, class_name = path.rpartition(":")
    return file, class_name


def program_hash(program: RoleProgram) -> str:
    """Return a hash of a program and its options, 16 hex digits; the place of its files does not matter.

    The hash covers the bytes of all the program's own files. That of a built-in bot covers the whole installed `bots`
    package, that of a remote bot only its options. ConfigError for a file that cannot be read.
    """
    files = {**_modules(program), **named_files(program.files)}
    return _digest(
        [_identity(program), program.options, *([{n: _file_digest(f) for n, f in files.items()}] if files else [])]
    )


def readable_paths(program: RoleProgram) -> tuple[Path, ...]:
    """Return the files and folders that the bot may read, npm packages beside them included; paths are absolute."""
    own = _own_files(program)
    named = [path for pattern in program.files for path in named_paths(pattern)]
    beside = () if program.command is None else ("node_modules", "package.json")
    installed = (path for file in own for name in beside if (path := file.parent / name).exists())
    return tuple(dict.fromkeys((*own, *_modules(program).values(), *named, *installed)))


def connects_itself(program: RoleProgram) -> bool:
    """Return True for a program that speaks MQTT with a library of its own."""
    return program.command is not None and program.protocol == "mqtt"


def module_folders(program: RoleProgram) -> tuple[Path, ...]:
    """Return the folders of the bot's Python files that import modules from beside them; Python searches these."""
    files = [file for file in _own_files(program) if file.suffix == ".py"]
    beside = (folder for file in files if imported_files(file) for folder in (file.parent, file.resolve().parent))
    return tuple(dict.fromkeys(beside))


def program_files(program: RoleProgram) -> tuple[Path, ...]:
    """Return the files that another machine needs to run the program: its hashed files and those of its build.

    Paths are absolute. npm packages beside the files are left out.
    """
    words = [Path(word) for word in program.build if word and Path(word).is_file()]
    named = named_files(program.files).values()
    return tuple(dict.fromkeys((*_own_files(program), *_modules(program).values(), *words, *named)))


def _own_files(program: RoleProgram) -> list[Path]:
    """Return the file of a `path`, or the words of a command that are files."""
    if program.path is not None:
        return [Path(split_path(program.path)[0])]
    if program.build:  # the build may make a folder
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
        built = [Path(word).name for word in program.command]  # names only: the hash covers what it is built from
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
        raise ConfigError(f"cannot read {path}: {error.strerror}") from None


@cache
def _brought_by() -> dict[str, list[str]]:
    """Return, by name of an installed bot, the Python distribution that contains it, as `name version`."""
    points = [(point.name, point.dist) for point in entry_points(group="joust.bots")]
    return {name: [f"{dist.name} {dist.version}"] for name, dist in points if dist is not None}


@cache
def _bots_digest() -> str:
    """Return a hash of all source files of the package `bots`; it is not imported, as the runner imports no bots."""
    files = sorted((path.relative_to(BOTS).as_posix(), path) for path in BOTS.rglob("*.py"))
    return _digest([[name, _file_digest(path)] for name, path in files])


def _digest(value: object) -> str:
    return _hasher(json.dumps(value, sort_keys=True).encode()).hexdigest()


def _hasher(data: bytes = b"") -> hashlib.blake2b:
    return hashlib.blake2b(data, digest_size=HASH_BYTES)


TOKENS = ".joust"  # the folder beside a tournament file with the tokens of its remote bots
_NOT_BESIDE = sys.stdlib_module_names | {"gridjoust"}
_UNHASHED = "__pycache__"


def imported_files(file: Path) -> dict[str, Path]:
    """Return the modules beside a Python file that it imports, directly or not, by their path from that folder."""
    modules: dict[str, Path] = {}
    for root in dict.fromkeys((file.parent, file.resolve().parent)):  # a link's modules may be at either end
        waiting = [file]
        while waiting:
            module = waiting.pop()
            for path in _imports(module, root):
                name = path.relative_to(root).as_posix()
                if name not in modules and path != file:
                    modules[name] = path
                    waiting.append(path)
    return dict(sorted(modules.items()))


def named_paths(pattern: str) -> list[Path]:
    """Return the existing files and folders that an absolute entry of `files` matches."""
    return [Path(path) for path in sorted(glob.glob(pattern, recursive=True))]  # noqa: PTH207 - it is absolute


def absolute_pattern(pattern: str, folder: Path) -> str:
    """Make an entry of `files` absolute; wildcard characters in the folder's name do not count."""
    return pattern if Path(pattern).is_absolute() else f"{glob.escape(str(folder.absolute()))}/{pattern}"


def tokens_in(path: Path, folder: Path) -> Path | None:
    """Return the folder with tokens of remote bots inside this path, or the path if it is in one; None without one.

    The token folder of the tournament in `folder` counts even if it does not exist yet.
    """
    real = path.resolve()
    if folder.resolve().is_relative_to(real):
        return folder / TOKENS
    if TOKENS in real.parts:
        return path
    return next(real.rglob(TOKENS), None) if real.is_dir() else None


def named_files(patterns: Sequence[str]) -> dict[str, Path]:
    """Return every file that the `files` patterns match, contents of folders included.

    Each key is the number of the pattern that matched, and the file's path from the folder that contains the match.
    """
    files: dict[str, Path] = {}
    for number, pattern in enumerate(patterns):
        for path in named_paths(pattern):
            inside = sorted(path.rglob("*")) if path.is_dir() else [path]
            for file in inside:
                if file.is_file() and _UNHASHED not in file.parts:
                    files[f"{number}:{file.relative_to(path.parent).as_posix()}"] = file
    return files


def _imports(module: Path, root: Path) -> Iterator[Path]:
    """Yield the files below `root` that a module's import statements name, with their parent packages."""
    if module.suffix != ".py":
        return
    try:
        status = module.stat()
        statements = _import_statements(module, status.st_mtime_ns, status.st_size)
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):  # Python reports it when the bot starts
        return
    for node in statements:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _found(root, alias.name.split("."))
        else:
            with contextlib.suppress(ValueError):  # the import names a package above the folder
                package = _package(module, root, node)
                for alias in node.names:
                    yield from _found(root, [*package, alias.name], is_relative=node.level > 0)


@lru_cache(maxsize=1024)
def _import_statements(module: Path, changed_ns: int, size: int) -> tuple[ast.Import | ast.ImportFrom, ...]:  # noqa: ARG001
    """Return the import statements of a module; it is parsed once for each modification time and size.

    Each start of a bot needs them several times. OSError if it cannot be read, SyntaxError if it is not Python.
    """
    tree = ast.parse(module.read_bytes())
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))


def _package(module: Path, root: Path, node: ast.ImportFrom) -> list[str]:
    """Return the names of the imported package, from the folder on; ValueError if it is not below the folder."""
    above = module.parents[node.level - 1].relative_to(root).parts if node.level else ()
    return [*above, *(node.module or "").split(".")] if node.module else [*above]


def _found(root: Path, names: Sequence[str], *, is_relative: bool = False) -> Iterator[Path]:
    if not is_relative and names[0] in _NOT_BESIDE:
        return
    place = root
    for name in names:
        candidates = [place / name / "__init__.py", *(place / f"{name}{suffix}" for suffix in all_suffixes())]
        yield from (path for path in candidates if path.is_file())
        place = place / name
