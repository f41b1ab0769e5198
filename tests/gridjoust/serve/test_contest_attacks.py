"""Attacks on a contest over HTTP, from another account and from outside; each with what its owner or staff may do.

The contest is the real one, in a folder; its versions have been let in without an admission.
"""

from __future__ import annotations

import http.client
import io
import json
import secrets
import socket
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import pytest
from starlette.applications import Starlette

from gridjoust.runner.results.records.file import record_path, write_record
from gridjoust.runner.results.records.lines import Fault, FaultLine, Termination
from gridjoust.serve.access import WRONG
from gridjoust.serve.config import FAILED, Folders
from gridjoust.serve.contest import Contest
from gridjoust.serve.play.unpacking import MOST_PACKED, UnpackError, unpack
from gridjoust.serve.store import Store, enter, insert
from gridjoust.serve.values import Kind
from gridjoust.serve.web import make_app
from tests.gridjoust.serve.asking import HOST, OWN, Answer, Client, show_board
from tests.gridjoust.serve.classroom import CODE, DEADLINE_S, Clock, add_match, let_play, open_class
from tests.gridjoust.serve.fake_contest import renamed, short_match
from tests.gridjoust.serve.site import serve

pytestmark = pytest.mark.gate
SECRET = "the-secret-of-ada"
OTHERS = ("eve", "nobody")


@dataclass(slots=True)
class World:
    """A contest with four browsers: ada, whose secrets are wanted, eve, who wants them, staff, and nobody."""

    contest: Contest
    clock: Clock
    store: Store
    app: Starlette
    by_name: dict[str, Client]
    keys: dict[str, str]
    match_id: str = ""

    def get(self, name: str, path: str) -> Answer:
        return self.by_name[name].get(path.format(match=self.match_id))


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    clock = Clock()
    with open_class(tmp_path, now_s=clock) as contest, closing(Store(contest.folder)) as store:
        app = make_app(contest, hosts=["127.0.0.1"], starter=str)
        keys = {"staff": contest.staff_key}
        for name in ("ada", "eve"):
            person, keys[name] = contest.join(CODE, name)
            let_play(contest, person, f"# {SECRET}, of {name}" if name == "ada" else "# of eve")
        clients = {name: Client(app, cookies={"joust_key": key}) for name, key in keys.items()}
        made = World(contest, clock, store, app, {**clients, "nobody": Client(app)}, keys)
        made.match_id = play_crash(made, Kind.LADDER)
        refuse_second_version(made)
        yield made


def play_crash(world: World, kind: Kind) -> str:
    """Enter a match in which ada's bot crashed with a secret on its lips."""
    record = renamed(short_match(len(kind.value)), "ada@1", "eve@1")
    fault = FaultLine(turn=1, seat=0, fault=Fault.CRASHED, detail=f"ValueError: {SECRET}")
    reason = f"seat 0 forfeits (crashed): ValueError: {SECRET}"
    end = msgspec.structs.replace(record.end, termination=Termination("crashed"), reason=reason, forfeited=[0])
    record = msgspec.structs.replace(record, lines=[*record.lines, fault], end=end)
    match_id = record.header.match_id
    write_record(record_path(world.contest.results, match_id), record)
    number = add_match(world.store, "ada@1", "eve@1", match_id, kind=kind.value)
    world.store.write(lambda one: enter(one, number, record, suspend_after=9))
    logs = world.contest.results / "logs"
    logs.mkdir(exist_ok=True)
    (logs / "ada-1.0.log").write_text(f"==== match {match_id}\n{SECRET}\n")
    return match_id


def refuse_second_version(world: World) -> None:
    """Let a second version of ada fail its admission, with a log and the record of the failing match."""
    assert world.by_name["ada"].put("/hand-in/bot.py", f"# {SECRET}".encode()).status == 201
    step = {"label": "ada@2", "place": 0, "name": "doctor", "outcome": "failed", "sentence": SECRET, "log": SECRET}
    world.store.write(lambda one: insert(one, "steps", **step))
    query = "UPDATE versions SET state = 'refused', reason = ? WHERE label = 'ada@2'"
    world.store.write(lambda one: one.execute(query, (SECRET,)))
    folder = Folders(world.contest.folder).admission("ada@2")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FAILED).write_text(SECRET)


# secrecy

READ = (
    "/bot/ada/1/code",
    "/bot/ada/2/code",
    "/bot/ada/2/record",
    "/bot/ada/2",
    "/api/versions/ada/2",
    "/api/versions/ada",
    "/bot/ada",
    "/match/{match}.json",
)


@pytest.mark.parametrize("path", READ)
def test_code_logs_and_errors_are_read_by_owner_and_staff_alone(world: World, path: str) -> None:
    seen = {name: SECRET in world.get(name, path).text for name in world.by_name}
    assert seen == {"ada": True, "staff": True, "eve": False, "nobody": False}


