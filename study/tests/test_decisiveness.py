from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from gridjoust import Observation, Turn, games
from gridjoust.bots.harness import start_bot
from gridjoust.bots.match import make_setup, observe
from gridjoust.bots.random_bot import RandomBot
from study.decisive_matches import (
    Ended,
    Row,
    all_rows,
    config_rows,
    is_influenced,
    merged_rows,
    play_equal,
    play_handicapped,
    strong_share,
    with_slips,
)
from study.decisiveness import (
    FLOORS,
    FOLDERS,
    HEADING,
    PAGE,
    Tally,
    Verdict,
    confidence_of,
    fewest_matches,
    format_csv,
    format_page,
    judge_least,
    judge_most,
    judge_roles,
    judge_seats,
    line_of,
    main,
    measure,
    merged,
    read_lines,
    share_of,
    write_page,
)

CONFIGS = Path(__file__).parents[2] / "configs"
PAIR = Row("placement", ((("max_game_rounds", 3),),), 2)


def ended(*returns: float, strong: Sequence[bool] = (), is_limit: bool = False, is_contact: bool = True) -> Ended:
    points = tuple(
        0.5 + 0.5 * ((own > other) - (own < other)) for own, other in zip(returns, returns[::-1], strict=True)
    )
    return Ended(returns, points, is_limit, is_contact, tuple(strong))


def shares(wins: int, matches: int) -> list[float]:
    return [1.0] * wins + [0.0] * (matches - wins)


@pytest.mark.parametrize(
    ("wins", "matches", "verdict"),
    [
        (200, 400, Verdict.PASS),
        (218, 400, Verdict.PASS),
        (222, 400, Verdict.FAIL),
        (178, 400, Verdict.FAIL),
        (50, 100, Verdict.OPEN),
        (200, 200, Verdict.FAIL),
    ],
)
def test_a_seats_share_has_one_half_in_a_narrow_interval(wins: int, matches: int, verdict: Verdict) -> None:
    assert judge_seats(share_of(shares(wins, matches))) is verdict


