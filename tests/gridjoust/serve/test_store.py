"""The store of a contest: one writer, transactions that are whole, results that count once."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gridjoust.runner.wire.errors import ConfigError
from gridjoust.serve.store import FORMAT, Store, admit, enter, insert, set_meta, shared_file_system
from tests.gridjoust.serve.classroom import add_match, record_of


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store(tmp_path)
    for label in ("ada@1", "bob@1"):
        made.write(lambda one, label=label: add_version(one, label))  # type: ignore[misc]
    return made


def add_version(connection: sqlite3.Connection, label: str, *, is_late: bool = False) -> None:
    name, _, number = label.partition("@")
    values = {"label": label, "name": name, "number": int(number), "content": label, "filename": "bot.py"}
    insert(connection, "versions", **values, received_s=0.0, state="waiting", is_late=is_late)
    admit(connection, label, "{}", 1.0)


def version(store: Store, label: str) -> sqlite3.Row:
    row = store.one("SELECT * FROM versions WHERE label = ?", (label,))
    assert row is not None
    return row


def play(store: Store, match_id: str, *, forfeited: tuple[int, ...] = (), counted: bool = True) -> int:
    number = add_match(store, "ada@1", "bob@1", match_id)
    record = record_of(
        "ada@1", "bob@1", 0.0 if forfeited else 1.0, match_id=match_id, forfeited=forfeited, counted=counted
    )
    store.write(lambda one: enter(one, number, record, suspend_after=3))
    return number


def test_a_write_ahead_log_is_synced_at_every_commit(store: Store) -> None:
    assert store.read("PRAGMA journal_mode")[0][0] == "wal"
    assert store.read("PRAGMA synchronous")[0][0] == 2


def test_what_is_played_again_after_a_power_cut_waits_for_no_disk(tmp_path: Path) -> None:
    fast = Store(tmp_path, is_synced=False)
    assert fast.read("PRAGMA journal_mode")[0][0] == "wal"
    assert fast.read("PRAGMA synchronous")[0][0] == 1


def test_a_change_that_fails_leaves_nothing(store: Store) -> None:
    def change(connection: sqlite3.Connection) -> None:
        set_meta(connection, "half", "done")
        raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011
        store.write(change)
    assert store.meta("half") is None
    store.write(lambda one: set_meta(one, "whole", "done"))
    assert store.meta("whole") == "done"


@pytest.mark.gate
def test_two_processes_may_write_as_each_waits_for_the_other(tmp_path: Path) -> None:
    stores = [Store(tmp_path), Store(tmp_path)]

    def add(number: int) -> None:
        stores[number % 2].write(lambda one: set_meta(one, f"k{number}", "x"))

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(add, range(60)))
    assert len(stores[0].read("SELECT * FROM meta")) == 60


def test_a_result_counts_once(store: Store) -> None:
    number = play(store, "m1")
    record = record_of("ada@1", "bob@1", 1.0)
    store.write(lambda one: enter(one, number, record, suspend_after=3))
    assert (version(store, "ada@1")["games"], version(store, "ada@1")["wins"], version(store, "bob@1")["losses"]) == (
        1,
        1,
        1,
    )
    assert [tuple(row) for row in store.read("SELECT * FROM scores")] == [("ladder", "ada@1", "bob@1", 1, 1.0)]


def test_a_match_is_queued_once_as_its_content_is_its_key(store: Store) -> None:
    assert add_match(store, "ada@1", "bob@1", "m1") == add_match(store, "bob@1", "ada@1", "m1")


def test_a_void_match_counts_for_nothing(store: Store) -> None:
    play(store, "m1", counted=False)
    assert version(store, "ada@1")["games"] == 0
    assert store.read("SELECT state FROM matches")[0]["state"] == "void"


def test_a_version_is_suspended_after_three_forfeits_in_a_row(store: Store) -> None:
    for at in range(3):
        assert version(store, "ada@1")["state"] == "admitted"
        play(store, f"m{at}", forfeited=(0,))
    row = version(store, "ada@1")
    assert (row["state"], row["record"], row["reason"]) == (
        "suspended",
        "m2",
        "forfeited 3 matches in a row, the last: crashed",
    )
    assert version(store, "bob@1")["state"] == "admitted"


def test_a_match_without_a_forfeit_begins_the_count_anew(store: Store) -> None:
    for at, forfeited in enumerate([(0,), (0,), (), (0,), (0,)]):
        play(store, f"m{at}", forfeited=forfeited)
    assert version(store, "ada@1")["state"] == "admitted"


def test_a_bots_own_words_are_not_in_the_reason_that_everybody_reads(store: Store) -> None:
    play(store, "m1", forfeited=(0,))
    assert "own words" not in store.read("SELECT reason FROM matches")[0]["reason"]
    assert "ada@1" in store.read("SELECT reason FROM matches")[0]["reason"]


def test_a_new_version_replaces_the_old_one_and_starts_where_it_stood(store: Store) -> None:
    store.write(lambda one: one.execute("UPDATE versions SET elo = 80, spread = 30 WHERE label = 'ada@1'"))
    store.write(lambda one: add_version(one, "ada@2"))
    assert not version(store, "ada@1")["is_active"]
    new = version(store, "ada@2")
    assert (new["is_active"], new["prior_elo"], new["prior_spread"]) == (1, 80.0, 100.0)


def test_an_older_version_that_is_admitted_late_does_not_replace_a_newer_one(store: Store) -> None:
    store.write(lambda one: add_version(one, "ada@3"))
    store.write(lambda one: add_version(one, "ada@2"))
    assert [version(store, f"ada@{number}")["is_active"] for number in (1, 2, 3)] == [0, 0, 1]


def test_queued_pairs_of_a_replaced_version_go_but_a_half_played_one_stays(store: Store) -> None:
    play(store, "half1")
    add_match(store, "bob@1", "ada@1", "half2")
    add_match(store, "ada@1", "bob@1", "gone1")
    add_match(store, "bob@1", "ada@1", "gone2")
    store.write(lambda one: add_version(one, "ada@2"))
    assert [row["match_id"] for row in store.read("SELECT match_id FROM matches WHERE state = 'queued'")] == ["half2"]


def test_a_store_of_another_format_is_refused(tmp_path: Path) -> None:
    Store(tmp_path).close()
    with sqlite3.connect(tmp_path / "contest.sqlite") as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(ConfigError, match=f"expected a contest of format {FORMAT}, got format 99"):
        Store(tmp_path)


@pytest.mark.parametrize(("kind", "found"), [("nfs4", "nfs4"), ("ext4", "")])
def test_a_network_file_system_is_noticed(tmp_path: Path, kind: str, found: str) -> None:
    mounts = tmp_path / "mountinfo"
    mounts.write_text(
        f"21 1 8:1 / / rw - ext4 /dev/sda rw\n22 21 0:44 / {tmp_path} rw shared:1 - {kind} server:/home rw\n"
    )
    assert shared_file_system(tmp_path / "contest", mounts) == found


def test_a_contest_of_the_format_before_keeps_its_versions(store: Store, tmp_path: Path) -> None:
    before = store.read("SELECT * FROM versions ORDER BY place")
    store.write(lambda one: one.execute("ALTER TABLE versions DROP COLUMN is_late"))
    store.write(lambda one: one.execute("ALTER TABLE people DROP COLUMN track"))
    store.write(lambda one: one.execute("PRAGMA user_version = 2"))
    store.close()
    again = Store(tmp_path)
    found = again.read("SELECT * FROM versions ORDER BY place")
    assert [{**row} for row in found] == [{**row} for row in before]
    assert again.read("PRAGMA user_version")[0][0] == FORMAT


def test_a_late_version_replaces_an_earlier_late_one_and_not_the_one_that_counts(store: Store) -> None:
    for label in ("ada@2", "ada@3"):
        store.write(lambda one, label=label: add_version(one, label, is_late=True))  # type: ignore[misc]
    assert [version(store, f"ada@{number}")["is_active"] for number in (1, 2, 3)] == [1, 0, 1]
