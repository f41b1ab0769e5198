"""Parse a bot on the command line: `BOT` (a name, file.py:Class or file.py) or `--command "node bot.mjs"`.

The bots of a Python file are found in its syntax tree, without running it.
"""

from __future__ import annotations

import ast
import contextlib
import shlex
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from gridjoust.bots import load_bot
from gridjoust.commands.shared.arguments import read_text
from gridjoust.games.api import ParamValue
from gridjoust.games.registry import game_names
from gridjoust.runner.config.document import DocumentError, parse_document
from gridjoust.runner.config.mistakes import nearest
from gridjoust.runner.config.programs import is_file_word, split_path, with_absolute_paths
from gridjoust.runner.config.values import RoleProgram
from gridjoust.runner.wire.errors import ConfigError


def parse_program(
    bot: str | None,
    *,
    command: str | None,
    protocol: str | None = None,
    build: str | None = None,
    options: Sequence[str] = (),
) -> RoleProgram:
    """Return the program with absolute paths; ConfigError unless there is either a bot or a command, and it exists."""
    given = dict(parse_pair("--option", text) for text in options)
    if (bot is None) == (command is None):
        raise ConfigError(
            "BOT is missing: name a bot, or use --command" if bot is None else "give BOT or --command, not both"
        )
    if command is not None:
        chosen = _parse_protocol("mqtt" if protocol is None else protocol)
        compile_it = () if build is None else _parse_command("--build", build)
        words = _parse_command("--command", command, is_built=build is not None)
        program = RoleProgram(command=words, build=compile_it, protocol=chosen, options=given)
    elif protocol is not None or build is not None:
        option = "--build" if protocol is None else "--protocol"
        raise ConfigError(f"{option} works only with --command, got {bot!r}")
    elif bot is not None and (bot.endswith(".py") or bot.rpartition(":")[0].endswith(".py")):
        program = RoleProgram(path=file_spec(bot), options=given)
    else:
        try:
            load_bot(bot or "")
        except ValueError as error:
            raise ConfigError(f"BOT: {error}; for a bot in a file write file.py:Class") from None
        program = RoleProgram(bot=bot, options=given)
    return with_absolute_paths(program, folder=Path.cwd())


def file_spec(bot: str, *, option: str = "BOT") -> str:
    """Return `file.py:Class`, with the class added if the file has one bot; ConfigError if there is no such file."""
    file = bot if bot.endswith(".py") else split_path(bot)[0]
    if not Path(file).is_file():
        raise ConfigError(f"{option}: file not found: {file}")
    return f"{file}:{only_bot(Path(file), option=option)}" if bot == file else bot


def game_of_program(program: RoleProgram) -> str:
    """Return the one game in a bot's `plays`; ConfigError if there is none, or several."""
    if program.path is not None:
        file, name = split_path(program.path)
        game = only_game(bots_in(Path(file)).get(name, ()), name)
        if game not in game_names():
            raise ConfigError(
                f"BOT: {Path(file).name}: {name}.plays: expected {nearest(game, game_names())}, got {game!r}"
            )
        return game
    if program.bot is not None:
        return only_game(load_bot(program.bot).plays, program.bot)
    return only_game((), shlex.join(program.command or ()))


def format_program(program: RoleProgram) -> str:
    """Return the program as the arguments that `parse_program` reads, quoted for a shell."""
    spec = program.bot or (program.path or "").removeprefix(f"{Path.cwd()}/")  # short below the working folder
    words = [shlex.quote(spec)] if spec else ["--command", shlex.quote(shlex.join(program.command or ()))]
    if program.build:
        words += ["--build", shlex.quote(shlex.join(program.build))]
    if program.protocol != "mqtt":
        words += ["--protocol", program.protocol]
    for name, value in program.options.items():
        words += ["--option", shlex.quote(f"{name}={value}")]
    return " ".join(words)


def parse_pair(option: str, text: str) -> tuple[str, ParamValue]:
    """Parse `name=value` of a repeatable option; the value is read as in a tournament file."""
    name, value = split_pair(option, text)
    try:
        found: Any = parse_document(value).data if value else ""
    except DocumentError as error:
        raise ConfigError(f"{option}: {name}: {error}") from None
    return name, found


