"""Both ways to win, the partial victory, every defeat; returns and metrics."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gridjoust.games.eidolon import Eidolon
from gridjoust.games.eidolon.dungeon import Placed
from gridjoust.games.eidolon.params import PRESETS
from gridjoust.games.eidolon.state import End
from gridjoust.games.eidolon.tiles import CHAMBERS
from gridjoust.games.grid import Cell
from tests.games.eidolon.scenes import Scene, place, scene, tiles_of

NORTH, EAST = place("minotaur", 0, -1), place("psychomancer", 1, 0)
END, FAR = place("end", 0, 1), place("floating_stones", 9, 9)


def carrying(*tiles: Any, **options: Any) -> Scene:
    """Seat 0 has the Fire; all seals are broken."""
    return scene(*tiles, **options).change(carrier=0, broken=0b111)


def home(*at: tuple[int, int], **options: Any) -> Scene:
    """Where there is no End the Fire has to come to the Vestibule."""
    return carrying(NORTH, EAST, FAR, at=at, tile_set="published25", win_at="vestibule", **options)


def losing(*void: str, left: int = CHAMBERS, broken: int = 0) -> Scene:
    """The minotaur's chamber is lost in the ritual; others are in the Void already. Nothing else ends the match."""
    here = scene(NORTH, EAST, preset="sim5", ritual_every="turn", barriers=0, on=("minotaur",), cards=("minotaur",))
    return here.change(void=tiles_of(*void), tokens=left, broken=broken)


def cut_off(*more: Placed, **options: Any) -> Scene:
    """On a known map the chamber between the hero and the Fire falls; the seals are broken."""
    here = scene(
        NORTH, place("fire_of_eidolon", 0, -3), place("voracious_plant", 0, -2), END, *more,
        preset="sim4", ritual_every="turn", barriers=0, on=("minotaur",), cards=("minotaur",), **options,
    )  # fmt: skip
    return here.change(broken=0b111)


FALLING: dict[str, Any] = {"preset": "sim5", "ritual_every": "turn", "on": ("minotaur",), "cards": ("minotaur",)}
LONELY = place("minotaur", 7, 7)
EXPLORER = carrying(NORTH, FAR, at=((0, -1), (9, 9)), preset="published", barriers=0, skills=False)
AT_SKULL = home((0, 0), (1, 0), cultists=True, cards=("mindeater",)).change(threat=8)
BEYOND = (place("secret_passage_x", 1, 0), place("secret_passage_y", 1, -2))
CLOSED = (place("mimic_chest", 1, 0, 90), place("voraxs_heart", -1, 0, 270), place("voraxs_focus", 0, 1, 180))
REST = ("fire_of_eidolon", "voraxs_knowledge")
TWO_ROUNDS = scene(NORTH, at=((0, 0), (0, 0)), max_game_rounds=2).play("wait", "wait", "wait")

ENDS: dict[str, tuple[Scene, str, End | None]] = {  # a situation, what is answered, how the match ends
    "the carrier on the End wins": (carrying(END, NORTH, at=((0, 0), (0, -1))), "move S", End.WON),
    "others there do not": (carrying(END, NORTH, at=((0, -1), (0, 0))).play("wait"), "move S", None),
    "a narrow End is an End": (carrying(place("narrow_end", 0, 1, 180), end_doors=1), "move S", End.WON),
    "beside it the Vestibule is none": (carrying(END, NORTH, at=((0, -1),)), "move S", None),
    "all have to come home with the Fire": (home((0, -1), (1, 0)), "move S", None),
    "they win when the last one comes": (home((0, -1), (1, 0)).play("move S", "wait"), "move W", End.WON),
    "the carrier may be the last": (home((0, -1), (0, 0)), "move S", End.WON),
    "nobody waits for the lost": (home((0, -1), (0, 0)).put(1, cell=None), "move S", End.WON),
    "nor for who cannot come": (home((0, -1), (9, 9)), "move S", End.PARTIAL),
    "but for who may find a way": (EXPLORER, "move S", None),
    "while tiles are left": (EXPLORER.change(dungeon=replace(EXPLORER.state.dungeon, stack=0)), "move S", End.PARTIAL),
    "at the skull the Fire at home is half a victory": (AT_SKULL, "wait", End.PARTIAL),
    "elsewhere it is none": (AT_SKULL.put(0, cell=Cell(1, 0)), "wait", End.SKULL),
    "two tokens of a colour may not be lost": (losing("dragonling"), "wait", End.TOKENS),
    "one may": (losing(), "wait", None),
    "or two of two colours": (losing("psychomancer"), "wait", None),
    "or those of a broken seal": (losing("dragonling", broken=0b001), "wait", None),
    "not those of a standing one": (losing("dragonling", broken=0b010), "wait", End.TOKENS),
    "a token in hand is safe": (losing("dragonling", left=CHAMBERS & ~(1 << NORTH.tile)), "wait", None),
    "somebody has to live": (scene(LONELY, at=((7, 7),), **FALLING), "wait", End.HEROES),
    "above all the carrier": (carrying(LONELY, at=((7, 7), (0, 0)), **FALLING), "wait", End.UNREACHABLE),
    "the Fire must be in reach": (cut_off(), "wait", End.UNREACHABLE),
    "by a detour": (cut_off(*BEYOND), "wait", None),
    "or a master skill": (cut_off(skills=True, heroes="wizard"), "wait", None),
    "that is left": (cut_off(skills=True, heroes="wizard").put(0, is_master_used=True), "wait", End.UNREACHABLE),
    "a dungeon may be sealed": (scene(*CLOSED, known_map=False, stack=REST), "explore N", End.SEALED),
    "one open door prevents it": (scene(*CLOSED[:2], known_map=False, stack=REST), "explore N", None),
    "rounds run out": (TWO_ROUNDS, "wait", End.ROUNDS),
    "with the last hero's turn": (TWO_ROUNDS, "move N", None),
}  # fmt: skip
RETURNS: dict[End | None, tuple[float, float]] = {End.WON: (1.9, 2), End.PARTIAL: (0.9, 1)}  # else 0
REASONS = {
    End.WON: "won: the Fire is out",
    End.UNREACHABLE: "lost: something needed cannot be reached any more",
    End.SEALED: "sealed: no way leads to the tiles that are still to come",
}


