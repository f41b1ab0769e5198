"""Arguments that several commands share, with the functions that parse and check them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from gridjoust.runner.config.values import SeedValue
from gridjoust.runner.results.records.plain_folder import require_plain
from gridjoust.runner.results.tables.columns import RESULTS
from gridjoust.runner.wire.errors import ConfigError

QUICKSTART = "quickstart"
EXAMPLES = Path(__file__).parents[2] / "examples"
ResultsArgument = Annotated[Path, typer.Argument(help="A results folder, for example results/quickstart.")]
TrustOption = Annotated[bool, typer.Option("--trust", help="Trust the bots: no sandbox, unless the file asks for one.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
CommandOption = Annotated[str | None, typer.Option(help="The bot as a command line: 'node bot.mjs'.")]
ProtocolOption = Annotated[
    str | None, typer.Option(help="With --command: stdio for a bot on standard input and output; default: mqtt.")
]
BuildOption = Annotated[
    str | None, typer.Option(help="With --command: the command that compiles the bot: 'gcc -o bot bot.c'.")
]
BotOptionsOption = Annotated[
    list[str] | None, typer.Option("--option", help="An option of the bot, name=value; may be repeated.")
]


@contextmanager
def mistakes_of(where: str) -> Iterator[None]:
    """Turn a ValueError in the context into a ConfigError whose text begins with `where`."""
    try:
        yield
    except ValueError as error:
        raise ConfigError(f"{where}: {error}") from None


def require_pictures(option: str) -> None:
    """Raise ConfigError if the packages that paint PNG, GIF and WebP are not installed."""
    packages = {"PIL": "pillow", "fontTools": "fonttools"}  # module -> name
    if missing := [name for module, name in packages.items() if find_spec(module) is None]:
        raise ConfigError(f"{option} needs {' and '.join(missing)}: pip install 'gridjoust[pictures]'")


def parse_seed(text: str) -> int | str:
    """Return a seed as a tournament file may have it: a number, 32 hex digits or "secret"; ConfigError otherwise."""
    seed = int(text) if text.isascii() and text.isdigit() and len(text) < 17 else text
    try:
        found: int | str = msgspec.convert(seed, SeedValue)
    except msgspec.ValidationError:
        expected = "a whole number from 0 to 9007199254740991, 32 hex digits or secret"
        raise ConfigError(f"--seed: expected {expected}, got {text!r}") from None
    return found


def find_tournament(file: Path) -> Path:
    """Return a tournament file; `quickstart` names the one that comes with Joust, unless there is such a file."""
    return EXAMPLES / f"{file}.yaml" if str(file) == QUICKSTART and not file.exists() else file


def find_results(folder: Path) -> Path:
    """Return the results folder: `folder`, or the only results folder in it.

    ConfigError if there is none or several, or if it contains anything but plain files and folders.
    """
    found = _find_results(folder)
    require_plain(found)
    return found


def _find_results(folder: Path) -> Path:
    if (folder / RESULTS.file).is_file():
        return folder
    if not folder.is_dir():
        usual = Path("results") / folder
        hint = f"; did you mean {usual}?" if (usual / RESULTS.file).is_file() else ""
        raise ConfigError(f"results folder not found: {folder}{hint}")
    inside = [path.parent for path in sorted(folder.glob(f"*/{RESULTS.file}"))]
    if len(inside) == 1:
        return inside[0]
    got = ", ".join(path.name for path in inside) or "no results.csv"
    raise ConfigError(f"{folder}: expected one results folder, got {got}")


def free_folder(parent: Path, name: str) -> Path:
    """Return the first `parent/name-<n>` that does not exist, so that nothing is overwritten."""
    return next(folder for number in count(1) if not (folder := parent / f"{name}-{number}").exists())


def read_text(file: Path) -> str:
    """Return the text of a file that the user named; ConfigError if it cannot be read."""
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot read {file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{file}: expected UTF-8 text") from None
