"""`joust play`: a tournament of one match in which a person plays. It is recorded like any other."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import sys
import textwrap
import webbrowser
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer
import yaml

from gridjoust import games
from gridjoust.bots import bot_names, load_bot
from gridjoust.bots.answers import options_problem
from gridjoust.bots.api import Bot
from gridjoust.commands.shared.arguments import free_folder, mistakes_of
from gridjoust.commands.shared.bot_argument import file_spec, parse_pair, split_pair
from gridjoust.games.api import AnyGame, GameSpec, ParamValue
from gridjoust.in_process import TaskLauncher, connector
from gridjoust.person.person import PERSON, Answers, Face, Lines, SeatedPerson, TextFace, read_keyboard
from gridjoust.runner.broker import page_account
from gridjoust.runner.config.load import load_tournament
from gridjoust.runner.config.programs import split_path
from gridjoust.runner.config.values import BotInfo
from gridjoust.runner.plan import Backend, PreparedPlan, make_plan, prepare_folder
from gridjoust.runner.results.records.file import record_path
from gridjoust.runner.schedule import Pairing, Schedule, make_schedule
from gridjoust.runner.table_sink import Played
from gridjoust.runner.tournament import open_backend, run_tournament
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.protocol import lines_topic
from gridjoust.tournament import KnownBots, run_loop

YOU = "you"


def play(
    game: Annotated[str, typer.Argument(help="The game; `joust games` lists them.")],
    param: Annotated[
        list[str] | None, typer.Option(help="A parameter of the game, name=value; may be repeated.")
    ] = None,
    seats: Annotated[
        int | None, typer.Option(help="Number of seats; default: one for you and one for each --bot.")
    ] = None,
    bot: Annotated[
        list[str] | None,
        typer.Option(help="A bot for another seat (a name or file.py), in seat order; may be repeated."),
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="An option of the bots, such as skill=3; may be repeated.")
    ] = None,
    preset: Annotated[str | None, typer.Option(help="Short for --param preset=...")] = None,
    heroes: Annotated[int | None, typer.Option(help="Short for --seats.")] = None,
    advisor: Annotated[str | None, typer.Option(help="The bot that answers `hint` and plays on after `auto`.")] = None,
    seat: Annotated[int, typer.Option(min=0, help="The seat you take.")] = 0,
    out: Annotated[Path, typer.Option(help="Folder in which the match is recorded.")] = Path("results"),
    browser: Annotated[bool, typer.Option("--browser", help="Play in a browser.")] = False,
    open_page: Annotated[bool, typer.Option("--open", help="With --browser: also open the page.")] = False,
) -> None:
    """Play a game yourself, in the terminal or the browser, with bots in the other seats."""
    params = [*(param or []), *([f"preset={preset}"] if preset is not None else [])]
    options = dict(parse_pair("--option", text) for text in option or [])
    opponents = bot or []
    wanted = heroes if seats is None else seats
    with mistakes_of("play"):
        spec = games.load_game(game).spec
        given = dict(_parse_param(spec, text) for text in params)
        given = {**getattr(games.find_room(game, "params"), "FOR_PEOPLE", {}), **given}
        seated = max(spec.min_seats, len(opponents) + 1) if opponents else None
        made = games.make(game, given, seats=wanted or seated)
    with mistakes_of("--advisor"):
        advisor_class = load_bot(advisor or _usual_opponent(game))
    with mistakes_of("--bot"):
        for name in opponents:
            if ".py" not in name:
                load_bot(name)
    if seat >= made.seats:
        raise ConfigError(f"--seat: expected 0 to {made.seats - 1}, got {seat}")
    folder = free_folder(out, f"play-{game}")
    folder.mkdir(parents=True)
    file = folder / "play.yaml"
    file.write_text(_tournament_file(folder.name, made, given, opponents, options), encoding="utf-8")
    loaded = load_tournament(file, known_bots=KnownBots({PERSON: BotInfo(plays=(), planner="other")}))
    planned = make_plan(loaded, lambda given: Schedule(_only_with(make_schedule(given), seat)), folder)
    plan = prepare_folder(planned, resume=False)
    told = _tell(open_page=open_page) if browser else None
    for match in _play_somewhere(plan, advisor_class, told=told):
        print(f"record: {folder / 'records' / match.pairing.match_id}.jsonl")


def _play_somewhere(
    plan: PreparedPlan, advisor_class: type[Bot], *, told: Callable[[str], None] | None
) -> list[Played]:
    """Play in the browser (`told` gets the address), on a terminal's screen, or by lines of text; return the match."""
    played: list[Played] = []
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty() and find_spec("termios") is not None
    if told is None and not is_terminal:
        run_loop(_play_by_lines(plan, advisor_class, played))
        return played
    plan = replace(plan, spectators=replace(plan.spectators, page=page_account(plan.run)))
    if told is None:
        run_loop(_play_on_screen(plan, advisor_class, played))
    else:
        run_loop(_play_on_page(plan, advisor_class, played, told=told))
    return played


