"""Where a match was decided: shares of wins from playouts, finer where they change."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import gridjoust
from gridjoust import games
from gridjoust.games.api import ParamValue
from gridjoust.games.play import Match
from gridjoust.recorded.analysis import Drop, Point, analysis_path, load_analysis, save_analysis
from gridjoust.recorded.playouts import Situation, Winning, choose_bots
from gridjoust.recorded.win_line import analyse, find_drops
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.results.replay import game_of, replay
from gridjoust.runner.wire.errors import ConfigError
from tests.doubles.games.reference import Pile
from tests.joust_here import joust

WANDERERS = ["bomber/wanderer"] * 2
JUMPER = """
import gridjoust

class Jumper(gridjoust.Bot):
    def act(self, observation):
        if observation.turn % 2:
            raise ValueError("odd")
        return "jump"
"""


@pytest.fixture(scope="module")
def record() -> MatchRecord:
    """In which the second seat does nothing."""
    return gridjoust.play("bomber", ["bomber/wanderer", "random"], seed=2, params={"max_ticks": 60}).record


def point(turn: int, share: float, *, half: float = 0.1) -> Point:
    return Point(turn, 20, [share, 1 - share], [share - half, 1 - share - half], [share + half, 1 - share + half])


@pytest.mark.gate
def test_the_same_seed_gives_the_same_line_and_another_one_another(record: MatchRecord) -> None:
    lines = [analyse(record, WANDERERS, playouts=6, turns=4, seed=seed) for seed in (1, 1, 2)]
    assert lines[0] == lines[1] != lines[2]
    assert [side.seats for side in lines[0].sides] == [[0], [1]]


def test_shares_of_two_sides_make_a_whole_and_the_end_is_as_it_came_out(record: MatchRecord) -> None:
    line = analyse(record, WANDERERS, playouts=6, turns=4)
    assert [sum(one.shares) for one in line.points] == pytest.approx([1.0] * 5, abs=1e-3)
    ends = [zip(one.lows, one.shares, one.highs, strict=True) for one in line.points]
    assert all(low <= share <= high for sides in ends for low, share, high in sides)
    last = line.points[-1]
    assert (last.turn, last.playouts, last.shares) == (record.end.turns, 0, record.end.points)


def test_whoever_is_told_may_stop_and_every_turn_is_the_one_of_the_whole_line(record: MatchRecord) -> None:
    whole = analyse(record, WANDERERS, playouts=5, turns=6)
    heard: list[tuple[int, int]] = []

    def told(done: int, of: int) -> bool:
        heard.append((done, of))
        return done < 2

    part = analyse(record, WANDERERS, playouts=5, turns=6, told=told)
    assert heard == [(0, 6), (1, 6), (2, 6)]
    assert len(part.points) == 3
    assert {one.turn: one for one in part.points}.items() <= {one.turn: one for one in whole.points}.items()


def test_of_a_short_match_every_turn_is_played_on_once(record: MatchRecord) -> None:
    short = gridjoust.play("bomber", WANDERERS, seed=1, params={"max_ticks": 4}).record
    assert [one.turn for one in analyse(short, WANDERERS, playouts=5, turns=50).points] == [0, 1, 2, 3, 4]


def shares_of_playouts(situation: Situation, bots: list[str]) -> list[list[float]]:
    winning = Winning.of(situation.game)
    ends = (situation.play_on(bots, number=number, seed=1) for number in range(20))
    return [winning.shares(state) for state in ends]


@pytest.mark.parametrize("leader", [0, 1])
def test_who_leads_with_a_tick_to_go_wins_every_playout_though_scores_are_hidden(leader: int) -> None:
    game = games.make("bomber", {"max_ticks": 60}, seats=2)
    dealt = game.initial_state(3)
    scored = [player._replace(score=4 * (seat == leader)) for seat, player in enumerate(dealt.players)]
    last = dealt._replace(tick=59, players=tuple(scored))
    shares = shares_of_playouts(Situation(game, "m", 59, last, 59), ["random"] * 2)
    assert shares == [[1.0, 0.0] if leader == 0 else [0.0, 1.0]] * 20


def test_a_side_that_only_the_other_cannot_see_is_not_drawn_anew() -> None:
    params = {"hidden_hands": True, "width": 9, "height": 9, "max_cells": 4, "islands": 2}
    game = games.make("placement", params, seats=2)
    dealt = game.initial_state(3)
    fresh = game.redeal_unknown(dealt, random.Random(1))
    assert fresh.players == dealt.players
    assert fresh.seed != dealt.seed
    quest = games.make("heroquest", {}, seats=3)
    dungeon = quest.initial_state(3)
    assert quest.redeal_unknown(dungeon, random.Random(1)).lurkers == dungeon.lurkers


PLAYED: list[tuple[str, int, dict[str, ParamValue]]] = [  # game, seats, parameters
    ("bomber", 3, {"max_ticks": 40}),
    ("bomber", 2, {"max_ticks": 40, "hidden": False}),
    ("placement", 2, {"hidden_hands": True, "width": 9, "height": 9, "max_cells": 4, "islands": 2}),
    ("navigation", 1, {"knowledge": "unknown", "width": 12, "height": 12}),
    ("navigation", 2, {"knowledge": "unknown", "width": 12, "height": 12, "changes": 2}),
    ("eidolon", 3, {"preset": "sim1"}),
    ("heroquest", 3, {"max_game_rounds": 4}),
    ("ricochet", 2, {}),
]


@pytest.mark.parametrize(("name", "seats", "params"), PLAYED)
def test_what_is_drawn_anew_changes_nothing_that_any_seat_sees(
    name: str, seats: int, params: dict[str, ParamValue]
) -> None:
    game = games.make(name, params, seats=seats)
    match, rng = Match(game, game.initial_state(5)), random.Random(5)
    changed = False
    for _ in range(30):
        if match.is_over:
            break
        fresh = game.redeal_unknown(match.state, rng)
        changed |= game.encode(fresh) != game.encode(match.state)
        for seat in range(seats):
            assert game.observation(fresh, seat) == game.observation(match.state, seat)
            assert game.legal_actions(fresh, seat) == game.legal_actions(match.state, seat)
        match.step(lambda state, seat: rng.choice(game.legal_actions(state, seat)))
    assert changed


def test_a_game_of_which_no_seat_sees_everything_stays_as_it_is_by_default() -> None:
    pile = Pile()  # each seat alone knows its card
    state = pile.initial_state(1)
    assert pile.redeal_unknown(state, random.Random(1)) == state


def test_where_there_is_one_side_its_goal_counts() -> None:
    walk = gridjoust.play("navigation", ["navigation/astar"], seed=1, params={"width": 8, "height": 8}).record
    line = analyse(walk, ["navigation/astar"], playouts=5, turns=2)
    assert (line.goal, [one.shares for one in line.points]) == ("solved", [[1.0]] * 3)


def test_a_game_with_neither_sides_nor_a_goal_is_refused() -> None:
    solved = gridjoust.play("ricochet", ["random"], seed=1, params={"mode": "solve", "positions": 1}).record
    with pytest.raises(ConfigError, match="this match has no win to estimate: ricochet has one side and no goal"):
        analyse(solved, ["random"], playouts=5, turns=2)


def test_a_late_robot_of_navigation_goes_round_what_others_saw_before() -> None:
    params = {"knowledge": "unknown"}
    walk = gridjoust.play("navigation", ["navigation/dstar_lite"], seed=4, params=params, match_id="walk").record
    moments = list(replay(walk))
    game = game_of(walk)
    for moment in moments[10:18]:
        end = Situation(game, "walk", moment.turn, moment.state, moment.turn).play_on(
            ["navigation/astar"], number=0, seed=0
        )
        assert game.metrics(end)[0]["solved"] == 1


def test_a_drop_is_what_chance_does_not_explain_and_the_largest_comes_first() -> None:
    points = [point(0, 0.5), point(10, 0.6), point(11, 0.2), point(30, 0.75)]
    assert find_drops(points) == [
        Drop(11, 30, 1, 0.8, 0.25, 0.1414),
        Drop(10, 11, 0, 0.6, 0.2, 0.1414),
    ]
    assert find_drops([point(0, 0.6, half=0.3), point(1, 0.2, half=0.3)]) == []


def test_who_plays_on_is_chosen_for_all_or_for_a_role() -> None:
    quest = gridjoust.play("heroquest", ["random", "random"], seats=2, params={"max_game_rounds": 1}).record
    game = game_of(quest)
    assert choose_bots(game, []) == ["heroquest/dijkstra_map"] * 2
    assert choose_bots(game, ["random", "zargon=heroquest/zargon_random"]) == ["random", "heroquest/zargon_random"]
    with pytest.raises(
        ConfigError, match=r"--bot: expected a role of heroquest before '=' \(.*zargon\), got 'x=random'"
    ):
        choose_bots(game, ["x=random"])
    with pytest.raises(ConfigError, match="--bot: expected a bot that plays heroquest, got bomber/astar"):
        choose_bots(game, ["bomber/astar"])


def test_bots_that_fail_or_break_the_rules_play_the_default_action(tmp_path: Path) -> None:
    params = {"max_ticks": 6, "close_from": 0, "hidden": False}
    quiet = gridjoust.play("bomber", WANDERERS, seed=1, params=params).record
    (tmp_path / "jumper.py").write_text(JUMPER)
    line = analyse(quiet, [f"{tmp_path / 'jumper.py'}:Jumper"] * 2, playouts=5, turns=2)
    assert line.points[0].shares == [0.5, 0.5]  # nobody does anything


def test_the_side_file_is_that_of_its_record_alone(record: MatchRecord, tmp_path: Path) -> None:
    path = tmp_path / "side.json"
    assert load_analysis(path, record) is None
    line = analyse(record, WANDERERS, playouts=5, turns=2)
    save_analysis(path, line)
    assert load_analysis(path, record) == line
    other = gridjoust.play("bomber", WANDERERS, seed=3, params={"max_ticks": 3}).record
    assert load_analysis(path, other) is None
    path.write_text("[]")
    with pytest.raises(ConfigError, match=r"side\.json: not an analysis of joust analyse: "):
        load_analysis(path, record)


def test_the_line_is_printed_within_80_columns_and_the_viewer_has_it(record: MatchRecord, tmp_path: Path) -> None:
    path = gridjoust.simulation.Played(record).save(tmp_path / "match.jsonl")
    before = path.read_bytes()
    wanted = ("analyse", "match.jsonl", "--bot", "bomber/wanderer", "--turns", "3", "--playouts", "5")
    first, again = (joust(*wanted, "--out", out, folder=tmp_path).stdout for out in ("one.json", "two.json"))
    assert first.splitlines()[0] == "share of wins in 5 playouts per turn by bomber/wanderer"
    assert max(map(len, first.splitlines())) <= 80
    assert first.splitlines()[:-1] == again.splitlines()[:-1]
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
    assert joust(*wanted, folder=tmp_path).stdout.splitlines()[-1] == "analysis: match.analysis.json"
    assert analysis_path(path).is_file()
    assert joust("replay", "match.jsonl", "--html", "page.html", folder=tmp_path).returncode == 0
    assert '"analysis":{"format":1,' in (tmp_path / "page.html").read_text()
    assert path.read_bytes() == before
