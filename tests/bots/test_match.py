"""Bots seated on a game in this process: what they are given, who holds which seat, how they are asked."""

from __future__ import annotations

import random

import pytest

from gridjoust import games
from gridjoust.bots.api import AnytimeBot, Bot, Deadline, MatchResult, MatchSetup, Observation
from gridjoust.bots.match import make_setup, observe, play_match, watch_match
from gridjoust.bots.random_bot import RandomBot
from tests.doubles.games.reference import Bids, BidsState, Numbers, Pile


class Listener(Bot):
    """Answers with its first legal action and keeps all that it is told."""

    setup: MatchSetup
    result: MatchResult

    def __init__(self) -> None:
        self.asked: list[Observation] = []
        self.heard: list[Observation] = []

    def start(self, setup: MatchSetup) -> None:
        self.setup = setup

    def act(self, observation: Observation) -> str:
        self.asked.append(observation)
        return observation.legal[0]

    def hear(self, event: Observation) -> None:
        self.heard.append(event)

    def finish(self, result: MatchResult) -> None:
        self.result = result


class OneQuestion(Bids):
    """Everybody is asked once a match."""

    def ask_key(self, state: BidsState, seat: int) -> object:
        return "the only question"


class SecondThoughts(AnytimeBot):
    """Its last answer is the second legal action."""

    def improve(self, observation: Observation, deadline: Deadline):  # type: ignore[no-untyped-def]
        yield observation.legal[0]
        yield observation.legal[1]


def test_a_setup_tells_what_the_referee_tells() -> None:
    game = Pile({"pile": 5})
    state = game.initial_state(7)
    setup = make_setup(game, state, seats=[1], bot_seed=3, match="m")
    assert (setup.match, setup.game, setup.game_version, setup.variant) == ("m", "pile", "1", "pile")
    assert (setup.params, setup.seats, setup.seat, setup.seat_count) == ({"pile": 5}, [1], 1, 2)
    assert (setup.teams, setup.roles, setup.dynamics) == ([0, 1], ["", ""], "sequential")
    assert setup.briefing == {"1": game.briefing(state, 1)}
    assert (setup.bot_seed, setup.turn_ms) == (3, None)


def test_an_observation_is_the_seats_own_view_with_its_legal_actions() -> None:
    game = Pile()
    state = game.initial_state(7)
    seen = observe(game, state, 0, turn=4)
    assert seen == Observation(seat=0, turn=4, view=game.observation(state, 0), legal=["take 1", "take 2"])


def test_bots_are_asked_in_numbered_turns_with_chance_of_their_own_and_hear_the_result() -> None:
    first, second = bots = [Listener(), Listener()]
    played = play_match(Pile(), bots, seed=7)
    assert [seen.turn for seen in first.asked] == [1, 3, 5, 7, 9]
    assert (second.result.termination, tuple(second.result.returns)) == ("completed", played.returns)
    assert sorted(second.result.ranks) == [1, 2]
    seeds = [bot.setup.bot_seed for bot in bots]
    assert seeds[0] != seeds[1]
    play_match(Pile(), bots, seed=7)
    assert [bot.rng.random() for bot in bots] == [random.Random(seed).random() for seed in seeds]


def test_a_bot_listed_twice_holds_both_seats() -> None:
    bot = Listener()
    play_match(Numbers(), [bot, bot], seed=7)
    assert bot.setup.seats == [0, 1]
    assert [seen.seat for seen in bot.asked[:2]] == [0, 1]


def test_the_same_seed_gives_the_same_match() -> None:
    game = games.make("bomber", {"max_ticks": 60})
    ends = [play_match(game, [RandomBot(), RandomBot()], seed=seed).state for seed in (5, 5, 6)]
    assert ends[0] == ends[1] != ends[2]


def test_real_time_bots_hear_what_happens_after_their_answer() -> None:
    bots = [Listener() for _ in range(3)]
    play_match(OneQuestion(seats=3), bots, seed=7)
    assert [len(bot.asked) for bot in bots] == [1, 1, 1]
    assert [[seen.view["bids"] for seen in bot.heard] for bot in bots] == [
        [[8, 9, 9], [8, 8, 9], [8, 8, 8]], [[8, 8, 9], [8, 8, 8]], [[8, 8, 8]],
    ]  # fmt: skip


def test_the_last_answer_of_an_anytime_bot_counts() -> None:
    first = next(watch_match(Pile(), [SecondThoughts(), RandomBot()], seed=7))
    assert first.turn is not None
    assert str(first.turn.actions[0]) == "take 2"


def test_ask_stands_between_match_and_bot() -> None:
    calls: list[tuple[Bot, int]] = []

    def ask(bot: Bot, observation: Observation) -> str:
        calls.append((bot, observation.turn))
        return "take 2"

    bots = [Listener(), Listener()]
    assert play_match(Pile({"pile": 6}), bots, seed=7, ask=ask).turns == 3
    assert calls == [(bots[0], 1), (bots[1], 2), (bots[0], 3)]


def test_an_illegal_answer_and_too_few_bots_are_refused() -> None:
    with pytest.raises(ValueError, match="take"):
        play_match(Pile(), [Listener(), Listener()], seed=7, ask=lambda bot, observation: "take 9")
    with pytest.raises(ValueError, match="bots: expected 2, one a seat, got 1"):
        play_match(Pile(), [Listener()])
