"""The file of a contest: what it must say, and how mistakes are reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridjoust.runner.wire.errors import ConfigError
from gridjoust.serve.config import load_contest, record_name
from tests.gridjoust.serve.classroom import CLASS, DEADLINE_S, class_file


def refused(folder: Path, old: str, new: str) -> str:
    assert old in CLASS
    with pytest.raises(ConfigError) as caught:
        load_contest(class_file(folder, CLASS.replace(old, new)), trust=True)
    return str(caught.value).removeprefix(f"{folder}/")


def test_the_bots_of_the_file_are_the_staff_bots_in_its_order(tmp_path: Path) -> None:
    assert load_contest(class_file(tmp_path), trust=True).staff == ("weak", "strong")


def test_the_grace_is_a_minute_unless_the_file_says_otherwise(tmp_path: Path) -> None:
    assert load_contest(class_file(tmp_path), trust=True).closes_s == DEADLINE_S + 60


def test_thresholds_are_sorted_by_their_score(tmp_path: Path) -> None:
    assert [one.grade for one in load_contest(class_file(tmp_path), trust=True).thresholds] == ["first", "pass"]


def test_the_seed_of_a_file_without_one_is_secret(tmp_path: Path) -> None:
    file = class_file(tmp_path, CLASS.replace("seed: 7\n", ""))
    assert load_contest(file, trust=True).loaded.config.seed == "secret"


def test_a_deadline_needs_its_zone(tmp_path: Path) -> None:
    said = refused(tmp_path, "2026-12-01T12:00Z", "2026-12-01T12:00")
    expected = "expected a time with its zone, such as 2026-12-01T23:59+01:00, got '2026-12-01T12:00' (line 10)"
    assert said == f"class.yaml: contest.deadline: {expected}"


def test_an_unknown_key_is_named_with_its_line(tmp_path: Path) -> None:
    said = refused(tmp_path, "final_batches: 2", "final_batch: 2")
    assert said == "class.yaml: contest.final_batch: expected final_batches, got an unknown key (line 11)"


TRACKS = "tracks: [{name: students, code: for-students}, {name: guests, code: for-guests}]"


def test_each_track_has_a_name_and_a_join_code_of_its_own(tmp_path: Path) -> None:
    text = CLASS.replace("code: come-all-in", TRACKS)
    section = load_contest(class_file(tmp_path, text), trust=True).section
    assert [(track.name, track.code) for track in section.tracks] == [
        ("students", "for-students"),
        ("guests", "for-guests"),
    ]
    for old, new, place, got in (
        ("guests,", "students,", "name", "students"),
        ("guests,", "a b,", "name", "a b"),
        ("for-guests", "for-students", "code", "for-students"),
        ("for-guests", "short", "code", "short"),
    ):
        said = refused(tmp_path, "code: come-all-in", TRACKS.replace(old, new))
        assert f"contest.tracks[1].{place}: expected another {place}, of" in said
        assert said.endswith(f"got '{got}' (line 9)")


def test_a_join_code_for_all_does_not_go_with_tracks(tmp_path: Path) -> None:
    said = refused(tmp_path, "  code: come-all-in", f"  code: come-all-in\n  {TRACKS}")
    assert said == "class.yaml: contest.code: each track has a join code of its own: remove this one (line 9)"


def test_a_threshold_names_a_staff_bot(tmp_path: Path) -> None:
    said = refused(tmp_path, "against: weak", "against: week")
    assert said == "class.yaml: contest.grades.thresholds[1].against: expected weak, got 'week' (line 12)"


def test_a_file_without_the_section_is_no_contest(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"contest: expected a mapping, got nothing: the key is required"):
        load_contest(class_file(tmp_path, CLASS.partition("contest:")[0]), trust=True)


def test_a_format_is_refused_as_a_contest_has_its_own_schedule(tmp_path: Path) -> None:
    assert refused(tmp_path, "seed: 7", "format: {type: swiss}") == (
        "class.yaml: format: a contest has a schedule of its own: remove this section (line 4)"
    )


def test_a_staff_bot_cannot_have_the_name_of_a_version(tmp_path: Path) -> None:
    assert "bots[0].name: expected a name" in refused(tmp_path, "{name: weak, bot: random}", "{name: a-3, bot: random}")


def test_a_mistake_of_the_tournament_is_reported_as_in_a_tournament_file(tmp_path: Path) -> None:
    assert refused(tmp_path, "max_ticks: 12", "max_tick: 12").endswith("(line 3)")


def test_without_trust_the_file_cannot_switch_the_sandbox_off(tmp_path: Path) -> None:
    try:
        isolation = load_contest(class_file(tmp_path)).loaded.config.execution.isolation
    except ConfigError as error:  # this machine has none
        assert "--trust plays without one" in str(error)  # noqa: PT017
    else:
        assert isolation == "sandbox"


def test_a_version_is_named_in_records_without_the_sign_that_topics_cannot_have() -> None:
    assert record_name("ada@3") == "ada-3"
