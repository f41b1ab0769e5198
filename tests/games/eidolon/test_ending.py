"""Both ways to win, the partial victory, every defeat; returns and metrics."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from games.bitset import mask_of
from games.eidolon import Eidolon
from games.eidolon.params import PRESETS
from games.eidolon.state import End
from games.eidolon.tiles import CHAMBERS, NUMBERS
from games.grid import Cell, Direction
from tests.games.eidolon.scenes import Scene, place, scene

NORTH, EAST = place("minotaur", 0, -1), place("psychomancer", 1, 0)
END, FIRE = place("end", 0, 1), place("fire_of_eidolon", -1, 0, 270)


def carrying(*tiles: Any, **options: Any) -> Scene:
    """Seat 0 has the Fire; all seals are broken."""
    return scene(*tiles, **options).change(carrier=0, broken=0b111)


def test_carrier_on_the_end_wins() -> None:
    after = carrying(END, NORTH, at=((0, 0), (0, -1))).play("move S")
    assert after.end is End.WON
    assert after.game.is_terminal(after.state)
    assert after.game.reason(after.state) == "won: the Fire is out"


def test_others_on_the_end_do_not_win() -> None:
    after = carrying(END, NORTH, at=((0, -1), (0, 0))).play("wait", "move S")
    assert after.hero(1).cell == Cell(0, 1)
    assert after.end is None


def test_narrow_end_is_an_end() -> None:
    assert carrying(place("narrow_end", 0, 1, 180), end_doors=1).play("move S").end is End.WON


def test_vestibule_is_no_end_where_there_is_one() -> None:
    after = carrying(END, NORTH, at=((0, -1),)).play("move S")
    assert after.end is None
    assert after.play("move S").end is End.WON


def home(*at: tuple[int, int], **options: Any) -> Scene:
    return carrying(NORTH, EAST, at=at, tile_set="published25", win_at="vestibule", **options)


def test_all_heroes_on_the_vestibule_win_with_the_fire() -> None:
    here = home((0, -1), (1, 0))
    assert here.play("move S").end is None
    assert here.play("move S", "wait", "move W").end is End.WON


def test_order_of_arrival_does_not_matter() -> None:
    assert home((0, -1), (0, 0)).play("move S").end is End.WON


def test_lost_heroes_are_not_waited_for() -> None:
    assert home((0, -1), (0, 0)).put(1, cell=None).play("move S").end is End.WON


def test_partial_victory_where_others_cannot_come() -> None:
    far = place("floating_stones", 9, 9)
    here = carrying(NORTH, far, at=((0, -1), (9, 9)), tile_set="published25", win_at="vestibule")
    assert here.play("move S").end is End.PARTIAL


def test_hero_that_may_still_explore_its_way_home_is_waited_for() -> None:
    far = place("floating_stones", 9, 9)
    here = carrying(NORTH, far, at=((0, -1), (9, 9)), preset="published", barriers=0, skills=False)
    assert here.play("move S").end is None
    assert here.change(dungeon=replace(here.state.dungeon, stack=0)).play("move S").end is End.PARTIAL


def test_partial_victory_at_the_skull_with_the_fire_at_home() -> None:
    here = home((0, 0), (1, 0), cultists=True, cards=("mindeater",)).change(threat=8)
    assert here.play("wait").end is End.PARTIAL
    assert here.put(0, cell=here.hero(1).cell).play("wait").end is End.SKULL


def losing(card: str, *, void: tuple[str, ...], **fields: Any) -> Scene:
    """The chamber of this card is lost in the ritual; others are in the Void already. Nothing else ends the match."""
    tiles = (place("minotaur", 0, -1), place("psychomancer", 1, 0))
    here = scene(*tiles, preset="sim5", barriers=0, on=(card,), cards=(card,))
    return here.change(void=mask_of([NUMBERS[name] for name in void]), **fields).play("wait")


def test_two_lost_tokens_of_a_colour_lose_the_match() -> None:
    assert losing("minotaur", void=("dragonling",)).end is End.TOKENS
    assert losing("minotaur", void=()).end is None


def test_tokens_of_different_colours_do_not_add_up() -> None:
    assert losing("minotaur", void=("dragonling",)).end is End.TOKENS
    assert losing("minotaur", void=("psychomancer",)).end is None


def test_lost_tokens_do_not_matter_once_the_seal_is_broken() -> None:
    assert losing("minotaur", void=("dragonling",), broken=0b001).end is None
    assert losing("minotaur", void=("dragonling",), broken=0b010).end is End.TOKENS


def test_taken_tokens_are_not_lost() -> None:
    left = CHAMBERS & ~(1 << NUMBERS["minotaur"])
    assert losing("minotaur", void=("dragonling",), tokens=CHAMBERS).end is End.TOKENS
    assert losing("minotaur", void=("dragonling",), tokens=left).end is None


def test_match_without_heroes_is_lost() -> None:
    here = scene(place("minotaur", 7, 7), at=((7, 7),), preset="sim5", on=("minotaur",), cards=("minotaur",))
    assert here.play("wait").end is End.HEROES


def test_fire_lost_with_its_carrier_loses_the_match() -> None:
    lonely = place("minotaur", 7, 7)
    here = carrying(lonely, at=((7, 7), (0, 0)), preset="sim5", on=("minotaur",), cards=("minotaur",))
    assert here.play("wait").end is End.UNREACHABLE


def test_known_map_without_a_way_to_what_is_needed_is_lost() -> None:
    """All chambers have been emptied; the seals are broken; a corridor between the hero and the Fire falls."""
    corridor, fire = place("skeletal_guards", 0, -1), place("fire_of_eidolon", 0, -2)
    here = scene(corridor, fire, END, preset="sim4", barriers=0, on=("skeletal_guards",), cards=("skeletal_guards",))
    after = here.change(broken=0b111).play("wait")
    assert after.state.tiles_lost == 1
    assert after.end is End.UNREACHABLE
    assert after.game.reason(after.state) == "lost: something needed cannot be reached any more"


def test_detour_keeps_the_match_going() -> None:
    round_about = (place("secret_passage_x", 1, 0), place("secret_passage_y", 0, -2), place("minotaur", 0, -1))
    fire = place("fire_of_eidolon", 0, -3)
    here = scene(*round_about, fire, END, preset="sim4", barriers=0, on=("minotaur",), cards=("minotaur",))
    after = here.change(broken=0b111).play("wait")
    assert after.state.tiles_lost == 1
    assert after.end is None


def test_master_skill_that_could_help_keeps_the_match_going() -> None:
    corridor, fire = place("skeletal_guards", 0, -1), place("fire_of_eidolon", 0, -2)
    options: dict[str, Any] = {"preset": "sim4", "barriers": 0, "skills": True, "heroes": "wizard"}
    here = scene(corridor, fire, END, on=("skeletal_guards",), cards=("skeletal_guards",), **options)
    after = here.change(broken=0b111)
    assert after.play("wait").end is None
    assert after.put(0, is_master_used=True).play("wait").end is End.UNREACHABLE


def test_unknown_map_without_a_way_into_the_rest_is_sealed() -> None:
    closed = [place("mimic_chest", 1, 0, 90), place("voraxs_heart", -1, 0, 270), place("voraxs_focus", 0, 1, 180)]
    last = scene(*closed, known_map=False, stack=("fire_of_eidolon", "voraxs_knowledge")).play("explore N")
    assert last.end is End.SEALED
    assert last.game.reason(last.state).startswith("sealed")


def test_open_door_keeps_an_unknown_map_going() -> None:
    closed = [place("mimic_chest", 1, 0, 90), place("voraxs_heart", -1, 0, 270)]
    after = scene(*closed, known_map=False, stack=("fire_of_eidolon", "voraxs_knowledge")).play("explore N")
    assert after.state.dungeon.frontier(Cell(0, 0)) == [Direction.S]
    assert after.end is None


def test_rounds_run_out() -> None:
    here = scene(NORTH, at=((0, 0), (0, 0)), max_game_rounds=2).play("wait", "wait", "wait")
    assert here.end is None
    after = here.play("wait")
    assert after.end is End.ROUNDS
    assert after.state.game_round == 2


def test_victory_with_fewer_ap_returns_more() -> None:
    direct = carrying(END, NORTH).play("move S")
    detour = carrying(END, NORTH).play("move N", "move S", "move S")
    assert direct.end is detour.end is End.WON
    assert 1 < detour.returns()[0] < direct.returns()[0] < 2


def test_partial_victory_returns_less_than_any_victory_and_more_than_defeat() -> None:
    far = place("floating_stones", 9, 9)
    here = carrying(NORTH, far, at=((0, -1), (9, 9)), tile_set="published25", win_at="vestibule").play("move S")
    assert 0.5 < here.returns()[0] <= 1


def test_defeat_returns_nothing() -> None:
    after = scene(NORTH, max_game_rounds=1).play("wait")
    assert after.returns() == (0.0,)


def test_metrics_tell_what_the_team_and_each_hero_did() -> None:
    after = carrying(END, NORTH, at=((0, -1), (0, 0))).play("grab", "move S", "move S")
    own, other = after.game.metrics(after.state)
    assert (own["won"], own["ap_spent"], own["path_length"], own["tokens"], own["team_ap_spent"]) == (1, 3, 2, 1, 3)
    assert (other["ap_spent"], other["team_ap_spent"], other["team_seals"]) == (0, 3, 3)


SIMULATIONS = {
    "sim1": (True, 0, "none", False),
    "sim2": (True, 6, "stars", False),
    "sim3": (False, 6, "stars", False),
    "sim4": (True, 6, "stars", True),
    "sim5": (False, 6, "stars", True),
}


@pytest.mark.parametrize(("name", "expected"), SIMULATIONS.items())
def test_simulations_are_presets(name: str, expected: tuple[object, ...]) -> None:
    rules = Eidolon({"preset": name}).rules
    assert (rules.known_map, rules.barriers, rules.specialization, rules.cultists) == expected


def test_published_is_the_board_game() -> None:
    rules = Eidolon({"preset": "published"}).rules
    assert (rules.tile_set, rules.win_at, rules.known_map) == ("published25", "vestibule", False)
    assert rules.cultists
    assert rules.skills
    assert rules.vestibule_rule


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_for_one_to_six_heroes(preset: str) -> None:
    for seats in range(1, 7):
        assert len(Eidolon({"preset": preset}, seats=seats).initial_state(0).heroes) == seats


def test_parameters_beside_a_preset_win_over_it() -> None:
    assert Eidolon({"preset": "sim2"}).rules.barriers == 6
    assert Eidolon({"preset": "sim2", "barriers": 0}).rules.barriers == 0


def test_resolved_parameters_give_the_same_game() -> None:
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
