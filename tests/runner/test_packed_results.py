"""A results folder whose records are packed: a run that goes on believes what one with files would believe."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from gridjoust.commands.verify import verify
from gridjoust.runner.plan import Plan, prepare_folder
from gridjoust.runner.results.packs.folder import pack_paths
from gridjoust.runner.results.packs.packing import BackgroundPacking, pack_records
from gridjoust.runner.results.records.file import list_files, list_records, read_bytes, read_record, write_record
from gridjoust.runner.results.secrets import load_secrets
from tests.runner.memory_cup import CUP, make_cup, play_cup, play_prepared


async def packed_cup(folder: Path) -> Plan:
    plan = make_cup(CUP, folder)
    await play_cup(plan)
    assert pack_records(plan.out, keys_of(plan)).matches == 2
    return plan


def keys_of(plan: Plan) -> tuple[bytes, ...]:
    secrets = load_secrets(plan.out)
    assert secrets is not None
    return secrets.keys


async def played_again(plan: Plan) -> tuple[int, list[str]]:
    """How many matches were played anew, and what was said."""
    again = prepare_folder(make_cup(CUP, plan.out.parents[1]), resume=True)
    played = await play_prepared(again)
    return sum(one.is_new for one in played), again.kept.take_notes()


@pytest.mark.gate
async def test_packed_records_are_kept_and_sealed_with_the_new_key_by_one_line(tmp_path: Path) -> None:
    plan = await packed_cup(tmp_path)
    pack, old = pack_paths(plan.out / "records")[0].read_bytes(), keys_of(plan)
    assert await played_again(plan) == (0, [])
    assert pack_paths(plan.out / "records")[0].read_bytes() == pack
    assert keys_of(plan) != old
    assert {read_record(path, keys=keys_of(plan)).header.round for path in list_records(plan.out)} == {1, 2}
    assert verify(plan.out) == 0
    assert await played_again(plan) == (0, [])  # and with the one after it
    assert verify(plan.out) == 0


@pytest.mark.gate
async def test_of_a_damaged_pack_whole_records_stay_and_the_others_are_played_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = await packed_cup(tmp_path)
    (pack,) = pack_paths(plan.out / "records")
    with closing(sqlite3.connect(pack)) as db:
        ((frame,),) = db.execute("SELECT body FROM match WHERE rowid = 1").fetchall()
    raw = pack.read_bytes()
    assert raw.count(frame) == 1
    pack.write_bytes(raw.replace(frame, frame[:-9] + b"damaged!!"))
    assert verify(plan.out) == 1
    assert "0001.pack: seal: expected " in capsys.readouterr().err
    new, notes = await played_again(plan)
    assert new == 1
    assert notes[0].startswith("1 pack set aside in ")
    assert "damaged, 1 of its records was whole and stays: " in notes[0]
    assert (plan.out / "records" / "damaged" / "0001.pack").is_file()
    assert len(list_files(plan.out)) == 2
    assert verify(plan.out) == 0


@pytest.mark.gate
async def test_a_pack_of_another_key_is_not_believed(tmp_path: Path) -> None:
    plan = await packed_cup(tmp_path)
    (pack,) = pack_paths(plan.out / "records")
    pack.with_suffix(".seal").write_text('{"digest":"","mac":""}')
    new, notes = await played_again(plan)
    assert len(notes) == 1
    assert new == 0  # each record has a seal of its own
    assert len(list_files(plan.out)) == 2


async def test_old_records_in_a_pack_are_set_aside_and_played_again(tmp_path: Path) -> None:
    plan = make_cup(CUP, tmp_path)
    await play_cup(plan)
    path = list_records(plan.out)[0]
    record = read_record(path)
    write_record(path, replace(record, header=replace(record.header, game_version="0")), key=keys_of(plan)[0])
    old = read_bytes(path)
    pack_records(plan.out, keys_of(plan))
    new, notes = await played_again(plan)
    assert new == 1
    assert "got 0" in notes[0]
    assert not pack_paths(plan.out / "records")
    aside = (plan.out / "records" / "stale" / path.name).read_bytes()
    assert aside.splitlines()[:-1] == old.splitlines()[:-1]  # all but the seal, for there is a new key


@pytest.mark.gate
@pytest.mark.parametrize("most", [1, 50_000])
async def test_a_run_packs_its_records_as_it_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr("gridjoust.runner.table_sink.BackgroundPacking", partial(BackgroundPacking, most=most))
    plan = prepare_folder(make_cup(CUP + "records: packed\n", tmp_path), resume=False)
    played = await play_prepared(plan)
    assert plan.kept.take_notes() == []
    assert len(pack_paths(plan.out / "records")) in (1, 3 - min(most, 2))  # the second may wait for the first
    assert list_files(plan.out) == set()
    assert [path.stem for path in list_records(plan.out)] == sorted(one.pairing.match_id for one in played)
    assert verify(plan.out) == 0


@pytest.mark.gate
async def test_what_cannot_be_packed_stays_a_file_and_a_note_says_so(tmp_path: Path) -> None:
    plan = prepare_folder(make_cup(CUP, tmp_path), resume=False)
    await play_prepared(plan)
    path, other = list_records(plan.out)
    path.write_bytes(path.read_bytes()[:-1] + b" \n")
    packing = BackgroundPacking(plan.out, plan.kept.note)
    packing.enter(path.stem)
    packing.enter(other.stem)
    await packing.finish()
    packing.close()
    assert list_files(plan.out) == {path.stem}
    [note] = plan.kept.take_notes()
    assert note.startswith("records were not packed and stay files: ")
    assert path.name in note


async def test_a_run_that_breaks_off_stops_packing(tmp_path: Path) -> None:
    plan = prepare_folder(make_cup(CUP, tmp_path), resume=False)
    await play_prepared(plan)
    paths = list_records(plan.out)
    packing = BackgroundPacking(plan.out, plan.kept.note, most=1)
    packing.enter(paths[0].stem)
    packing.close()
    assert list_records(plan.out) == paths
    assert verify(plan.out) == 0
