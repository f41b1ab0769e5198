"""The `joust` command and its subcommands. Heavy imports happen inside a command, so that `--help` answers at once."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from gridjoust.commands.arguments import JsonOption, ResultsArgument
from gridjoust.commands.checkup_commands import ask, doctor, rerun
from runner import __version__
from runner.wire.errors import BrokerError, ConfigError, JoustError

CONTEST, BOTS, ALONE, LISTS = "Hold a contest", "Write a bot", "Without a tournament", "What there is"
UsageError: Any = typer.BadParameter.__base__  # the library keeps its name private

app = typer.Typer(
    name="joust",
    help="Bot tournaments: referee, record and rank bots that play grid games over MQTT.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    epilog="First steps: joust run configs/quickstart.yaml; joust init my-cup; joust new-bot mine --game bomber.",
)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and leave with its exit code."""
    try:
        code = app(arguments, prog_name="joust", standalone_mode=False)
    except UsageError as error:
        _leave_for_usage(error)
    except ConfigError as error:
        _leave(str(error), 2)
    except BrokerError as error:
        _leave(str(error), 3)
    except OSError as error:
        _leave(_describe(error), 3)
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


def _describe(error: OSError) -> str:
    """What the system refused, and where."""
    what = (error.strerror or str(error)).lower()
    return f"{error.filename}: {what}" if error.filename else what


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


@app.command(rich_help_panel=CONTEST)
def run(
    file: Annotated[Path, typer.Argument(help="The tournament file (YAML).")],
    out: Annotated[Path, typer.Option(help="Where the results folder <tournament>/ goes.")] = Path("results"),
    resume: Annotated[bool, typer.Option("--resume", help="Play only what is missing.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Delete earlier results of this tournament.")] = False,
    parallel: Annotated[int | None, typer.Option(min=1, help="Matches at once, instead of the file's.")] = None,
    json: JsonOption = False,
) -> None:
    """Play a tournament to its leaderboard."""
    from gridjoust.commands.run import run_file

    raise typer.Exit(run_file(file, out=out, resume=resume, overwrite=overwrite, parallel=parallel, as_json=json))


@app.command(rich_help_panel=CONTEST)
def verify(results: ResultsArgument, json: JsonOption = False) -> None:
    """Re-apply every record by the rules and compare hashes, ends and tables."""
    from gridjoust.commands.inspect import verify_results

    raise typer.Exit(verify_results(results, as_json=json))


@app.command(rich_help_panel=CONTEST)
def replay(
    record: Annotated[Path, typer.Argument(help="A match record, for example results/quickstart/records/<id>.jsonl.")],
    speed: Annotated[float | None, typer.Option(min=0.1, help="Turns per second; without it, Enter steps.")] = None,
    turn: Annotated[int | None, typer.Option(min=0, help="Show this turn alone.")] = None,
    omniscient: Annotated[bool, typer.Option("--omniscient", help="Everything, also what nobody could see.")] = False,
) -> None:
    """Show a recorded match in the terminal, step by step or at a speed."""
    from gridjoust.commands.inspect import replay_record

    raise typer.Exit(replay_record(record, speed=speed, only_turn=turn, omniscient=omniscient))


@app.command(rich_help_panel=CONTEST)
def leaderboard(
    results: ResultsArgument,
    json: JsonOption = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV, the columns of standings.csv.")] = False,
    by: Annotated[
        str | None, typer.Option(help="One table per game, variant, map or role; planner: planners, over all games.")
    ] = None,
    metrics: Annotated[bool, typer.Option("--metrics", help="Also what the games count: a mean per bot.")] = False,
    svg: Annotated[Path | None, typer.Option(help="Also draw the table into this SVG file.")] = None,
) -> None:
    """Print the standings of a results folder, computed anew from its tables."""
    from gridjoust.commands.leaderboard import print_leaderboard

    raise typer.Exit(print_leaderboard(results, by=by, as_json=json, as_csv=csv, svg=svg, metrics=metrics))


