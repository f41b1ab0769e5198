"""The web server of a contest: pages, hand-in, JSON, replays, live boards. It checks the sender and calls `Contest`."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from gridjoust.games import game_names
from gridjoust.runner.results.records.file import read_header, read_record
from gridjoust.runner.wire.errors import JoustError
from gridjoust.serve.access import COOKIE, KEPT_S, Access, Guard, person_of, refusal, staff_of, viewer_of
from gridjoust.serve.config import record_name
from gridjoust.serve.contest import Contest
from gridjoust.serve.entrants import may_see
from gridjoust.serve.guide import Starter, guide, llms_text
from gridjoust.serve.pages import Pages, hides_boards, known_to
from gridjoust.serve.uploading import Uploads, file_name_of
from gridjoust.serve.values import ContestError, Kind, MatchFilter, Person
from gridjoust.viewer.files import public_view_of, view_changed_ns
from gridjoust.viewer.server import PageServer, page, serve_static, signs_json

_MOST_FIELDS = 16 * 1024  # bytes of a form
_MOST_NUMBER = 15  # digits
_KEPT = 8  # matches for the viewer
_KINDS = {".js": "text/javascript", ".css": "text/css"}
_FIELDS = msgspec.json.Decoder(dict[str, str])

ContestServer = PageServer  # its `on_exit` must end the streams of live boards
Fields = Mapping[str, str]
Change = Callable[[Person, Fields], object]


def make_app(
    contest: Contest, *, hosts: list[str], starter: Starter, proxy: str | None = None, has_remote_user: bool = False
) -> Starlette:
    """Build the app of a contest for requests to one of these hosts; `starter` writes a first bot for a game.

    `proxy`, `has_remote_user`: as for `Access`.
    """
    site = _Site(contest, Access(contest=contest, proxy=proxy, has_remote_user=has_remote_user), starter)
    return Starlette(
        routes=[*site.pages(), *site.changes(), *site.data(), *site.viewer()],
        middleware=[
            Middleware(TrustedHostMiddleware, allowed_hosts=hosts),
            Middleware(Guard, access=site.access),
            Middleware(GZipMiddleware, minimum_size=1000),
        ],
        exception_handlers={
            ContestError: lambda _request, error: refusal(error),
            JoustError: lambda _request, error: refusal(ContestError(str(error), status=409)),
            **dict.fromkeys((OSError, sqlite3.OperationalError), _cannot_keep),
        },
    )


class _Site:
    """The routes of a contest."""

    def __init__(self, contest: Contest, access: Access, starter: Starter) -> None:
        self.contest, self.access, self.starter = contest, access, starter
        self.made = Pages(contest)
        self.uploads = Uploads(folder=contest.uploads)

    def pages(self) -> list[Route]:
        """Return the routes of pages."""
        made, contest = self.made, self.contest
        makes: dict[str, Callable[[Request], str]] = {
            "/": lambda request: made.ladder(viewer_of(request), self._track_of(request)),
            "/grades": lambda request: made.grades(viewer_of(request), self._track_of(request)),
            "/queue": lambda request: made.queue(viewer_of(request)),
            "/matches": lambda request: made.matches(viewer_of(request), *_wanted(request)),
            "/join": lambda request: made.join(viewer_of(request)),
            "/live": lambda request: made.live(viewer_of(request)),
            "/final": lambda request: made.final(viewer_of(request)),
            "/staff": lambda request: made.staff(staff_of(request)),
            "/hand-in": lambda request: made.hand_in(viewer_of(request), address=self._base(request)),
            "/guide/{game}": lambda request: made.guide(viewer_of(request), self._guide_of(request)),
            "/bot/{name}": lambda request: made.person(viewer_of(request), request.path_params["name"]),
            "/bot/{name}/{number}": lambda request: made.version(viewer_of(request), _label_of(request)),
        }
        texts: dict[str, Callable[[Request], str]] = {
            "/guide/{game}.md": self._guide_of,
            "/llms.txt": lambda request: llms_text(contest.about, address=self._base(request)),
            "/ladder.csv": lambda _request: contest.ladder_csv(),
            "/grades.csv": lambda _request: contest.grades_csv(),
        }
        return [
            *(Route(path, _text(make, path)) for path, make in texts.items()),
            *(Route(path, _page(make)) for path, make in makes.items()),
            Route("/guide", lambda _request: RedirectResponse(f"/guide/{contest.about.game}")),
            Route("/bot/{name}/{number}/code", self._file(contest.code_of)),
            Route("/bot/{name}/{number}/record", self._file(contest.failed_record)),
        ]

    def changes(self) -> list[Route]:
        """Return the routes that change something."""
        contest = self.contest

        def ask_match(person: Person, fields: Fields) -> object:
            seed = fields.get("seed", "")
            return contest.request_match(person, fields.get("opponent", ""), seed=_whole(seed) if seed else None)

        def renew_key(staff: Person, fields: Fields) -> object:
            name = fields.get("name", "")
            return {"key": contest.renew_key(staff, name), "name": name}

        acts: dict[str, tuple[Callable[[Request], Person], Change]] = {
            "/api/matches": (person_of, ask_match),
            "/api/retest": (person_of, lambda person, fields: contest.retest(person, fields.get("name", person.name))),
            "/staff/key": (staff_of, renew_key),
            "/staff/track": (
                staff_of,
                lambda staff, fields: contest.move(staff, fields.get("name", ""), fields.get("track", "")),
            ),
            "/staff/final": (staff_of, lambda staff, _fields: contest.start_final(staff)),
            "/staff/reveal": (staff_of, lambda staff, fields: contest.reveal(staff, _whole(fields.get("places", "")))),
        }
        post = ["POST"]
        return [
            Route("/hand-in/{file_name:path}", self._hand_in, methods=["PUT"]),
            Route("/join", self._join, methods=post),
            Route("/sign-in", self._sign_in, methods=post),
            Route("/sign-out", self._sign_out, methods=post),
            *(Route(path, _change(*act), methods=post) for path, act in acts.items()),
        ]

    def data(self) -> list[Route]:
        """Return the routes of the JSON API that change nothing."""
        contest = self.contest

        def queue(request: Request) -> object:
            viewer = viewer_of(request)
            return {
                "matches": contest.queue(viewer=viewer),
                "versions": [known_to(viewer, version) for version in contest.waiting()],
                "next": contest.next_match(viewer.name) if viewer and not viewer.is_staff else None,
            }

        def versions(request: Request) -> object:
            found = contest.versions(contest.person(request.path_params["name"]).name)
            return [known_to(viewer_of(request), version) for version in found]

        def version(request: Request) -> object:
            admission = contest.admission(_label_of(request), viewer=viewer_of(request))
            return replace(admission, version=known_to(viewer_of(request), admission.version))

        return [
            Route("/api/me", _data(person_of)),
            Route("/api/quotas", _data(lambda request: contest.quotas(person_of(request)))),
            Route("/api/versions/{name}", _data(versions)),
            Route("/api/versions/{name}/{number}", _data(version)),
            Route("/api/queue", _data(queue)),
            Route("/api/matches", _data(self._found), methods=["GET"]),
            Route("/api/ladder", _data(lambda request: contest.ladder(self._track_of(request)))),
            Route("/api/grades", _data(lambda request: contest.grades(self._track_of(request)))),
        ]

    def viewer(self) -> list[Route]:
        """Return the routes of replays and live boards."""
        return [
            Route("/watch", lambda _request: page("Match", "watch")),
            Route("/match/{match_id}.json", self._match),
            Route("/events", self._events),
            Route("/signs.json", signs_json),
            Route("/static/{name}", _static),
        ]

    def _found(self, request: Request) -> object:
        wanted, before = _wanted(request)
        return self.contest.matches(wanted, viewer=viewer_of(request), before=before)

    def _file(self, find: Callable[..., Path]) -> Callable[[Request], Response]:
        """Return an endpoint that sends a file of a version, if `find` lets the viewer have it."""

        def endpoint(request: Request) -> Response:
            label = _label_of(request)
            path = find(label, viewer=viewer_of(request))
            name = f"{label.replace('@', '-')}-{path.name}"
            return FileResponse(path, media_type="application/octet-stream", filename=name)

        return endpoint

    async def _hand_in(self, request: Request) -> Response:
        person = person_of(request)
        name = file_name_of(request.path_params["file_name"])
        path = await self.uploads.receive(request, account=person.name)
        try:
            version = await run_in_threadpool(self.contest.receive, person, path, filename=name)
        finally:
            path.unlink(missing_ok=True)
        return _json({"version": version, "page": f"/bot/{version.name}/{version.number}"}, status=201)

    async def _join(self, request: Request) -> Response:
        fields = await _fields_of(request)
        person, key = await run_in_threadpool(
            self.access.join, request, fields.get("code", ""), fields.get("name", "").strip()
        )
        return self._with_cookie(request, key, {"name": person.name, "key": key})

    async def _sign_in(self, request: Request) -> Response:
        key = (await _fields_of(request)).get("key", "").strip()
        person = await run_in_threadpool(self.access.sign_in, key)
        return self._with_cookie(request, key, {"name": person.name, "go": "/staff" if person.is_staff else "/"})

    def _with_cookie(self, request: Request, key: str, told: object) -> Response:
        answer = _json(told)
        is_secure = self.access.is_secure(request)
        answer.set_cookie(COOKIE, key, max_age=KEPT_S, httponly=True, samesite="lax", secure=is_secure)
        return answer

    async def _sign_out(self, _request: Request) -> Response:
        answer = _json({"go": "/join"})
        answer.delete_cookie(COOKIE, httponly=True, samesite="lax")
        return answer

    def _match(self, request: Request) -> Response:
        match_id, viewer = request.path_params["match_id"], viewer_of(request)
        path = self.contest.record_of(match_id, viewer=viewer)
        sides = self.contest.match(match_id, viewer=viewer).sides
        labels = {
            record_name(one.label): one.label for one in sides if may_see(viewer, "" if one.is_staff else one.name)
        }
        own = {seat: labels[one.bot] for seat, one in enumerate(read_header(path).seats) if one.bot in labels}
        logs = {str(seat): self.contest.log_of(match_id, label, viewer=viewer) for seat, label in own.items()}
        view = _match_view(path, view_changed_ns(path), tuple(own))
        return _json(view | {"logs": {seat: log for seat, log in logs.items() if log}})

    async def _events(self, request: Request) -> Response:
        last = request.headers.get("last-event-id") or request.query_params.get("after", "")
        return StreamingResponse(self._boards(viewer_of(request), last), media_type="text/event-stream")

    async def _boards(self, viewer: Person | None, last: str) -> AsyncIterator[bytes]:
        """Yield the events of running matches; the stream ends when a hidden final begins."""
        async for part in self.contest.live.log.stream(last):
            if hides_boards(self.contest, viewer):
                return
            yield part

    def _base(self, request: Request) -> str:
        """Return the address of this site, as the browser knows it."""
        return str(request.base_url.replace(scheme="https" if self.access.is_secure(request) else "http"))

    def _track_of(self, request: Request) -> str:
        track = request.query_params.get("track", "")
        if track and track not in self.contest.about.tracks:
            raise ContestError(f"there is no track {track[:40]!r}", status=404)
        return track

    def _guide_of(self, request: Request) -> str:
        game = request.path_params["game"]
        if game not in game_names():
            raise ContestError(f"there is no game {game!r}", status=404)
        return guide(self.contest.about, game, address=self._base(request), starter=self.starter)


def _page(make: Callable[[Request], str]) -> Callable[[Request], Response]:
    return lambda request: HTMLResponse(make(request))


def _text(make: Callable[[Request], str], path: str) -> Callable[[Request], Response]:
    kind = "text/csv" if path.endswith(".csv") else "text/plain"
    return lambda request: Response(make(request), media_type=kind)


def _change(who: Callable[[Request], Person], act: Change) -> Callable[[Request], Any]:
    """Return an endpoint that calls `act` with the fields of a form, for a person that `who` accepts."""

    async def endpoint(request: Request) -> Response:
        person = who(request)
        return _json(await run_in_threadpool(act, person, await _fields_of(request)))

    return endpoint


def _data(read: Callable[[Request], object]) -> Callable[[Request], Response]:
    return lambda request: _json(read(request))


async def _fields_of(request: Request) -> Fields:
    """Return the fields of a form, sent as JSON; ContestError for anything else."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > _MOST_FIELDS:
            raise ContestError(f"expected at most {_MOST_FIELDS} bytes", status=413)
    try:
        return _FIELDS.decode(body or b"{}")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise ContestError('expected a JSON object of texts, such as {"opponent": "ada"}', status=400) from None


