"""Tables and records that were damaged, thinned out, or belong to another version: one true line, never a traceback."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gridjoust.games.bomber import Bomber
from gridjoust.runner.results.records.file import list_records
from gridjoust.runner.results.tables.columns import TABLES
from gridjoust.runner.results.tables.datapackage import write_datapackage
from gridjoust.runner.results.tables.frames import load
from gridjoust.runner.wire.errors import ConfigError
from tests.gridjoust.commands.desk import GOOD, Desk

CUP = Path("results/cup")


def rewrite(desk: Desk, name: str, change: Callable[[bytes], bytes]) -> None:
    """Change a table that has no checksum, as those of a run that has not ended or of an earlier version."""
    damage(desk, name, change)
    write_datapackage(desk.folder / CUP)


def damage(desk: Desk, name: str, change: Callable[[bytes], bytes]) -> None:
    file = desk.folder / CUP / name
    file.write_bytes(change(file.read_bytes()))


def cells(name: str, text: str) -> Callable[[bytes], bytes]:
    """The same text in every row of a column."""

    def change(table: bytes) -> bytes:
        first, *rows = [line.split(",") for line in table.decode().splitlines()]
        rows = [[*row[: first.index(name)], text, *row[first.index(name) + 1 :]] for row in rows]
        return "".join(",".join(row) + "\n" for row in [first, *rows]).encode()

    return change


WHOLE = "the file is incomplete"
OURS = "expected a table as Joust writes it, got:"
DAMAGE: dict[str, tuple[str, Callable[[bytes], bytes], str, str]] = {
    "a table of answers that was cut": ("turns.csv.gz", lambda data: data[:-9], "verify", WHOLE),
    "a table of answers that is none": ("turns.csv.gz", lambda data: b"zip" + data, "verify report", OURS),
    "bytes that are no text": ("results.csv", lambda data: data + b"\xff\n", "verify report leaderboard", OURS),
    "lines of different length": ("results.csv", lambda data: data + b"a,b\n", "verify leaderboard", OURS),
    "nothing": ("metrics.csv", lambda data: b"", "report", OURS),
    "a table of something else": ("metrics.csv", lambda data: b"a,b\n1,2\n", "report leaderboard",
        "the column match_id is missing"),
    "words for numbers": ("metrics.csv", cells("value", "much"), "report leaderboard", OURS),
    "a number beyond all numbers": ("results.csv", cells("returns", "1e999"), "report leaderboard", OURS),
    "seeds beyond all seeds": ("results.csv", cells("seed", "1e300"), "leaderboard",
        "seed: expected a number in match"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "change", "commands", "said"), DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_table_that_has_no_checksum(
    played: Desk, name: str, change: Callable[[bytes], bytes], commands: str, said: str
) -> None:
    rewrite(played, name, change)
    for command in commands.split():
        options = ["--metrics"] if command == "leaderboard" else []
        code, line = played.joust(command, str(CUP), *options)
        assert (code, line.count("\n")) == (2, 1), line
        assert line.startswith(f"joust: {CUP / name}: {said}")


ANOTHER = {
    "results.csv": cells("points", "1.0"),
    "metrics.csv": lambda data: data.replace(b"1", b"2", 1),
    "turns.csv.gz": lambda data: gzip.compress(gzip.decompress(data).replace(b"1", b"2", 1)),
    "standings.csv": lambda data: data + b"\n",
}


@pytest.mark.gate
@pytest.mark.parametrize(("name", "change"), ANOTHER.items(), ids=ANOTHER)
def test_a_table_that_says_something_else_than_its_run_answers_nothing(
    played: Desk, name: str, change: Callable[[bytes], bytes]
) -> None:
    where, before = CUP / name, (played.folder / CUP / name).stat().st_size
    assert played.joust("leaderboard", str(CUP)) == (0, "")
    damage(played, name, change)
    for command in ("leaderboard", "report", "export --parquet"):
        code, line = played.joust(*command.split(), str(CUP))
        assert (code, line.count("\n")) == (2, 1)
        assert line.startswith(f"joust: {where}: expected {before} bytes with sha256:")
        assert line.endswith(f"; see joust verify {CUP}\n")
    with pytest.raises(ConfigError, match=f"{name}: expected {before} bytes with sha256:"):
        load(played.folder / CUP)
    code, lines = played.joust("verify", str(CUP))
    assert code == 1
    assert f"{where}: expected {before} bytes with sha256:" in lines
    assert "; --resume makes the tables again\n" in lines
    if name == "turns.csv.gz":
        assert played.joust("run", "cup.yaml", "--resume") == (0, "")
        assert played.joust("verify", str(CUP)) == (0, "")


DESCRIBED = "datapackage.json: expected the description of"


@pytest.mark.gate
@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("standings.csv", None, "standings.csv: expected the file, got no file"),
        (
            "datapackage.json",
            None,
            "datapackage.json: the description of the tables is missing; --resume writes it again",
        ),
        ("datapackage.json", lambda data: data.replace(b'"rows": ', b'"rows": 1'), f"{DESCRIBED} these tables, got"),
        ("datapackage.json", lambda data: data.replace(b"of a bot", b"of the bot"), f"{DESCRIBED} these tables, got"),
        ("datapackage.json", lambda data: data + b"\n", f"{DESCRIBED} these tables, got"),
    ],
)
def test_what_a_finished_run_has_left_beside_its_tables_is_verified_too(
    played: Desk, name: str, change: Callable[[bytes], bytes] | None, said: str
) -> None:
    assert played.joust("verify", str(CUP)) == (0, "")
    if change is None:
        (played.folder / CUP / name).unlink()
    else:
        damage(played, name, change)
    code, lines = played.joust("verify", str(CUP))
    assert (code, lines.splitlines()[0].startswith(said)) == (1, True), lines
    assert played.joust("run", "cup.yaml", "--resume") == (0, "")
    assert played.joust("verify", str(CUP)) == (0, "")


@pytest.mark.gate
def test_words_and_recent_columns_of_an_earlier_version_are_no_damage(played: Desk) -> None:
    def as_earlier(data: bytes) -> bytes:
        package = json.loads(data)
        for table, resource in zip(TABLES, package["resources"], strict=True):
            recent = {column.name for column in table.columns if column.is_recent}
            resource["description"] = "as it was said before"
            fields = resource["schema"]["fields"]
            resource["schema"]["fields"] = [field for field in fields if field["name"] not in recent]
        return json.dumps(package).encode()

    assert any(column.is_recent for table in TABLES for column in table.columns)
    damage(played, "datapackage.json", as_earlier)
    assert played.joust("verify", str(CUP))[0] == 1  # this version would not have written that
    damage(played, "environment.json", lambda data: data.replace(b'"gridjoust": "', b'"gridjoust": "0.0.'))
    assert played.joust("verify", str(CUP)) == (0, "")
    damage(played, "datapackage.json", lambda data: data.replace(b'"seat"', b'"set"'))
    assert played.joust("verify", str(CUP))[0] == 1


@pytest.mark.gate
def test_records_of_an_earlier_format_are_one_line_until_they_are_played_again(played: Desk) -> None:
    for record in list_records(played.folder / CUP):
        record.write_bytes(
            record.read_bytes().replace(b'"format":3', b'"format":1', 1).rpartition(b'{"type":"seal"')[0]
        )
    code, lines = played.joust("verify", str(CUP))
    first, count = lines.splitlines()
    assert (code, count) == (1, f"{CUP}: 1 problem in 2 records")
    assert first.startswith("2 of 2 records are of another version, try --resume; the first: ")
    assert first.endswith("line 1: expected record format 3, got 1")
    code, told = played.read("run", "cup.yaml", "--resume")
    assert (code, told.splitlines()[0].partition(", ")[0]) == (0, f"2 records set aside in {CUP / 'records' / 'stale'}")
    assert played.joust("verify", str(CUP)) == (0, "")


@pytest.mark.parametrize("text", ["", "[]", "[" * 5000, '{"resources": [{"hash": 1}]}', "\udcff"])
def test_a_damaged_description_of_the_tables_is_one_line(played: Desk, text: str) -> None:
    played.write(str(CUP / "datapackage.json"), text)
    code, line = played.joust("leaderboard", str(CUP))
    assert (code, line.count("\n")) == (2, 1)
    assert line.startswith(
        f"joust: {CUP / 'datapackage.json'}: expected the description of the tables (--resume writes"
    )


@pytest.mark.gate
def test_what_has_reached_a_table_is_loaded_before_the_run_has_ended(played: Desk) -> None:
    whole = load(played.folder / CUP).turns
    rewrite(played, "turns.csv.gz", lambda data: data[:-9])
    assert 0 < len(load(played.folder / CUP).turns) <= len(whole)
    rewrite(played, "turns.csv.gz", lambda data: gzip.compress(b"")[:10])
    assert load(played.folder / CUP).turns.empty
    assert played.joust("report", str(CUP))[0] == 0


@pytest.mark.gate
def test_a_match_without_rows_is_found_like_rows_without_a_match(played: Desk) -> None:
    [kept, lost] = dict.fromkeys(load(played.folder / CUP).results["match_id"])
    for name in ("results.csv", "metrics.csv"):
        rewrite(played, name, lambda table: b"".join(
            line for line in table.splitlines(keepends=True) if not line.startswith(lost.encode())
        ))  # fmt: skip
    code, lines = played.joust("verify", str(CUP))
    got = "has no rows (1 of 2 records have none; try --resume)"
    assert (code, lines.splitlines()[0]) == (1, f"results.csv: match {lost} {got}")
    assert played.joust("run", "cup.yaml", "--resume")[0] == 0
    assert played.joust("verify", str(CUP)) == (0, "")
    (played.folder / CUP / "records" / f"{kept}.jsonl").unlink()
    assert f"match {kept} has no record" in played.joust("verify", str(CUP))[1]


@pytest.mark.gate
def test_records_that_no_table_uses_are_neither_verified_nor_counted(played: Desk) -> None:
    stale = list_records(played.folder / CUP)
    played.write("cup.yaml", GOOD.replace("max_ticks: 5", "max_ticks: 6"))
    assert played.joust("run", "cup.yaml", "--resume")[0] == 0
    for record in stale:  # as if an earlier version of the rules had written it
        record.write_text(
            record.read_text().replace(f'"game_version":"{Bomber.spec.version}"', '"game_version":"0"', 1)
        )
    assert (played.folder / CUP / "unused.txt").read_text().split() == [record.stem for record in stale]
    code, told = played.read("verify", str(CUP))
    assert code == 0
    assert told.splitlines() == [
        f"{CUP}: 2 records verified: every turn, hash and table row agrees with the rules, every match with the seed",
        f"{CUP}: not checked: 2 more records that no table uses (see unused.txt)",
    ]
    (played.folder / CUP / "unused.txt").unlink()
    code, line = played.joust("verify", str(CUP))
    assert (code, f"expected rules of bomber 0, got {Bomber.spec.version} installed" in line) == (1, True)
    used = load(played.folder / CUP).results["match_id"].iloc[0]
    played.write(str(CUP / "unused.txt"), used)
    assert played.joust("verify", str(CUP))[0] == 1
