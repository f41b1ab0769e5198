"""Forfeits in the report: equal mistakes together, the end of the bot's log, the matches to look at; and the podium."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridjoust.leaderboard.report.headline import podium
from gridjoust.leaderboard.report.match_details import MOST_LINES, log_excerpt
from gridjoust.leaderboard.report.sections.faults import MOST_MATCHES, faults_section, incidents
from gridjoust.runner.results.records.lines import MatchRecord
from tests.leaderboard.report.scopes import scope_of
from tests.leaderboard.seats_builder import met
from tests.runner.results.records.records_builder import duel, duels, make_record

CRASH = "seat 0 forfeits (crashed): KeyError: 'left'"
AGAIN = "seat 0 forfeits (failed_to_start): quarantined after 3 crashes in a row, the last: KeyError: 'left'"
GARBLED = "seat 1 forfeits (malformed, fault 3): expected an action, got '{\"ask\":%d}'"


def _lost(match_id: str, seat: int, reason: str) -> MatchRecord:
    return make_record(match_id, bots=("bad", "good")[:: 1 - 2 * seat], forfeited=(seat,), reason=reason)


LOG = b"""==== match m0 (bomber, round 1)
well
==== match m1 (bomber, round 1)
thinking
Traceback (most recent call last):
  File "bad.py", line 7, in act
    return {}["left"]
KeyError: 'left'
==== match m2 (bomber, round 2)
fine again
"""


def test_equal_mistakes_are_one_incident_with_all_their_matches(tmp_path: Path) -> None:
    records = [
        _lost("m1", 0, CRASH),
        *(_lost(f"n{at}", 0, AGAIN) for at in range(MOST_MATCHES)),
        *(_lost(f"o{at}", 1, GARBLED % (7**at)) for at in range(2)),
        duel("bad", "good", 1, "fair"),
    ]
    first, second = incidents(scope_of(tmp_path, records))
    assert (first.bot.text, first.said) == ("bad", "KeyError: 'left'")
    assert first.count == f"crashed in 1 match, suspended in {MOST_MATCHES}"
    assert first.seen[0].command == f"joust replay {tmp_path} m1"
    assert "seat 0 against good" in first.seen[0].where
    assert (len(first.seen), first.others) == (MOST_MATCHES, (f"n{MOST_MATCHES - 1}",))
    assert (second.count, second.said) == ("malformed in 2 matches", "expected an action, got '{\"ask\":1}'")


def test_of_two_bots_that_forfeit_each_is_shown_with_its_own_mistake(tmp_path: Path) -> None:
    both = make_record("m1", bots=("bad", "good"), forfeited=(0, 1), reason=f"{CRASH}; {GARBLED % 7}")
    found = {one.bot.text: one.said for one in incidents(scope_of(tmp_path, [both]))}
    assert found == {"bad": "KeyError: 'left'", "good": "expected an action, got '{\"ask\":7}'"}


@pytest.mark.gate
def test_an_incident_shows_the_end_of_what_the_bot_wrote_in_that_match(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "bad.0.log").write_bytes(LOG)
    scope = scope_of(tmp_path, [_lost("m1", 0, CRASH)])
    [incident] = incidents(scope)
    lines = incident.log.splitlines()
    assert (lines[0], lines[-1]) == ("thinking", "KeyError: 'left'")
    assert '    return {}["left"]' in lines
    section = faults_section(scope)
    assert section is not None
    assert incident in section.blocks


def test_an_excerpt_is_short_plain_and_from_inside_the_results(tmp_path: Path) -> None:
    logs, secret = tmp_path / "logs", tmp_path / "secret.log"
    logs.mkdir()
    (logs / "bad.0.log").write_bytes(b"==== match m1 (x)\n" + b"\x1b[31mline\n" * 90)
    assert log_excerpt(tmp_path, bot="bad", match_id="m1").splitlines() == ["…", *["?[31mline"] * MOST_LINES]
    secret.write_bytes(b"==== match m1 (x)\nsecret\n")
    (logs / "link.0.log").symlink_to(secret)
    assert log_excerpt(tmp_path, bot="link", match_id="m1") == ""
    assert log_excerpt(tmp_path, bot="../secret", match_id="m1") == ""
    assert log_excerpt(tmp_path, bot="bad", match_id="m2") == ""


@pytest.mark.gate
def test_the_podium_has_the_first_three_with_shared_places_and_nobody_alone(tmp_path: Path) -> None:
    four = scope_of(tmp_path / "four", met(ab=[1, 1], bc=[1, 1], cd=[1, 1], ac=[1, 1], bd=[1, 1], ad=[1, 1]))
    assert [(step.rank, step.bot.text) for step in podium(four)] == [(1, "a"), (2, "b"), (3, "c")]
    assert all(step.strength.startswith("rating ") for step in podium(four))
    level = scope_of(tmp_path / "level", duels("a", "b", [0.5] * 4))
    assert [step.rank for step in podium(level)] == [1, 1]
    assert podium(scope_of(tmp_path / "alone", [make_record("m", bots=("a",))])) == ()