def _wanted(request: Request) -> tuple[MatchFilter, int | None]:
    """Return which matches a list is asked for, and the number before which it begins; ContestError for bad values."""
    given = request.query_params
    kind, before = given.get("kind", ""), given.get("before", "")
    if kind and kind not in {one.value for one in Kind}:
        raise ContestError(f"kind: expected one of {', '.join(one.value for one in Kind)}, got {kind!r}", status=400)
    wanted = MatchFilter(
        name=given.get("name", ""),
        opponent=given.get("opponent", ""),
        lost=given.get("lost", "") == "1",
        kind=Kind(kind) if kind else None,
    )
    return wanted, _whole(before) if before else None


def _label_of(request: Request) -> str:
    return f"{request.path_params['name']}@{_whole(request.path_params['number'])}"


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= _MOST_NUMBER):
        raise ContestError(f"expected a whole number, got {text[:40]!r}", status=400)
    return int(text)


def _json(value: object, *, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value) + b"\n", status, media_type="application/json")


def _static(request: Request) -> Response:
    """Return a style sheet or module of the contest's pages, or else of the viewer's."""
    name = request.path_params["name"]
    path = files(__package__) / "static" / name
    if Path(name).name == name and Path(name).suffix in _KINDS and path.is_file():
        headers = {"Cache-Control": "no-cache"}
        return Response(path.read_text(encoding="utf-8"), media_type=_KINDS[Path(name).suffix], headers=headers)
    return serve_static(request)


def _cannot_keep(_request: Request, error: Exception) -> Response:
    """Return the response if the disk is full or fails; it names no path."""
    return refusal(ContestError(f"nothing was changed: {getattr(error, 'strerror', None) or error}", status=507))


@lru_cache(maxsize=_KEPT)
def _match_view(path: Path, _changed_ns: tuple[int, int], own: tuple[int, ...]) -> dict[str, Any]:
    return public_view_of(path, read_record(path), own)