def _parse_param(spec: GameSpec, text: str) -> tuple[str, ParamValue]:
    """Parse name=value: text parameters (such as maps) as typed, others as in a tournament file."""
    name, value = split_pair("--param", text)
    is_text = name in spec.params and isinstance(spec.params[name].default, str)
    return (name, value) if is_text else parse_pair("--param", text)


def _tournament_file(
    title: str, game: AnyGame, params: dict[str, ParamValue], opponents: Sequence[str], options: dict[str, ParamValue]
) -> str:
    sides = len(set(game.teams))
    is_together = sides == 1 and game.seats > 1
    wanted = (game.seats if is_together else sides) - 1
    names = list(opponents) or [_usual_opponent(game.spec.name)] * wanted
    if len(names) != wanted:
        needed = f"{wanted} bots for {game.spec.name} with {game.seats} seats"
        raise ConfigError(f"--bot: expected {needed}, got {len(names)}")
    others = [
        {
            "name": f"{_name_of(bot)}-{number}",
            **_program_of(bot),
            "options": {**_options_for_people(bot, game), **options},
            "time": {"turn_ms": 1000},
        }
        for number, bot in enumerate(names, 1)
    ]
    entry = {"game": game.spec.name, "params": params, "seats": game.seats}
    document = {
        "tournament": title,
        "games": [entry | ({"seating": "mixed"} if is_together else {})],
        "format": {"type": "solo" if sides == 1 and not is_together else "round_robin", "swap_seats": True},
        "bots": [{"name": YOU, "bot": PERSON, "time": {"turn_ms": None}}, *others],
        "faults": {"limit": 1000},
        "execution": {"parallel": 1},
    }
    return yaml.safe_dump(document, sort_keys=False)


def _program_of(bot: str) -> dict[str, str]:
    if ".py" not in bot:
        return {"bot": bot}
    file, name = split_path(file_spec(bot))
    return {"path": f"{Path(file).absolute()}:{name}"}


def _options_for_people(bot: str, game: AnyGame) -> Mapping[str, ParamValue]:
    """Return the options that the game has for bots against people, if this bot accepts them."""
    options = getattr(games.find_room(game.spec.name, "params"), "BOTS_FOR_PEOPLE", {})
    return {} if ".py" in bot or options_problem(load_bot(bot), options) else options


def show_wrapped(text: str) -> None:
    """Print text; break lines longer than the terminal between words, and leave boards as they are."""
    columns = shutil.get_terminal_size().columns
    lines = (
        textwrap.wrap(line, columns, break_long_words=False, break_on_hyphens=False) if len(line) > columns else [line]
        for line in text.split("\n")
    )
    print("\n".join(part for parts in lines for part in parts), flush=True)


def _name_of(bot: str) -> str:
    return Path(bot.partition(".py")[0]).name if ".py" in bot else bot.replace("/", "-")


def _usual_opponent(game: str) -> str:
    """Return the first bot for this game that has a planner, else the random bot."""
    made_for = (bot for bot in bot_names() if game in load_bot(bot).plays and load_bot(bot).planner != "other")
    return next(made_for, "random")