PUBLIC = (
    *("/", "/grades", "/queue", "/matches", "/bot/eve", "/final"),
    *("/api/queue", "/api/matches", "/api/ladder", "/ladder.csv"),
)


@pytest.mark.parametrize("path", PUBLIC)
def test_what_everybody_reads_holds_no_secret(world: World, path: str) -> None:
    for name in OTHERS:
        answer = world.get(name, path)
        assert (answer.status, SECRET in answer.text) == (200, False)
        assert not any(key in answer.text for key in (*world.keys.values(), CODE))


@pytest.mark.parametrize(
    "path",
    [
        "/static/..%2F..%2Fcontest.py",
        "/static/%2e%2e%2fweb.py",
        "/match/..%2F..%2Fcontest.json",
        "/match/%2Fetc%2Fpasswd.json",
        "/bot/..%2F..%2F/1/code",
        "/guide/..%2Fx",
        "/contest.db",
        "/matches/secret.json",
    ],
)
def test_no_path_leads_to_files_of_the_contest(world: World, path: str) -> None:
    assert [world.get(name, path).status in (400, 404) for name in ("eve", "staff")] == [True, True]
    assert world.get("eve", "/static/contest.js").status == 200


def begin_final(world: World) -> str:
    world.clock.now_s = DEADLINE_S + 3600
    assert world.by_name["staff"].post("/staff/final").status == 200
    return play_crash(world, Kind.FINAL)


def test_a_hidden_final_is_read_by_staff_alone(world: World) -> None:
    match_id = begin_final(world)
    found = [world.get(name, f"/match/{match_id}.json").status for name in ("ada", "eve", "nobody", "staff")]
    assert found == [404, 404, 404, 200]
    listed = {name: match_id in world.get(name, "/api/matches?kind=final").text for name in world.by_name}
    assert listed == {"ada": False, "eve": False, "nobody": False, "staff": True}
    pages = [world.get(name, path).text for name in OTHERS for path in ("/matches", "/bot/ada", "/queue")]
    assert not any(match_id in page for page in pages)
    assert "data-bot" not in world.get("eve", "/final").text


def test_boards_of_a_hidden_final_are_streamed_to_staff_alone(world: World) -> None:
    match_id = begin_final(world)
    show_board(world.contest.live.log, match_id)
    seen = {name: match_id in world.get(name, "/events").text for name in world.by_name}
    assert seen == {"ada": False, "eve": False, "nobody": False, "staff": True}


CHANGES: dict[str, dict[str, str]] = {
    "/staff/track": {"name": "eve", "track": ""},
    "/staff/final": {},
    "/staff/reveal": {"places": "2"},
    "/staff/key": {"name": "ada"},
    "/api/retest": {"name": "ada"},
}


@pytest.mark.parametrize("path", CHANGES)
def test_what_staff_and_owners_change_is_refused_to_others(world: World, path: str) -> None:
    if path == "/staff/reveal":
        begin_final(world)
        set_final_over(world)
    elif path == "/staff/final":
        world.clock.now_s = DEADLINE_S + 3600
    else:
        world.store.write(lambda one: one.execute("UPDATE versions SET state = 'suspended' WHERE label = 'ada@1'"))
    body = [json.dumps(CHANGES[path]).encode()]
    assert [world.by_name[name].send("POST", path, parts=body, headers=OWN).status for name in OTHERS] == [403, 401]
    assert world.by_name["staff"].send("POST", path, parts=body, headers=OWN).status == 200


def set_final_over(world: World) -> None:
    """Let all planned matches of the final be over."""
    planned = world.contest.final(viewer=None).planned
    for number in range(planned):
        add_match(world.store, "ada@1", "eve@1", f"final-{number:04}", kind="final", state="void")


# keys, other sites, proxies


def forged(key: str) -> list[str]:
    shorter, other = key[:-1], key[:-1] + ("a" if key[-1] != "a" else "b")
    near = [shorter, other, key + "a", key.swapcase(), key.upper(), f"{key}\u00e9"]
    return [*near, "' OR 1=1 --", "%", "null", "0" * 64, *(secrets.token_urlsafe(24) for _ in range(50)), "x" * 5000]


def test_a_forged_key_signs_nobody_in(world: World) -> None:
    for key in forged(world.keys["ada"]):
        assert Client(world.app, key=key).get("/api/me").status == 401
        assert Client(world.app, cookies={"joust_key": key}).get("/api/me").status == 401
    assert Client(world.app, key=world.keys["ada"]).get("/api/me").data["name"] == "ada"


