"""A few mutated messages and files to everything that reads; `python -m benchmarks.fuzz` makes as many as one likes."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.figures import Figures
from benchmarks.fuzz import SAMPLES, Reader, fuzz, main, readers
from benchmarks.fuzz_guided import FINDING, ROOT, GuidedRun, can_guide
from benchmarks.mutations import mutate, mutate_text
from gridjoust.bots.placement.solve import parse_cases
from gridjoust.games.heroquest.quest_text import parse_document
from gridjoust.games.ricochet.positions import parse_positions
from gridjoust.runner.results.packs.pack import Pack, write_pack
from gridjoust.runner.results.records.file import list_records
from gridjoust.runner.results.tables.frames import read_csv, whole_matches
from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.errors import ConfigError, ProtocolFault, RecordError


@pytest.fixture(scope="module")
def everything_that_reads(tmp_path_factory: pytest.TempPathFactory) -> list[Reader]:
    return readers(tmp_path_factory.mktemp("fuzz"), random.Random(1))


@pytest.mark.gate
@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32))
def test_nothing_raises_what_it_should_not(everything_that_reads: list[Reader], seed: int) -> None:
    figures = Figures()
    for reader in everything_that_reads:
        fuzz(reader, min(10, max(1, reader.share // 40)), random.Random(seed), figures)
    assert figures.details == []


def test_an_undocumented_exception_is_found_and_a_documented_one_is_not() -> None:
    def read(message: bytes) -> None:
        protocol.decode_status(message)
        raise ValueError("online")

    figures, reader = Figures(), Reader("status", 1, lambda rng: b'{"online":true}', read, (ProtocolFault,))
    fuzz(reader, 50, random.Random(1), figures)
    refused = figures.done["status: refused"]
    assert figures.problems["status"] == 50 - refused
    assert 0 < refused < 50


def test_a_mutated_message_is_nearly_always_another_one_and_the_same_for_the_same_seed() -> None:
    message = b'{"type":"action","match":"m","ask":3,"seat":0,"action":"wait"}'
    mutated = [mutate(message, random.Random(seed)) for seed in range(100)]
    assert mutated == [mutate(message, random.Random(seed)) for seed in range(100)]
    assert len({*mutated} - {message}) > 60


NESTED = "[" * 30_000


@pytest.mark.parametrize(
    ("read", "expected"),
    [
        (lambda: parse_positions('{"boards":' + NESTED), "expected JSON: maximum recursion depth"),
        (lambda: parse_cases('{"more":' + NESTED), "cases: maximum recursion depth"),
        (lambda: parse_cases(b'{"cases":"\xff"}'), "cases: "),
        (lambda: parse_document("name: " + NESTED), "line 1: expected fewer brackets within each other"),
    ],
    ids=["positions", "cases", "no UTF-8", "quest"],
)
def test_a_file_nested_beyond_all_depth_is_refused_in_one_line(read: Callable[[], object], expected: str) -> None:
    with pytest.raises(ValueError, match=f"^{expected}"):
        read()


def test_a_table_with_a_cell_too_many_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    file.write_text("bot,score\na,1,2\n")
    with pytest.raises(ConfigError, match=r"results\.csv: expected a table as Joust writes it, got: Length of header"):
        read_csv(file, dtypes={"bot": "string"})


def test_a_mutated_file_is_the_same_for_the_same_seed_and_nearly_always_another_one() -> None:
    data = b"type octile\nheight 1\nwidth 3\nmap\n...\n"
    mutated = [mutate_text(data, random.Random(seed)) for seed in range(100)]
    assert mutated == [mutate_text(data, random.Random(seed)) for seed in range(100)]
    assert len({*mutated} - {data}) > 60


@pytest.mark.gate
def test_thousands_of_mutated_inputs_are_read_or_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--messages", "20000", "--seed", "35"]) == 0
    assert "| bot lines " in capsys.readouterr().out


needs_atheris = pytest.mark.skipif(not can_guide(), reason="atheris is not installed")


@pytest.mark.gate
@needs_atheris
@pytest.mark.parametrize("name", ["maps", "bot lines"])
def test_thousands_of_guided_inputs_are_read_or_refused(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--guided", name, "--messages", "3000", "--seed", "35"]) == 0
    _, messages, branches_of_examples, branches, *_ = capsys.readouterr().out.splitlines()[-1].strip("| ").split("|")
    assert int(messages) == 3000
    assert 0 < int(branches_of_examples) < int(branches)


def divide_at_two_bytes(data: bytes) -> None:
    """Fail for `z` and `q`, each of which differs from the example's bytes by more than one bit."""
    if data[:1] == b"z" and data[1:2] == b"q":
        raise ZeroDivisionError


