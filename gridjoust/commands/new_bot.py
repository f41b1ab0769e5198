"""`joust new-bot` and `joust init`: copy an example bot that can play at once, and make a folder to run it in.

Existing files are never overwritten.
"""

from __future__ import annotations

import keyword
import os
import re
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from gridjoust import games
from gridjoust.commands.shared.arguments import mistakes_of, read_text
from gridjoust.commands.shared.hints import Names, hint_lines
from gridjoust.games.api import AnyGame
from gridjoust.runner.wire.errors import ConfigError

SPEAKS = {  # protocols by language, the default first
    "python": ("mqtt",),
    "plain": ("stdio", "mqtt"),
    "javascript": ("stdio", "mqtt"),
    "c": ("stdio",),
    "cpp": ("stdio",),
    "java": ("stdio",),
    "go": ("stdio",),
    "rust": ("stdio",),
}
SAFE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
# a file with such a name would hide the module
TAKEN_NAMES = sys.stdlib_module_names | {"gridjoust", "paho"}

CUP = "cup.yaml"
FIRST_BOT, FIRST_GAME = "first", "bomber"
BOTS_FOLDER = "my_bots"
IGNORED = "results/\nnode_modules/\n__pycache__/\n"

_PYTHON_NAMES = Names("setup.params", 'setup.briefing["{seat}"]', "observation.view", "observation.legal")
_MESSAGE_NAMES = Names('start["params"]', 'start["briefing"]["{seat}"]', 'turn["observation"]', 'turn["legal"]')
_SCRIPT_NAMES = Names("start.params", 'start.briefing["{seat}"]', "turn.observation", "turn.legal")


@dataclass(frozen=True, slots=True)
class Starter:
    """An example bot with stdio protocol in one language. `{source}` is its file, `{target}` the compiled program."""

    ending: str
    command: tuple[str, ...]
    build: tuple[str, ...] = ()
    sign: str = "//"
    names: Names = _SCRIPT_NAMES


STARTERS = {
    "plain": Starter("py", ("python3", "{source}"), sign="#", names=_MESSAGE_NAMES),
    "javascript": Starter("mjs", ("node", "{source}")),
    "c": Starter("c", ("{target}",), ("gcc", "-O2", "-o", "{target}", "{source}")),
    "cpp": Starter("cpp", ("{target}",), ("g++", "-O2", "-o", "{target}", "{source}")),
    "java": Starter(
        "java", ("java", "-cp", "{target}.classes", "Bot"), ("javac", "-d", "{target}.classes", "{source}")
    ),
    "go": Starter("go", ("{target}",), ("go", "build", "-o", "{target}", "{source}")),
    "rust": Starter("rs", ("{target}",), ("rustc", "-O", "-o", "{target}", "{source}")),
}


@dataclass(frozen=True, slots=True)
class NewBot:
    """A new bot: its files by path, its entry in a tournament file, and the commands to prepare and to test it."""

    files: Mapping[Path, str]
    entry: str
    preparation: tuple[str, ...]
    trial: str


def new_bot(
    name: Annotated[str, typer.Argument(help="The bot's name, also the name of its file.")],
    game: Annotated[str, typer.Option(help="The game it plays; `joust games` lists them.")],
    lang: Annotated[
        str, typer.Option(help="python (a class), plain (a Python program), javascript, c, cpp, java, go or rust.")
    ] = "python",
    protocol: Annotated[
        str | None, typer.Option(help="With plain and javascript: stdio (default), or mqtt, which needs a library.")
    ] = None,
    folder: Annotated[Path, typer.Option(help="Folder of the bot's file.")] = Path("my_bots"),
    enter: Annotated[
        Path | None, typer.Option(help="Add the bot to this tournament file in the current folder.")
    ] = None,
) -> None:
    """Make a simple bot that can play at once, for you to improve."""
    bot = make_bot(name, game=game, language=lang, protocol=protocol, folder=folder)
    entered = None if enter is None else _with_entry(enter, bot.entry)
    _write_new(bot.files)
    if enter is not None and entered is not None:
        enter.write_text(entered, encoding="utf-8")
        print(f"\nAdded to {enter}:")
    else:
        print("\nAdd it to a tournament file, under bots:")
    print(f"  - {bot.entry}")
    print("\nNext:")
    for command in (*bot.preparation, bot.trial):
        print(f"  {command}")


