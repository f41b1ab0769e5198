"""`joust serve`: hold a contest that lives for a term, in one process and one folder."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gridjoust.commands.new_bot import make_bot
from gridjoust.commands.shared.arguments import TrustOption, find_tournament
from gridjoust.commands.shared.output import counter, say
from gridjoust.leaderboard.wording import plural
from gridjoust.runner.wire.errors import ConfigError

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from gridjoust.serve.contest import Contest

PORT = 8714


def serve(
    file: Annotated[Path, typer.Argument(help="The contest's file (YAML): a tournament file with a section contest.")],
    out: Annotated[Path, typer.Option(help="Folder in which the contest's folder is made.")] = Path("results"),
    host: Annotated[
        str, typer.Option(help="Address to listen on; with any other than the default, use TLS: a proxy before it.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0: a free one.")] = PORT,
    hosts: Annotated[
        list[str] | None, typer.Option(help="A name that requests may use, as behind a proxy; may be repeated.")
    ] = None,
    proxy: Annotated[
        str | None, typer.Option(help="Address of a proxy whose X-Forwarded-For and -Proto are believed.")
    ] = None,
    remote_user: Annotated[
        bool, typer.Option("--remote-user", help="Also believe the proxy's X-Remote-User: it signs people in.")
    ] = False,
    new_staff_key: Annotated[
        bool, typer.Option("--new-staff-key", help="Draw a new key for staff, in place of a lost one.")
    ] = False,
    export: Annotated[
        Path | None, typer.Option(help="Write the contest to this new folder as a static site instead, with CSV files.")
    ] = None,
    trust: TrustOption = False,
) -> None:
    """Hold a contest: people hand in bots on a page, which play until the end of term; ladder, grades, final."""
    if remote_user and proxy is None:
        raise ConfigError("--remote-user needs --proxy: only that address may sign people in")
    file = find_tournament(file)
    if export is not None:
        _export(file, export, out=out, trust=trust)
        return
    make = partial(_make_app, hosts=[*(hosts or [])], proxy=proxy, has_remote_user=remote_user)
    asyncio.run(_serve(file, make, (host, port), out=out, trust=trust, new_staff_key=new_staff_key))


async def _serve(
    file: Path,
    make: Callable[[Contest, str], Starlette],
    at: tuple[str, int],
    *,
    out: Path,
    trust: bool,
    new_staff_key: bool,
) -> None:
    """Play and serve until interrupted; print the address once both run."""
    from gridjoust.serve.play.child import begun

    host, port = at
    async with begun() as player:  # it loads its modules while this process does
        from gridjoust.serve.contest import Contest
        from gridjoust.serve.web import ContestServer
        from gridjoust.viewer.address import address_of, listen

        with Contest.open(file, out=out, trust=trust) as contest:
            key = contest.renew_staff_key() if new_staff_key else contest.staff_key
            try:
                listening = listen(host, port)
            except OSError as error:
                raise ConfigError(f"--port: expected a free address, got {host}:{port}: {error.strerror}") from None
            with listening:
                server = ContestServer(make(contest, host), on_exit=contest.live.log.close)
                async with contest.playing(player):
                    say(f"contest: {address_of(listening, host)} (Ctrl-C ends it; start it again to go on)")
                    for track, code in contest.codes.items():
                        say(f"join code{f' of {track}' if track else ''}: {code}")
                    if key:
                        say(f"key of staff, shown once: {key}")
                    await server.serve(sockets=[listening])


def _make_app(
    contest: Contest, host: str, *, hosts: Sequence[str], proxy: str | None, has_remote_user: bool
) -> Starlette:
    from gridjoust.serve.web import make_app
    from gridjoust.viewer.address import hosts_of

    known = [*hosts_of(host), *hosts]
    return make_app(contest, hosts=known, starter=_starter, proxy=proxy, has_remote_user=has_remote_user)


def _starter(game: str) -> str:
    """Return a first bot for a game, for the guide."""
    return next(iter(make_bot("mine", game=game, language="python", folder=Path()).files.values()))


def _export(file: Path, export: Path, *, out: Path, trust: bool) -> None:
    from gridjoust.serve.contest import Contest
    from gridjoust.serve.site_export import export_site

    count, tell = 0, counter("page")
    with Contest.open(file, out=out, trust=trust) as contest:
        contest.write_tables()
        for count, left in export_site(contest, export):
            tell(count, count + left)
    print(f"site: {export / 'index.html'} ({plural(count, 'match')})")
