"""Results folders that somebody else has made: nothing in them is followed out of them, waited for or run."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

import gridjoust
from gridjoust.runner.results.records.file import list_records, read_record
from gridjoust.runner.results.records.plain_folder import require_plain
from gridjoust.runner.results.tables.columns import METRICS, RESULTS, TURNS
from gridjoust.runner.results.tables.text import read_rows
from gridjoust.runner.results.tables.writer import TableWriter
from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.viewer.live_page.events import EventLog
from gridjoust.viewer.server import OWN, make_app
from tests.gridjoust.viewer.test_server import ask, get
from tests.joust_here import CUP, joust

SECRET = "for the owner's eyes"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a cup of two matches was played."""
    folder = tmp_path_factory.mktemp("played")
    (folder / "cup.yaml").write_text(CUP)
    assert joust("run", "cup.yaml", folder=folder).returncode == 0
    return folder


@pytest.fixture
def place(played: Path, tmp_path: Path) -> Path:
    """Return a copy, beside a file that is nobody's business."""
    shutil.copytree(played, tmp_path / "played")
    (tmp_path / "secret").write_text(SECRET)
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets" / "a.0.log").write_text(SECRET)
    return tmp_path / "played"


def linked_file(name: str) -> Callable[[Path], None]:
    def make(results: Path) -> None:
        (results / name).unlink(missing_ok=True)
        (results / name).symlink_to(results.parents[2] / "secret")

    return make


def linked_folder(name: str) -> Callable[[Path], None]:
    def make(results: Path) -> None:
        shutil.rmtree(results / name, ignore_errors=True)
        (results / name).symlink_to(results.parents[2] / "secrets")

    return make


def linked_record(results: Path) -> None:
    [first, *_] = list_records(results)
    first.unlink()
    first.symlink_to(results.parents[2] / "secret")


def linked_to_nothing(results: Path) -> None:
    (results / "x").symlink_to("nowhere")


LINKS: dict[str, Callable[[Path], None]] = {
    "report.html": linked_file("report.html"),
    "tournament.yaml": linked_file("tournament.yaml"),
    "secret.json": linked_file("secret.json"),
    "schedule.json": linked_file("schedule.json"),
    "a log": linked_file("logs/a.0.log"),
    "a part": linked_file("records/0a.part"),
    "a record": linked_record,
    "logs": linked_folder("logs"),
    "records": linked_folder("records"),
    "packs": linked_folder("records/packs"),
    "tables": linked_folder("tables"),
    "analysis": linked_folder("analysis"),
    "a link to nothing": linked_to_nothing,
}
COMMANDS = [
    ["verify", "results/cup"], ["verify", "results"], ["leaderboard", "results/cup"], ["report", "results/cup"],
    ["unpack", "results/cup"], ["pack", "results/cup"], ["view", "results/cup", "--port", "0"],
    ["replay", "results/cup/0"], ["run", "cup.yaml", "--resume"],
]  # fmt: skip


def refuse(folder: Path, what: str) -> None:
    """Assert that whoever reads the results here refuses them in one line."""
    for command in COMMANDS:
        done = joust(*command, folder=folder)
        assert (done.returncode, done.stdout) == (2, ""), command
        assert done.stderr.count("\n") == 1
        assert what in done.stderr, command
        assert SECRET not in done.stderr
    results = folder / "results" / "cup"
    with pytest.raises(ConfigError, match=what):
        gridjoust.load(results)
    with pytest.raises(ConfigError, match=what):
        make_app(results, hosts=["*"], log=EventLog())


@pytest.mark.gate
@pytest.mark.parametrize("link", LINKS)
def test_a_folder_with_a_link_is_refused_before_anything_in_it_is_read(link: str, place: Path) -> None:
    LINKS[link](place / "results" / "cup")
    refuse(place, "expected a plain file, got a link, which is not followed")
    assert (place.parent / "secret").read_text() == SECRET


@pytest.mark.parametrize(
    "name", ["secret.json", "schedule.json", "records/0a.jsonl", "logs/a.0.log", "datapackage.json"]
)
def test_a_folder_with_a_pipe_is_refused_at_once(name: str, place: Path) -> None:
    path = place / "results" / "cup" / name
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    refuse(place, "expected a plain file, got something else")


@pytest.mark.default("schedule.json", "logs/a.0.log")
@pytest.mark.parametrize("name", ["secret.json", "schedule.json", "tables.seal", "report.html", "logs/a.0.log"])
def test_a_small_file_of_1_tb_of_holes_is_refused_at_once(name: str, place: Path) -> None:
    with (place / "results" / "cup" / name).open("ab") as file:
        file.truncate(1 << 40)
    refuse(place, "expected at most 67108864 bytes, got 1099511627776")


