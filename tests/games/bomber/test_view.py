"""What a seat, everyone and the omniscient see, and what is drawn anew behind a seat's back."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest

from games.bomber import Bomber
from games.bomber.state import HP_MASK, METAL, ORE, Bomb, State, Token
from tests.games.bomber.scenes import Scene, rows, scene


def busy(**params: Any) -> Scene:
    """Something of every kind: bombs laid against the order of cells, fires of both seats, a worn ore block."""
    now = scene(
        "0.s.#",
        "..o..",
        "aat.1",
        bombs=[(3, 2, 1, 9), (1, 0, 0, 20)],
        fires=[(3, 1, 1), (3, 1, 0)],
        hp=[3, 2],
        ammo=[2, 1],
        score=[12, 34],
        **params,
    )
    worn = bytearray(now.state.blocks)
    worn[7] = ORE + 2
    tokens = (Token(11, 39), Token(10, 99))
    return now.change(blocks=bytes(worn), ammo=tokens, ammo_due=(5, 30), tick=0)


def observed(now: Scene, seat: int) -> dict[str, Any]:
    return now.game.observation(now.state, seat)


def public(now: Scene) -> dict[str, Any]:
    return now.game.public_view(now.state)


SEEN: dict[str, Any] = {
    "tick": 0,
    "size": [5, 3],
    "metal": [[4, 0]],
    "soft": [[2, 0]],
    "ore": [[2, 1]],
    "bombs": [[1, 0], [3, 2]],
    "ammo_tokens": [[0, 2], [1, 2]],
    "treasure": [[2, 2]],
}
SEEN_BY_1 = SEEN | {
    "seat": 1,
    "position": [4, 2],
    "hp": 2,
    "ammo": 1,
    "score": 34,
    "opponents": [{"seat": 0, "position": [0, 0], "alive": True}],
}
SEEN_OPENLY: dict[str, Any] = {
    "bombs": [[3, 2], [1, 0]],
    "bomb_timers": [9, 20],
    "bomb_owners": [1, 0],
    "fire": [[3, 1, 1], [3, 1, 0]],
    "soft_hp": [1],
    "ore_hp": [2],
    "ammo_timers": [100, 40],
    "ammo_due": [6, 31],
}


def test_seat_sees_this_and_no_more_when_things_are_hidden() -> None:
    assert observed(busy(), 1) == SEEN_BY_1


def test_seat_sees_more_when_nothing_is_hidden() -> None:
    opponents = [{"seat": 0, "position": [0, 0], "alive": True, "hp": 3, "ammo": 2, "score": 12}]
    assert observed(busy(hidden=False), 1) == SEEN_BY_1 | SEEN_OPENLY | {"opponents": opponents}


def test_dead_opponent_is_seen_as_a_body() -> None:
    dead = scene("0.1.2", fires=[(0, 0, 1)], hp=[1, 3, 3]).wait()
    assert observed(dead, 1)["opponents"][0] == {"seat": 0, "position": [0, 0], "alive": False}


def test_dead_seat_may_look_on() -> None:
    dead = scene("0.1.2", fires=[(0, 0, 1)] * 2, hp=[1, 3, 3]).wait()
    assert observed(dead, 0)["hp"] == -1


def test_opponents_are_listed_by_seat() -> None:
    assert [seen["seat"] for seen in observed(scene("3210"), 2)["opponents"]] == [0, 1, 3]


def test_timer_seen_at_first_is_one_less_than_bomb_ticks() -> None:
    laid = scene("0..1", hidden=False).play("bomb wait")
    assert observed(laid, 1)["bomb_timers"] == [34]


def test_hidden_timers_do_not_show_in_the_order_of_bombs() -> None:
    now = busy()
    turned = now.change(bombs=now.state.bombs[::-1])
    assert observed(turned, 0)["bombs"] == observed(now, 0)["bombs"]


def test_age_does_not_show_in_the_order_of_ammo_or_treasure() -> None:
    now = scene("0aatt1")
    turned = now.change(ammo=now.state.ammo[::-1], treasure=now.state.treasure[::-1])
    assert observed(turned, 0) == observed(now, 0)


def with_all_secrets_changed(now: Scene) -> Scene:
    state = now.state
    players = list(state.players)
    players[1] = players[1]._replace(hp=1, ammo=0, score=500, hits=3)
    blocks = bytearray(state.blocks)
    blocks[7] = ORE + 1
    bombs = tuple(Bomb(bomb.cell, 1 - bomb.owner, bomb.fires_tick + 3) for bomb in state.bombs)
    tokens = tuple(Token(token.cell, token.last_tick + 1) for token in state.ammo)
    return now.change(
        players=tuple(players), blocks=bytes(blocks), bombs=bombs, fires=(), ammo=tokens, ammo_due=(9,), treasure_due=3
    )


def test_seat_sees_nothing_of_what_is_hidden() -> None:
    now = busy()
    assert observed(with_all_secrets_changed(now), 0) == observed(now, 0)


def test_views_are_plain_json() -> None:
    for hidden in (True, False):
        now = busy(hidden=hidden)
        briefing = now.game.briefing(now.state, 0)
        for view in (observed(now, 0), public(now), briefing):
            assert json.loads(json.dumps(view)) == view


def test_changing_a_view_does_not_change_the_next_one() -> None:
    now = busy()
    before = json.dumps(observed(now, 0))
    spoilt = observed(now, 0)
    for key in ("metal", "soft", "ore", "bombs"):
        spoilt[key][0][0] = 99
        spoilt[key].clear()
    assert json.dumps(observed(now, 0)) == before


def test_public_view_shows_what_every_seat_sees() -> None:
    first, second = {"seat": 0, "position": [0, 0], "alive": True}, {"seat": 1, "position": [4, 2], "alive": True}
    assert public(busy()) == SEEN | {"players": [first, second]}
    held = [first | {"hp": 3, "ammo": 2, "score": 12}, second | {"hp": 2, "ammo": 1, "score": 34}]
    assert public(busy(hidden=False)) == SEEN | SEEN_OPENLY | {"players": held}


def test_public_view_tells_no_seat_what_is_hidden() -> None:
    now = busy()
    assert public(with_all_secrets_changed(now)) == public(now)


def test_briefing_tells_parameters_size_and_metal() -> None:
    now = busy()
    briefing = now.game.briefing(now.state, 0)
    assert (briefing["params"]["bomb_ticks"], briefing["size"], briefing["metal"]) == (35, [5, 3], [[4, 0]])


def reached(game: Bomber, ticks: int) -> State:
    """A state of a match of random actions by players who take much."""
    rng = random.Random(4)
    state = game.initial_state(1)
    for _ in range(ticks):
        turn = {seat: rng.choice(game.legal_actions(state, seat)) for seat in game.seats_to_act(state)}
        state = Scene(game, state).play(" ".join(turn[seat] for seat in sorted(turn))).state
    return state


GAME = Bomber({"player_hp": 60, "ore_hp": 5}, seats=3)
STATE = reached(GAME, 400)


def twins(count: int = 60, *, seat: int = 0, game: Bomber = GAME, state: State = STATE) -> list[State]:
    return [game.redeal(state, seat, random.Random(number)) for number in range(count)]


@pytest.mark.parametrize("ticks", [0, 1, 35, 36, 90, 200, 300])
@pytest.mark.parametrize("hidden", [True, False])
def test_redeal_leaves_what_the_seat_sees(ticks: int, hidden: bool) -> None:
    game = Bomber({"player_hp": 60, "hidden": hidden}, seats=3)
    state = reached(game, ticks)
    for seat in range(3):
        for twin in twins(10, seat=seat, game=game, state=state):
            assert game.observation(twin, seat) == game.observation(state, seat)
            assert game.legal_actions(twin, seat) == game.legal_actions(state, seat)


def test_redeal_leaves_the_drawn_scene_as_the_seat_sees_it() -> None:
    now = busy()
    assert all(
        now.game.observation(twin, 1) == observed(now, 1) for twin in twins(seat=1, game=now.game, state=now.state)
    )


@pytest.mark.parametrize(
    "secret",
    [
        lambda state: state.seed,
        lambda state: state.treasure_due,
        lambda state: state.ammo_due,
        lambda state: [bomb.owner for bomb in state.bombs],
        lambda state: [bomb.fires_tick for bomb in state.bombs],
        lambda state: [bomb.cell for bomb in state.bombs],
        lambda state: [token.last_tick for token in state.ammo],
        lambda state: state.players[1].hp,
        lambda state: state.players[2].ammo,
        lambda state: state.players[1].score,
        lambda state: [block & HP_MASK for block in state.blocks],
    ],
    ids=["seed", "treasure", "ammo_due", "owners", "timers", "laying", "lifetimes", "hp", "ammo", "score", "ore_hp"],
)
def test_redeal_draws_anew(secret: Any) -> None:
    assert len({repr(secret(twin)) for twin in twins()}) > 1


def test_redeal_draws_fire_anew() -> None:
    assert {bool(twin.fires) for twin in twins(400)} == {True, False}


def test_redeal_puts_out_a_fire_that_the_seat_cannot_know_of() -> None:
    now = scene("0...1", fires=[(2, 0, 1)])
    assert all(twin.fires == () for twin in twins(game=now.game, state=now.state))


def test_redeal_of_an_open_game_draws_only_chance_anew() -> None:
    game = Bomber({"player_hp": 60, "hidden": False}, seats=3)
    state = reached(game, 100)
    for twin in twins(5, game=game, state=state):
        assert replace(twin, seed=state.seed, treasure_due=state.treasure_due) == state


def total_ammo(state: State) -> int:
    return sum(player.ammo for player in state.players) + len(state.ammo) + len(state.ammo_due)


def test_redeal_keeps_the_total_of_ammo() -> None:
    assert {total_ammo(twin) for twin in twins()} == {total_ammo(STATE)} == {3 * 3 + 1}


def test_redeal_makes_every_bomb_owe_its_token() -> None:
    for twin in twins():
        owed = [bomb.fires_tick - 35 + 70 for bomb in twin.bombs]
        assert all(twin.ammo_due.count(due) >= owed.count(due) for due in owed)


def test_redeal_dates_bombs_when_they_could_be_laid_and_gives_none_to_a_seat_that_has_laid_none() -> None:
    early = scene("0.....1").play("bomb wait", "right wait", "bomb wait")
    for twin in twins(game=early.game, state=early.state, seat=1):
        assert [bomb.owner for bomb in twin.bombs] == [0, 0]
        assert all(0 <= bomb.fires_tick - 34 < 3 for bomb in twin.bombs)


def test_redeal_kills_no_opponent_by_the_hits_that_the_seat_scored() -> None:
    now = scene("0.1.2", fires=[(2, 0, 0)] * 2 + [(4, 0, 0)] * 2).wait()
    for twin in twins(game=now.game, state=now.state):
        assert [player.hp for player in twin.players] == [3, 1, 1]


def test_redeal_keeps_hits_scored_and_taken_in_balance() -> None:
    for twin in twins():
        taken = sum(60 - player.hp - player.own_hits for player in twin.players)
        assert taken == sum(player.hits for player in twin.players)


def test_redeal_keeps_opponents_alive_or_dead() -> None:
    dead = scene("0.1.2", fires=[(0, 0, 1)], hp=[1, 3, 3]).wait()
    for twin in twins(game=dead.game, state=dead.state, seat=1):
        assert [player.hp > 0 for player in twin.players] == [False, True, True]


def test_redeal_leaves_the_seat_its_own_player() -> None:
    assert all(twin.players[0] == STATE.players[0] for twin in twins())


def test_render_draws_the_board_and_a_line_per_player() -> None:
    now = busy()
    assert now.game.render(now.state) == rows(
        "tick 0",
        "0@s.#",
        "..o*.",
        "aat@1",
        "seat 0: 3 HP, 2 ammo, 12 points",
        "seat 1: 2 HP, 1 ammo, 34 points",
        "bomb (3,2) of seat 1: fire in 9",
        "bomb (1,0) of seat 0: fire in 20",
        "ore (2,1): 2 HP",
        "fire: (3,1) of 1 (3,1) of 0",
    )


def test_render_draws_bodies() -> None:
    dead = scene("0.1.2", fires=[(0, 0, 1)], hp=[1, 3, 3]).wait()
    assert dead.game.render(dead.state).split("\n")[1:3] == ["x.1.2", "seat 0: 0 HP, 3 ammo, 0 points, died in tick 0"]


def test_encoding_tells_every_field_apart() -> None:
    now = busy()
    players = (now.player(0)._replace(own_hits=1), now.player(1))
    changes: list[dict[str, object]] = [
        {"seed": 9}, {"tick": 9}, {"players": players}, {"blocks": bytes([METAL]) * 15}, {"bombs": ()}, {"fires": ()},
        {"ammo": ()}, {"treasure": ()}, {"ammo_due": ()}, {"treasure_due": 9},
    ]  # fmt: skip
    codes = {now.game.encode(now.change(**change).state) for change in [{}, *changes]}
    assert len(codes) == len(changes) + 1
