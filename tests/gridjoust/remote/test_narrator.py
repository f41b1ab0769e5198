"""What the person beside a remote bot reads."""

from __future__ import annotations

import pytest

from gridjoust.remote.narrator import Narrator, outcome_of
from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.protocol import End, Limits, Start, Stop

LIMITS = Limits(turn_ms=100, bank_ms=0, increment_ms=0, start_ms=0)


def start(match: str, seats: list[int]) -> Start:
    about = {"game": "bomber", "game_version": "1", "variant": "bomber", "params": {}, "dynamics": "simultaneous"}
    given = {"teams": [0, 1], "roles": ["", ""], "briefing": {}, "bot_seed": 1, "limits": LIMITS, "options": {}}
    return Start(match=match, seats=seats, seat_count=2, **about, **given)  # type: ignore[arg-type]


def end(ranks: list[int], *, match: str = "m", termination: str = "completed", reason: str = "") -> End:
    returns = [float(-rank) for rank in ranks]
    return End(match=match, termination=termination, reason=reason, returns=[*returns], ranks=ranks)


@pytest.mark.parametrize(
    ("ended", "seats", "line"),
    [
        (end([1, 2]), [0], "won"),
        (end([1, 2]), [1], "lost"),
        (end([1, 1]), [1], "drawn"),
        (end([3, 1, 2]), [0], "lost (place 3 of 3)"),
        (end([1, 2, 2, 1]), [0, 3], "won (place 1 of 4)"),
        (end([1, 1]), [0, 1], "finished, returns -1"),
        (end([1, 2], termination="late", reason="b was late"), [0], "won: b was late"),
        (end([1, 2], termination="crashed", reason="b crashed"), [1], "lost: b crashed"),
    ],
)
def test_an_end_is_told_as_the_bot_sees_it(ended: End, seats: list[int], line: str) -> None:
    assert outcome_of(ended, seats)[1] == line


def test_matches_are_counted_and_the_end_of_all_is_known() -> None:
    said: list[str] = []
    narrator = Narrator(said.append)
    assert narrator.tally() == "no match played"
    for number, ranks in enumerate([[1, 2], [1, 2], [2, 1]]):
        for message in (start(str(number), [0]), end(ranks, match=str(number)), end(ranks, match="another")):
            narrator.on_message("in", protocol.encode(message))
    assert said == ["won", "won", "lost"]
    assert (narrator.tally(), narrator.is_over) == ("2 won, 1 lost", False)
    narrator.on_message("in", protocol.encode(Stop()))
    assert narrator.is_over


def test_a_host_cannot_write_to_the_terminal_and_what_is_no_message_is_passed_over() -> None:
    said: list[str] = []
    narrator = Narrator(said.append)
    narrator.on_notice("notice", b"\x1b[2Jmatch 1\nof 2\xff" + b"x" * 1000)
    [line] = said
    assert line.isprintable()
    assert "match 1 of 2" in line
    assert len(line) <= 300
    narrator.on_message("in", b'{"type":"end", nonsense')
    narrator.on_message("in", b'{"type":"turn"}')
    assert len(said) == 1
