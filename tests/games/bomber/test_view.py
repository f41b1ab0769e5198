"""What a seat, everyone and the omniscient see, and what is drawn anew behind a seat's back."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from gridjoust.games.bomber import Bomber
from gridjoust.games.bomber.state import HP_MASK, METAL, ORE, Bomb, State, Token
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


def test_seat_sees_this_and_no_more_when_things_are_hidden_and_more_when_nothing_is() -> None:
    assert busy().view(1) == SEEN_BY_1
    opponents = [{"seat": 0, "position": [0, 0], "alive": True, "hp": 3, "ammo": 2, "score": 12}]
    assert busy(hidden=False).view(1) == SEEN_BY_1 | SEEN_OPENLY | {"opponents": opponents}


def test_opponents_are_listed_by_seat_the_dead_as_bodies_who_may_look_on() -> None:
    dead = scene("0.1.2", fires=[(0, 0, 1)] * 2, hp=[1, 3, 3]).wait()
    assert dead.view(1)["opponents"][0] == {"seat": 0, "position": [0, 0], "alive": False}
    assert dead.view(0)["hp"] == -1
    assert [seen["seat"] for seen in scene("3210").view(2)["opponents"]] == [0, 1, 3]


def test_timer_seen_at_first_is_one_less_than_bomb_ticks() -> None:
    assert scene("0..1", hidden=False).play("bomb wait").view(1)["bomb_timers"] == [34]


def test_neither_timers_nor_age_show_in_the_order_of_things() -> None:
    now = busy()
    assert now.change(bombs=now.state.bombs[::-1]).view(0)["bombs"] == now.view(0)["bombs"]
    lying = scene("0aatt1")
    turned = lying.change(ammo=lying.state.ammo[::-1], treasure=lying.state.treasure[::-1])
    assert turned.view(0) == lying.view(0)


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


def test_neither_a_seat_nor_the_public_sees_what_is_hidden() -> None:
    now, changed = busy(), with_all_secrets_changed(busy())
    assert (changed.view(0), public(changed)) == (now.view(0), public(now))


def test_public_view_shows_what_every_seat_sees() -> None:
    first, second = {"seat": 0, "position": [0, 0], "alive": True}, {"seat": 1, "position": [4, 2], "alive": True}
    assert public(busy()) == SEEN | {"players": [first, second]}
    held = [first | {"hp": 3, "ammo": 2, "score": 12}, second | {"hp": 2, "ammo": 1, "score": 34}]
    assert public(busy(hidden=False)) == SEEN | SEEN_OPENLY | {"players": held}


def test_briefing_tells_parameters_size_and_metal() -> None:
    briefing = busy().game.briefing(busy().state, 0)
    assert (briefing["params"]["bomb_ticks"], briefing["size"], briefing["metal"]) == (35, [5, 3], [[4, 0]])


def reached(game: Bomber, ticks: int) -> State:
    """A state of a match of random actions by players who take much."""
    rng = random.Random(4)
    state = game.initial_state(1)
    for _ in range(ticks):
        turn = {seat: rng.choice(game.legal_actions(state, seat)) for seat in game.seats_to_act(state)}
        state = Scene(game, state).play(" ".join(turn[seat] for seat in sorted(turn))).state
    return state


def played(ticks: int, *, hidden: bool = True) -> Scene:
    game = Bomber({"preset": "coderone", "player_hp": 60, "ore_hp": 5, "hidden": hidden}, seats=3)
    return Scene(game, reached(game, ticks))


PLAYED = played(400)


def twins(count: int = 60, *, seat: int = 0, of: Scene = PLAYED) -> list[State]:
    return [of.game.redeal(of.state, seat, random.Random(number)) for number in range(count)]


@pytest.mark.parametrize("hidden", [True, False])
def test_redeal_leaves_what_the_seat_sees(hidden: bool) -> None:
    for now in (busy(hidden=hidden), *(played(ticks, hidden=hidden) for ticks in (0, 1, 35, 36, 90, 200, 300))):
        for seat in range(now.game.seats):
            for twin in twins(10, seat=seat, of=now):
                assert now.game.observation(twin, seat) == now.view(seat)
                assert now.game.legal_actions(twin, seat) == now.game.legal_actions(now.state, seat)
                assert twin.players[seat] == now.player(seat)


SECRETS: dict[str, Callable[[State], object]] = {
    "seed": lambda state: state.seed,
    "treasure": lambda state: state.treasure_due,
    "ammo due": lambda state: state.ammo_due,
    "owners": lambda state: [bomb.owner for bomb in state.bombs],
    "timers": lambda state: [bomb.fires_tick for bomb in state.bombs],
    "order of laying": lambda state: [bomb.cell for bomb in state.bombs],
    "lifetimes": lambda state: [token.last_tick for token in state.ammo],
    "hp": lambda state: state.players[1].hp,
    "ammo": lambda state: state.players[2].ammo,
    "score": lambda state: state.players[1].score,
    "ore hp": lambda state: [block & HP_MASK for block in state.blocks],
}


def test_redeal_draws_every_secret_anew() -> None:
    drawn = {name: len({repr(secret(twin)) for twin in twins()}) for name, secret in SECRETS.items()}
    assert [name for name, count in drawn.items() if count == 1] == []


def test_redeal_draws_fire_anew_and_puts_out_what_the_seat_cannot_know_of() -> None:
    assert {bool(twin.fires) for twin in twins(400)} == {True, False}
    assert {twin.fires for twin in twins(of=scene("0...1", fires=[(2, 0, 1)]))} == {()}


def test_redeal_of_an_open_game_draws_only_chance_anew() -> None:
    now = played(100, hidden=False)
    for twin in twins(5, of=now):
        assert twin._replace(seed=now.state.seed, treasure_due=now.state.treasure_due) == now.state


def total_ammo(state: State) -> int:
    return sum(player.ammo for player in state.players) + len(state.ammo) + len(state.ammo_due)


def test_redeal_keeps_the_total_of_ammo_the_tokens_owed_and_hits_scored_and_taken_in_balance() -> None:
    assert total_ammo(PLAYED.state) == 3 * 3 + 1
    for twin in twins():
        assert total_ammo(twin) == 3 * 3 + 1
        owed = [bomb.fires_tick - 35 + 70 for bomb in twin.bombs]
        assert all(twin.ammo_due.count(due) >= owed.count(due) for due in owed)
        taken = sum(60 - player.hp - player.own_hits for player in twin.players)
        assert taken == sum(player.hits for player in twin.players)


def test_redeal_dates_bombs_when_they_could_be_laid_and_gives_none_to_a_seat_that_has_laid_none() -> None:
    for twin in twins(of=scene("0.....1").play("bomb wait", "right wait", "bomb wait"), seat=1):
        assert [bomb.owner for bomb in twin.bombs] == [0, 0]
        assert all(0 <= bomb.fires_tick - 34 < 3 for bomb in twin.bombs)


def test_redeal_kills_nobody_by_the_hits_that_the_seat_scored_and_brings_nobody_back() -> None:
    hurt = scene("0.1.2", fires=[(2, 0, 0)] * 2 + [(4, 0, 0)] * 2).wait()
    assert {tuple(player.hp for player in twin.players) for twin in twins(of=hurt)} == {(3, 1, 1)}
    dead = scene("0.1.2", fires=[(0, 0, 1)], hp=[1, 3, 3]).wait()
    alive = {tuple(player.hp > 0 for player in twin.players) for twin in twins(of=dead, seat=1)}
    assert alive == {(False, True, True)}


def test_render_draws_the_board_bodies_and_a_line_per_player() -> None:
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
    dead = scene("0.1.2", fires=[(0, 0, 1)], hp=[1, 3, 3]).wait()
    assert dead.game.render(dead.state).split("\n")[1:3] == ["x.1.2", "seat 0: 0 HP, 3 ammo, 0 points, died in tick 0"]


def test_encoding_tells_every_field_apart() -> None:
    now = busy()
    changes: list[dict[str, object]] = [
        {}, {"seed": 9}, {"tick": 9}, {"blocks": bytes([METAL]) * 15}, {"bombs": ()}, {"fires": ()}, {"ammo": ()},
        {"treasure": ()}, {"ammo_due": ()}, {"treasure_due": 9},
    ]  # fmt: skip
    scenes = [now.change_one("players", 0, own_hits=1), *(now.change(**change) for change in changes)]
    assert len({now.game.encode(each.state) for each in scenes}) == len(changes) + 1
