"""A turn that is judged as a whole, for bots that answer at once, is the turn that is judged answer by answer."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable

import msgspec
import pytest

from gridjoust.bots.api import Bot, MatchSetup, Observation, SearchStats
from gridjoust.direct import DirectMatch
from gridjoust.games.api import Json
from gridjoust.runner.results.records.lines import AnswerLine
from gridjoust.runner.results.replay import verify
from gridjoust.runner.wire.protocol import TurnMessage
from gridjoust.simulation import Played, play
from tests.doubles.games.reference import Pile, PileState
from tests.gridjoust.test_play import SMALL


class Fallible(Bot):
    """Answers well most of the time; keeps what it has seen."""

    def start(self, setup: MatchSetup) -> None:
        self.seen: list[str] = []

    def act(self, observation: Observation) -> str:
        self.seen.append(repr(observation))
        answers: list[Callable[[], object]] = [lambda: "nonsense", lambda: "größer", lambda: None, lambda: 1 / 0]
        self.stats = SearchStats(expanded=len(self.seen)) if len(self.seen) % 3 else None
        chance = self.rng.random()
        if chance < 0.12:
            return answers[int(chance * 30)]()  # type: ignore[return-value]
        observation.view["noted"] = observation.turn
        return observation.legal.pop(self.rng.randrange(len(observation.legal)))


def settled(played: Played) -> tuple[object, ...]:
    answers = [msgspec.structs.replace(answer, planning_ms=None) for answer in played.answers]
    return played.record.lines, answers, played.record.end


CASES = [("bomber", 4), ("placement", 3), ("navigation", 1), ("ricochet", 2), ("eidolon", 2), ("heroquest", 5)]


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.gate)])
@pytest.mark.parametrize(("game", "seats"), CASES)
def test_a_turn_judged_as_a_whole_is_the_turn_judged_answer_by_answer(
    game: str, seats: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def once() -> tuple[object, ...]:
        bots = [Fallible() for _ in range(seats)]
        time = {"turn_ms": 40, "bank_ms": 15, "increment_ms": 2}
        played = play(game, bots, seats=seats, seed=seed, params=SMALL[game], time=time, faults={"limit": 4})
        assert verify(played.record) is None
        asked = [re.sub(r"ask=\d+", "ask", text) for bot in bots for text in bot.seen]
        return (*settled(played), asked)

    whole = once()
    monkeypatch.setattr(DirectMatch, "_answers_at_once", lambda _: False)
    assert once() == whole


def test_faults_of_all_kinds_come_up_above() -> None:
    bots = [Fallible(), Fallible()]
    played = play("bomber", bots, seed=1, params={"max_ticks": 60}, faults={"limit": 50})
    assert {line.fault.value for line in played.faults} >= {"malformed"}
    assert any(isinstance(line, AnswerLine) and line.expanded for line in played.answers)


class Keeper(Bot):
    """Keeps its questions."""

    def start(self, setup: MatchSetup) -> None:
        self.kept: list[Observation] = []

    def act(self, observation: Observation) -> str:
        self.kept.append(observation)
        return observation.legal[0]


def test_a_question_whose_contents_are_made_late_copies_pickles_and_shows_as_one_that_is_whole() -> None:
    bot = Keeper()
    play(Pile, [bot, "random"], seed=2)
    first = bot.kept[0]
    whole = pickle.loads(pickle.dumps(first))
    assert type(whole) is TurnMessage
    assert (whole.view, whole.legal, whole.legal_complete) == (first.view, ["take 1", "take 2"], True)
    assert repr(whole) == repr(first)
    assert isinstance(first, Observation)
    with pytest.raises(AttributeError, match="immutable type: 'TurnMessage'"):
        first.turn = 3  # type: ignore[misc]


class Blind(Pile):
    """A game that cannot say what a seat sees."""

    def observation(self, state: PileState, seat: int) -> dict[str, Json]:
        raise ZeroDivisionError("these rules are wrong")


class Curious(Bot):
    """Looks, and survives what happens then."""

    def act(self, observation: Observation) -> str:
        try:
            return str(observation.view)
        except Exception:
            return "take 1"


def test_an_exception_of_the_rules_while_a_bot_looks_is_not_the_bots() -> None:
    with pytest.raises(ZeroDivisionError, match="these rules are wrong"):
        play(Blind, [Curious(), "random"])