EXAMPLE = b"....\n"
SEARCH = """
    import sys
    from pathlib import Path

    import atheris

    from benchmarks.fuzz import Reader
    from benchmarks.fuzz_guided import search
    from tests.benchmarks.test_fuzz import EXAMPLE, divide_at_two_bytes

    reader = Reader("double", 1, lambda rng: EXAMPLE, atheris.instrument_func(divide_at_two_bytes))
    search(reader, count=20_000, seed=1, scratch=Path(sys.argv[1]))
"""


@pytest.mark.gate
@needs_atheris
def test_a_guided_search_finds_a_fault_behind_two_comparisons(tmp_path: Path) -> None:
    command = [sys.executable, "-c", textwrap.dedent(SEARCH), str(tmp_path)]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode != 0
    finding = (tmp_path / FINDING).read_text()
    assert finding.startswith("double: b'zq")
    assert "ZeroDivisionError" in finding


@pytest.mark.gate
def test_random_mutation_does_not_find_a_fault_behind_two_comparisons() -> None:
    figures = Figures()
    reader = Reader("double", 1, lambda rng: EXAMPLE, divide_at_two_bytes, mutate=mutate_text)
    fuzz(reader, 20_000, random.Random(1), figures)
    assert figures.details == []


def test_a_guided_search_without_atheris_ends_with_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("benchmarks.fuzz.can_guide", lambda: False)
    with pytest.raises(SystemExit, match=r"^2$"):
        main(["--guided", "maps"])
    assert capsys.readouterr().err == "benchmarks.fuzz: --guided needs atheris: python -m pip install atheris\n"


@pytest.mark.gate
def test_a_finding_of_a_guided_search_is_printed_with_the_command_that_repeats_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = GuidedRun(inputs=41, branches_before=7, branches=9, finding="maps: b'z'")
    monkeypatch.setattr("benchmarks.fuzz.can_guide", lambda: True)
    monkeypatch.setattr("benchmarks.fuzz.run_guided", lambda name, *, count, seed: found)
    assert main(["--guided", "maps", "--messages", "50", "--seed", "3"]) == 1
    repeat = 'python -m benchmarks.fuzz --guided "maps" --messages 50 --seed 3'
    assert capsys.readouterr().err == f"maps: b'z'\nto repeat: {repeat}\n"


@pytest.mark.gate
def test_a_reader_that_does_not_exist_is_refused_with_the_names_of_all(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match=r"^2$"):
        main(["--only", "nothing"])
    assert "expected a reader, got 'nothing' (readers: messages from bots, status," in capsys.readouterr().err


def test_a_pack_whose_names_are_no_text_is_refused_as_damaged(tmp_path: Path) -> None:
    file, [record, *_] = tmp_path / "one.pack", list_records(SAMPLES)
    write_pack(file, [record.stem], lambda _: record.read_bytes())
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute("UPDATE match SET match_id = CAST(x'a7ff' AS TEXT)")
    with closing(Pack(file)) as pack, pytest.raises(RecordError, match="got a damaged file"):
        pack.ids()


def test_a_pack_whose_schema_is_no_text_is_refused_as_damaged(tmp_path: Path) -> None:
    file, [record, *_] = tmp_path / "one.pack", list_records(SAMPLES)
    write_pack(file, [record.stem], lambda _: record.read_bytes())
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute("UPDATE sqlite_schema SET sql = CAST(sql AS BLOB) WHERE name = 'kind'")
    with pytest.raises(RecordError, match="got a damaged file"):
        Pack(file)


def test_a_last_row_without_its_number_of_seats_is_read() -> None:
    rows = pd.DataFrame({"match_id": ["m"], "seats": pd.array([None], dtype="Int64")})
    assert len(whole_matches(rows)) == 1