@pytest.mark.parametrize(("sides", "matches"), [(2, 400), (3, 600), (4, 700)])
def test_more_sides_need_more_matches_until_the_interval_of_one_half_is_narrow(sides: int, matches: int) -> None:
    assert fewest_matches(sides) == matches
    confidence = confidence_of(sides)
    enough, fewer = (share_of(shares(n // 2, n), confidence=confidence).interval for n in (matches, matches - 100))
    assert enough.high - enough.low <= 0.1 < fewer.high - fewer.low


@pytest.mark.parametrize(
    ("wins", "matches", "verdict"),
    [(140, 400, Verdict.PASS), (260, 400, Verdict.PASS), (300, 400, Verdict.FAIL), (13, 40, Verdict.OPEN)],
)
def test_the_first_role_wins_a_third_to_two_thirds(wins: int, matches: int, verdict: Verdict) -> None:
    assert judge_roles(share_of(shares(wins, matches))) is verdict


@pytest.mark.parametrize(
    ("times", "matches", "verdict"),
    [(120, 400, Verdict.PASS), (150, 400, Verdict.FAIL), (125, 400, Verdict.OPEN), (0, 4, Verdict.PASS)],
)
def test_what_may_happen_in_three_of_ten_matches(times: int, matches: int, verdict: Verdict) -> None:
    assert judge_most(share_of(shares(times, matches)), 0.3) is verdict


@pytest.mark.parametrize(
    ("wins", "matches", "verdict"),
    [(260, 400, Verdict.PASS), (230, 400, Verdict.FAIL), (250, 400, Verdict.OPEN)],
)
def test_the_side_without_the_handicap_wins_two_thirds(wins: int, matches: int, verdict: Verdict) -> None:
    assert judge_least(share_of(shares(wins, matches)), 0.65) is verdict


def test_the_best_of_the_strong_is_compared_with_the_best_of_the_weak() -> None:
    assert strong_share(ended(1, -1, strong=(True, False))) == 1
    assert strong_share(ended(1, -1, strong=(False, True))) == 0
    assert strong_share(ended(0, 0, strong=(False, True))) == 0.5
    assert strong_share(ended(3, 1, 3, -1, strong=(True, False, True, False))) == 1
    assert strong_share(ended(3, 3, 1, 1, strong=(True, False, True, False))) == 0.5
    assert strong_share(ended(-1, 3, -1, -1, strong=(True, False, True, False))) == 0


def test_a_row_counts_draws_limits_and_contact() -> None:
    equal = [ended(1, -1), ended(-1, 1), ended(0, 0, is_limit=True), ended(1, -1, is_contact=False)]
    found = Tally(PAIR, equal, [ended(1, -1, strong=(True, False))] * 4).figures()
    assert [found[name].text for name in ("matches", "draws", "no contact", "limit")] == ["4", "25.0", "25.0", "25.0"]
    assert found["seat"].text.startswith("seat 0: 62.5 (")
    assert (found["handicap"].text[:5], found["handicap"].verdict) == ("100.0", Verdict.PASS)
    assert found["limit"].verdict is Verdict.PASS
    timed_out = Tally(PAIR, [ended(0, 0, is_limit=True)] * 20, [ended(1, -1, strong=(True, False))])
    assert timed_out.figures()["limit"].verdict is Verdict.FAIL


def test_many_draws_fail() -> None:
    row = Tally(PAIR, [ended(0, 0)] * 20, [ended(1, -1, strong=(True, False))])
    assert row.figures()["draws"].verdict is Verdict.FAIL


def test_a_role_is_named_and_has_the_wider_bound() -> None:
    row = Row("heroquest", ((("quest", "watch_house"),),), 4)
    found = Tally(row, [ended(1, -1)] * 12 + [ended(-1, 1)] * 8, [ended(1, -1, strong=(True, False))]).figures()
    assert found["seat"].text.startswith("heroes 60.0")
    assert found["seat"].verdict is Verdict.PASS


def test_who_is_alone_has_no_seat_and_no_draws() -> None:
    row = Row("navigation", ((("width", 8), ("height", 8)),), 1)
    found = Tally(row, [play_equal(row, 0)], [play_handicapped(row, 0)]).figures()
    assert (found["seat"].text, found["draws"].text, found["no contact"].text) == ("nobody is met",) * 2 + ("alone",)
    assert found["limit"].verdict is Verdict.PASS


def test_variants_that_play_the_same_are_one_row_under_all_names() -> None:
    again, other = replace(PAIR, names=("cup: b",)), replace(PAIR, seats=3, names=("cup: c",))
    assert [row.names for row in merged_rows([PAIR, again, other])] == [("default", "cup: b"), ("cup: c",)]


def test_a_config_has_a_row_for_each_of_its_variants() -> None:
    rows = list(config_rows([CONFIGS / "navigation.yaml"]))
    assert [row.names[0] for row in rows] == [
        f"navigation: {name}" for name in ("known", "unknown", "changing", "crossing", "hurried")
    ]
    assert [len(row.boards) for row in rows] == [3, 3, 1, 1, 1]


def test_matches_repeat_and_seats_take_turns_with_the_handicap() -> None:
    first, again, other = (play_handicapped(PAIR, number) for number in (0, 0, 1))
    assert first == again
    assert (first.strong, other.strong) == ((True, False), (False, True))


def test_a_slip_is_one_answer_in_ten() -> None:
    game = games.make("bomber")
    state = game.initial_state(0)
    bot = with_slips(Waiting)()
    start_bot(bot, make_setup(game, state, seats=[0]))
    slips = sum(bot.act(observe(game, state, 0)) != "wait" for _ in range(1200))
    assert 60 <= slips <= 140  # five of six random actions are no wait: 100 expected


class Waiting(RandomBot):
    def act(self, observation: Observation) -> str:
        return "wait"


def test_who_walks_on_the_floor_of_another_is_influenced() -> None:
    game = games.make("navigation", {"shared": True, "width": 6, "height": 6, "density": 0.0}, seats=2)
    state = game.initial_state(0)
    turns = [{0: "wait"}, {1: "wait"}]
    for number, texts in enumerate(turns, 1):
        state = game.apply(state, Turn({seat: game.parse_action(text) for seat, text in texts.items()}, number))
    metrics = game.metrics(state)[0]
    assert not is_influenced(game, turns, 0, metrics, seed=0)
    assert is_influenced(game, turns, 0, {**metrics, "steps": 1}, seed=0)


LINE = line_of(Tally(PAIR, [ended(1, -1), ended(-1, 1)], [ended(1, -1, strong=(True, False))]))


def test_matches_are_counted_from_any_number_on() -> None:
    with ThreadPoolExecutor(1) as pool:
        found = measure(PAIR, matches=2, first=1, pool=pool)
    assert found.equal == [play_equal(PAIR, 1), play_equal(PAIR, 2)]
    assert found.handicapped == [play_handicapped(PAIR, 1), play_handicapped(PAIR, 2)]
    assert found.figures()["matches"].text == "2 from 1"


SHIPPED = [PAIR, replace(PAIR, names=("cup: new",)), replace(PAIR, game="ricochet")]  # of other rules than their names
NEW = {**LINE, "variant": "cup: new"}


def test_rows_of_other_variants_are_kept_as_long_as_these_ship(tmp_path: Path) -> None:
    page = tmp_path / "decisiveness.md"
    for line in ({**LINE, "game": "ricochet"}, {**LINE, "draws": "60.0 FAIL"}, {**LINE, "variant": "old"}, NEW, LINE):
        write_page([line], page=page, shipped=SHIPPED)
    rows = page.with_suffix(".csv").read_text().splitlines()
    assert [row.split(",")[:2] for row in rows[1:]] == [
        ["placement", "default"], ["placement", "cup: new"], ["ricochet", "default"]
    ]  # fmt: skip
    assert page.read_text().count("\n| placement | cup: new | 2 |") == 1
    assert "60.0" not in page.read_text()


def test_the_page_counts_what_fails_and_what_is_missing() -> None:
    page = format_page([LINE], shipped=SHIPPED)
    assert "1 variants; 0 figures fail and 1 are open. Not played yet: 1 of `placement`, 1 of `ricochet`." in page
    assert "Not played" not in format_page([LINE], shipped=[PAIR])
    assert "1 figures fail" in format_page([{**LINE, "draws": "60.0 FAIL"}], shipped=[PAIR])


def test_variants_that_do_not_ship_are_refused_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--games", "placement", "--variants", "four", "default"])
    said = capsys.readouterr().err
    assert "--variants: expected some of default, " in said
    assert "placement-collapse: four" in said
    assert said.endswith(", got four\n")


def test_rows_are_written_by_column() -> None:
    assert format_csv([LINE]).splitlines()[0] == ",".join(HEADING)
    assert merged([LINE], [NEW], shipped=SHIPPED[::-1]) == [NEW, LINE]


def test_the_committed_page_shows_the_committed_rows_and_none_fails() -> None:
    """If not: `python -m study.decisiveness --write` plays the variants that are missing or wrong."""
    lines, floors = read_lines(PAGE.with_suffix(".csv")), read_lines(FLOORS)
    page = PAGE.read_text("utf-8")
    assert page == format_page(lines, shipped=all_rows(*FOLDERS), floors=floors)
    assert "0 figures fail" in page
    assert "Not played yet" not in page.partition("## Does search matter?")[0]
