"""Who a request comes from, and what it may do: keys, cookies, posts from other sites, rate limits, headers."""

from __future__ import annotations

import hashlib
import ipaddress
import secrets
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from http import HTTPStatus

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "joust_key"
OWN_SITE = "x-joust"  # a header that other sites cannot send without permission
KEPT_S = 200 * 24 * 3600  # for which a browser keeps the cookie: a term
WRONG = 20  # wrong keys or join codes per address and minute
POSTS = 60  # changes per account and minute
_MOST_KEYS = 10_000  # addresses and accounts that a limit remembers
_SAFE = ("GET", "HEAD")
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


def new_key() -> str:
    """Return a new personal key of 192 random bits."""
    return f"joust-{secrets.token_urlsafe(24)}"


def hash_key(key: str) -> str:
    """Return what is stored of a key; a fast hash is enough, as keys are random and long."""
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()


@dataclass(frozen=True, slots=True)
class Visitor:
    """The person behind a request; without a name, anybody."""

    name: str = ""
    is_staff: bool = False

    def may_see(self, owner: str) -> bool:
        """Return True for staff and for the owner: code, logs and errors are nobody else's."""
        return self.is_staff or (bool(self.name) and self.name == owner)


@dataclass(slots=True)
class RateLimit:
    """A token bucket for each key: `most` uses at once, refilled within a minute."""

    most: int
    clock: Callable[[], float] = time.monotonic
    _used: dict[str, tuple[float, float]] = field(default_factory=dict)

    def wait_s(self, key: str) -> float:
        """Return the seconds until one more use is allowed, 0 if it is now."""
        used = self._level(key)
        return max(0.0, (used + 1 - self.most) * 60 / self.most)

    def use(self, key: str) -> None:
        """Count one use."""
        used = self._level(key)
        self._used.pop(key, None)
        if len(self._used) >= _MOST_KEYS:
            del self._used[next(iter(self._used))]
        self._used[key] = used + 1, self.clock()

    def _level(self, key: str) -> float:
        used, at_s = self._used.get(key, (0.0, 0.0))
        return max(0.0, used - (self.clock() - at_s) * self.most / 60)


@dataclass(frozen=True, slots=True, kw_only=True)
class Doorkeeper:
    """Knows visitors by key, or by the user name that a trusted proxy sends.

    `visitor_of_key` and `visitor_of_user` return None for unknown ones. `proxies`: addresses whose headers
    `X-Forwarded-For`, `X-Forwarded-Proto` and, if `has_remote_user`, `X-Remote-User` are believed.
    """

    visitor_of_key: Callable[[str], Visitor | None]  # takes the key's hash
    visitor_of_user: Callable[[str], Visitor | None]
    proxies: Collection[str] = ()
    has_remote_user: bool = False
    wrong: RateLimit = field(default_factory=lambda: RateLimit(WRONG))
    posts: RateLimit = field(default_factory=lambda: RateLimit(POSTS))

    def address_of(self, request: Request) -> str:
        """Return the address that limits are counted for: a whole /64 of IPv6 is one."""
        peer = _peer(request)
        if self._is_proxied(request):
            peer = request.headers.get("x-forwarded-for", peer).rpartition(",")[2].strip()
        try:
            parsed = ipaddress.ip_address(peer)
        except ValueError:
            return _peer(request)
        return str(ipaddress.ip_network(f"{peer}/64", strict=False)) if parsed.version == 6 else peer

    def is_secure(self, request: Request) -> bool:
        """Return True if the browser speaks HTTPS, to us or to a trusted proxy."""
        proto = request.headers.get("x-forwarded-proto", "") if self._is_proxied(request) else ""
        return request.url.scheme == "https" or proto == "https"

    def identify(self, request: Request) -> Visitor:
        """Return who sends a request; PermissionError for a wrong bearer key, but not for a stale cookie."""
        if self.has_remote_user and self._is_proxied(request) and (user := request.headers.get("x-remote-user")):
            return self.visitor_of_user(user) or Visitor()
        bearer = bearer_of(request)
        key = bearer or request.cookies.get(COOKIE, "")
        visitor = self.visitor_of_key(hash_key(key)) if key else None
        if bearer and visitor is None:
            raise PermissionError
        return visitor or Visitor()

    def _is_proxied(self, request: Request) -> bool:
        return _peer(request) in self.proxies


def _peer(request: Request) -> str:
    return request.client.host if request.client else ""


def bearer_of(request: Request) -> str:
    """Return the key of the `Authorization` header, "" if there is none."""
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    return key.strip() if scheme.lower() == "bearer" else ""


def is_from_own_site(request: Request) -> bool:
    """Return True if no page of another site can have sent this: it has our header or a key of its own."""
    if bearer_of(request):
        return True
    origin = request.headers.get("origin")
    is_same = origin is None or origin.partition("://")[2] == request.headers.get("host")
    return is_same and OWN_SITE in request.headers


@dataclass(slots=True)
class Guard:
    """ASGI middleware: names the visitor in `request.state`, refuses foreign posts and floods, adds headers."""

    app: ASGIApp
    doorkeeper: Doorkeeper

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        request = Request(scope)
        answer = self._refusal(request) or self.app
        await answer(scope, receive, send_with_headers)

    def _refusal(self, request: Request) -> Response | None:
        """Set the request's visitor; return the answer to a request that is refused."""
        door, address = self.doorkeeper, self.doorkeeper.address_of(request)
        if bearer_of(request) and (wait_s := door.wrong.wait_s(address)):
            return refuse_for_now("too many wrong keys", wait_s)
        try:
            visitor = request.state.visitor = door.identify(request)
        except PermissionError:
            door.wrong.use(address)
            return PlainTextResponse("this key is not known; ask staff for a new one", HTTPStatus.UNAUTHORIZED)
        if request.method in _SAFE:
            return None
        if not is_from_own_site(request):
            return PlainTextResponse("this change was asked for by another site", HTTPStatus.FORBIDDEN)
        key = visitor.name or address
        if wait_s := door.posts.wait_s(key):
            return refuse_for_now("too many requests", wait_s)
        door.posts.use(key)
        return None


def refuse_for_now(sentence: str, wait_s: float) -> Response:
    """Return an answer that says when to try again."""
    seconds = max(1, round(wait_s + 0.5))
    text = f"{sentence}; try again in {seconds} s"
    return PlainTextResponse(text, HTTPStatus.TOO_MANY_REQUESTS, headers={"Retry-After": str(seconds)})