@app.command(rich_help_panel=CONTEST)
def report(
    results: ResultsArgument,
    out: Annotated[Path | None, typer.Option(help="The page; default: report.html in the results folder.")] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Also show it in the browser.")] = False,
) -> None:
    """Make one HTML page of a results folder: standings, charts, faults, search cost; works offline and prints."""
    from gridjoust.commands.report import report_results

    raise typer.Exit(report_results(results, out=out, open_page=open_page))


@app.command(rich_help_panel=CONTEST)
def export(
    results: ResultsArgument,
    parquet: Annotated[
        bool, typer.Option("--parquet", help="As Parquet files, one per table (extra `parquet`).")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="Where to; default: the folder parquet/ in the results.")] = None,
) -> None:
    """Write the tables of a results folder in another format."""
    from gridjoust.commands.export import export_tables

    raise typer.Exit(export_tables(results, parquet=parquet, out=out))


@app.command(rich_help_panel=BOTS)
def init(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where; made if it does not exist.")] = Path(),
) -> None:
    """Start a folder of your own: a commented tournament file, a first bot, a .gitignore."""
    from gridjoust.commands.init import init_folder

    raise typer.Exit(init_folder(folder))


@app.command(rich_help_panel=BOTS)
def new_bot(
    name: Annotated[str, typer.Argument(help="Its name, in tables and of its file.")],
    game: Annotated[str, typer.Option(help="The game it plays; `joust games` lists them.")],
    lang: Annotated[str, typer.Option(help="python, javascript, or plain: Python with paho-mqtt alone.")] = "python",
    folder: Annotated[Path, typer.Option(help="Where its file goes.")] = Path("my_bots"),
) -> None:
    """Write a bot that plays at once, to be improved."""
    from gridjoust.commands.new_bot import create_bot

    raise typer.Exit(create_bot(name, game=game, language=lang, folder=folder))


for _command in (doctor, ask, rerun):
    app.command(rich_help_panel=BOTS)(_command)


@app.command(rich_help_panel=ALONE)
def play(
    game: Annotated[str, typer.Argument(help="The game; `joust games` lists them.")],
    param: Annotated[
        list[str] | None, typer.Option(help="A parameter of the game, name=value; may be repeated.")
    ] = None,
    seats: Annotated[
        int | None, typer.Option(help="How many seats; without it, as many as you name bots, and one for you.")
    ] = None,
    bot: Annotated[list[str] | None, typer.Option(help="A bot to play with, in seat order; may be repeated.")] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="An option of the bots, such as skill=3; may be repeated.")
    ] = None,
    preset: Annotated[str | None, typer.Option(help="Short for --param preset=...")] = None,
    heroes: Annotated[int | None, typer.Option(help="Short for --seats.")] = None,
    advisor: Annotated[str | None, typer.Option(help="The bot that `hint` asks and `auto` lets play on.")] = None,
    seat: Annotated[int, typer.Option(min=0, help="The seat you take.")] = 0,
    out: Annotated[Path, typer.Option(help="Where the match is recorded.")] = Path("results"),
) -> None:
    """Play a game yourself, in the terminal, with bots in the other seats."""
    from gridjoust.commands.play import play_game

    params = [*(param or []), *([f"preset={preset}"] if preset is not None else [])]
    done = play_game(
        game,
        params=params,
        seats=heroes if seats is None else seats,
        opponents=bot or [],
        options=option or [],
        advisor=advisor,
        seat=seat,
        out=out,
    )
    raise typer.Exit(done)


