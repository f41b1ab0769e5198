"""PettingZoo's own tests on every game, and what they do not look at: rewards, masks, actions that are not legal."""

import warnings
from collections.abc import Iterator

import numpy as np
import pytest

from gridjoust import games
from gridjoust.games.api import ParamValue
from gridjoust.games.play import play

pytest.importorskip("pettingzoo")

from gymnasium import spaces
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from gridjoust.adapters import table
from gridjoust.adapters.pettingzoo import AecMatch, make_aec, make_parallel, read_observation
from gridjoust.drawing.raster import CELL_PX
from gridjoust.games.navigation.arrays import ACTIONS
from tests.games.heroquest.scenes import quest

GAMES = sorted(games.GAMES)
SMALL: dict[str, ParamValue] = {"random_walls": 12, "width": 7, "height": 6}  # a board of ricochet
TOLD = (  # what PettingZoo remarks on every environment with an action mask
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    "Action mask numpy array is all zeros (no legal actions).",  # seats whose turn it is not
)


@pytest.fixture(autouse=True)
def _no_remarks() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for message in TOLD:
            warnings.filterwarnings("ignore", message=message.replace("(", r"\(").replace(")", r"\)"))
        yield


@pytest.mark.default("navigation", "eidolon")
@pytest.mark.parametrize("game", GAMES)
def test_every_game_passes_the_tests_of_one_seat_at_a_time_and_of_all_at_once(game: str) -> None:
    params = SMALL if game == "ricochet" else None
    api_test(make_aec(game, params, max_turns=150), num_cycles=100)
    seed_test(lambda: make_aec(game, params, max_turns=150), num_cycles=60)
    parallel_api_test(make_parallel(game, params, max_turns=150), num_cycles=100)
    parallel_seed_test(lambda: make_parallel(game, params, max_turns=150), num_cycles=60)


def test_the_tests_of_pettingzoo_would_find_an_environment_that_breaks_its_word() -> None:
    env = make_aec("bomber", max_turns=20)
    env.observation_spaces = dict.fromkeys(env.possible_agents, spaces.Discrete(2))
    with pytest.raises(AssertionError, match="Out of bounds observation"):
        api_test(env, num_cycles=20)


def play_out(env: AecMatch, *, seed: int) -> dict[str, float]:
    """Rewards of every name over a match of first legal actions."""
    env.reset(seed=seed)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for name in env.agent_iter():
        _, reward, is_over, is_cut, _ = env.last()
        totals[name] += reward
        legal = np.flatnonzero(env.observe(name)["action_mask"])
        env.step(None if is_over or is_cut else int(legal[0]))
    return totals


@pytest.mark.default("placement")
@pytest.mark.parametrize("game", ["placement", "navigation"])
def test_rewards_of_a_match_add_up_to_its_returns(game: str) -> None:
    env = make_aec(game)
    totals = play_out(env, seed=3)
    rules = games.make(game, {})
    state = play(rules, lambda state, seat: rules.legal_actions(state, seat)[0], seed=3)
    assert list(totals.values()) == list(rules.returns(state))


def test_the_mask_marks_as_many_actions_as_there_are_texts_and_none_of_a_seat_whose_turn_it_is_not() -> None:
    observations, infos = make_parallel("placement").reset(seed=1)
    marked = {name: observation["action_mask"].sum() for name, observation in observations.items()}
    assert marked == {"seat_0": len(infos["seat_0"]["legal"]), "seat_1": 0}
    assert marked["seat_0"] > 1


def test_an_index_is_the_action_of_that_text_and_one_that_is_not_legal_is_told() -> None:
    env = make_parallel("bomber")
    _, infos = env.reset(seed=1)
    bomb = infos["seat_0"]["legal"].index("bomb")
    wait = infos["seat_1"]["legal"].index("wait")
    observations, *_ = env.step({"seat_0": bomb, "seat_1": wait})
    own = read_observation(observations["seat_0"]["observation"])["view"]
    other = read_observation(observations["seat_1"]["observation"])["view"]
    assert (own["ammo"], other["ammo"]) == (2, 3)
    env.reset(seed=1)
    *_, infos = env.step({"seat_0": 500, "seat_1": 0})
    assert (infos["seat_0"]["illegal"], infos["seat_1"]["illegal"]) == (True, False)


def test_seats_that_act_at_once_do_not_see_each_other_s_answers() -> None:
    env = make_aec("bomber")
    env.reset(seed=1)
    before = env.observe("seat_1")["observation"]
    env.step(4)
    assert env.agent_selection == "seat_1"
    assert np.array_equal(env.observe("seat_1")["observation"], before)


def test_a_match_is_cut_after_its_turns() -> None:
    env = make_parallel("bomber", max_turns=2)
    env.reset(seed=1)
    env.step({})
    _, _, terminations, truncations, _ = env.step({})
    assert (terminations["seat_0"], truncations["seat_0"], env.agents) == (False, True, [])


def test_the_observation_is_what_a_bot_would_see_and_the_picture_the_game_s_drawing() -> None:
    env, rules = make_aec("navigation"), games.make("navigation", {})
    env.reset(seed=5)
    state, observation = rules.initial_state(5), env.observe("seat_0")["observation"]
    found = read_observation(observation)
    assert found == {"briefing": rules.briefing(state, 0), "view": rules.observation(state, 0)}
    assert env.render() == rules.render(state)
    env.reset()  # the next match of the stream is another
    assert not np.array_equal(env.observe("seat_0")["observation"], observation)