def init(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="The folder; made if it does not exist.")] = Path(),
    full: Annotated[
        bool, typer.Option("--full", help="A longer bot, and a tournament file in which every key is explained.")
    ] = False,
) -> None:
    """Make a folder to start from: a tournament file, a first bot, a .gitignore."""
    if folder.exists() and not folder.is_dir():
        raise ConfigError(f"{folder} is a file, not a folder")
    bots = {folder / BOTS_FOLDER / f"{FIRST_BOT}.py": _example(f"{FIRST_BOT}.txt")}
    if full:
        bots = {**make_bot(FIRST_BOT, game=FIRST_GAME, language="python", folder=folder / BOTS_FOLDER).files}
    cup = _example(f"full_{CUP}" if full else CUP)
    _write_new({folder / CUP: cup, **bots, folder / ".gitignore": IGNORED})
    print("\nNext:")
    if folder.resolve() != Path.cwd():
        print(f"  cd {folder}")
    print(f"  joust run {CUP}                # {FIRST_BOT} against built-in bots")
    print(f"  joust doctor {BOTS_FOLDER}/{FIRST_BOT}.py")
    print("  joust new-bot NAME --game GAME    # another bot; `joust games` lists the games")
    print(f"Then change {BOTS_FOLDER}/{FIRST_BOT}.py and see: joust run {CUP} --overwrite")


def make_bot(name: str, *, game: str, language: str, folder: Path, protocol: str | None = None) -> NewBot:
    """Return the new bot; ConfigError for a name, game, language or protocol that is not possible."""
    if not SAFE_NAME.fullmatch(name):
        raise ConfigError(f"name: expected a letter, then letters, digits, - or _ (64 at most), got {name!r}")
    if name.lower() in TAKEN_NAMES:
        raise ConfigError(f"name: expected a name that no Python module has, got {name!r}")
    if language not in SPEAKS:
        *others, last = SPEAKS
        raise ConfigError(f"lang: expected {', '.join(others)} or {last}, got {language!r}")
    chosen = SPEAKS[language][0] if protocol is None else protocol
    if chosen not in SPEAKS[language]:
        raise ConfigError(f"protocol: expected {' or '.join(SPEAKS[language])} with {language}, got {chosen!r}")
    with mistakes_of("game"):
        made = games.load_game(game)()
    if chosen == "stdio":
        return _stdio_bot(name, made, STARTERS[language], folder)
    makers = {"python": _python_bot, "plain": _plain_bot, "javascript": _javascript_bot}
    return makers[language](name, made, folder)


def _write_new(texts: Mapping[Path, str]) -> None:
    """Write all files and print their names; ConfigError, with nothing written, if one of them exists."""
    for path in texts:
        if path.exists() or path.is_symlink():
            raise ConfigError(f"{path} exists already; nothing was written")
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path}")


def _with_entry(file: Path, entry: str) -> str:
    """Return the text of a tournament file with one more bot at the end of its list; ConfigError if it has no list.

    Seeds depend on positions in the list, so a bot at its end changes no match of the others.
    """
    if file.parent.resolve() != Path.cwd():
        raise ConfigError(f"--enter: expected a file in the current folder, as paths are relative to it, got {file}")
    text = read_text(file)
    found = re.search(r"^bots:[ \t]*(?:#.*)?\n(?:[ \t]*(?:#.*)?\n)*?(?=([ \t]*)- )", text, re.MULTILINE)
    if found is None:
        raise ConfigError(f"{file} has no list `bots:` with one line per bot")
    indent, end, at = len(found[1]), found.end(), found.end()
    for line in text[at:].splitlines(keepends=True):
        at += len(line)
        content = line.strip()
        if not content or content.startswith("#"):
            continue
        own = len(line) - len(line.lstrip())
        if own < indent or (own == indent and not content.startswith("-")):
            break
        end = at
    before = text[:end] if text[:end].endswith("\n") else f"{text[:end]}\n"
    return f"{before}{found[1]}- {entry}\n{text[end:]}"


def class_name(name: str, template: str) -> str:
    """Return `MyBot` for `my-bot`; add `Bot` if the template or Python uses that word already."""
    joined = "".join(part[:1].upper() + part[1:] for part in re.split(r"[-_]+", name))
    is_used = keyword.iskeyword(joined) or re.search(rf"\b{joined}\b", template) is not None
    return f"{joined}Bot" if is_used else joined


