"""What a run finds in its results folder: its own records are kept, and whatever else lies there is set aside."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from gridjoust.runner.plan import Plan, prepare_folder
from gridjoust.runner.results.records.file import list_records, read_record, write_record
from gridjoust.runner.results.replay import verify_file
from gridjoust.runner.results.secrets import FILE, load_secrets
from gridjoust.runner.results.tables.columns import RESULTS
from gridjoust.runner.results.tables.text import read_rows
from gridjoust.runner.table_sink import Played
from gridjoust.runner.tournament import OVERTAKING
from gridjoust.runner.wire.errors import RecordError
from tests.runner.memory_cup import CUP, make_cup, play_cup, play_prepared


def points(plan: Plan) -> list[str]:
    return [row["points"] for row in read_rows(plan.out / RESULTS.file)]


async def play_again(plan: Plan) -> tuple[list[Played], list[str], list[str]]:
    """The matches, what was said, and what lies in the folders of records that were set aside."""
    again = prepare_folder(make_cup(CUP, plan.out.parents[1]), resume=True)
    played = await play_prepared(again)
    aside = sorted(f"{path.parent.name}/{path.name}" for path in (plan.out / "records").glob("*/*"))
    return played, again.kept.take_notes(), aside


def edit(path: Path, old: bytes, new: bytes) -> None:
    raw = path.read_bytes()
    assert old in raw
    path.write_bytes(raw.replace(old, new, 1))


DAMAGE = {
    "swapped names": (b'"bot":"a"', b'"bot":"b"', "damaged", "seal: expected "),
    "a changed answer": (b'"latency_ms":', b'"latency_ms":1', "damaged", "seal: expected "),
    "a line that is none": (b'{"type":"end"', b'{"type":"END"', "damaged", "seal: expected "),
    "no header": (b'{"type":"header"', b'{"type":', "damaged", "line 1: expected a line of a match record, got "),
    "an old format": (b'"format":3', b'"format":1', "stale", "line 1: expected record format 3, got 1"),
}


@pytest.mark.gate
@pytest.mark.parametrize(("old", "new", "folder", "said"), DAMAGE.values(), ids=DAMAGE)
async def test_a_record_that_was_changed_is_set_aside_and_its_match_played_again(
    tmp_path: Path, old: bytes, new: bytes, folder: str, said: str
) -> None:
    plan = make_cup(CUP, tmp_path)
    await play_cup(plan)
    before = points(plan)
    changed, whole = list_records(plan.out)
    for number in ("", "-2"):  # the second time beside the first
        edit(changed, old, new)
        played, [note], aside = await play_again(plan)
        assert {match.pairing.match_id: match.is_new for match in played} == {changed.stem: True, whole.stem: False}
        assert f"{folder}/{changed.stem}{number}.jsonl" in aside
        assert note.startswith(f"1 record set aside in {plan.out / 'records' / folder}, as not valid here; the first: ")
        assert said in note
    assert len(aside) == 2
    assert points(plan) == before
    assert (await play_again(plan))[1] == []


async def test_records_of_other_rules_are_one_line(tmp_path: Path) -> None:
    plan = prepare_folder(make_cup(CUP, tmp_path), resume=False)
    await play_prepared(plan)
    for path in list_records(plan.out):
        record = read_record(path)
        old = replace(record, header=replace(record.header, game_version="0"))
        write_record(path, old, key=plan.kept.key)
    played, [note], aside = await play_again(plan)
    assert [match.is_new for match in played] == [True, True]
    assert note.startswith("2 records set aside in ")
    assert "expected rules of bomber " in note
    assert [name.partition("/")[0] for name in aside] == ["stale", "stale"]


async def test_without_the_folders_key_no_record_is_believed(tmp_path: Path) -> None:
    plan = make_cup(CUP, tmp_path)
    await play_cup(plan)
    (plan.out / FILE).unlink()
    played, [note], _ = await play_again(plan)
    assert [match.is_new for match in played] == [True, True]
    assert "seal: expected one made with the key of its results folder" in note


async def test_a_published_key_is_replaced_and_records_under_it_are_kept_under_the_new_one(tmp_path: Path) -> None:
    plan = make_cup(CUP, tmp_path)
    await play_cup(plan)
    ended = load_secrets(plan.out)
    assert ended is not None
    assert ended.published
    played, notes, _ = await play_again(plan)
    assert ([match.is_new for match in played], notes) == ([False, False], [])
    again = load_secrets(plan.out)
    assert again is not None
    assert (len(again.keys), again.published) == (1, True)
    assert again.keys != ended.keys
    for path in list_records(plan.out):
        read_record(path, keys=again.keys)


FORGER = """
import shutil
from pathlib import Path
from gridjoust.bots.api import Bot

HERE = Path(__file__).parent

class Forger(Bot):
    def act(self, observation):
        for forged in (HERE / "forged").glob("*.jsonl"):
            if not (HERE / "results/cup/records" / forged.name).exists():
                shutil.copy(forged, HERE / "results/cup/records")
        return "fly"
"""


def make_forgers_cup(folder: Path) -> Plan:
    folder.mkdir()
    (folder / "forger.py").write_text(FORGER)
    text = CUP.replace("bot: random", "path: forger.py:Forger").replace("rounds: 2", f"rounds: {2 * OVERTAKING}")
    return make_cup(text, folder)


@pytest.mark.gate
async def test_records_of_matches_to_come_that_a_bot_writes_are_not_believed(tmp_path: Path) -> None:
    honest, attacked = make_forgers_cup(tmp_path / "honest"), make_forgers_cup(tmp_path / "attacked")
    await play_cup(honest)
    forged = tmp_path / "attacked" / "forged"
    forged.mkdir()
    for path in list_records(honest.out):
        record = read_record(path)
        won = replace(record.end, points=record.end.points[::-1], ranks=record.end.ranks[::-1])
        write_record(forged / path.name, replace(record, end=won), key=b"?" * 32)
    stranger = replace(record, header=replace(record.header, match_id="0123456789abcdef"))
    write_record(forged / "0123456789abcdef.jsonl", stranger)
    plan = prepare_folder(attacked, resume=False)
    played = await play_prepared(plan)
    assert all(match.is_new for match in played)
    assert points(plan) == points(honest)
    first, *_ = notes = plan.kept.take_notes()
    assert "unexpected record: this match has not been played" in first
    assert sum(note.startswith("1 record set aside in ") for note in notes) == len(notes) > OVERTAKING / 2
    keys = load_secrets(plan.out)
    assert keys is not None
    assert len(list_records(plan.out)) == len(played)
    for path in list_records(plan.out):
        assert verify_file(path, keys.keys) is None
    shutil.copy(forged / path.name, path)  # after the run it is no better
    with pytest.raises(RecordError, match="seal: expected one made with the key of its results folder"):
        read_record(path, keys=keys.keys)
