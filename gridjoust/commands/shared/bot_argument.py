"""Parse a bot on the command line: `BOT` (a name, file.py:Class or file.py) or `--command "node bot.mjs"`."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from gridjoust.bots import load_bot
from gridjoust.commands.shared.arguments import read_text
from gridjoust.games import game_names
from gridjoust.games.api import ParamValue
from gridjoust.runner.config.bot_files import NoBotError, Plays, bots_in, class_mistake, only_class
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
            raise ConfigError(f"BOT: {_file_meant(Path(bot or '')) or error}") from None
        program = RoleProgram(bot=bot, options=given)
    return with_absolute_paths(program, folder=Path.cwd())


def _file_meant(path: Path) -> str:
    """Return a hint if an unknown bot is a file without its ending, of another language, or a folder; "" otherwise."""
    file = path.with_name(f"{path.name}.py") if path.name else path
    if file.is_file():
        return f"did you mean {file}?"
    if path.suffix in (".yaml", ".yml") and path.is_file():
        return f"{path} is a tournament file: joust run {path}"
    if path.is_file():
        return f'{path} is not a Python file: give the command that starts it, such as --command "./{path}"'
    inside = next(iter(sorted(path.glob("*.py"))), None) if path.is_dir() else None
    return "" if inside is None else f"{path} is a folder: name a file, such as {inside}"


def file_spec(bot: str, *, option: str = "BOT") -> str:
    """Return `file.py:Class`, with the class added if the file has one bot; ConfigError if there is no such file."""
    file = bot if bot.endswith(".py") else split_path(bot)[0]
    if not Path(file).is_file():
        raise ConfigError(f"{option}: file not found: {file}")
    if bot == file:
        return f"{file}:{only_bot(Path(file), option=option)}"
    if (mistake := class_mistake(Path(file), split_path(bot)[1], ())) is not None:
        raise ConfigError(f"{option}: {mistake.sentence}")
    return bot


def game_of_program(program: RoleProgram) -> str:
    """Return the one game in a bot's `plays`; ConfigError if it names none, several or an unknown one."""
    if program.path is not None:
        file, name = split_path(program.path)
        game = only_game(_games_of(Path(file), name), name)
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
    if not words:
        raise ConfigError(f"{option}: expected a program and its arguments, got no program")
    is_file = is_file_word(words[0])
    if not (shutil.which(words[0]) or (is_built and is_file)):
        expected = "a file that may be run (chmod +x)" if is_file else "a program on the PATH"
        raise ConfigError(f"{option}: expected {expected}, got {words[0]!r}")
    return words


FOUR_LINES = """:
    import gridjoust as joust
    class MyBot(joust.Bot):
        def act(self, observation):
            return observation.legal[0]"""


def only_bot(file: Path, *, option: str = "BOT") -> str:
    """Return the class name of the only bot in a file; ConfigError with `option` if there is none, or several."""
    read_text(file)
    try:
        return only_class(file)
    except NoBotError:
        raise ConfigError(f"{option}: {file.name} contains no bot class; write{FOUR_LINES}") from None
    except ValueError as error:
        raise ConfigError(f"{option}: {error}") from None


def only_game(plays: Plays, bot: str) -> str:
    """Return the only game in a bot's `plays`; ConfigError if there is none, or several."""
    if len(plays) == 1:
        return plays[0]
    why = f"{bot} plays {', '.join(plays)}" if plays else f"{bot} does not say which game it plays"
    raise ConfigError(f"--game is missing: {why}")


def _games_of(file: Path, class_name: str) -> Plays:
    try:
        return bots_in(file).get(class_name, ())
    except ValueError as error:
        raise ConfigError(f"BOT: {error}") from None
