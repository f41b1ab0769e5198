"""Finds mistakes in games and bots that types cannot show: names, parameters, seats, maps, programs, roles."""

from __future__ import annotations

import difflib
import glob
import os
import re
import shutil
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from gridjoust import games
from gridjoust.games.api import AnyGame, ParamValue, resolve_params
from gridjoust.runner.config.bot_files import class_mistake
from gridjoust.runner.config.document import KeyPath
from gridjoust.runner.config.mistakes import Mistake, nearest, repeated
from gridjoust.runner.config.programs import (
    ANY_GAME,
    absolute_pattern,
    is_file_word,
    named_paths,
    script_problem,
    split_path,
    tokens_in,
)
from gridjoust.runner.config.values import BotEntry, BotInfo, GameEntry, RoleProgram, Tournament, number_of
from gridjoust.runner.config.variants import MAP_PARAM, Variant, make_variants, map_name, variant_name

EXACT_LIMIT = 2**53  # whole numbers up to here are the same in JSON, JavaScript and pandas
_FILE_CLASS = re.compile(r"[^\0]+\.py(:[^\W\d]\w*)?")
WAYS = ("bot", "path", "command", "remote")


def check_games(config: Tournament, maps: Mapping[str, str]) -> Generator[Mistake, None, tuple[Variant, ...]]:
    """Yield the mistakes in `games` and return the variants of the entries without one.

    `maps`: the text of each map, by the name that the file gives it.
    """
    variants: list[Variant] = []
    for position, entry in enumerate(config.games):
        at: KeyPath = ("games", position)
        yield from check_numbers(entry.params, (*at, "params"))
        try:
            kind = games.load_game(entry.game)
        except ValueError as error:
            place = (*at, "game")
            yield from_error(error, place) if ", got " in str(error) else Mistake(place, "", "", fact=str(error))
            continue
        if mistakes := [*_check_entry(entry, kind, at)]:
            yield from mistakes
            continue
        variants += yield from _make_variants(entry, kind, maps, at)
    names = [variant_name(entry) for entry in config.games]
    yield from repeated(names, ("games",), "a name of its own for each variant", "name")
    return tuple(variants)


def check_numbers(values: Mapping[str, ParamValue], at: KeyPath) -> Iterator[Mistake]:
    """Yield a mistake for each whole number that JSON does not keep exact in every language."""
    for key, value in values.items():
        if isinstance(value, int) and abs(value) > EXACT_LIMIT:
            yield Mistake((*at, key), f"a whole number from -{EXACT_LIMIT} to {EXACT_LIMIT}", str(value))


def from_error(error: ValueError, at: KeyPath) -> Mistake:
    """Return a game's error (`expected ..., got ...`, perhaps after a place in a map) as a mistake at this key path."""
    match = re.fullmatch(r"(?:(.+?): )?expected (.+?), got (.+)", str(error), re.DOTALL)
    if match is None:
        return Mistake(at, "what the game allows", f"a refusal: {error}")
    return Mistake(at, match[2], match[3], within=match[1] or "")


def _check_entry(entry: GameEntry, kind: type[AnyGame], at: KeyPath) -> Iterator[Mistake]:
    spec = kind.spec
    try:
        resolve_params(spec, entry.params)
    except ValueError as error:
        yield _param_mistake(error, kind, entry, at)
        return
    if entry.seats is not None and not spec.min_seats <= entry.seats <= spec.max_seats:
        yield Mistake((*at, "seats"), f"{spec.seats_text} for {entry.game}", str(entry.seats))
        return
    if entry.maps and MAP_PARAM not in spec.params:
        count = f"{len(entry.maps)} map" + ("s" if len(entry.maps) > 1 else "")
        yield Mistake((*at, "maps"), f"no maps, since {entry.game} has no parameter {MAP_PARAM!r}", count)
        return
    if entry.maps and MAP_PARAM in entry.params:
        yield Mistake((*at, "params", MAP_PARAM), "no map here, since the entry has maps", "both")
    yield from repeated([map_name(written) for written in entry.maps], (*at, "maps"), "maps with different names")


def _make_variants(
    entry: GameEntry, kind: type[AnyGame], maps: Mapping[str, str], at: KeyPath
) -> Generator[Mistake, None, list[Variant]]:
    """Make the variants of one entry of `games`, and yield the mistakes in it.

    Their start positions are tried, as games refuse impossible parameters there.
    """
    made: list[Variant] = []
    try:
        for variant in make_variants(entry, maps):
            variant.game.initial_state(0)
            made.append(variant)
    except ValueError as error:
        if entry.maps and maps[entry.maps[len(made)]]:
            yield from_error(ValueError(str(error).removeprefix(f"{MAP_PARAM}: ")), (*at, "maps", len(made)))
        else:
            yield _param_mistake(error, kind, entry, at)
    return made


