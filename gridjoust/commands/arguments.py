"""Arguments that several commands share, and what they lead to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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

ResultsArgument = Annotated[Path, typer.Argument(help="A results folder, for example results/quickstart.")]
TrustOption = Annotated[
    bool, typer.Option("--trust", help="The bots are your own: a sandbox only if the file says so.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
CommandOption = Annotated[str | None, typer.Option(help="The bot as a command line: 'node bot.mjs'.")]
ProtocolOption = Annotated[
    str | None, typer.Option(help="With --command: stdio for a bot on standard input and output; default: mqtt.")
]
BuildOption = Annotated[str | None, typer.Option(help="With --command: what compiles it: 'gcc -o bot bot.c'.")]
BotOptionsOption = Annotated[
    list[str] | None, typer.Option("--option", help="An option of the bot, name=value; may be repeated.")
]


@contextmanager
def mistakes_of(where: str) -> Iterator[None]:
    """What a ValueError says within is the user's mistake there: a ConfigError."""
    try:
        yield
    except ValueError as error:
        raise ConfigError(f"{where}: {error}") from None


def require_extra(option: str, packages: Mapping[str, str], extra: str) -> None:
    """ConfigError where one of the packages (module -> name) that an option needs is not installed."""
    missing = [name for module, name in packages.items() if find_spec(module) is None]
    if missing:
        expected = " and ".join(packages.values())
        raise ConfigError(f"{option}: expected {expected}, got no such packages: pip install 'gridjoust[{extra}]'")


def require_pictures(option: str) -> None:
    """ConfigError where pictures of pixels cannot be painted."""
    require_extra(option, {"PIL": "pillow", "fontTools": "fonttools"}, "pictures")


def parse_seed(text: str) -> int | str:
    """A seed as a tournament file may have it; ConfigError for anything else."""
    seed = int(text) if text.isascii() and text.isdigit() and len(text) < 17 else text
    try:
        found: int | str = msgspec.convert(seed, SeedValue)
    except msgspec.ValidationError:
        expected = "a whole number from 0 to 9007199254740991, 32 hex digits or secret"
        raise ConfigError(f"--seed: expected {expected}, got {text!r}") from None
    return found


def find_results(folder: Path) -> Path:
    """Return the results folder itself, also when its parent was named and holds just one; ConfigError otherwise.

    One that holds anything but plain files and folders is refused.
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
        raise ConfigError(f"{folder}: expected a results folder, got nothing there{hint}")
    inside = [path.parent for path in sorted(folder.glob(f"*/{RESULTS.file}"))]
    if len(inside) == 1:
        return inside[0]
    got = ", ".join(path.name for path in inside) or "no results.csv"
    raise ConfigError(f"{folder}: expected one results folder, got {got}")


def free_folder(parent: Path, name: str) -> Path:
    """`parent/name-<n>`, the first that is not there yet: nothing is written over."""
    return next(folder for number in count(1) if not (folder := parent / f"{name}-{number}").exists())


def read_text(file: Path) -> str:
    """The text of a file that the user named; ConfigError if it cannot be read."""
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{file}: expected a readable file, got: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{file}: expected UTF-8 text") from None
