"""How long bots think: whom the benchmark times, and when it says that a bot is too slow."""

from __future__ import annotations

import pytest

from benchmarks import decisions


def test_as_many_answers_are_timed_as_were_asked_for_match_after_match() -> None:
    times = decisions.times_of("eidolon/astar", 30, limit_ms=100)
    assert len(times) == 30
    assert min(times) >= 0


def test_a_bot_that_leads_zargon_meets_another_whose_answers_do_not_count() -> None:
    bots, own = decisions.seated("heroquest/zargon_dijkstra_map", (0, 1))
    assert [type(bot).__name__ for bot in own] == [type(bots[1]).__name__]
    assert bots[0] not in own


@pytest.mark.parametrize(("bound_ms", "code", "said"), [(1e9, 0, "none"), (-1.0, 1, "navigation/astar")])
def test_a_bot_above_the_bound_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], bound_ms: float, code: int, said: str
) -> None:
    monkeypatch.setattr(decisions, "BOUND_MS", bound_ms)
    assert decisions.main(["navigation/astar", "--answers", "5"]) == code
    assert capsys.readouterr().out.endswith(f"ms: {said}\n")
