"""`joust verify --tables-only`: quick, and true about what it looks at."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from gridjoust.runner.results.records.file import list_records, read_record, write_record
from gridjoust.runner.results.secrets import load_secrets
from tests.joust_here import CUP, joust


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("played")
    (folder / "cup.yaml").write_text(CUP)
    assert joust("run", "cup.yaml", folder=folder).returncode == 0
    return folder


@pytest.fixture
def folder(played: Path, tmp_path: Path) -> Path:
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    return tmp_path


def _rewrite(results: Path, **end: object) -> None:
    path, secrets = list_records(results)[0], load_secrets(results)
    assert secrets is not None
    record = read_record(path)
    write_record(path, replace(record, end=replace(record.end, **end)), key=secrets.keys[0])


def _edit(name: str) -> Callable[[Path], None]:
    def edit(results: Path) -> None:
        raw = (results / name).read_bytes()
        (results / name).write_bytes(raw[:-3] + b"9" + raw[-2:])

    return edit


def _add_a_line(results: Path) -> None:
    with (results / "results.csv").open("a") as file:
        file.write("x\n")


SEAL = "tables.seal: the tables were changed after their run; --resume makes them again"
WRONG: dict[str, tuple[Callable[[Path], None], str]] = {
    "another end": (lambda results: _rewrite(results, returns=[7.0, 8.0]), ": returns: expected '7.0', got '"),
    "another reason": (
        lambda results: _rewrite(results, reason='a, "b"'),
        """: reason: expected 'a, "b"', got '""",
    ),
    "no record": (lambda results: list_records(results)[0].unlink(), " has no record"),
    "results": (_edit("results.csv"), SEAL),
    "metrics": (_edit("metrics.csv"), SEAL),
    "answers": (_edit("turns.csv.gz"), "turns.csv.gz: expected "),
    "standings": (_edit("standings.csv"), "standings.csv: expected "),
    "one more row": (_add_a_line, SEAL),
}


@pytest.mark.gate
@pytest.mark.parametrize(("change", "said"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_named(folder: Path, change: Callable[[Path], None], said: str) -> None:
    change(folder / "results" / "cup")
    done = joust("verify", "results/cup", "--tables-only", folder=folder)
    assert done.returncode == 1
    assert said in done.stderr


@pytest.mark.default("True")
@pytest.mark.parametrize("is_sealed", [True, False])
def test_what_is_right_passes_also_without_a_seal_as_of_earlier_versions(folder: Path, *, is_sealed: bool) -> None:
    if not is_sealed:
        (folder / "results" / "cup" / "tables.seal").unlink()
    for _ in range(2):
        done = joust("verify", "results/cup", "--tables-only", folder=folder)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == "results/cup: the tables of 2 records are unchanged; turns were not checked\n"
        joust("pack", "results/cup", folder=folder)


def test_a_record_without_rows_is_named(folder: Path) -> None:
    results = folder / "results" / "cup"
    path = list_records(results)[0]
    record = read_record(path)
    write_record(path.with_name("0123.jsonl"), replace(record, header=replace(record.header, match_id="0123")))
    done = joust("verify", "results/cup", "--tables-only", folder=folder)
    assert "match 0123 has no rows (1 of 3 records have none; try --resume)" in done.stderr