def _param_mistake(error: ValueError, kind: type[AnyGame], entry: GameEntry, at: KeyPath) -> Mistake:
    """Return a mistake at the parameter that the message begins with, or at all parameters if it names none."""
    name, colon, rest = str(error).partition(": ")
    if colon and (name in kind.spec.params or name in entry.params):
        return from_error(ValueError(rest), (*at, "params", name))
    return from_error(error, (*at, "params") if entry.params else at)


def check_bots(
    config: Tournament,
    variants: Sequence[Variant],
    *,
    folder: Path,
    known_bots: Mapping[str, BotInfo] | None,
    are_complete: bool = True,
) -> Iterator[Mistake]:
    """Yield the mistakes in `bots`; names of built-in bots are checked only with `known_bots`.

    `are_complete`: True if every game has a variant; roles are checked only then.
    """
    names = [bot.name for bot in config.bots]
    yield from repeated(names, ("bots",), "a name of its own for each bot", "name")
    numbers = [number_of(bot, position) for position, bot in enumerate(config.bots)]
    yield from repeated(numbers, ("bots",), "a number of its own for each bot", "number")
    for name in config.exclude:
        if name not in names:
            yield Mistake(("exclude", name), nearest(name, names), "an unknown bot")
    for position, bot in enumerate(config.bots):
        at: KeyPath = ("bots", position)
        yield from _check_ways(bot, at)
        if are_complete:
            yield from _check_roles(bot, variants, at)
        roles = [((*at, "roles", role), program) for role, program in bot.roles.items()]
        for place, program in roles or [(at, bot)]:
            yield from _check_program(program, place)
            yield from _check_files(program, place, folder=folder)
            if known_bots is not None and program.bot is not None:
                yield from _check_known(program.bot, variants, known_bots, (*place, "bot"))


def _used_ways(program: RoleProgram) -> list[str]:
    return [way for way in WAYS if getattr(program, way) not in (None, False)]


def _check_ways(bot: BotEntry, at: KeyPath) -> Iterator[Mistake]:
    ways = [*_used_ways(bot), *(["roles"] if bot.roles else [])]
    if len(ways) != 1:
        yield Mistake(at, f"exactly one of {', '.join(WAYS)}, roles", " and ".join(ways) or "none")
    if bot.roles and bot.options:
        yield Mistake((*at, "options"), "options with the program of each role", "options beside roles")
    if bot.roles and bot.files:
        yield Mistake((*at, "files"), "files with the program of each role", "files beside roles")
    for role, program in bot.roles.items():
        ways = _used_ways(program)
        if len(ways) != 1:
            yield Mistake((*at, "roles", role), f"exactly one of {', '.join(WAYS)}", " and ".join(ways) or "none")
        elif program.remote:  # a remote bot is one program with one connection
            expected = "bot, path or command: a remote bot plays every role (remote: true beside its name)"
            yield Mistake((*at, "roles", role), expected, "remote")


def _check_roles(bot: BotEntry, variants: Sequence[Variant], at: KeyPath) -> Iterator[Mistake]:
    """Yield a mistake for each role without a program, each unknown role, or a game that has no roles."""
    if not bot.roles:
        return
    every_role = dict.fromkeys(role for variant in variants for role in variant.game.roles)
    for variant in variants:
        if "" in variant.game.roles:
            expected = f"{', '.join(WAYS[:-1])} or {WAYS[-1]}, since {variant.entry.game} has no roles"
            yield Mistake((*at, "roles"), expected, f"roles {', '.join(bot.roles)}")
            return
        for role in variant.game.roles:
            if role not in bot.roles:
                yield Mistake((*at, "roles"), f"a program for {role!r} of {variant.entry.game}", "none")
    for role in bot.roles:
        if role not in every_role:
            yield Mistake((*at, "roles", role), nearest(role, every_role), "an unknown role")


def _check_program(program: RoleProgram, at: KeyPath) -> Iterator[Mistake]:
    yield from check_numbers(program.options, (*at, "options"))
    if program.path is not None and _FILE_CLASS.fullmatch(program.path) is None:
        yield Mistake((*at, "path"), "file.py, or file.py:Class with the bot's class in that file", repr(program.path))
    if program.command is not None and not (program.command and program.command[0]):
        yield Mistake((*at, "command"), "a program and its arguments", "no program")
    if program.protocol != "mqtt" and program.command is None:
        yield Mistake((*at, "protocol"), "protocol: stdio beside command", "no command")
    if program.build and program.command is None:
        yield Mistake((*at, "build"), "build beside command", "no command")


