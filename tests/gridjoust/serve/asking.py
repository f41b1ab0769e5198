"""Asks a web app without a socket, as a browser with cookies does, or a program with a key."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import unquote

from starlette.types import ASGIApp, Message

from gridjoust.viewer.live_page.events import EventLog

OWN = {"x-joust": "1"}
HOST = "127.0.0.1:8714"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back; header names in lower case, of equal ones the last."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def data(self) -> Any:
        return json.loads(self.body)


@dataclass(slots=True)
class Client:
    """Somebody at one address; keeps cookies. `key`: sent as a program sends it, in the header."""

    app: ASGIApp
    address: str = "127.0.0.1"
    key: str = ""
    cookies: dict[str, str] = field(default_factory=dict)

    def get(self, path: str, **headers: str) -> Answer:
        return self.send("GET", path, headers=headers)

    def post(self, path: str, *, headers: dict[str, str] = OWN, **fields: str) -> Answer:
        return self.send("POST", path, parts=[json.dumps(fields).encode()], headers=headers)

    def put(self, path: str, *parts: bytes, headers: dict[str, str] = OWN, is_cut: bool = False) -> Answer:
        return self.send("PUT", path, parts=parts, headers=headers, is_cut=is_cut)

    def send(
        self,
        method: str,
        path: str,
        *,
        parts: Sequence[bytes] = (),
        headers: dict[str, str] | None = None,
        is_cut: bool = False,
    ) -> Answer:
        """Send a request in parts; `is_cut`: the connection is lost behind the last of them."""
        given = {"host": HOST, **(headers or {})}
        if self.cookies:
            given.setdefault("cookie", "; ".join(f"{name}={value}" for name, value in self.cookies.items()))
        if self.key:
            given.setdefault("authorization", f"Bearer {self.key}")
        answer = asyncio.run(_ask(self.app, method, path, given, list(parts), self.address, is_cut=is_cut))
        for name, morsel in SimpleCookie(answer.headers.get("set-cookie", "")).items():
            self.cookies[name] = morsel.value
        return answer


async def _ask(
    app: ASGIApp, method: str, path: str, headers: dict[str, str], parts: list[bytes], address: str, *, is_cut: bool
) -> Answer:
    sent: list[Message] = []
    place, _, query = path.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote(place),
        "raw_path": place.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers.items()],
        "client": (address, 1),
        "server": ("127.0.0.1", 8714),
    }
    waiting = iter(_messages(parts, is_cut=is_cut))
    over = asyncio.Event()

    async def receive() -> Message:
        message = next(waiting, None)
        if message is None:
            await over.wait()  # the browser stays until the answer is there
            return {"type": "http.disconnect"}
        return message

    async def send(message: Message) -> None:
        sent.append(message)
        if message["type"] == "http.response.body" and not message.get("more_body"):
            over.set()

    await app(scope, receive, send)
    head = sent[0]
    names = {name.decode(): value.decode("latin-1") for name, value in head["headers"]}
    return Answer(head["status"], names, b"".join(message.get("body", b"") for message in sent[1:]))


def _messages(parts: Sequence[bytes], *, is_cut: bool) -> Iterable[Message]:
    for at, part in enumerate(parts):
        yield {"type": "http.request", "body": part, "more_body": is_cut or at < len(parts) - 1}
    if not parts:
        yield {"type": "http.request", "body": b"", "more_body": is_cut}
    if is_cut:
        yield {"type": "http.disconnect"}


def show_board(log: EventLog, match_id: str) -> None:
    """Write the beginning of a match into the log of live boards, and end its streams behind it."""

    async def add() -> None:
        log.add(match_id, {"match": match_id, "begin": {}})

    asyncio.run(add())
    log.close()


def joined(app: ASGIApp, name: str, *, code: str) -> Client:
    """Return the browser of somebody who has joined."""
    client = Client(app)
    answer = client.post("/join", code=code, name=name)
    assert answer.status == 200, answer.text
    return client