def _only_with(pairings: Iterator[Pairing], seat: int) -> Iterator[Pairing]:
    """Yield the first pairing in which the person has the wanted seat."""
    for pairing in pairings:
        if any(entrant.bot == YOU and seat in entrant.seats for entrant in pairing.entrants):
            yield replace(pairing, index=0)
            return


async def _play_by_lines(plan: PreparedPlan, advisor_class: type[Bot], played: list[Played]) -> None:
    typed = Lines()
    read_keyboard(sys.stdin, typed)
    async with open_backend(plan) as backend:
        person = _seat(plan, backend, typed, TextFace(show_wrapped), advisor_class)
        await _play(plan, backend, person, played)


async def _play_on_screen(plan: PreparedPlan, advisor_class: type[Bot], played: list[Played]) -> None:
    """Play the match on the terminal's alternate screen, then print its last picture on the normal screen."""
    from rich.console import Console

    from gridjoust.playing.terminal import TerminalPlayer, keys_to

    assert plan.spectators.page is not None
    console = Console(highlight=False)
    player = TerminalPlayer(YOU, console)
    async with open_backend(plan) as backend, connector(plan, backend)(plan.spectators.page, None) as bus:
        await bus.subscribe(lines_topic(plan.run, "+"), player.on_lines)
        with keys_to(player), console.screen(hide_cursor=True):
            await _play(plan, backend, _seat(plan, backend, player.typed, player, advisor_class), played)
    console.print(player.page(console.size))


async def _play_on_page(
    plan: PreparedPlan, advisor_class: type[Bot], played: list[Played], *, told: Callable[[str], None]
) -> None:
    """Play the match on a page in the browser; it starts when the page is open, as a clock may run."""
    from gridjoust.playing.page import PagePlayer
    from gridjoust.playing.server import serving

    assert plan.spectators.page is not None
    player = PagePlayer(YOU)
    async with open_backend(plan) as backend, connector(plan, backend)(plan.spectators.page, None) as bus:
        await bus.subscribe(lines_topic(plan.run, "+"), player.on_lines)
        async with serving(player, told=told):
            await player.opened.wait()
            await _play(plan, backend, _seat(plan, backend, player.typed, player, advisor_class), played)
            if played:
                await player.heard_the_end()
            for match in played:
                player.say(f"record: {record_path(plan.out, match.pairing.match_id)}")


def _tell(*, open_page: bool) -> Callable[[str], None]:
    def tell(address: str) -> None:
        print(f"play: {address} (Ctrl-C ends it)", flush=True)
        if open_page:
            webbrowser.open(address)

    return tell


def _seat(plan: PreparedPlan, backend: Backend, typed: Lines, face: Face, advisor_class: type[Bot]) -> SeatedPerson:
    is_alone = len(plan.loaded.config.bots) == 1
    return SeatedPerson(plan.run, connector(plan, backend), typed, face, advisor_class, can_undo=is_alone)


async def _play(plan: PreparedPlan, backend: Backend, person: SeatedPerson, played: list[Played]) -> None:
    launcher = TaskLauncher(backend.launcher, PERSON, person.serve, reason="the person left")
    seated = replace(backend, launcher=launcher)
    while (answers := await _play_until_undo(plan, seated, person, played)) is not None:
        person.answers = answers


async def _play_until_undo(
    plan: PreparedPlan, backend: Backend, person: SeatedPerson, played: list[Played]
) -> Answers | None:
    """Play the match to its end; if the person takes an answer back, return the answers that remain, else None.

    A match with the same answers repeats exactly, so it is played again without the answer that was taken back.
    """
    person.undone = asyncio.get_running_loop().create_future()
    match = asyncio.create_task(run_tournament(plan, backend, on_played=played.append), name="play.match")
    waiting: set[asyncio.Future[Any]] = {match, person.undone}
    try:
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    except asyncio.CancelledError:  # the match must end before its broker
        match.cancel()
        await asyncio.gather(match, return_exceptions=True)
        raise
    if match.done() or not person.undone.done():
        await match
        return None
    match.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await match
    return person.undone.result()