@pytest.mark.gate
def test_a_plain_folder_is_read_also_by_a_link_to_the_whole_of_it(place: Path) -> None:
    (place / "results" / "latest").symlink_to("cup")
    for command in (["verify", "results/latest"], ["leaderboard", "results/latest"], ["report", "results/latest"]):
        done = joust(*command, folder=place)
        assert (done.returncode, done.stderr) == (0, ""), command
    assert len(gridjoust.load(place / "results" / "latest").results) == 4
    require_plain(place / "results" / "cup")


@pytest.mark.gate
def test_a_report_or_a_log_that_becomes_a_link_while_the_pages_are_served_is_not_followed(place: Path) -> None:
    results = place / "results" / "cup"
    assert joust("report", "results/cup", folder=place).returncode == 0
    app = make_app(results, hosts=["127.0.0.1"], log=EventLog())
    match_id = list_records(results)[0].stem
    (results / "logs" / "a.0.log").write_text(f"==== match {match_id}\nits own words\n")
    assert "Standings" in ask(app, "/report")[2]
    assert "its own words" in ask(app, f"/match/{match_id}.json")[2]
    linked_file("report.html")(results)
    linked_folder("logs")(results)
    (place.parent / "secrets" / "a.0.log").write_text(f"==== match {match_id}\n{SECRET}\n")
    os.utime(results / "records" / f"{match_id}.jsonl", ns=(1, 1))  # not the answer of before
    assert ask(app, "/report")[0] == 404
    status, _, text = ask(app, f"/match/{match_id}.json")
    assert (status, SECRET in text) == (200, False)


def policy(folder: Path, path: str, *, embed: str = OWN) -> dict[str, str]:
    """The directives of a page's policy."""
    parts = get(folder, path, embed=embed)[1]["content-security-policy"].split(";")
    return {words[0]: " ".join(words[1:]) for part in parts if (words := part.split())}


def test_a_strangers_report_runs_in_an_origin_of_its_own_and_fetches_nothing(place: Path) -> None:
    results = place / "results" / "cup"
    (results / "report.html").write_text("<script>fetch('/matches.json')</script>")
    found = policy(results, "/report")
    assert found["sandbox"] == "allow-scripts"
    assert found["default-src"] == "'none'"
    assert {"connect-src", "frame-src", "worker-src"}.isdisjoint(found)
    assert get(results, "/report")[1]["x-content-type-options"] == "nosniff"


@pytest.mark.gate
@pytest.mark.parametrize("path", ["/", "/watch", "/live", "/compare", "/report"])
def test_pages_are_framed_by_their_own_origin_unless_another_is_named(path: str, place: Path) -> None:
    assert joust("report", "results/cup", folder=place).returncode == 0
    results = place / "results" / "cup"
    assert policy(results, path)["frame-ancestors"] == "'self'"
    assert policy(results, path, embed="https://club.example")["frame-ancestors"] == "https://club.example"


@pytest.mark.parametrize("embed", ["club.example", "https://a; script-src *", "https://a b", "'none'", ""])
def test_what_is_no_origin_is_refused(embed: str, place: Path) -> None:
    done = joust("view", "results/cup", "--port", "0", "--embed", embed or "x y", folder=place)
    assert (done.returncode, "--embed: expected an origin" in done.stderr) == (2, True)


FORMULAS = ['=HYPERLINK("http://example.org","x")', "+1", "-1+cmd|' /C calc'!A0", "@SUM(1)", "\t=1", "\r=1"]


@pytest.mark.parametrize("formula", FORMULAS)
def test_no_cell_of_a_table_begins_as_a_formula_does(formula: str, place: Path, tmp_path: Path) -> None:
    record = read_record(list_records(place / "results" / "cup")[0])
    seats = [replace(seat, bot_version=formula, planner=formula) for seat in record.header.seats]
    header = replace(record.header, seats=seats, map=formula, schedule_reason=formula)
    with TableWriter(tmp_path) as tables:
        tables.add(replace(record, header=header, end=replace(record.end, reason=formula)))
    texts = {column.name for table in (RESULTS, METRICS, TURNS) for column in table.columns if column.type == "string"}
    cells = [
        row[name]
        for table in (RESULTS, METRICS, TURNS)
        for row in read_rows(tmp_path / table.file)
        for name in texts & row.keys()
    ]
    assert f"'{formula}" in cells
    assert [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))] == []


@pytest.mark.parametrize(
    ("declared", "kept"),
    [
        ("1.2-rc.1+a_b", "1.2-rc.1+a_b"),
        ("2024é", "2024é"),
        ('=HYPERLINK("x")', "HYPERLINK__x__"),
        ("-1", "1"),
        ("a b\n", "a_b_"),
    ],
)
def test_a_version_has_letters_digits_and_few_signs_and_none_in_front(declared: str, kept: str) -> None:
    assert protocol.Ready(protocol=1, version=declared).version == kept
