"""One seat as a Gymnasium environment: Gymnasium's own test, masks, opponents, whose seat it is."""

import json

import numpy as np
import pytest

from gridjoust.bots.api import Bot, Observation
from gridjoust.games.api import ParamValue

pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env

from gridjoust.adapters.gymnasium import make_env

LINE = "0..1"


class Waits(Bot):
    """Never moves."""

    def act(self, observation: Observation) -> str:
        return "wait"


class Babbles(Bot):
    """Never says anything legal."""

    def act(self, observation: Observation) -> str:
        return "hop"


@pytest.mark.filterwarnings("ignore:.*")  # remarks on spaces without bounds
@pytest.mark.parametrize(("game", "observe"), [("bomber", "arrays"), ("heroquest", "json")])
def test_gymnasium_finds_nothing_to_complain_about(game: str, observe: str) -> None:
    check_env(make_env(game, max_turns=20, observe=observe), skip_render_check=True)  # type: ignore[arg-type]


def test_a_match_against_a_bot_ends_with_the_returns_of_the_learner_s_seat() -> None:
    params: dict[str, ParamValue] = {"map": "....\n0..1", "max_ticks": 60, "bomb_ticks": 5, "player_hp": 1}
    env = make_env("bomber", params, opponents=[Waits], seat=0)
    env.reset(seed=1)
    rewards = []
    for action in [3, 4, 2, 0, 5, 5, 5, 5]:  # right, bomb, away from it
        _, reward, is_over, is_cut, info = env.step(action)
        rewards.append(reward)
        assert not info["illegal"]
        assert not is_cut
        if is_over:
            break
    assert env.view()["opponents"][0]["position"] == [3, 1]
    assert is_over
    assert rewards == [0.0] * (len(rewards) - 1) + [1.0]


def test_the_learner_s_seat_is_drawn_or_given() -> None:
    env = make_env("bomber", max_turns=3)
    seats = set()
    for seed in range(12):
        _, info = env.reset(seed=seed)
        seats.add(info["seat"])
        assert env.view()["seat"] == info["seat"]
    assert seats == {0, 1}
    fixed = make_env("bomber", seat=1)
    assert [fixed.reset(seed=seed)[1]["seat"] for seed in range(4)] == [1] * 4


def test_the_same_seed_gives_the_same_match() -> None:
    def rewards() -> list[str]:
        env = make_env("placement", {"max_game_rounds": 3}, observe="arrays")
        env.reset(seed=5)
        seen = []
        is_over = False
        while not is_over:
            observation, reward, is_over, _, info = env.step(int(np.flatnonzero(env.action_masks())[-1]))
            seen.append(json.dumps([info, reward, observation["board"].tolist()]))
        return seen

    assert rewards() == rewards()


def test_the_learner_waits_while_others_have_their_turns_and_acts_part_by_part() -> None:
    env = make_env("placement", {"max_game_rounds": 3}, opponents=["random"], seat=1, observe="arrays")
    _, info = env.reset(seed=2)
    assert env.view()["turn_of"] == 1
    assert info["legal"][-1] == "pass"
    first = int(np.flatnonzero(env.action_masks())[0])
    _, _, is_over, _, info = env.step(first)
    assert info["legal"][-1].startswith("place 0 ")
    assert not is_over
    env.step(len(env.action_masks()) - 1)
    assert env.view()["game_round"] == 2


def test_what_an_opponent_says_that_is_not_legal_becomes_the_default_action() -> None:
    env = make_env("bomber", {"map": LINE}, opponents=[Babbles], seat=0)
    env.reset(seed=1)
    env.step(3)
    assert env.view()["opponents"][0]["position"] == [3, 0]
    assert env.view()["position"] == [1, 0]


def test_one_opponent_sits_on_all_other_seats_and_a_wrong_number_is_refused() -> None:
    env = make_env("bomber", seats=4, seat=2, opponents=["bomber/wanderer"], max_turns=5)
    env.reset(seed=1)
    for _ in range(5):
        *_, is_cut, _ = env.step(5)
    assert is_cut
    with pytest.raises(ValueError, match="opponents: expected 3, one a seat, or one for all, got 2"):
        make_env("bomber", seats=4, opponents=["random", "random"])
    with pytest.raises(ValueError, match="seat: expected 0 to 1, got 2"):
        make_env("bomber", seat=2)
    with pytest.raises(ValueError, match="expected random, got 'randon'"):
        make_env("bomber", opponents=["randon"])
