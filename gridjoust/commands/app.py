"""The `joust` command: arguments to a command, errors to exit codes. Its subcommands are listed in `table`."""

from __future__ import annotations

import sys
from typing import Annotated, Any, NoReturn

import typer

from gridjoust.commands.table import LazyGroup
from runner import __version__
from runner.wire.errors import BrokerError, ConfigError, JoustError

UsageError: Any = typer.BadParameter.__base__  # the library keeps its name private

app = typer.Typer(
    name="joust",
    cls=LazyGroup,
    help="Bot tournaments: referee, record and rank bots that play grid games over MQTT.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    epilog="First steps: joust run configs/quickstart.yaml; joust init my-cup; joust new-bot mine --game bomber.",
)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and leave with its exit code: what the command returns, 0 if nothing."""
    try:
        code = app(arguments, prog_name="joust", standalone_mode=False)
    except UsageError as error:
        _leave_for_usage(error)
    except ConfigError as error:
        _leave(str(error), 2)
    except BrokerError as error:
        _leave(str(error), 3)
    except OSError as error:  # what the system refused, and where
        what = (error.strerror or str(error)).lower()
        _leave(f"{error.filename}: {what}" if error.filename else what, 3)
    except JoustError as error:
        _leave(str(error), 1)
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
    print(f"joust: {message}", file=sys.stderr)
    sys.exit(code)


@app.callback(invoke_without_command=True)
def joust(
    version: Annotated[bool, typer.Option("--version", help="Print the version and leave.")] = False,
) -> None:
    """Bot tournaments: referee, record and rank bots that play grid games over MQTT."""
    if version:
        print(f"joust {__version__}")
        raise typer.Exit
