"""The server of a results folder: pages, lists and matches, read from its files on request.

The pages contain no inline script or style and may fetch only from this server.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Callable
from functools import lru_cache
from html import escape
from pathlib import Path
from types import FrameType

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from gridjoust.games.svg import PATHS
from gridjoust.runner.results.records.file import changed_ns, has_record, read_header, read_record, record_path
from gridjoust.runner.results.records.lines import is_match_id
from gridjoust.runner.results.records.other_rules import as_installed
from gridjoust.runner.results.records.plain_folder import is_plain, require_plain
from gridjoust.runner.wire.errors import ConfigError, JoustError
from gridjoust.serving import limited
from gridjoust.viewer.address import address_of, hosts_of, listen
from gridjoust.viewer.compare_page import comparison_view
from gridjoust.viewer.files import match_view_of, thumbnail_of, view_changed_ns
from gridjoust.viewer.live_page.events import EventLog
from gridjoust.viewer.live_page.live import Live
from gridjoust.viewer.live_page.open_seeds import OpenSeeds
from gridjoust.viewer.live_page.searches import LatestSearches
from gridjoust.viewer.matches import THUMBNAILS, list_matches
from gridjoust.viewer.page import icon, page_text, palette, static

_POLICY = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors "
_REPORT_POLICY = (  # the report's script is not trusted: the sandbox gives it a separate origin
    "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors "
)
OWN = "'self'"  # origins that may show these pages in a frame
_ORIGIN = re.compile(r"\*|https?://[A-Za-z0-9.:\[\]-]+")
HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-cache"}
_KINDS = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
_SERVED = re.compile(r"[a-z]+\.(js|css|svg)")
_COMMAND = re.compile(r"(<code[^>]*>joust replay [^<]* ([A-Za-z0-9_-]{6,64})</code>)")  # a command in the report
_HEAD = (
    '<link rel="icon" href="static/icon.svg">\n<link rel="stylesheet" href="static/palette.css">\n'
    '<link rel="stylesheet" href="static/viewer.css">\n'
)
_MADE: dict[str, Callable[[], str]] = {"palette.css": palette, "icon.svg": icon}
_KEPT, _KEPT_THUMBNAILS = 8, 64  # encoded matches, and last boards, in the caches


def make_app(
    results: Path, *, hosts: list[str], log: EventLog, searches: LatestSearches | None = None, embed: str = OWN
) -> Starlette:
    """Build the app of one results folder for requests to one of these hosts; `log`: events of the folder.

    `searches`: debug layers of running matches. `embed`: origin of pages that may show these in a frame.
    """
    require_plain(results)
    report, open_seeds = results / "report.html", OpenSeeds(results)

    def matches(_request: Request) -> Response:
        listed = list_matches(results, report=is_plain(report))
        for match in listed["matches"][-THUMBNAILS:]:
            match["is_shown"] = may_be_shown(match["id"])
        return _json(msgspec.json.encode(listed))

    def may_be_shown(match_id: str) -> bool:
        """Return True if the match has a record, and no other match on its seed is still to be played."""
        try:
            find_record(match_id)
        except (HTTPException, JoustError):
            return False
        return True

    def find_record(match_id: str) -> Path:
        if not is_match_id(match_id) or not has_record(path := record_path(results, match_id)):
            raise HTTPException(404, f"{results.name} has no match {match_id!r}")
        open_seeds.check(read_header(path))
        return path

    def match(request: Request) -> Response:
        path = find_record(request.path_params["match_id"])
        return _json(_match_json(path, view_changed_ns(path)))

    def comparison(request: Request) -> Response:
        paths = [find_record(request.path_params[name]) for name in ("one", "other")]
        return _json(msgspec.json.encode(comparison_view(*(as_installed(read_record(path)) for path in paths))))

    def thumbnail(request: Request) -> Response:
        path = find_record(request.path_params["match_id"])
        return Response(_thumbnail(path, changed_ns(path)), media_type=_KINDS[".svg"], headers=HEADERS)

    async def events(request: Request) -> Response:
        last = request.headers.get("last-event-id") or request.query_params.get("after", "")
        return StreamingResponse(log.stream(last), media_type="text/event-stream", headers=HEADERS)

    def search(request: Request) -> Response:
        return _json(msgspec.json.encode({} if searches is None else searches.of(request.path_params["match_id"])))

    def show_report(_request: Request) -> Response:
        if not is_plain(report):
            return PlainTextResponse("this results folder has no report; make it with joust report", 404)
        text, headers = (
            report.read_text(encoding="utf-8"),
            HEADERS | {"Content-Security-Policy": _REPORT_POLICY + embed},
        )
        return Response(_COMMAND.sub(_with_link, text), media_type="text/html", headers=headers)

    return Starlette(
        routes=[
            Route("/", lambda _request: page("Matches", "list", embed=embed)),
            Route("/watch", lambda _request: page("Match", "watch", embed=embed)),
            Route("/live", lambda _request: page("Live", "live", embed=embed)),
            Route("/events", events),
            Route("/signs.json", signs_json),
            Route("/static/{name}", serve_static),
            Route("/matches.json", matches),
            Route("/match/{match_id}.json", match),
            Route("/thumb/{match_id}.svg", thumbnail),
            Route("/search/{match_id}.json", search),
            Route("/compare", lambda _request: page("Two matches", "compare", embed=embed)),
            Route("/compare/{one}/{other}.json", comparison),
            Route("/report", show_report),
        ],
        middleware=[
            Middleware(TrustedHostMiddleware, allowed_hosts=hosts),
            Middleware(GZipMiddleware, minimum_size=1000),
        ],
        exception_handlers={JoustError: _refuse},
    )


def serve(results: Path, *, host: str, port: int, told: Callable[[str], None], embed: str = OWN) -> None:
    """Serve a results folder until interrupted; `told` gets the address once the server listens.

    `embed` as for `make_app`; ConfigError if it is no origin. OSError if the port is in use.
    """
    if embed != OWN and _ORIGIN.fullmatch(embed) is None:
        raise ConfigError(f"--embed: expected an origin such as https://club.example, or *, got {embed!r}")
    live = Live(results, is_live=False)
    app = make_app(results, hosts=hosts_of(host), log=live.log, embed=embed)
    with listen(host, port) as listening:
        told(address_of(listening, host))
        asyncio.run(_serve_folder(live, app, listening))


async def _serve_folder(live: Live, app: Starlette, listening: socket.socket) -> None:
    server = PageServer(app, on_exit=live.log.close)
    following = asyncio.create_task(live.follow(), name="view.follow")
    try:
        await server.serve(sockets=[listening])
    finally:
        following.cancel()


class PageServer(uvicorn.Server):
    """A server that ends at once when interrupted; `on_exit` must end the streams of open pages."""

    def __init__(self, app: Starlette, *, on_exit: Callable[[], None]) -> None:
        super().__init__(limited(app))
        self._on_exit = on_exit

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Handle an interrupt: stop the server and its streams."""
        super().handle_exit(sig, frame)
        self._on_exit()


