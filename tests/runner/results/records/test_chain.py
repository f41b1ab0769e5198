"""The hash chain: its values are fixed, since records on disk hold them, and every part of what is chained counts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gridjoust.runner.results.kept_records import KeptRecords
from gridjoust.runner.results.records.chain import Chain, check_seal, seal_end, seal_line, sealed_anew
from gridjoust.runner.results.records.file import (
    list_records,
    parse_record,
    read_bytes,
    read_record,
    record_path,
    write_record,
)
from gridjoust.runner.results.replay import verify, verify_file
from gridjoust.runner.results.secrets import Secrets
from gridjoust.runner.wire.errors import RecordError
from tests.runner.results.records.records_builder import make_record


def chain(*, game: str = "race", version: str = "1", length: int = 3, seats: int = 2, seed: int = 7) -> Chain:
    return Chain(game=game, game_version=version, params={"length": length, "map": ""}, seats=seats, seed=seed)


def test_the_links_of_a_small_match_are_always_the_same_and_only_the_end_tells_its_own() -> None:
    small = chain()
    assert small.head == "a6cadaa9ae121375528e27b531905a72"
    small.deal(b"state 0")
    assert small.head == "a46a8c048bc0ad21136003a368a050eb"
    assert small.turn(1, 1, {"0": "step", "1": "wait"}, b"state 1") == ""
    assert small.head == "de2c23b3a88b39437326a8616e080da5"
    small.fault(2, 1, "late", "no answer within 100 ms")
    assert small.head == "00b83e326ab22ebf911154cac6c08bcf"
    assert small.end({"termination": "late", "turns": 1}) == "09f5bfc71d9046c61e3890c9e64f7c65"


def test_each_sixteenth_turn_tells_its_link() -> None:
    long = chain()
    told = {number: link for number in range(1, 49) if (link := long.turn(number, number, {}, b"")) != ""}
    assert list(told) == [16, 32, 48]
    assert told[48] == long.head


@pytest.mark.parametrize("change", [{"game": "chase"}, {"version": "2"}, {"length": 4}, {"seats": 3}, {"seed": 8}])
def test_everything_that_decides_a_match_is_in_the_first_link(change: dict[str, str]) -> None:
    assert chain(**change).head != chain().head  # type: ignore[arg-type]
    assert chain().head == chain().head


@pytest.mark.parametrize(
    "other",
    [
        lambda chain: chain.turn(16, 2, {"0": "step"}, b"s"),
        lambda chain: chain.turn(16, 1, {"1": "step"}, b"s"),
        lambda chain: chain.turn(16, 1, {"0": "wait"}, b"s"),
        lambda chain: chain.turn(16, 1, {"0": "step"}, b"t"),
        lambda chain: chain.deal(b"s"),
        lambda chain: [chain.deal(b""), chain.turn(16, 1, {"0": "step"}, b"s")],
    ],
)
def test_every_part_of_a_turn_changes_its_link_but_not_the_order_of_seats(other: Callable[[Chain], object]) -> None:
    changed, same, swapped = chain(), chain(), chain()
    other(changed)
    same.turn(16, 1, {"0": "step"}, b"s")
    assert changed.head != same.head
    assert swapped.turn(16, 1, {"0": "a", "1": "b"}, b"s") == chain().turn(16, 1, {"1": "b", "0": "a"}, b"s")


def test_the_seal_of_an_end_covers_all_of_it_but_the_seal() -> None:
    end = make_record(returns=(1.0, -1.0)).end
    sealed = seal_end(chain(), end)
    assert sealed == seal_end(chain(), sealed)
    assert sealed != end
    other = make_record(returns=(1.0, -1.0), reason="over").end
    assert seal_end(chain(), other).hash != sealed.hash


SAMPLE = Path(__file__).parents[4] / "results" / "sample"
KEY, OTHER = b"k" * 32, b"o" * 32
SECRETS = Secrets(seal_key=KEY.hex())


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A true record under our key, alone in its results folder."""
    old = list_records(SAMPLE)[0]
    results = tmp_path_factory.mktemp("results")
    path = record_path(results, old.stem)
    path.parent.mkdir()
    write_record(path, read_record(old), key=KEY)
    return path


def test_a_true_record_holds_for_verify_and_for_a_run_that_goes_on(sealed: Path) -> None:
    assert verify_file(sealed, [KEY]) is None
    kept = KeptRecords(sealed.parents[1], SECRETS)
    kept.take_stock("sample")
    assert kept.find(sealed.stem) == read_record(sealed)
    assert kept.take_notes() == []


def edits(raw: bytes) -> st.SearchStrategy[bytes]:
    """The bytes with one changed, removed or added."""
    places, values = st.integers(0, len(raw) - 1), st.integers(0, 255)
    changed = st.builds(lambda at, value: raw[:at] + bytes([value]) + raw[at + 1 :], places, values)
    removed = st.builds(lambda at: raw[:at] + raw[at + 1 :], places)
    added = st.builds(lambda at, value: raw[:at] + bytes([value]) + raw[at:], st.integers(0, len(raw)), values)
    return st.one_of(changed, removed, added).filter(lambda edited: edited != raw)


def is_found_by_verify(path: Path) -> bool:
    try:
        return verify_file(path, [KEY]) is not None
    except RecordError:
        return True


@pytest.mark.gate
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_single_byte_is_found_by_verify_and_by_a_run_that_goes_on(sealed: Path, data: st.DataObject) -> None:
    raw = sealed.read_bytes()
    try:
        sealed.write_bytes(data.draw(edits(raw)))
        assert is_found_by_verify(sealed)
        kept = KeptRecords(sealed.parents[1], SECRETS)
        kept.take_stock("sample")
        assert kept.find(sealed.stem) is None
        [note] = kept.take_notes()
        assert note.startswith("1 record set aside in ")
        assert not sealed.exists()
    finally:
        sealed.write_bytes(raw)


def test_a_seal_with_another_key_or_none_is_refused_where_there_is_a_key_and_only_there(sealed: Path) -> None:
    body = sealed.read_bytes().rpartition(b'{"type":"seal"')[0]
    for raw in (body + seal_line(body), body + seal_line(body, OTHER)):
        check_seal(sealed, raw)
        with pytest.raises(RecordError, match="seal: expected one made with the key of its results folder"):
            check_seal(sealed, raw, [KEY])
    check_seal(sealed, sealed_anew(body + seal_line(body, OTHER), KEY), [OTHER, KEY])
    check_seal(sealed, b"\n" + seal_line(b"\n"))
    assert sealed_anew(body + seal_line(body, OTHER), KEY) == sealed.read_bytes()


def test_names_that_are_swapped_in_a_header_break_the_seal_although_every_turn_is_by_the_rules(
    sealed: Path, tmp_path: Path
) -> None:
    header, _, rest = sealed.read_bytes().partition(b"\n")
    first, second = (seat.bot.encode() for seat in read_record(sealed).header.seats)
    swapped = header.replace(b'"' + first + b'"', b'"?"').replace(second, first).replace(b'"?"', b'"' + second + b'"')
    forged = tmp_path / "forged.jsonl"
    forged.write_bytes(swapped + b"\n" + rest)
    assert verify(parse_record(forged, read_bytes(forged))) is None
    with pytest.raises(RecordError, match="seal: expected "):
        verify_file(forged, [KEY])
