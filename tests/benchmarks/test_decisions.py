"""How long bots think: whom the benchmark times, and when it says that a bot is too slow."""

from __future__ import annotations

from collections.abc import Iterator
from time import process_time

import pytest

from benchmarks import decisions
from gridjoust.bots import bot_names
from gridjoust.bots.api import AnytimeBot, Deadline, Observation


def test_as_many_answers_are_timed_as_were_asked_for_match_after_match() -> None:
    times = decisions.times_of("eidolon/astar", 30, limit_ms=100)
    assert len(times) == 30
    assert min(times) >= 0


def test_a_bot_that_leads_zargon_meets_another_whose_answers_do_not_count() -> None:
    bots, own = decisions.seated("heroquest/zargon_dijkstra_map", (0, 1))
    assert [type(bot).__name__ for bot in own] == [type(bots[1]).__name__]
    assert bots[0] not in own


def test_every_built_in_bot_but_random_is_measured() -> None:
    assert {*decisions.all_bots(), "random"} == set(bot_names())


def test_settings_that_make_bots_think_otherwise_are_measured_apart() -> None:
    presets = [setting.params.get("preset") for setting in decisions.settings_of("eidolon/dstar_lite")]
    assert presets == [None, "published", "published"]
    assert [setting.label for setting in decisions.settings_of("ricochet/bfs")] == [", solve", ", first bid"]
    assert decisions.settings_of("bomber/wanderer") == [decisions.DEFAULTS]


class SlowBidder(AnytimeBot):
    """Bids three, then thinks."""

    def improve(self, observation: Observation, deadline: Deadline) -> Iterator[str | None]:
        yield None
        yield "bid 3"
        begin_s = process_time()
        while process_time() - begin_s < 0.02:
            yield None
        yield "pass"


@pytest.mark.parametrize(("phase", "answer", "is_soon"), [("bidding", "bid 3", True), ("solving", "pass", False)])
def test_a_bid_counts_when_it_is_made_and_another_answer_when_the_bot_is_done(
    phase: str, answer: str, is_soon: bool
) -> None:
    bot = SlowBidder()
    ask = decisions.CpuAsk([bot], 100.0)
    view = {"phase": phase}
    assert ask(bot, Observation(seat=0, turn=1, view=view, legal=[], legal_complete=False)) == answer
    assert (ask.times_ms[0] < 20) == is_soon


def test_who_is_no_planner_is_not_held_to_the_bound(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(decisions, "BOUND_MS", -1.0)
    assert decisions.main(["bomber/wanderer", "--answers", "6"]) == 0
    assert "| bomber/wanderer | 6 " in capsys.readouterr().out


@pytest.mark.parametrize(("bound_ms", "code", "said"), [(1e9, 0, "none"), (-1.0, 1, "navigation/astar")])
def test_a_bot_above_the_bound_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], bound_ms: float, code: int, said: str
) -> None:
    monkeypatch.setattr(decisions, "BOUND_MS", bound_ms)
    assert decisions.main(["navigation/astar", "--answers", "5"]) == code
    assert capsys.readouterr().out.endswith(f"ms: {said}\n")
