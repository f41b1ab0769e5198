"""Correct bots pass in every kind of game, and each wrong bot fails exactly the checks that are named for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridjoust.bots.random_bot import RandomBot
from gridjoust.conformance import check_bot
from gridjoust.conformance.bot_matches import BotSubject, play_bot
from gridjoust.conformance.bot_suite import BOT_CHECKS
from gridjoust.conformance.suite import check_name
from gridjoust.games.api import AnyGame
from tests.doubles.games.reference import Bids, March, Numbers, Pile
from tests.gridjoust.conformance import bot_doubles as doubles

WRONG: list[tuple[doubles.BotClass, type[AnyGame], set[str]]] = [
    (doubles.PlaysChess, Pile, {"declarations_are_known"}),
    (doubles.PlansByMagic, Pile, {"declarations_are_known"}),
    (doubles.AnswersNonsense, Pile, {"answers_are_legal", "a_sample_of_legal_actions_is_enough"}),
    (doubles.WalksGlobally, March, {
        "same_setup_gives_same_answers", "fresh_interpreter_answers_the_same", "instances_are_independent",
    }),
    (doubles.WalksByHash, March, {"fresh_interpreter_answers_the_same"}),
    (doubles.SharesMemory, March, {"instances_are_independent"}),
    (doubles.ChangesObservation, Pile, {"observations_are_left_alone"}),
    (doubles.ChangesSetup, Pile, {"observations_are_left_alone"}),
    (doubles.WaitsForTime, Pile, {"improve_answers_after_the_deadline"}),
    (doubles.NeedsWholeList, Pile, {"a_sample_of_legal_actions_is_enough"}),
    (doubles.NamesLowest, Numbers, {"not_worse_than_random"}),
]  # fmt: skip


def failing(bot: doubles.BotClass, game: type[AnyGame]) -> set[str]:
    return {finding.check for finding in check_bot(bot, game=game)}


@pytest.mark.parametrize("game", [Pile, Numbers, Bids, March])
@pytest.mark.parametrize("bot", [RandomBot, doubles.FirstThenBest])
def test_correct_bot_is_fair_in_every_kind_of_game(bot: doubles.BotClass, game: type[AnyGame]) -> None:
    assert failing(bot, game) - {"not_worse_than_random"} == set()


@pytest.mark.parametrize(("bot", "game", "checks"), WRONG, ids=[bot.__name__ for bot, _, _ in WRONG])
def test_wrong_bot_fails_exactly_its_checks(bot: doubles.BotClass, game: type[AnyGame], checks: set[str]) -> None:
    assert failing(bot, game) == checks


def test_every_check_has_a_wrong_bot() -> None:
    assert set().union(*(checks for _, _, checks in WRONG)) == {check_name(check) for check in BOT_CHECKS}


def test_bot_holds_every_seat_of_its_team_and_hears_of_changes_in_real_time() -> None:
    subject = BotSubject(RandomBot, game=March, seats=2)
    assert {decision.seat for decision in play_bot(subject, subject.places[0], 7).decisions} == {0, 1}
    bot = play_bot(BotSubject(doubles.CountsNews, game=Bids, seats=2), (0,), 7).bot
    assert isinstance(bot, doubles.CountsNews)
    assert bot.news > 0


def test_options_reach_the_bot_and_a_missing_one_is_a_finding_of_every_check_that_makes_it() -> None:
    assert check_bot(doubles.WantsOption, game=Pile, options={"depth": 3}) == []
    assert "answers_are_legal" in failing(doubles.WantsOption, Pile)


@pytest.mark.gate
def test_good_bot_passes_every_check_also_in_a_file_of_its_own(tmp_path: Path) -> None:
    assert check_bot(doubles.NamesHighest, game=Numbers, seats=3) == []
    file = tmp_path / "mine.py"
    file.write_text(
        "import gridjoust as joust\nclass Mine(joust.Bot):\n    def act(self, asked): return max(asked.legal)\n"
    )
    assert check_bot(f"{file}:Mine", game=Numbers) == []


def test_class_that_is_no_bot_and_a_role_that_the_game_does_not_have_are_value_errors() -> None:
    with pytest.raises(ValueError, match=r"expected a subclass of gridjoust\.Bot, got dict"):
        check_bot(dict, game=Pile)
    with pytest.raises(ValueError, match="roles: expected some of"):
        check_bot(RandomBot, game=Pile, roles=["dragon"])
