"""The viewer of a results folder as a folder of pages: what is written, and what is not shown yet."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest

from gridjoust.commands import main
from gridjoust.runner.results.records.file import record_path, write_record
from gridjoust.runner.results.records.lines import Header
from gridjoust.runner.results.tables.writer import TableWriter
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.simulation import play
from gridjoust.viewer.export import export_pages
from gridjoust.viewer.live_page.open_seeds import OpenSeeds, StillPlayedError
from gridjoust.viewer.matches import THUMBNAILS

CODE = "</script><script>window.hacked=1</script>"
MATCHES = THUMBNAILS + 2


@pytest.fixture
def results(tmp_path: Path) -> Path:
    folder = tmp_path / "cup"
    (folder / "records").mkdir(parents=True)
    with TableWriter(folder) as tables:
        for seed in range(MATCHES):
            made = play("bomber", ["random", "random"], seed=seed, params={"max_ticks": 5}).record
            seats = [
                msgspec.structs.replace(made.header.seats[seat], bot=name) for seat, name in enumerate(("ann", CODE))
            ]
            header = msgspec.structs.replace(made.header, seats=seats, match_id=f"match{seed}")
            record = msgspec.structs.replace(made, header=header)
            write_record(record_path(folder, header.match_id), record)
            tables.add(record)
    return folder


def listed(out: Path) -> dict[str, bool]:
    """Which match has a page, as the page of all matches says."""
    text = (out / "index.html").read_text()
    data = re.search(r'<script type="application/json" id="match-data">(.*?)</script>', text, re.DOTALL)
    assert data is not None
    return {match["id"]: match["is_shown"] for match in json.loads(data[1])["matches"]}


def test_every_match_has_a_page_and_the_newest_ones_a_picture(results: Path, tmp_path: Path) -> None:
    (results / "report.html").write_text("the report")
    out = tmp_path / "out"
    assert list(export_pages(results, out))[-1] == (MATCHES, 0)
    ids = [f"match{seed}" for seed in range(MATCHES)]
    assert sorted(path.stem for path in (out / "match").iterdir()) == ids
    assert sorted(path.stem for path in (out / "thumb").iterdir()) == ids[-THUMBNAILS:]
    assert listed(out) == dict.fromkeys(ids, True)
    assert (out / "report.html").read_text() == "the report"
    pages = [out / "index.html", *(out / "match").iterdir()]
    assert not any("<script>window" in page.read_text() for page in pages)
    for page in pages:
        for address in re.findall(r'(?:src|href)="([^"#]+)"', page.read_text()):
            assert address in {"live", "report"} or (page.parent / address).exists(), address


def test_a_match_without_record_or_on_a_seed_to_come_has_no_page(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record_path(results, "match1").unlink()

    def check(_seeds: OpenSeeds, header: Header) -> None:
        if header.match_id == "match2":
            raise StillPlayedError("other matches on this seed are still to be played")

    monkeypatch.setattr(OpenSeeds, "check", check)
    list(export_pages(results, tmp_path / "out"))
    assert {match for match, is_shown in listed(tmp_path / "out").items() if not is_shown} == {"match1", "match2"}
    assert len(list((tmp_path / "out" / "match").iterdir())) == MATCHES - 2


@pytest.mark.gate
def test_many_pages_are_written_by_several_processes_and_are_the_same(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    list(export_pages(results, tmp_path / "alone"))
    monkeypatch.setattr("gridjoust.viewer.export.MANY", 1)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    assert list(export_pages(results, tmp_path / "together"))[-1] == (MATCHES, 0)
    alone, together = (
        {path.relative_to(out): path.read_bytes() for path in out.rglob("*") if path.is_file()}
        for out in (tmp_path / "alone", tmp_path / "together")
    )
    assert together == alone


def test_a_folder_that_is_there_is_not_written_to(results: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--export: expected a folder that does not exist yet"):
        list(export_pages(results, tmp_path))


def test_the_command_names_the_page_to_open(results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["view", str(results), "--export", str(tmp_path / "out")])
    assert not ended.value.code
    assert f"({MATCHES} matches)" in capsys.readouterr().out
