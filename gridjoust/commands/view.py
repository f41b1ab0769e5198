"""`joust view`: serve the matches of a results folder to a browser."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from gridjoust.commands.shared.arguments import find_results
from gridjoust.commands.shared.output import counter
from gridjoust.leaderboard.wording import plural

PORT = 8710


def view(
    results: Annotated[Path, typer.Argument(help="A results folder; its tournament may still run.")] = Path("results"),
    host: Annotated[
        str,
        typer.Option(
            help="Address to listen on; with any other than the default everybody in the network can read it."
        ),
    ] = ("127.0.0.1"),
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0: a free one.")] = PORT,
    embed: Annotated[
        str | None, typer.Option(help="Sites that may show these pages in a frame: https://club.example, or * for all.")
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Also open the page in the browser.")] = False,
    export: Annotated[
        Path | None,
        typer.Option(help="Write the pages to this new folder instead; they open from disk or from any web server."),
    ] = None,
) -> None:
    """Show a results folder in a browser: standings, every bot, head to head, the bracket, each match."""
    if export is not None:
        _export(find_results(results), export)
        return
    from gridjoust.viewer.server import OWN, serve

    def told(address: str) -> None:
        print(f"matches: {address} (Ctrl-C ends it)", flush=True)
        if open_page:
            webbrowser.open(address)

    serve(find_results(results), host=host, port=port, told=told, embed=embed or OWN)


def _export(results: Path, out: Path) -> None:
    from gridjoust.viewer.export import export_pages

    count, tell = 0, counter("page")
    for count, left in export_pages(results, out):
        tell(count, count + left)
    print(f"pages: {out / 'index.html'} ({plural(count, 'match')})")