def test_a_hash_from_the_store_is_no_key(world: World) -> None:
    hashes = [row["key_hash"] for row in world.store.read("SELECT key_hash FROM people")]
    assert len(hashes) == 3
    assert [Client(world.app, key=one).get("/api/me").status for one in hashes] == [401] * 3
    stored = b"".join(path.read_bytes() for path in world.contest.folder.rglob("*") if path.is_file())
    assert not any(key.encode() in stored for key in world.keys.values())


@pytest.mark.parametrize("path", ["/sign-out", "/api/matches", *CHANGES])
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"content-type": "text/plain"},
        {"content-type": "application/x-www-form-urlencoded", "origin": "http://evil.example"},
        {**OWN, "origin": "http://evil.example"},
        {**OWN, "origin": f"https://{HOST}.evil.example"},
        {**OWN, "origin": "null"},
    ],
)
def test_another_site_changes_nothing_with_the_cookie_of_its_visitor(
    world: World, path: str, headers: dict[str, str]
) -> None:
    assert world.by_name["staff"].post(path, headers=headers, name="ada").status == 403
    assert world.by_name["staff"].post(path, headers={**OWN, "origin": f"http://{HOST}"}, name="ada").status != 403


def test_a_file_is_not_handed_in_by_another_site(world: World) -> None:
    sent: tuple[dict[str, str], ...] = ({}, {**OWN, "origin": "http://evil.example"}, OWN)
    assert [world.by_name["eve"].put("/hand-in/b.py", b"x", headers=headers).status for headers in sent] == [
        403,
        403,
        201,
    ]


def test_a_request_with_another_host_is_refused(world: World) -> None:
    assert [world.by_name["ada"].get("/", host=host).status for host in ("evil.example", HOST)] == [400, 200]


def test_a_user_name_in_a_header_is_believed_of_the_proxy_alone(world: World) -> None:
    app = make_app(world.contest, hosts=["127.0.0.1"], starter=str, proxy="10.0.0.1", has_remote_user=True)
    for headers in ({"x-remote-user": "ada"}, {"x-remote-user": "ada", "x-forwarded-for": "10.0.0.1"}):
        assert Client(app, address="10.0.0.2").get("/bot/ada/1/code", **headers).status == 403
    assert Client(app, address="10.0.0.1").get("/bot/ada/1/code", **{"x-remote-user": "ada"}).status == 200
    assert Client(app, address="10.0.0.1").get("/staff", **{"x-remote-user": "staff"}).status != 200


def test_a_forwarded_address_evades_no_limit(world: World) -> None:
    with serve(world.contest) as site:
        found = [join_code_guessed(site.address, f"1.2.3.{number}") for number in range(WRONG + 1)]
    assert found == [403] * WRONG + [429]


