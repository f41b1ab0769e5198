"""Citable instances: the manifest, the files that seeds make, and the command that lists, writes and verifies them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from unittest.mock import patch

import pytest

from gridjoust import instances
from gridjoust.games.heroquest.quest_text import parse_quest
from gridjoust.games.ricochet.rules import Ricochet
from gridjoust.instances import SPLITS, chosen, make_instance, manifest, measure, verify
from gridjoust.instances.sets import SETS
from tests.joust_here import joust

CHEAP = ("maze-32-000", "caves-32-009", "ricochet-04-000", "placement-1-000", "heroquest-vault-007", "eidolon-sim2-001")


def test_every_set_has_instances_to_train_and_to_test_numbered_from_0_without_a_seed_twice() -> None:
    by_set: dict[str, list[instances.Listed]] = {}
    for row in manifest().values():
        by_set.setdefault(row.set, []).append(row)
    assert list(by_set) == list(SETS)
    for name, rows in by_set.items():
        assert [row.id for row in rows] == [f"{name}-{number:03}" for number in range(len(rows))]
        assert {row.split for row in rows} == set(SPLITS)
        assert len({row.seed for row in rows}) == len({row.sha256 for row in rows}) == len(rows)
    games = Counter(SETS[row.set].game for row in manifest().values())
    assert min(games["heroquest"], games["eidolon"], games["navigation"]) >= 100


def test_a_position_costs_the_optimum_of_its_set_and_every_instance_costs_something() -> None:
    for row in manifest().values():
        game, _, number = row.set.partition("-")
        assert row.cost == int(number) if game == "ricochet" else row.cost > 0
        assert row.nodes > 0 < row.branching


@pytest.mark.parametrize("name", CHEAP)
def test_an_instance_made_again_has_the_hash_and_hardness_of_the_manifest(name: str) -> None:
    assert verify(manifest()[name], is_measured=True) == ""


@pytest.mark.gate
def test_every_instance_made_again_has_the_hash_of_the_manifest() -> None:
    assert [text for row in manifest().values() if (text := verify(row))] == []


def test_a_changed_file_or_hardness_is_named() -> None:
    row = manifest()["maze-32-000"]
    assert verify(row._replace(seed=row.seed + 1)).startswith(f"maze-32-000: expected sha256 {row.sha256}, got ")
    assert verify(row._replace(nodes=1), is_measured=True).startswith("maze-32-000: expected Hardness(")
    assert verify(row._replace(nodes=1)) == ""


def test_instances_are_chosen_by_group_set_and_id() -> None:
    assert {row.set for row in chosen(["rooms"])} == {"rooms-32", "rooms-64", "rooms-128"}
    assert [row.id for row in chosen(["maze-32-003"])] == ["maze-32-003"]
    assert len(chosen([])) == len(manifest())
    with pytest.raises(ValueError, match="expected a set such as rooms-32, or an id, got 'room'"):
        chosen(["room"])


def test_a_quest_file_of_an_instance_is_the_dungeon_that_was_measured() -> None:
    row = manifest()["heroquest-crypt-000"]
    assert parse_quest(make_instance(row).files[".yaml"]).name == "crypt"
    assert measure(row) == row.hardness


def test_a_tournament_plays_the_position_of_an_instance_from_its_board() -> None:
    text = make_instance(manifest()["ricochet-12-001"]).files[".txt"]
    states = [Ricochet({"map": text}, seats=2).initial_state(seed) for seed in (1, 2)]
    assert states[0].robots == states[1].robots
    assert states[0].target == states[1].target == states[0].board.targets[0]
    assert len(states[0].board.targets) == 1


@pytest.mark.gate
def test_written_instances_are_planned_and_solved_at_the_cost_that_is_listed(tmp_path: Path) -> None:
    names = ("caves-32-000", "ricochet-03", "placement-1")
    done = joust("instances", *names, "--split", "train", "--write", "made", folder=tmp_path)
    rows = [row for row in chosen(names) if row.split == "train"]
    assert (done.returncode, done.stdout) == (0, f"made: {len(rows)} instances written\n")
    costs = {row.id: row.cost for row in rows}
    planned = joust(
        *("plan", "--map", "made/caves-32-000.map", "--connectivity", "8", "--planner", "astar", "--json"),
        folder=tmp_path,
    )
    assert json.loads(planned.stdout)["cost"] == pytest.approx(costs["caves-32-000"], abs=0.001)
    solved = joust("solve", "ricochet", "made/ricochet-03.json", "--json", folder=tmp_path)
    moves = {answer["id"]: answer["moves"] for answer in json.loads(solved.stdout)}
    assert moves == {name: cost for name, cost in costs.items() if name.startswith("ricochet")}
    solved = joust("solve", "placement", "made/placement-1.json", "--bot", "astar", "--json", folder=tmp_path)
    used = [(answer["status"], answer["best_steps"], answer["pieces_used"]) for answer in json.loads(solved.stdout)]
    assert used == [("solved", row.cost, 1) for row in rows if row.set == "placement-1"]


@pytest.mark.gate
def test_the_command_lists_sets_and_instances_and_says_what_differs(tmp_path: Path) -> None:
    listed = joust("instances", folder=tmp_path).stdout
    assert all(name in listed for name in SETS)
    assert "maze-32-009" in joust("instances", "maze-32", "--split", "test", folder=tmp_path).stdout
    [row] = json.loads(joust("instances", "maze-32-001", "--json", folder=tmp_path).stdout)
    assert row["sha256"] == manifest()["maze-32-001"].sha256
    assert joust("instances", "maze-32-001", "--verify", folder=tmp_path).returncode == 0
    wrong = {"maze-32-001": manifest()["maze-32-001"]._replace(sha256="0" * 16)}
    with patch.object(instances, "manifest", lambda: wrong):
        done = joust("instances", "maze-32-001", "--verify", folder=tmp_path)
    assert done.returncode == 1
    assert done.stdout.endswith("1 instances, 1 differ from the manifest 1\n")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("nowhere",), "instances: expected a set such as rooms-32, or an id, got 'nowhere'"),
        (("--split", "dev"), "--split: expected train or test, got 'dev'"),
        (("--measure",), "--measure works only with --verify"),
    ],
)
def test_wrong_arguments_are_refused_in_one_line(arguments: tuple[str, ...], expected: str, tmp_path: Path) -> None:
    done = joust("instances", *arguments, folder=tmp_path)
    assert (done.returncode, done.stderr) == (2, f"joust: {expected}\n")