@pytest.mark.parametrize(("here", "answer", "end"), ENDS.values(), ids=ENDS)
def test_end_of_the_match_and_its_returns(here: Scene, answer: str, end: End | None) -> None:
    after = here.play(answer)
    assert (after.end, after.is_over) == (end, end is not None)
    lowest, highest = RETURNS.get(end, (0, 0))
    assert all(lowest <= value <= highest for value in after.returns())
    if end in REASONS:
        assert after.game.reason(after.state) == REASONS[end]


def test_lost_tiles_are_counted_and_round_numbers_stay_in_bounds() -> None:
    assert [cut_off(*more).play("wait").state.tiles_lost for more in ((), BEYOND)] == [1, 1]
    assert TWO_ROUNDS.play("wait").state.game_round == 2


def test_victory_with_fewer_ap_returns_more() -> None:
    direct, detour = (carrying(END, NORTH).play(*turn) for turn in (["move S"], ["move N", "move S", "move S"]))
    assert direct.end is detour.end is End.WON
    assert 1 < detour.returns()[0] < direct.returns()[0] < 2


def test_half_of_what_a_victory_saves_is_time() -> None:
    """An AP of the team, and then a whole round, against 10 rounds of one hero with 3 AP each."""
    at_once = carrying(END, max_game_rounds=10).play("move S")
    later = carrying(END, max_game_rounds=10).play("wait", "move S")
    assert at_once.returns()[0] == pytest.approx(2 - (1 / 30 + 1 / 10) / 2)
    assert at_once.returns()[0] - later.returns()[0] == pytest.approx(1 / 10 / 2)


def test_metrics_tell_what_the_team_and_each_hero_did() -> None:
    after = carrying(END, NORTH, at=((0, -1), (0, 0))).play("grab", "move S", "move S")
    told = ("won", "ap_spent", "path_length", "tokens", "team_ap_spent", "team_seals")
    assert [[after.metrics(seat)[name] for name in told] for seat in (0, 1)] == [[1, 3, 2, 1, 3, 3], [1, 0, 0, 0, 3, 3]]


FIELDS = ["tile_set", "known_map", "barriers", "specialization", "cultists", "skills", "vestibule_rule", "win_at"]
PLAIN = ("seed28", True, 0, "none", False, False, False, "end")
PRESET_RULES = {
    **dict.fromkeys(("sim1", "exp1", "exp2", "exp3"), PLAIN),
    "exp4": ("seed28", True, 0, "stars", False, False, False, "end"),
    "sim2": ("seed28", True, 6, "stars", False, False, False, "end"),
    "sim3": ("seed28", False, 6, "stars", False, False, False, "end"),
    "sim4": ("seed28", True, 6, "stars", True, False, False, "end"),
    "sim5": ("seed28", False, 6, "stars", True, False, False, "end"),
    "published": ("published25", False, 0, "stars", True, True, True, "vestibule"),
}


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_stand_for_rules_and_are_for_one_to_six_heroes(preset: str) -> None:
    rules = Eidolon({"preset": preset}).rules
    assert tuple(getattr(rules, name) for name in FIELDS) == PRESET_RULES[preset]
    for seats in range(1, 7):
        assert len(Eidolon({"preset": preset}, seats=seats).initial_state(0).heroes) == seats


def test_parameters_beside_a_preset_win_over_it_and_resolved_ones_give_the_same_game() -> None:
    assert Eidolon({"preset": "sim2", "barriers": 0}).rules.barriers == 0
    game = Eidolon({"preset": "sim5", "barriers": 2})
    assert Eidolon(dict(game.params)).rules == game.rules


def test_set_without_an_end_is_won_at_the_vestibule() -> None:
    assert Eidolon({"tile_set": "published25"}).rules.win_at == "vestibule"
    with pytest.raises(ValueError, match="win_at: expected vestibule with tile_set published25"):
        Eidolon({"tile_set": "published25", "win_at": "end"})


def test_heroes_are_chosen_by_name() -> None:
    assert Eidolon({"heroes": "sage rogue"}, seats=3).rules.heroes == ("sage", "rogue", "warrior")
    for wrong in ("sage sage", "thief"):
        with pytest.raises(ValueError, match="heroes: expected different ones of warrior"):
            Eidolon({"heroes": wrong})


def test_only_known_maps_without_rituals_are_perfect_information() -> None:
    known = {name for name in PRESETS if Eidolon({"preset": name}).spec.perfect_information}
    assert known == {"sim1", "sim2", "exp1", "exp2", "exp3", "exp4"}
