"""`joust pack` and `unpack` as a user types them; every command that reads records takes packed ones."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from gridjoust.recorded.source import load_source, resolve_record
from gridjoust.runner.results.records.file import list_records
from gridjoust.viewer.live_page.events import EventLog
from gridjoust.viewer.server import make_app
from tests.joust_here import CUP, joust


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cup.yaml").write_text(CUP.replace("rounds: 1", "rounds: 2"))
    assert joust("run", "cup.yaml", folder=tmp_path).returncode == 0
    return tmp_path


@pytest.mark.gate
def test_what_commands_say_is_the_same_of_files_and_of_packs(folder: Path) -> None:
    results = folder / "results" / "cup"
    paths = list_records(results)
    match = paths[1].stem
    files = {path: path.read_bytes() for path in paths}
    commands = {
        "verify": ("verify", "results/cup"),
        "a path": ("replay", f"results/cup/records/{match}.jsonl", "--turn", "3"),
        "an id": ("replay", match[:8], "--turn", "3"),
        "in a folder": ("replay", "results/cup", match[:8]),
        "leaderboard": ("leaderboard", "results/cup"),
        "resume": ("run", "cup.yaml", "--resume"),
    }
    before = {name: joust(*typed, folder=folder) for name, typed in commands.items()}
    assert [done.returncode for done in before.values()] == [0] * len(before), before

    packed = joust("pack", "results/cup", folder=folder)
    assert packed.stdout.startswith("results/cup: 4 records packed; 1 pack, ")
    assert not any(path.exists() for path in paths)
    for name, typed in commands.items():
        after = joust(*typed, folder=folder)
        assert (after.returncode, after.stdout, after.stderr) == (0, before[name].stdout, before[name].stderr), name
    files = {path: raw.rpartition(b'{"type":"seal"')[0] for path, raw in files.items()}  # runs have renewed the key

    assert joust("unpack", "results/cup", folder=folder).stdout == "results/cup: 4 records unpacked\n"
    assert {path: path.read_bytes().rpartition(b'{"type":"seal"')[0] for path in paths} == files
    assert joust("verify", "results/cup", folder=folder).returncode == 0


@pytest.mark.gate
def test_a_packed_match_can_be_asked_about_and_looked_at(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = folder / "results" / "cup"
    match = list_records(results)[0].stem
    asked = joust("ask", "--record", f"results/cup/{match}", "--turn", "2", folder=folder)
    assert joust("pack", "results/cup", folder=folder).returncode == 0
    again = joust("ask", "--record", f"results/cup/{match}", "--turn", "2", folder=folder)
    assert [done.returncode for done in (asked, again)] == [0, 0], again.stderr
    assert again.stdout.splitlines()[0] == asked.stdout.splitlines()[0]
    monkeypatch.chdir(folder)
    assert load_source(resolve_record(Path(match[:8]))).record.header.match_id == match
    assert asyncio.run(status_of(results, f"/match/{match}.json")) == 200
    assert asyncio.run(status_of(results, "/match/none.json")) == 404


async def status_of(results: Path, path: str) -> int:
    found: list[int] = []

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, object]) -> None:
        if message["type"] == "http.response.start":
            found.append(int(str(message["status"])))

    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", b"localhost")],
    }
    await make_app(results, hosts=["localhost"], log=EventLog())(scope, receive, send)  # type: ignore[arg-type]
    return found[0]


def test_records_that_are_not_whole_are_named_and_stay_files(folder: Path) -> None:
    path = list_records(folder / "results" / "cup")[0]
    path.write_bytes(path.read_bytes()[:-30])
    done = joust("pack", "results/cup", folder=folder)
    assert (done.returncode, done.stdout.count("3 records packed")) == (1, 1)
    assert done.stderr.startswith(f"not packed: results/cup/records/{path.name}: last line: expected the seal, got ")
    assert path.exists()


@pytest.mark.gate
def test_a_damaged_pack_is_one_line(folder: Path) -> None:
    assert joust("pack", "results/cup", folder=folder).returncode == 0
    pack = folder / "results" / "cup" / "records" / "packs" / "0001.pack"
    pack.write_bytes(b"nothing of the kind" * 9)
    for typed in (["replay", "results/cup", "abc"], ["unpack", "results/cup"], ["verify", "results/cup"]):
        done = joust(*typed, folder=folder)
        assert done.returncode == 1
        assert "results/cup/records/packs/0001.pack: " in done.stderr.splitlines()[0]
        assert "Traceback" not in done.stderr
    assert joust("pack", "nowhere", folder=folder).returncode == 2
