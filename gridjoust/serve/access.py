"""Finds the sender of a request and checks what it may do: keys, cookies, foreign sites, rate limits, headers."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gridjoust.serve.contest import Contest
from gridjoust.serve.values import ContestError, Person

COOKIE = "joust_key"
OWN_SITE = "x-joust"  # a header that pages of other sites cannot send
KEPT_S = 200 * 24 * 3600  # for which a browser keeps the cookie: a term
WRONG = 20  # wrong join codes per address and minute
CHANGES = 120  # per account, or address, and minute
_MOST_KEYS = 10_000  # addresses and accounts that a limit remembers
_MOST_LETTERS = 200  # of a key
_SAFE = ("GET", "HEAD")
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",  # pages depend on who looks
}


@dataclass(slots=True)
class RateLimit:
    """A token bucket for each key: `most` uses at once, refilled within a minute."""

    most: int
    clock: Callable[[], float] = time.monotonic
    _used: dict[str, tuple[float, float]] = field(default_factory=dict)

    def wait_s(self, key: str) -> float:
        """Return the seconds until one more use is allowed, 0 if it is now."""
        return max(0.0, (self._level(key) + 1 - self.most) * 60 / self.most)

    def use(self, key: str) -> None:
        """Count one use."""
        level = self._level(key)
        self._used.pop(key, None)
        if len(self._used) >= _MOST_KEYS:
            del self._used[next(iter(self._used))]
        self._used[key] = level + 1, self.clock()

    def _level(self, key: str) -> float:
        level, at_s = self._used.get(key, (0.0, 0.0))
        return max(0.0, level - (self.clock() - at_s) * self.most / 60)


@dataclass(slots=True, kw_only=True)
class Access:
    """Finds the person behind a request, by key or by the user name that a trusted proxy sends.

    `proxy`: the address whose `X-Forwarded-For`, `X-Forwarded-Proto` and, with `has_remote_user`, `X-Remote-User` are
    believed.
    """

    contest: Contest
    proxy: str | None = None
    has_remote_user: bool = False
    wrong: RateLimit = field(default_factory=lambda: RateLimit(WRONG))
    changes: RateLimit = field(default_factory=lambda: RateLimit(CHANGES))

    def address_of(self, request: Request) -> str:
        """Return the address by which requests are limited: the client's; of IPv6, its network of 64 bits."""
        address = _peer(request)
        if self._is_proxied(request):
            address = request.headers.get("x-forwarded-for", address).rpartition(",")[2].strip()
        try:
            is_long = ipaddress.ip_address(address).version == 6
        except ValueError:
            return _peer(request)
        return str(ipaddress.ip_network(f"{address}/64", strict=False)) if is_long else address

    def is_secure(self, request: Request) -> bool:
        """Return True if the browser speaks HTTPS, to us or to the trusted proxy."""
        proto = request.headers.get("x-forwarded-proto", "") if self._is_proxied(request) else ""
        return "https" in (request.url.scheme, proto)

    def find_viewer(self, request: Request) -> Person | None:
        """Return the person who sends a request, None if not signed in.

        ContestError for an unknown key, except in a cookie, which may be old.
        """
        if key := bearer_of(request):
            return self.sign_in(key)
        key = request.cookies.get(COOKIE, "")  # staff have one behind a login, too
        if 0 < len(key) <= _MOST_LETTERS and (person := self.contest.sign_in(key)) is not None:
            return person
        user = request.headers.get("x-remote-user", "") if self._is_proxied(request) else ""
        return self.contest.sign_in_as(user) if user and self.has_remote_user else None

    def sign_in(self, key: str) -> Person:
        """Return the person with this key; ContestError if there is none. Keys are too long to be guessed."""
        person = self.contest.sign_in(key) if len(key) <= _MOST_LETTERS else None
        if person is None:
            raise ContestError("this key is not known here; staff can renew a lost key", status=401)
        return person

    def join(self, request: Request, code: str, name: str) -> tuple[Person, str]:
        """Add an entrant; return the person and the key. ContestError if refused, or after too many wrong codes."""
        address = self.address_of(request)
        _refuse_flood("too many wrong join codes", self.wrong.wait_s(address))
        try:
            return self.contest.join(code, name)
        except ContestError as error:
            if error.status == 403:
                self.wrong.use(address)
            raise

    def check_change(self, request: Request, viewer: Person | None) -> None:
        """Refuse a request to change something if another site's page sends it, or if there are too many of them."""
        if not _is_from_own_site(request):
            raise ContestError("expected a request of this site's pages, or a key in the header", status=403)
        key = viewer.name if viewer else self.address_of(request)
        _refuse_flood("too many requests", self.changes.wait_s(key))
        self.changes.use(key)

    def _is_proxied(self, request: Request) -> bool:
        return self.proxy is not None and _peer(request) == self.proxy


def _refuse_flood(sentence: str, wait_s: float) -> None:
    if wait_s > 0:
        raise ContestError(f"{sentence}; try again in {int(wait_s) + 1} s", status=429)


def _peer(request: Request) -> str:
    return request.client.host if request.client else ""


def bearer_of(request: Request) -> str:
    """Return the key of the `Authorization` header, "" if there is none."""
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    return key.strip() if scheme.lower() == "bearer" else ""


def _is_from_own_site(request: Request) -> bool:
    """Return True if the request cannot come from a page of another site: it has our header, or a key of its own."""
    if bearer_of(request):
        return True
    origin = request.headers.get("origin")
    is_same = origin is None or origin.partition("://")[2] == request.headers.get("host")
    return is_same and OWN_SITE in request.headers


def viewer_of(request: Request) -> Person | None:
    """Return the person that `Guard` has found behind a request, None if not signed in."""
    viewer: Person | None = request.state.viewer
    return viewer


def person_of(request: Request) -> Person:
    """Return the person behind a request; ContestError if not signed in."""
    if (viewer := viewer_of(request)) is None:
        raise ContestError("join the contest or sign in first", status=401)
    return viewer


def staff_of(request: Request) -> Person:
    """Return the person behind a request of staff; ContestError for all others."""
    if not (person := person_of(request)).is_staff:
        raise ContestError("this is for staff only", status=403)
    return person


@dataclass(slots=True)
class Guard:
    """ASGI middleware: finds the viewer, refuses foreign changes and floods, and adds security headers."""

    app: ASGIApp
    access: Access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        request = Request(scope)
        try:
            viewer = request.state.viewer = self.access.find_viewer(request)
            if request.method not in _SAFE:
                self.access.check_change(request, viewer)
        except ContestError as error:
            await refusal(error)(scope, receive, send_with_headers)
        else:
            await self.app(scope, receive, send_with_headers)


def refusal(error: ContestError) -> Response:
    """Return the answer to a refused request: the reason in one line."""
    return PlainTextResponse(f"{error}\n", error.status)