def join_code_guessed(address: str, forwarded: str) -> int:
    """Guess the join code as if for somebody else, over a socket; return the status."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=60)
    headers = {**OWN, "X-Forwarded-For": forwarded}
    with closing(connection):
        connection.request("POST", "/join", json.dumps({"code": "a guess", "name": "mallory"}), headers)
        return connection.getresponse().status


def test_names_that_are_taken_or_misleading_are_refused(world: World) -> None:
    for name in (
        "ada",
        "ADA",
        "staff",
        "Staff",
        "weak",
        "",
        " ",
        "a" * 33,
        "a\u0430",
        "<b>",
        "../x",
        "a@2",
        "a\nb",
        "-x",
    ):
        assert Client(world.app).post("/join", code=CODE, name=name).status in (400, 409), name
    assert Client(world.app).post("/join", code=CODE, name="bob").status == 200


# quotas


def test_quotas_hold_whatever_tab_browser_or_key_asks(world: World) -> None:
    key = world.keys["eve"]
    tabs = [world.by_name["eve"], Client(world.app, key=key), Client(world.app, address="10.9.9.9", key=key)]
    found = [tabs[number % 3].put("/hand-in/bot.py", f"# {number}".encode()).status for number in range(6)]
    assert found == [201, 201, 429, 429, 429, 429]  # one was used before
    assert world.by_name["eve"].post("/api/matches", opponent="weak", seed="1").status == 200
    assert tabs[1].post("/api/matches", opponent="weak", seed="2").status == 429
    world.clock.now_s += 3601
    assert tabs[2].put("/hand-in/bot.py", b"# later").status == 201


def test_an_upload_counts_at_59_s_after_the_deadline_and_not_at_61_s(world: World) -> None:
    for after_s, is_late in ((59, False), (61, True)):
        world.clock.now_s = DEADLINE_S + after_s
        answer = world.by_name["eve"].put("/hand-in/bot.py", f"# {after_s}".encode())
        assert (answer.status, answer.data["version"]["is_late"]) == (201, is_late)


# uploads


def zipped(*names: str, content: bytes = b"x", mode: int = 0) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            entry = zipfile.ZipInfo(name)
            entry.external_attr = mode << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return packed.getvalue()


def taped(kind: bytes, *, link: str) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        entry = tarfile.TarInfo("bot.py")
        entry.type, entry.linkname = kind, link
        archive.addfile(entry)
    return packed.getvalue()


def lying_bomb() -> bytes:
    """Return a zip of 90 MB of zeros, whose headers say that it is one byte."""
    packed = bytearray(zipped("bot.bin", content=bytes(90_000_000)))
    for mark, at in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        place = packed.index(mark) + at
        packed[place : place + 4] = (1).to_bytes(4, "little")
    return bytes(packed)


BAD: dict[str, Callable[[], bytes]] = {
    "a bomb": lambda: zipped("bot.bin", content=bytes(120_000_000)),
    "a bomb that lies": lying_bomb,
    "many bombs": lambda: zipped(*(f"{number}.bin" for number in range(40)), content=bytes(4_000_000)),
    "a link in a zip": lambda: zipped("bot.py", content=b"/etc/passwd", mode=0o120777),
    "a link in a tar": lambda: taped(tarfile.SYMTYPE, link="/etc/passwd"),
    "a hard link": lambda: taped(tarfile.LNKTYPE, link="/etc/passwd"),
    "a device": lambda: taped(tarfile.CHRTYPE, link=""),
    "an absolute name": lambda: zipped("/tmp/bot.py"),
    "a name above": lambda: zipped("lib/../../bot.py"),
    "a Windows name": lambda: zipped("C:\\bot.py"),
    "10,000 files": lambda: zipped(*(f"lib/{number}.py" for number in range(10_000))),
    "one file twice": lambda: zipped("bot.py", "BOT.py"),
    "half a zip": lambda: zipped("bot.py", content=secrets.token_bytes(5000))[:3000] + zipped("bot.py")[-60:],
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_archive_writes_nothing_outside_and_little_inside(world: World, tmp_path: Path, name: str) -> None:
    """It is received, as only the sandbox opens it; there it is refused before it has written more than allowed."""
    told = world.by_name["eve"].put("/hand-in/bot.zip", BAD[name]()).data
    received = world.contest.code_of(told["version"]["label"], viewer=world.contest.person("eve"))
    inside = tmp_path / "deep" / "inside"
    inside.mkdir(parents=True)
    with pytest.raises(UnpackError):
        unpack(received, inside, filename="bot.zip")
    files = [path for path in (tmp_path / "deep").rglob("*") if path.is_file()]
    assert all(inside in path.parents and not path.is_symlink() for path in files)
    assert (len(files) <= 1001, sum(path.stat().st_size for path in files) <= 101_000_000) == (True, True)


def test_a_good_archive_is_unpacked(world: World, tmp_path: Path) -> None:
    told = world.by_name["eve"].put("/hand-in/bot.zip", zipped("bot.py", "lib/help.py")).data
    received = world.contest.code_of(told["version"]["label"], viewer=world.contest.person("eve"))
    assert unpack(received, tmp_path, filename="bot.zip").files == 2


@pytest.mark.parametrize("length", [None, "5", str(10**30), "-1"])
def test_a_body_of_any_announced_length_is_bounded_by_what_comes(world: World, length: str | None) -> None:
    headers = {} if length is None else {"content-length": length}
    part = bytes(MOST_PACKED // 2)
    assert world.by_name["eve"].put("/hand-in/a.zip", part, part, b"x", headers={**OWN, **headers}).status == 413
    assert list(world.contest.uploads.iterdir()) == []
    assert world.by_name["eve"].put("/hand-in/a.zip", part, part).status == 201


# half requests, over real sockets


def test_half_requests_block_nobody_and_hand_in_nothing(world: World) -> None:
    head = f"PUT /hand-in/bot.py HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {world.keys['eve']}\r\n"
    with serve(world.contest) as site:
        place = ("127.0.0.1", int(site.address.split(":")[2].rstrip("/")))
        slow = [socket.create_connection(place, timeout=60) for _ in range(100)]
        for number, one in enumerate(slow):
            one.sendall((head if number % 2 else f"{head}Content-Length: 100\r\n\r\nhalf").encode())
        with socket.create_connection(place, timeout=60) as quick:
            quick.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            assert quick.recv(15) == b"HTTP/1.1 200 OK"
        with socket.create_connection(place, timeout=60) as whole:
            head = head.replace(world.keys["eve"], world.keys["ada"])
            whole.sendall(f"{head}Content-Length: 4\r\nConnection: close\r\n\r\n# ok".encode())
            assert whole.recv(12) == b"HTTP/1.1 201"
        for one in slow:
            one.close()
    assert [version.label for version in world.contest.versions("eve")] == ["eve@1"]
    assert list(world.contest.uploads.iterdir()) == []