@app.command(rich_help_panel=ALONE)
def solve(
    game: Annotated[str, typer.Argument(help="ricochet or placement.")],
    file: Annotated[Path, typer.Argument(help="Positions or cases (JSON); expected answers in it are ignored.")],
    bot: Annotated[str | None, typer.Option(help="The planner; default: astar in ricochet, beam in placement.")] = None,
    variant: Annotated[str | None, typer.Option(help="ricochet: plain (default) or printed.")] = None,
    early_stop: Annotated[str | None, typer.Option(help="ricochet, printed: true (default) or false.")] = None,
    width: Annotated[int | None, typer.Option(min=1, help="placement: width of the beam (16).")] = None,
    limit_ms: Annotated[float | None, typer.Option(min=0, help="Planning time per task.")] = None,
    json: JsonOption = False,
) -> None:
    """Solve the positions of a file with one planner."""
    from gridjoust.commands.solve import SolveOptions, solve_file

    options = SolveOptions(bot=bot, variant=variant, early_stop=early_stop, width=width, limit_ms=limit_ms)
    raise typer.Exit(solve_file(game, file, options, as_json=json))


@app.command(rich_help_panel=ALONE)
def plan(
    map: Annotated[Path, typer.Option(help="The map (MovingAI .map).")],  # noqa: A002 - the option's name
    planner: Annotated[
        str, typer.Option(help="One or more of astar, dstar_lite, dijkstra_map and beam, with commas between.")
    ],
    scen: Annotated[Path | None, typer.Option(help="Queries: a MovingAI .scen of this map.")] = None,
    queries: Annotated[
        Path | None, typer.Option(help='Queries: a JSON list of {"start": [x, y], "goal": [x, y]}.')
    ] = None,
    start: Annotated[str | None, typer.Option(help="One query: x,y of its start.")] = None,
    goal: Annotated[str | None, typer.Option(help="One query: x,y of its goal.")] = None,
    connectivity: Annotated[str, typer.Option(help="4, or 8: diagonals cost the root of 2 and cut no corners.")] = "4",
    knowledge: Annotated[
        str, typer.Option(help="known, or unknown: the robot takes every cell for free until it senses it.")
    ] = "known",
    sensor: Annotated[int, typer.Option(help="Unknown maps: how many moves away a cell is sensed.")] = 1,
    limit: Annotated[int | None, typer.Option(help="Only the first N queries.")] = None,
    json: JsonOption = False,
) -> None:
    """Put queries on a map to planners: who solves them, how well, and at what cost."""
    from gridjoust.commands.plan import PlanOptions, plan_file

    options = PlanOptions(map, planner, scen, queries, start, goal, connectivity, knowledge, sensor, limit)
    raise typer.Exit(plan_file(options, as_json=json))


@app.command(rich_help_panel=ALONE)
def draw(
    game: Annotated[str, typer.Argument(help="ricochet.")],
    file: Annotated[Path | None, typer.Argument(help="Positions (JSON); without it a position is dealt.")] = None,
    seed: Annotated[int, typer.Option(help="Which position is dealt.")] = 0,
    position: Annotated[
        str | None, typer.Option("--id", help="Which position of the file; default: its first.")
    ] = None,
    moves: Annotated[str | None, typer.Option(help="Moves to draw in the SVG: 'red N, blue E'.")] = None,
    svg: Annotated[Path | None, typer.Option(help="Write an SVG picture instead.")] = None,
) -> None:
    """Draw a board in the terminal, or as SVG for a report."""
    from gridjoust.commands.solve import draw_board

    raise typer.Exit(draw_board(game, seed=seed, file=file, position=position, moves=moves, svg=svg))


@app.command(rich_help_panel=LISTS)
def schema(
    what: Annotated[str, typer.Argument(help="protocol, asyncapi or config.")] = "protocol",
) -> None:
    """Print the wire protocol (JSON Schema or AsyncAPI) or the JSON Schema of the tournament file."""
    from gridjoust.commands.catalogue import print_schema

    raise typer.Exit(print_schema(what))


@app.command(rich_help_panel=LISTS)
def games(json: JsonOption = False) -> None:
    """List the games with their parameters."""
    from gridjoust.commands.catalogue import print_games

    raise typer.Exit(print_games(as_json=json))


@app.command(rich_help_panel=LISTS)
def bots(json: JsonOption = False) -> None:
    """List the built-in and installed bots."""
    from gridjoust.commands.catalogue import print_bots

    raise typer.Exit(print_bots(as_json=json))
