"""Readers of files and lines from users, and valid examples of each, for `benchmarks.fuzz`."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from gridjoust import games
from gridjoust.bots.placement.solve import parse_cases
from gridjoust.commands.plan import _read_queries
from gridjoust.games.heroquest.quest_text import parse_document as parse_quest
from gridjoust.games.navigation.movingai import load_map, own_queries, parse_scen
from gridjoust.games.ricochet.positions import parse_positions
from gridjoust.leaderboard.frame.seats import read_seats
from gridjoust.runner.config.load import load_tournament
from gridjoust.runner.results.packs.pack import Pack, write_pack
from gridjoust.runner.results.records.file import list_records, parse_record
from gridjoust.runner.results.replay import verify
from gridjoust.runner.results.tables.frames import load
from gridjoust.runner.stdio.translator import Translator
from gridjoust.runner.wire.errors import ConfigError, RecordError
from gridjoust.tournament import KnownBots

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "results" / "sample"
MAPS = ROOT / "configs" / "navigation-maps"
TURN = b'{"type":"turn","match":"m","ask":%d,"seat":%d,"turn":1,"observation":{},"legal":["up","wait"],"limit_ms":100}'
START = b'{"type":"start","match":"m","dynamics":"%s","seats":[0,1]}'
LINES = (
    b'{"action":"up"}',
    b'{"type":"action","match":"m","ask":3,"seat":1,"action":"wait","seq":0,"stats":{"expanded":4}}',
    b'{"type":"ready","planner":"astar","plays":["bomber"],"version":"1","language":"c"}',
    b'{"type":"error","message":"lost","ask":3}',
)
Read = Callable[[bytes], object]


def tournament_files() -> list[bytes]:
    """Return the tournament files that ship; they name maps by file."""
    return [path.read_bytes() for path in sorted((ROOT / "configs").glob("*.yaml"))]


def tournament_reader(scratch: Path) -> Read:
    """Return a function that reads a tournament file beside the files that it names."""
    folder = scratch / "configs"
    if not folder.is_dir():
        shutil.copytree(ROOT / "configs", folder)
    known = KnownBots()

    def read(data: bytes) -> None:
        (folder / "fuzzed.yaml").write_bytes(data)
        load_tournament(folder / "fuzzed.yaml", known_bots=known)

    return read


def maps() -> list[bytes]:
    """Return the maps that ship, and small ones."""
    small = b"type octile\nheight 3\nwidth 5\nmap\n.....\n.@@@.\n.....\n"
    return [small, small, *(path.read_bytes() for path in sorted(MAPS.glob("*.map")))]


def map_reader(scratch: Path) -> Read:
    """Return a function that reads a `.map` as `joust plan` does, and as a parameter of the game."""
    file = scratch / "fuzzed.map"

    def read(data: bytes) -> None:
        file.write_bytes(data)
        load_map(file)
        games.make("navigation", {"map": data.decode("utf-8-sig")}).initial_state(1)

    return read


def queries() -> list[bytes]:
    """Return the `.scen` files that ship."""
    return [path.read_bytes() for path in sorted(MAPS.glob("*.scen"))]


def read_scen(data: bytes) -> None:
    """Read a `.scen` as one of the map `maze-32.map`."""
    parse_scen(own_queries(data.decode("utf-8-sig"), "maze-32.map")[0])


def json_reader(scratch: Path) -> Read:
    """Return a function that reads the JSON files of `joust plan`, `joust solve` and `joust draw`."""
    file = scratch / "queries.json"

    def read(data: bytes) -> None:
        file.write_bytes(data)
        for parse in (lambda: _read_queries(file), lambda: parse_cases(data), lambda: parse_positions(data.decode())):
            try:
                parse()
            except ValueError:
                continue

    return read


def json_files() -> list[bytes]:
    """Return the positions that ship, and queries."""
    return [(ROOT / "configs" / "ricochet-positions.json").read_bytes(), b'[{"start":[0,3],"goal":[4,3]}]']


def quests() -> list[bytes]:
    """Return the quests that ship."""
    return [path.read_bytes() for path in sorted((ROOT / "games" / "heroquest" / "quests").glob("*.yaml"))]


def read_quest(data: bytes) -> None:
    """Read a quest file as a parameter of the game."""
    text = data.decode()
    parse_quest(text)
    games.make("heroquest", {"map": text}).initial_state(1)


def whole_records() -> list[bytes]:
    """Return a record of the sample."""
    return [list_records(SAMPLE)[0].read_bytes()]


def read_record(data: bytes) -> None:
    """Read a record and play it again by the rules."""
    verify(parse_record(list_records(SAMPLE)[0], data))


def packs(scratch: Path) -> list[bytes]:
    """Return a pack of the sample's records."""
    records = {path.stem: path.read_bytes() for path in list_records(SAMPLE)}
    file = scratch / "whole.pack"
    write_pack(file, sorted(records), lambda match_id: records[match_id])
    return [file.read_bytes()]


def pack_reader(scratch: Path) -> Read:
    """Return a function that reads every record of a pack, also of a damaged one."""
    file = scratch / "fuzzed.pack"

    def read(data: bytes) -> None:
        file.write_bytes(data)
        with closing(Pack(file)) as pack:
            pack.kinds()
            for match_id in pack.ids()[:10]:
                pack.read(match_id)

    return read


def tables() -> list[bytes]:
    """Return the results table of the sample."""
    return [(SAMPLE / "results.csv").read_bytes()]


def table_reader(scratch: Path) -> Read:
    """Return a function that reads a results table as `joust leaderboard` and the table loader do."""
    folder = scratch / "tables"
    folder.mkdir(exist_ok=True)
    for name in ("metrics.csv", "turns.csv.gz"):
        shutil.copy(SAMPLE / name, folder)

    def read(data: bytes) -> None:
        (folder / "results.csv").write_bytes(data)
        load(folder)
        read_seats(folder)

    return read


def bot_lines() -> list[bytes]:
    """Return lines of bots on standard output."""
    return list(LINES)


def line_reader(rng: random.Random) -> Read:
    """Return a function that reads the lines of a bot on standard output, in matches of all kinds."""
    translator, asked = Translator(), 0

    def read(data: bytes) -> None:
        nonlocal asked
        asked += 1
        if asked % 50 == 1:
            dynamics = rng.choice((b"sequential", b"simultaneous", b"real_time", b"ticked"))
            translator.on_message(START % dynamics)
        translator.on_message(TURN % (asked, asked % 2), written=0)
        for line in data.split(b"\n"):
            translator.on_line(line)

    return read


def file_readers(
    scratch: Path, rng: random.Random
) -> Iterator[tuple[str, int, Sequence[bytes], Read, tuple[type[Exception], ...]]]:
    """Yield name, share of inputs, valid examples, reader and allowed exceptions for each kind of file."""
    yield "tournament files", 40, tournament_files(), tournament_reader(scratch), (ConfigError,)
    yield "maps", 200, maps(), map_reader(scratch), (ValueError,)
    yield "queries (.scen)", 400, queries(), read_scen, (ValueError,)
    yield "positions (JSON)", 100, json_files(), json_reader(scratch), ()
    yield "quests", 40, quests(), read_quest, (ValueError,)
    yield "whole records", 40, whole_records(), read_record, (RecordError,)
    yield "packs", 60, packs(scratch), pack_reader(scratch), (RecordError,)
    yield "results tables", 10, tables(), table_reader(scratch), (ConfigError,)
    yield "bot lines", 1500, bot_lines(), line_reader(rng), ()