def test_features_of_one_s_own_replace_the_text() -> None:
    env = make_aec(
        "bomber",
        encode=lambda _briefing, view: np.array(view["position"], np.float32),
        observation_space=spaces.Box(0, 20, (2,), np.float32),
    )
    env.reset(seed=1)
    assert env.observation_space("seat_0").contains(env.observe("seat_0"))


def test_features_need_their_space_and_games_in_real_time_are_refused() -> None:
    with pytest.raises(ValueError, match="encode and observation_space must be given together"):
        make_aec("bomber", encode=lambda _briefing, _view: np.zeros(2))
    with pytest.raises(ValueError, match="ricochet: expected a game of turns, got dynamics real_time"):
        make_aec("ricochet", {"mode": "bidding"}, seats=2)
    assert make_aec("ricochet").possible_agents == ["seat_0"]  # in mode `solve`


VARIANTS: tuple[tuple[str, dict[str, ParamValue], int, int], ...] = (  # game, parameters, seats, number of actions
    ("bomber", {}, 2, 6),
    ("eidolon", {}, 1, 60),
    ("eidolon", {"preset": "published"}, 6, 10_750),
    ("heroquest", {"map": quest()}, 3, 1024),
    ("heroquest", {"quest": "random", "board": "random"}, 5, 9904),
    ("navigation", {}, 1, 10),
    ("placement", {"width": 9, "height": 7, "hand": 3}, 2, 3 * 4 * 9 * 7 + 5),
    ("placement", {"preset": "article", "reflect": True, "hidden_hands": True, "collapse": 2}, 3, 3 * 8 * 15 * 15 + 5),
    ("ricochet", dict(SMALL), 2, 21),
    ("ricochet", {"silver": True, "openings": True, "diagonals": True, "variant": "printed", **SMALL}, 1, 21),
)


@pytest.mark.default(
    "bomber-params0-2-6",
    "navigation-params5-1-10",
    "placement-params6-2-761",
    "heroquest-params3-3-1024",
    "eidolon-params1-1-60",
)
@pytest.mark.parametrize(("game", "params", "seats", "actions"), VARIANTS)
def test_with_arrays_both_spaces_are_fixed_and_pass_the_tests_of_pettingzoo(
    game: str, params: dict[str, ParamValue], seats: int, actions: int
) -> None:
    api_test(make_aec(game, params, seats=seats, max_turns=40, observe="arrays"), num_cycles=40)
    parallel_api_test(make_parallel(game, params, seats=seats, max_turns=40, observe="arrays"), num_cycles=40)
    env = make_parallel(game, params, seats=seats, max_turns=40, observe="arrays")
    observations, infos = env.reset(seed=3)
    assert env.action_space("seat_0") == spaces.Discrete(actions)
    assert env.observation_space("seat_0").contains(observations["seat_0"])
    assert observations["seat_0"]["action_mask"].sum() == len(infos["seat_0"]["legal"])


def test_an_index_of_the_whole_action_set_is_always_the_same_action() -> None:
    env = make_parallel("bomber", {"map": "0..\n.#.\n..1"}, observe="arrays")
    observations, _ = env.reset(seed=1)
    board = observations["seat_0"]["observation"]["board"]
    assert board.shape == (8, 3, 3)
    assert [tuple(map(int, at)) for at in np.argwhere(board)] == [(0, 1, 1), (6, 0, 0), (7, 2, 2)]  # metal, self, other
    observations, *_ = env.step({"seat_0": 3, "seat_1": 5})
    assert np.argwhere(observations["seat_0"]["observation"]["board"][6]).tolist() == [[0, 1]]
    line = make_parallel("navigation", {"map": "0..a"}, observe="arrays")
    observations, _ = line.reset(seed=1)
    assert np.flatnonzero(observations["seat_0"]["action_mask"]).tolist() == [ACTIONS.index("E"), ACTIONS.index("wait")]
    *_, infos = line.step({"seat_0": ACTIONS.index("N")})
    assert infos["seat_0"]["illegal"]


def test_pictures_are_pixels_of_the_game_s_drawing() -> None:
    env = make_parallel("bomber", {"map": "0..\n.#.\n..1"}, render_mode="rgb_array")
    env.reset(seed=1)
    shown = env.render()
    assert isinstance(shown, np.ndarray)
    assert shown.shape == (3 * CELL_PX, 3 * CELL_PX, 3)
    middle, corner = shown[CELL_PX * 3 // 2, CELL_PX * 3 // 2], shown[CELL_PX // 2, CELL_PX // 2]
    assert [tuple(map(int, middle)), tuple(map(int, corner))] == [(0x36, 0x42, 0x4E), (0x11, 0x4A, 0xB7)]
    assert env.metadata["render_modes"] == ["ansi", "rgb_array"]


def test_games_without_arrays_and_features_beside_them_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "find_room", lambda _name, _room: None)
    with pytest.raises(ValueError, match="observe: expected json for heroquest, which has no module arrays, got arr"):
        make_aec("heroquest", observe="arrays")
    with pytest.raises(ValueError, match="encode works only with observe='json'"):
        make_aec(
            "bomber",
            observe="arrays",
            encode=lambda _briefing, _view: np.zeros(2),
            observation_space=spaces.Box(0, 1, (2,)),
        )