def signs_json(_request: Request) -> Response:
    """Return the paths of the icons by name, as JSON."""
    return _json(msgspec.json.encode({sign.value: path for sign, path in PATHS.items()}))


def page(title: str, name: str, *, embed: str = OWN) -> Response:
    """Return the page of this name with its script and content security policy."""
    head = f'{_HEAD}<script type="module" src="static/{name}.js"></script>'
    body = static(f"{name}.html").replace('id="back" href="." hidden', 'id="back" href="."')
    text = page_text(title, head=head, body=body)
    return Response(text, media_type="text/html", headers={**HEADERS, "Content-Security-Policy": _POLICY + embed})


def serve_static(request: Request) -> Response:
    """Return a style sheet, a module or an icon; 404 for anything else."""
    name = request.path_params["name"]
    if _SERVED.fullmatch(name) is None:
        return PlainTextResponse("not found", 404)
    try:
        text = _MADE[name]() if name in _MADE else static(name)
    except FileNotFoundError:
        return PlainTextResponse("not found", 404)
    return Response(text, media_type=_KINDS[Path(name).suffix], headers=HEADERS)


def _json(body: bytes) -> Response:
    return Response(body, media_type="application/json", headers=HEADERS)


@lru_cache(maxsize=_KEPT)
def _match_json(path: Path, _changed_ns: tuple[int, int]) -> bytes:
    return msgspec.json.encode(match_view_of(path, read_record(path)))


@lru_cache(maxsize=_KEPT_THUMBNAILS)
def _thumbnail(path: Path, _changed_ns: int) -> str:
    return thumbnail_of(as_installed(read_record(path)))


def _with_link(found: re.Match[str]) -> str:
    """Return a command in the report as HTML with a link to the match that it shows."""
    return f'{found[1]} <a href="watch#match={escape(found[2])}">watch</a>'


async def _refuse(_request: Request, error: Exception) -> Response:
    """Return an error in a file of the folder as a response of one line, with status 409."""
    return PlainTextResponse(str(error), 409)
