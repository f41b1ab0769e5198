"""The `joust` command: it selects the subcommand and turns errors into exit codes.

Each subcommand is a function in a module that is imported when the command is called. `joust --help` imports none of
them, so the help of every command is repeated here.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib import import_module
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup

from gridjoust.commands.shared.interrupt import interrupt_as_usual
from gridjoust.commands.shared.output import drop_output, flush_output, prepare_streams, say
from gridjoust.commands.shared.watch_address import with_address
from gridjoust.runner import __version__
from gridjoust.runner.wire.errors import BrokerError, BugError, ConfigError, JoustError, format_os_error

CONTEST, BOTS, ALONE, LISTS = "Hold a contest", "Write a bot", "Without a tournament", "Reference"


@dataclass(frozen=True, slots=True)
class Listed:
    """A command in `joust --help`; `help` is its function's docstring, `module` "" means the module of its name."""

    panel: str
    help: str
    module: str = ""


COMMANDS = {
    "run": Listed(CONTEST, "Play a tournament to its leaderboard."),
    "serve": Listed(
        CONTEST,
        "Hold a contest: people hand in bots on a page, which play until the end of term; ladder, grades, final.",
    ),
    "work": Listed(
        CONTEST, "Play matches of another machine's tournament; first print the programs that will run here."
    ),
    "tokens": Listed(
        CONTEST,
        "List the tokens of a file's remote bots, or renew them; each connects one bot: `joust connect TOKEN bot.py`.",
    ),
    "verify": Listed(
        CONTEST, "Replay all matches by the rules and check that hashes, results, tables, pairings and seeds agree."
    ),
    "matches": Listed(CONTEST, "List the matches of a results folder: id, bots with their points, and how each ended."),
    "replay": Listed(
        CONTEST,
        "Show a recorded match: in a terminal with keys to step, play, go back and jump; otherwise as text.",
    ),
    "analyse": Listed(
        CONTEST,
        "Find where a match was decided: estimate each side's chance to win through the match by playouts.",
    ),
    "view": Listed(
        CONTEST,
        "Show a results folder in a browser: standings, every bot, head to head, the bracket, each match.",
    ),
    "leaderboard": Listed(CONTEST, "Compute the standings of a results folder from its tables, and print them."),
    "report": Listed(
        CONTEST,
        "Make one HTML page of a results folder: standings, charts, faults, search cost. Works offline and in print.",
        "results",
    ),
    "pack": Listed(CONTEST, "Move match records into packs of a tenth of the size; all commands read packs too."),
    "unpack": Listed(CONTEST, "Move match records from packs back into single files.", "pack"),
    "export": Listed(CONTEST, "Write the tables of a results folder in another format.", "results"),
    "init": Listed(BOTS, "Make a folder to start from: a tournament file, a first bot, a .gitignore.", "new_bot"),
    "new-bot": Listed(BOTS, "Make a simple bot that can play at once, for you to improve."),
    "doctor": Listed(
        BOTS,
        "Test a bot: startup, protocol, legal actions, time, determinism, memory, shutdown; show where it fails.",
    ),
    "ask": Listed(
        BOTS, "Ask one bot for its action in one recorded position; print answer, cost and the bot's output."
    ),
    "connect": Listed(
        BOTS, "Play in a tournament on another machine, with a token and a bot; print what the referee reports."
    ),
    "submit": Listed(BOTS, "Hand in a bot to a contest, and follow its admission; exit code 1 if it is not admitted."),
    "look": Listed(
        BOTS,
        "Ask a bot the questions of a recorded match again, and show its debug layers: maps, paths, search.",
    ),
    "rerun": Listed(BOTS, "Play one match again with the same seed and seats, and compare it with its record."),
    "compare": Listed(
        BOTS, "Find the first turn in which two matches differ, and show both side by side; exit code 1 if they differ."
    ),
    "play": Listed(ALONE, "Play a game yourself, in the terminal or the browser, with bots in the other seats."),
    "solve": Listed(ALONE, "Solve the positions of a file with one planner."),
    "plan": Listed(ALONE, "Run planners on path queries of a map; compare solved queries, path cost and search cost."),
    "draw": Listed(ALONE, "Draw a board in the terminal, or as SVG or PNG for a report."),
    "schema": Listed(
        LISTS, "Print the wire protocol (JSON Schema or AsyncAPI) or the JSON Schema of the tournament file.", "lists"
    ),
    "games": Listed(LISTS, "List the games; with a name, one game and its parameters.", "lists"),
    "instances": Listed(
        LISTS, "List the citable instances with their hardness; write their files, or verify their hashes."
    ),
    "bots": Listed(LISTS, "List the built-in and installed bots.", "lists"),
}


class LazyGroup(TyperGroup):
    """The command group of `joust`; it loads only the subcommand that is called."""

    def __init__(self, **settings: Any) -> None:
        listed = {name: TyperCommand(name, help=one.help, rich_help_panel=one.panel) for name, one in COMMANDS.items()}
        super().__init__(**{**settings, "commands": listed})

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # the library's own types are not public
        """Return name, command and remaining arguments of the command that the first argument names."""
        name, _, rest = super().resolve_command(ctx, args)
        command = load_command(str(name))
        interrupt_as_usual()
        return name, command, with_address(rest) if name == "run" else rest


def load_command(name: str) -> Any:
    """Import a command's module and return the command with its options."""
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
    epilog="First steps: joust run quickstart; joust init my-cup; joust new-bot mine --game bomber.",
)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and exit with the code that the command returns, 0 by default."""
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
    except Exception as error:
        from gridjoust.bots.answers import author_failure

        if (failure := author_failure(error)) is None:  # a bug of ours crashes
            raise
        _leave(failure, 4)
    sys.exit(code if isinstance(code, int) else 0)


def _leave_for_usage(error: Any) -> NoReturn:
    """Print a usage error as one line and exit with code 2; without arguments the help has been shown already."""
    message = error.format_message().strip().rstrip(".")
    if not message:
        sys.exit(2)
    command = error.ctx.command_path if error.ctx is not None else "joust"
    where = f"{command.removeprefix('joust ')}: " if " " in command else ""
    _leave(f"{where}{message[:1].lower()}{message[1:]}; see {command} --help", 2)


def _leave(message: str, code: int) -> NoReturn:
    from gridjoust.runner.wire.text import plain_text

    drop_output()
    say("\n".join(map(plain_text, f"joust: {message}".split("\n"))), to_errors=True)
    sys.exit(code)


@app.callback(invoke_without_command=True)
def joust(
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="With --version: also print whether the planners are compiled.")
    ] = False,
) -> None:
    """Bot tournaments: referee, record and rank bots that play grid games over MQTT."""
    if version:
        print(f"joust {__version__}")
        if verbose:
            from gridjoust.bots.planners.kernels import describe_kernels

            print(f"planners: {describe_kernels()}")
        raise typer.Exit