def _python_bot(name: str, game: AnyGame, folder: Path) -> NewBot:
    is_known = game.spec.name in games.GAMES
    template = _example(f"{game.spec.name}.py" if is_known else "any_game.py")
    chosen = class_name(name, template)
    changes = {"class Example(joust.Bot):": f"class {chosen}(joust.Bot):"}
    if not is_known:
        changes["    plays = ()  # games by name; empty = every game"] = f'    plays = ("{game.spec.name}",)'
    text = _changed(template, changes) + _comment(game, _PYTHON_NAMES, "#")
    path = folder / f"{name}.py"
    spec = f"{_shown(path)}:{chosen}"
    entry = f"{{name: {name}, path: {_quoted(spec)}}}"
    return NewBot({path: text}, entry, (), f"joust doctor {_quoted(spec)} --game {game.spec.name}")


def _plain_bot(name: str, game: AnyGame, folder: Path) -> NewBot:
    template = _example("plain.py", package="gridjoust.bots.examples")
    old = "PLAYS: list[str] = []  # games by name; empty = every game"
    text = _changed(template, {old: f'PLAYS = ["{game.spec.name}"]'}) + _comment(game, _MESSAGE_NAMES, "#")
    path, found = folder / f"{name}.py", shutil.which("python3")
    is_this_one = found is not None and Path(found).parent == Path(sys.executable).parent  # so it has paho-mqtt
    return _program(name, game, {path: text}, ("python3" if is_this_one else sys.executable, _shown(path)), ())


def _javascript_bot(name: str, game: AnyGame, folder: Path) -> NewBot:
    old = "const PLAYS = []; // games by name; empty = every game"
    text = _changed(
        _example("random.mjs", package="gridjoust.bots.examples"), {old: f'const PLAYS = ["{game.spec.name}"];'}
    )
    path, package = folder / f"{name}.mjs", folder / "package.json"
    texts = {path: text + _comment(game, _SCRIPT_NAMES, "//")}
    if not package.exists():
        texts[package] = _example("package.json", package="gridjoust.bots.examples")
    install = () if (folder / "node_modules" / "mqtt").is_dir() else (f"npm install --prefix {_shown(folder)}",)
    return _program(name, game, texts, ("node", _shown(path)), install)


def _stdio_bot(name: str, game: AnyGame, starter: Starter, folder: Path) -> NewBot:
    path = folder / f"{name}.{starter.ending}"
    text = _example(f"stdio.{starter.ending}", package="gridjoust.bots.examples") + _comment(
        game, starter.names, starter.sign
    )
    target = _shown(folder / name)
    if "/" not in target:
        target = f"./{target}"  # without a slash the shell searches the PATH
    command, build = (
        tuple(word.format(source=_shown(path), target=target) for word in words)
        for words in (starter.command, starter.build)
    )
    keys = f"build: [{', '.join(map(_quoted, build))}], " if build else ""
    entry = f"{{name: {name}, {keys}command: [{', '.join(map(_quoted, command))}], protocol: stdio}}"
    trial = f'joust doctor --command "{" ".join(command)}" --protocol stdio --game {game.spec.name}'
    if build:
        trial += f' --build "{" ".join(build)}"'
    return NewBot({path: text}, entry, (), trial)


def _program(
    name: str, game: AnyGame, texts: Mapping[Path, str], command: tuple[str, ...], preparation: tuple[str, ...]
) -> NewBot:
    entry = f"{{name: {name}, command: [{', '.join(map(_quoted, command))}]}}"
    trial = f'joust doctor --command "{" ".join(command)}" --game {game.spec.name}'
    return NewBot(texts, entry, preparation, trial)


def _shown(path: Path) -> str:
    """Return a path as text, relative to the current folder, with forward slashes."""
    return Path(os.path.relpath(path)).as_posix() if path.is_absolute() else path.as_posix()


def _quoted(word: str) -> str:
    return word if re.fullmatch(r"[\w./:-]+", word) else f'"{word}"'


def _example(name: str, *, package: str = "gridjoust.examples") -> str:
    return files(package).joinpath(name).read_text(encoding="utf-8")


def _changed(template: str, changes: Mapping[str, str]) -> str:
    for old, new in changes.items():
        assert template.count(old) == 1, f"template: expected {old!r} once, got it {template.count(old)} times"
        template = template.replace(old, new)
    return template


def _comment(game: AnyGame, names: Names, sign: str) -> str:
    return "\n" + "".join(f"{sign} {line}".rstrip() + "\n" for line in hint_lines(game, names))
