"""The `joust` command: arguments to a command, errors to exit codes.

Each subcommand is a function of its name in a module that is imported when the command is called. Nothing else is
imported for `joust --help`: the help of every command is written down here too.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib import import_module
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup

from gridjoust.commands.interrupt import interrupt_as_usual
from gridjoust.commands.output import drop_output, flush_output, prepare_streams
from gridjoust.commands.watch_address import with_address
from gridjoust.runner import __version__
from gridjoust.runner.wire.errors import BrokerError, BugError, ConfigError, JoustError, format_os_error

CONTEST, BOTS, ALONE, LISTS = "Hold a contest", "Write a bot", "Without a tournament", "What there is"


@dataclass(frozen=True, slots=True)
class Listed:
    """How `joust --help` shows a command; `help` is the docstring of its function, `module` "" has its name."""

    panel: str
    help: str
    module: str = ""


COMMANDS = {
    "run": Listed(CONTEST, "Play a tournament to its leaderboard."),
    "work": Listed(CONTEST, "Play matches of a tournament on another machine; shows which programs it will run here."),
    "tokens": Listed(
        CONTEST,
        "List the tokens of a file's remote bots, or renew them; each connects one bot: `joust connect TOKEN bot.py`.",
    ),
    "verify": Listed(
        CONTEST, "Re-apply every record by the rules; compare hashes, ends and tables, and who met whom on which seed."
    ),
    "replay": Listed(
        CONTEST,
        "Show a recorded match: in a terminal with keys to step, play, go back and jump, else turn after turn as text.",
    ),
    "analyse": Listed(
        CONTEST,
        "Find where a match was decided: it is played on from many of its turns, and shares of wins make a line.",
    ),
    "view": Listed(
        CONTEST,
        "Show the matches of a results folder in a browser: a list, every bot, head to head, the bracket, each match.",
    ),
    "leaderboard": Listed(CONTEST, "Print the standings of a results folder, computed anew from its tables."),
    "report": Listed(
        CONTEST,
        "Make one HTML page of a results folder: standings, charts, faults, search cost; works offline and prints.",
        "results",
    ),
    "pack": Listed(CONTEST, "Move match records into packs, a tenth of the size; all commands read them there too."),
    "unpack": Listed(CONTEST, "Make files of packed match records again.", "pack"),
    "export": Listed(CONTEST, "Write the tables of a results folder in another format.", "results"),
    "init": Listed(
        BOTS, "Start a folder of your own: a commented tournament file, a first bot, a .gitignore.", "new_bot"
    ),
    "new-bot": Listed(BOTS, "Write a bot that plays at once, to be improved."),
    "doctor": Listed(
        BOTS,
        "Test a bot: startup, protocol, legal actions, time, determinism, memory, shutdown; show where it fails.",
    ),
    "ask": Listed(BOTS, "Put one recorded question to one bot: its answer, what it cost, what the bot wrote."),
    "connect": Listed(
        BOTS, "Play in a tournament on another machine, with a token and a bot; what the referee says is shown."
    ),
    "look": Listed(
        BOTS, "Ask a bot the questions of a recorded match again, and show what it thinks: maps, ways, searched cells."
    ),
    "rerun": Listed(BOTS, "Play one match again, on its seed and in its seats, and compare it with its record."),
    "compare": Listed(
        BOTS, "Find the first turn in which two matches differ, and show both side by side; exit code 1 if they do."
    ),
    "play": Listed(ALONE, "Play a game yourself, in the terminal or the browser, with bots in the other seats."),
    "solve": Listed(ALONE, "Solve the positions of a file with one planner."),
    "plan": Listed(ALONE, "Put queries on a map to planners: who solves them, how well, and at what cost."),
    "draw": Listed(ALONE, "Draw a board in the terminal, or as SVG or PNG for a report."),
    "schema": Listed(
        LISTS, "Print the wire protocol (JSON Schema or AsyncAPI) or the JSON Schema of the tournament file.", "lists"
    ),
    "games": Listed(LISTS, "List the games with their parameters.", "lists"),
    "bots": Listed(LISTS, "List the built-in and installed bots.", "lists"),
}


class LazyGroup(TyperGroup):
    """The commands of the table; the one that is called is loaded, and no other."""

    def __init__(self, **settings: Any) -> None:
        listed = {name: TyperCommand(name, help=one.help, rich_help_panel=one.panel) for name, one in COMMANDS.items()}
        super().__init__(**{**settings, "commands": listed})

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # the library's own types are not public
        """The command that the first argument names, with its options."""
        name, _, rest = super().resolve_command(ctx, args)
        command = load_command(str(name))
        interrupt_as_usual()
        return name, command, with_address(rest) if name == "run" else rest


def load_command(name: str) -> Any:
    """One command with its options; imports its module."""
    word = name.replace("-", "_")
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    module = import_module(f"gridjoust.commands.{COMMANDS[name].module or word}")
    alone.command(name, context_settings=_HELP)(getattr(module, word))
    return typer.main.get_command(alone)


_HELP = {"help_option_names": ["--help", "-h"]}
UsageError: Any = typer.BadParameter.__base__  # the library keeps its name private

app = typer.Typer(
    name="joust",
    cls=LazyGroup,
    help="Bot tournaments: referee, record and rank bots that play grid games over MQTT.",
    no_args_is_help=True,
    context_settings=_HELP,
    pretty_exceptions_enable=False,
    epilog="First steps: joust run configs/quickstart.yaml; joust init my-cup; joust new-bot mine --game bomber.",
)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and leave with its exit code: what the command returns, 0 if nothing."""
    prepare_streams()
    try:
        code = app(arguments, prog_name="joust", standalone_mode=False)
        flush_output()
    except UsageError as error:
        _leave_for_usage(error)
    except OSError as error:
        _leave(format_os_error(error), 3)
    except JoustError as error:
        codes = {ConfigError: 2, BrokerError: 3, BugError: 4}
        _leave(str(error), next((code for kind, code in codes.items() if isinstance(error, kind)), 1))
    except (KeyboardInterrupt, typer.Abort):
        _leave("stopped", 130)
    sys.exit(code if isinstance(code, int) else 0)


def _leave_for_usage(error: Any) -> NoReturn:
    """One line, whatever the library would print; without any arguments it has shown the help already."""
    message = error.format_message().strip().rstrip(".")
    if not message:
        sys.exit(2)
    command = error.ctx.command_path if error.ctx is not None else "joust"
    where = f"{command.removeprefix('joust ')}: " if " " in command else ""
    _leave(f"{where}{message[:1].lower()}{message[1:]}; see {command} --help", 2)


def _leave(message: str, code: int) -> NoReturn:
    from gridjoust.runner.wire.text import plain_text

    drop_output()
    print("\n".join(map(plain_text, f"joust: {message}".split("\n"))), file=sys.stderr)
    sys.exit(code)


@app.callback(invoke_without_command=True)
def joust(
    version: Annotated[bool, typer.Option("--version", help="Print the version and leave.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="With --version: which planners run, too.")] = False,
) -> None:
    """Bot tournaments: referee, record and rank bots that play grid games over MQTT."""
    if version:
        print(f"joust {__version__}")
        if verbose:
            from gridjoust.bots.planners.kernels import describe_kernels

            print(f"planners: {describe_kernels()}")
        raise typer.Exit