def split_pair(option: str, text: str) -> tuple[str, str]:
    """Split `name=value` of a repeatable option; the value stays text."""
    name, equals, value = text.partition("=")
    if not equals:
        raise ConfigError(f"{option}: expected name=value, got {text!r}")
    return name, value


def ask_command(record: Path, *, turn: int, seat: int, program: RoleProgram | None = None) -> str:
    """Return the `joust ask` command for the question of a turn; without a program it asks the bot that played."""
    who = f"{format_program(program)} " if program is not None else ""
    return f"joust ask {who}--record {shlex.quote(str(record))} --turn {turn} --seat {seat}"


def _parse_protocol(text: str) -> Literal["mqtt", "stdio"]:
    match text:
        case "mqtt" | "stdio":
            return text
        case _:
            raise ConfigError(f"--protocol: expected mqtt or stdio, got {text!r}")


def _parse_command(option: str, text: str, *, is_built: bool = False) -> tuple[str, ...]:
    """Split a command line into words; ConfigError if the program does not exist and no build makes it."""
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise ConfigError(f"{option}: expected a command line, got {text!r}: {str(error).lower()}") from None
    if not words or not (shutil.which(words[0]) or (is_built and is_file_word(words[0]))):
        raise ConfigError(f"{option}: expected a program and its arguments, got {text!r}")
    return words


Plays = tuple[str, ...]
BASES: Mapping[str, Plays] = {"Bot": (), "AnytimeBot": (), "Walker": ("navigation",)}  # with the games in `plays`


def bots_in(file: Path) -> dict[str, Plays]:
    """Return the bot classes of a file that are no base of another one, each with the games in its `plays`.

    ConfigError if the file is not valid Python.
    """
    found = dict(BASES)
    used: set[str] = {*BASES}
    for node in _parse(file).body:
        if isinstance(node, ast.ClassDef) and (inherited := [found[base] for base in _bases(node) if base in found]):
            found[node.name] = _plays(node, inherited[0])
            used.update(_bases(node))
    return {name: plays for name, plays in found.items() if name not in used}


def only_bot(file: Path, *, option: str = "BOT") -> str:
    """Return the class name of the only bot in a file; ConfigError with `option` if there is none, or several."""
    names = list(bots_in(file))
    if len(names) == 1:
        return names[0]
    several = f"{file.name} contains several bots ({', '.join(names)}): write {file.name}:{names[0]}" if names else ""
    raise ConfigError(f"{option}: {several or _no_bot(file)}")


def _no_bot(file: Path) -> str:
    """Say that a file contains no bot, and name a class with `act` that lacks the base class."""
    classes = [node for node in _parse(file).body if isinstance(node, ast.ClassDef)]
    acting = [one.name for one in classes if any(getattr(part, "name", "") == "act" for part in one.body)]
    hint = f"change it to `class {acting[0]}(joust.Bot):`" if acting else "start with `class MyBot(joust.Bot):`"
    return f"{file.name} contains no bot class; {hint}"


def only_game(plays: Plays, bot: str) -> str:
    """Return the only game in a bot's `plays`; ConfigError if there is none, or several."""
    if len(plays) == 1:
        return plays[0]
    why = f"{bot} plays {', '.join(plays)}" if plays else f"{bot} does not say which game it plays"
    raise ConfigError(f"--game is missing: {why}")


def _parse(file: Path) -> ast.Module:
    try:
        return ast.parse(read_text(file))
    except SyntaxError as error:
        raise ConfigError(f"BOT: {file.name} line {error.lineno}: syntax error ({error.msg})") from None
    except ValueError as error:  # a zero byte
        raise ConfigError(f"BOT: {file.name}: not a Python file ({error})") from None


def _bases(node: ast.ClassDef) -> Iterator[str]:
    for base in node.bases:
        yield base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ""


def _plays(node: ast.ClassDef, inherited: Plays) -> Plays:
    """Return the games that a bot's class names in `plays`; () if they are computed, `inherited` if there are none."""
    values = {
        target.id: statement.value
        for statement in node.body
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None
        for target in (statement.targets if isinstance(statement, ast.Assign) else [statement.target])
        if isinstance(target, ast.Name)
    }
    if "plays" not in values:
        return inherited
    with contextlib.suppress(ValueError):  # it is computed
        given = ast.literal_eval(values["plays"])
        return (given,) if isinstance(given, str) else tuple(map(str, given))
    return ()
