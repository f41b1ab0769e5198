"""A match as a small animated picture, with what a bot was thinking."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

pytest.importorskip("PIL")
pytest.importorskip("fontTools")

from PIL import Image, ImageChops

import gridjoust
from gridjoust.bots.lens import ShownLayer
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.viewer.film import Cut, Thoughts, film, write_film
from tests.joust_here import joust


@pytest.fixture(scope="module")
def record() -> MatchRecord:
    return gridjoust.play("bomber", ["random", "random"], seed=1, params={"max_ticks": 12}).record


@pytest.mark.parametrize(
    ("cut", "turns"),
    [
        (Cut(), [*range(13)]),
        (Cut(first=3, last=5), [3, 4, 5]),
        (Cut(last=99), [*range(13)]),
        (Cut(fps=2, seconds=4), [0, 3, 6, 9, 12]),
    ],
)
def test_a_film_goes_from_the_first_turn_to_the_last_and_leaves_out_what_it_has_no_time_for(
    cut: Cut, turns: list[int]
) -> None:
    assert cut.turns(12) == turns


def test_frames_follow_the_match_and_are_counted(record: MatchRecord) -> None:
    counted: list[tuple[int, int]] = []
    frames = film(record, Cut(last=5), painted=lambda done, of: counted.append((done, of)))
    assert counted == [(done, 6) for done in range(1, 7)]
    assert all(one.tobytes() != other.tobytes() for one, other in pairwise(frames))  # each says its turn
    assert film(record, Cut(first=2, last=2))[0].tobytes() == frames[2].tobytes()


def test_the_first_layer_lies_over_the_board_and_others_stand_beside_it(record: MatchRecord) -> None:
    layers = {turn: [ShownLayer("a", "heat", [4, 4, 1.0]), ShownLayer("b", "path", [0, 0, 1, 1])] for turn in (1, 3)}
    plain, over, both = (film(record, Cut(last=2), Thoughts(layers, names)) for names in ([], ["a"], ["a", "b"]))
    over_board = (60, 60, 300, 300)
    changed = [ImageChops.difference(*pair).crop(over_board).getbbox() for pair in zip(plain, over, strict=True)]
    assert [box is not None for box in changed] == [True, False, True]  # in turn 1 it showed nothing
    assert both[0].width > over[0].width == plain[0].width


@pytest.mark.parametrize("suffix", [".gif", ".webp"])
def test_the_file_plays_every_frame_over_and_over(record: MatchRecord, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"film{suffix}"
    write_film(path, film(record, Cut(last=3)), fps=4)
    with Image.open(path) as read:
        assert (read.n_frames, read.info["loop"]) == (4, 0)  # type: ignore[attr-defined]


@pytest.mark.gate
def test_replay_makes_a_film_of_a_record_and_refuses_other_files(record: MatchRecord, tmp_path: Path) -> None:
    gridjoust.simulation.Played(record).save(tmp_path / "match.jsonl")
    done = joust("replay", "match.jsonl", "--film", "out.gif", "--seat", "1", "--seconds", "3", folder=tmp_path)
    assert done.stdout.startswith("film: out.gif (12 frames, ")
    refused = joust("replay", "match.jsonl", "--film", "out.mp4", folder=tmp_path)
    assert refused.stderr == "joust: --film: expected a file that ends in .gif or .webp, got out.mp4\n"
    nowhere = joust("replay", "match.jsonl", "--film", "none/out.gif", folder=tmp_path)
    assert nowhere.stderr == "joust: --film: expected a file in an existing folder, got none/out.gif\n"