def check_starts(bot: BotEntry, at: KeyPath, *, folder: Path) -> Iterator[Mistake]:
    """Yield a mistake for each reason, visible in the bot's files, why it cannot start; other bots can still play."""
    roles = [((*at, "roles", role), program) for role, program in bot.roles.items()]
    for place, program in roles or [(at, bot)]:
        if program.path is not None:
            file, class_name = split_path(program.path)
            if not (folder / file).is_file():
                yield missing_file(file, (*place, "path"), folder)
            elif (mistake := class_mistake(folder / file, class_name, (*place, "path"))) is not None:
                yield mistake
        if program.build:
            yield from check_command(program.build[0], (*place, "build", 0), folder)
        if program.command and program.command[0] and not (program.build and is_file_word(program.command[0])):
            yield from check_command(program.command[0], (*place, "command", 0), folder)


def missing_file(file: str, at: KeyPath, folder: Path) -> Mistake:
    """Return the mistake of naming a file that is not there, with the nearest name in or beside its folder."""
    path = folder / file
    depths = () if "\0" in file else range(1, max(2, len(Path(file).parts)))
    near = [*path.parent.glob("*")] if depths else []
    for depth in depths:
        near += path.parents[depth].glob(f"*/{glob.escape('/'.join(path.parts[-depth:]))}")  # one folder is misspelt
    found = [Path(os.path.relpath(one, folder)) for one in near if one.is_file()]
    names = {str(one).removesuffix(one.suffix): one for one in sorted(found)}
    meant = difflib.get_close_matches(os.path.normpath(file).removesuffix(path.suffix), names, n=1)
    question = f"; did you mean {names[meant[0]]}?" if meant else ""
    return Mistake(at, "", "", fact=f"file not found: {file}", aside=f" (in {folder}){question}", is_missing=True)


def check_command(word: str, at: KeyPath, folder: Path) -> Iterator[Mistake]:
    """Yield why this word cannot be started: no such file, not executable, not on the PATH, a faulty script."""
    is_file = is_file_word(word)
    program = shutil.which(folder / word if is_file else word)
    if is_file and not (folder / word).is_file():
        yield missing_file(word, at, folder)
    elif program is None:
        yield Mistake(at, "a file that may be run (chmod +x)" if is_file else "a program on the PATH", repr(word))
    elif (problem := script_problem(Path(program), word)) is not None:
        yield Mistake(at, *problem)


def _check_files(program: RoleProgram, at: KeyPath, *, folder: Path) -> Iterator[Mistake]:
    if program.files and program.path is None and program.command is None:
        yield Mistake((*at, "files"), "files beside path or command", f"{len(program.files)} without")
    for number, pattern in enumerate(program.files):
        place = (*at, "files", number)
        if "\0" in pattern or not pattern or not (paths := named_paths(absolute_pattern(pattern, folder))):
            yield Mistake(place, f"an existing file or folder (in {folder})", repr(pattern))
            continue
        yield from _check_private(paths, place, pattern, folder=folder)
    for number, word in enumerate(program.command or ()):
        if "\0" not in word and ((file := folder / word).is_file() or (is_file_word(word) and file.is_dir())):
            yield from _check_private([file], (*at, "command", number), word, folder=folder)


def _check_private(paths: Iterable[Path], at: KeyPath, written: str, *, folder: Path) -> Iterator[Mistake]:
    """Yield a mistake if a bot's files contain other bots' tokens, as a bot may read its files even in the sandbox."""
    for path in paths:
        if (tokens := tokens_in(path, folder)) is not None:
            expected = f"what the bot may read, without {tokens} and the tokens of other bots there"
            yield Mistake(at, expected, repr(written))
            return


def _check_known(
    name: str, variants: Sequence[Variant], known_bots: Mapping[str, BotInfo], at: KeyPath
) -> Iterator[Mistake]:
    if not name.startswith(ANY_GAME) and name not in known_bots:
        is_file = name.partition(":")[0].endswith(".py")
        for_file = f"a bot that comes with Joust, or `path: {name}` for a file"
        yield Mistake(at, for_file if is_file else nearest(name, known_bots), repr(name))
        return
    for game in dict.fromkeys(variant.entry.game for variant in variants):
        resolved = f"{game}/{name.removeprefix(ANY_GAME)}" if name.startswith(ANY_GAME) else name
        if resolved not in known_bots:
            yield Mistake(at, nearest(resolved, known_bots), f"{name!r}, which is {resolved!r} there")
            return
        plays = known_bots[resolved].plays
        if plays and game not in plays:
            yield Mistake(at, f"a bot that plays {game}", f"{name!r}, which plays {', '.join(plays)}")
