"""The server of the page on which a person plays; only a reader with the key in its address gets the seat."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from gridjoust.playing.page import MOST_TYPED, PagePlayer
from gridjoust.serving import limited
from gridjoust.viewer.address import address_of, hosts_of, listen
from gridjoust.viewer.server import page, serve_static, signs_json

HOST = "127.0.0.1"
_FAREWELL_S = 2.0
_REFUSED = 1008
_MOST_TYPED_BYTES = 4 * MOST_TYPED


def make_play_app(player: PagePlayer, *, key: str) -> Starlette:
    """Build the app: the page, and a websocket that requires the key."""

    async def play(socket: WebSocket) -> None:
        if secrets.compare_digest(socket.query_params.get("key", "").encode(), key.encode()):
            await player.serve(socket)
        else:
            await socket.close(_REFUSED)

    return Starlette(
        routes=[
            Route("/", lambda _request: page("Play", "play")),
            Route("/static/{name}", serve_static),
            Route("/signs.json", signs_json),
            WebSocketRoute("/play", play),
        ],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=hosts_of(HOST))],
    )


class _Server(uvicorn.Server):
    """A server that ignores signals, so that Ctrl-C ends the match."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Install no signal handlers."""
        yield


@asynccontextmanager
async def serving(player: PagePlayer, *, told: Callable[[str], None]) -> AsyncIterator[None]:
    """Serve the page while the context is open; `told` gets its address."""
    key = secrets.token_urlsafe(9)
    with listen(HOST, 0) as listening:
        config = limited(make_play_app(player, key=key), log_level="error", message_bytes=_MOST_TYPED_BYTES)
        server = _Server(config)
        task = asyncio.create_task(server.serve(sockets=[listening]), name="play.page")
        told(f"{address_of(listening, HOST)}?key={key}")
        try:
            yield
        finally:
            await player.finish()
            server.should_exit = True
            await asyncio.wait([task], timeout=_FAREWELL_S)
