"""When heroes use their skills: one situation for each, and the same without need."""

from __future__ import annotations

import pytest

from bots.api import Bot
from bots.eidolon.astar import AStarHero
from bots.eidolon.beam import BeamHero
from bots.eidolon.dijkstra_map import DijkstraMapHero
from bots.eidolon.dstar_lite import DStarLiteHero
from games.bitset import mask_of
from games.eidolon.dungeon import Placed
from games.eidolon.state import End
from games.eidolon.tiles import NUMBERS
from tests.bots.eidolon.matches import first_answer, play
from tests.games.eidolon.scenes import Scene, place, scene

HEROES: tuple[type[Bot], ...] = (AStarHero, DStarLiteHero, DijkstraMapHero, BeamHero)
END = place("end", 0, 1)
NORTH = place("minotaur", 0, -1)  # a bridge to the red seal, with a cultist on it
SEAL = place("voraxs_heart", 0, -2)


def street(length: int, name: str, *, degrees: int) -> tuple[Placed, ...]:
    """Chambers with doors east and west, and a last tile behind them."""
    chambers = ("skeletal_guards", "pendulum_blades", "acid_jets", "sphynxs_riddle")
    middle = ("secret_passage_x", "voracious_plant", "floating_stones", "laughing_shadow", "psychomancer")
    row = [place(chamber, x, 0, 90) for x, chamber in enumerate(chambers[: length - 1], start=1)]
    row += [place(tile, x, 0) for x, tile in enumerate(middle, start=len(row) + 1) if x < length]
    return (*row, place(name, length, 0, degrees))


def under_threat(hero: str, *, at: tuple[int, int] = (0, 0), **fields: object) -> Scene:
    """The bridge's cultist may take it with the next card; the hero lacks nothing but its way to the seal."""
    here = scene(
        NORTH, SEAL, END, at=(at,), tokens=((6, 0, 0),), on=("minotaur",), cards=("minotaur",), preset="sim4",
        barriers=0, skills=True, heroes=hero,
    )  # fmt: skip
    return here.change(**{"tokens": 0, "broken": 0b110, **fields})


@pytest.mark.parametrize("bot", HEROES)
def test_warrior_attacks_the_next_tile(bot: type[Bot]) -> None:
    assert first_answer(bot(), under_threat("warrior", ap_left=2)) == "attack N"


@pytest.mark.parametrize("bot", HEROES)
def test_paladin_attacks_anywhere(bot: type[Bot]) -> None:
    assert first_answer(bot(), under_threat("paladin", at=(0, 1), ap_left=2)) == "attack @0,-1"


def test_others_have_to_go_there() -> None:
    assert first_answer(AStarHero(), under_threat("sage", ap_left=2)) == "move N"


def test_skills_are_left_alone_where_they_are_not_played_with() -> None:
    here = scene(NORTH, SEAL, END, on=("minotaur",), cards=("minotaur",), preset="sim4", barriers=0, heroes="warrior")
    assert first_answer(AStarHero(), here.change(tokens=0, broken=0b110, ap_left=2)) == "move N"


@pytest.mark.parametrize("bot", HEROES)
def test_warrior_rushes_along_its_way_and_frees_it(bot: type[Bot]) -> None:
    assert first_answer(bot(), under_threat("warrior", at=(0, 1))) == "master N N N"


@pytest.mark.parametrize("bot", HEROES)
def test_paladin_strikes_where_several_cultists_stand(bot: type[Bot]) -> None:
    """Two bridges in a row."""
    here = scene(
        NORTH, place("voracious_plant", 0, -2), place("voraxs_heart", 0, -3), END, tokens=((6, 0, 0),), preset="sim4",
        barriers=0, on=("minotaur", "voracious_plant"), cards=("minotaur", "voracious_plant"), skills=True,
        heroes="paladin",
    ).change(tokens=0, broken=0b110)  # fmt: skip
    assert first_answer(bot(), here) == "master @0,-2"
    assert here.play("master @0,-2").state.tiles_lost == 0


@pytest.mark.parametrize("bot", HEROES)
def test_ranger_fetches_a_token_that_nobody_can_walk_to(bot: type[Bot]) -> None:
    lonely = place("dragonling", 5, 5)
    here = scene(
        SEAL._replace(cell=NORTH.cell), lonely, tokens=((5, 0, 0),), preset="sim4",
        barriers=0, skills=True, heroes="ranger",
    )  # fmt: skip
    assert first_answer(bot(), here.change(tokens=mask_of([lonely.tile]), broken=0b110)) == "master @5,5 0"


@pytest.mark.parametrize("bot", HEROES)
def test_rogue_surges_before_a_long_way(bot: type[Bot]) -> None:
    far = street(5, "voraxs_heart", degrees=90)
    near = street(2, "voraxs_heart", degrees=90)
    for tiles, answer in ((far, "master"), (near, "move E")):
        here = scene(*tiles, tokens=((6, 0, 0),), skills=True, heroes="rogue").change(tokens=0, broken=0b110)
        assert first_answer(bot(), here) == answer


@pytest.mark.parametrize("bot", HEROES)
def test_rogue_walks_through_walls_in_its_great_turn(bot: type[Bot]) -> None:
    """Neither the corridor nor the seal has a door between them."""
    here = scene(
        place("skeletal_guards", 0, -1), place("voraxs_heart", 1, -1), at=((0, -1),), tokens=((6, 0, 0),), skills=True,
        heroes="rogue",
    )  # fmt: skip
    here = here.put(0, is_master_used=True).change(tokens=0, broken=0b110, is_surging=True, ap_left=6)
    assert first_answer(bot(), here) == "move E"


@pytest.mark.parametrize("bot", HEROES)
def test_rogue_need_not_clear_barriers_in_its_great_turn(bot: type[Bot]) -> None:
    here = scene(
        SEAL._replace(cell=NORTH.cell), tokens=((6, 0, 0),), skills=True, heroes="rogue", blocked=((0, 0, "N"),)
    )
    here = here.put(0, is_master_used=True).change(tokens=0, broken=0b110)
    assert first_answer(bot(), here) == "break N"
    assert first_answer(bot(), here.change(is_surging=True, ap_left=6)) == "move N"


@pytest.mark.parametrize("bot", HEROES)
def test_wizard_leaps_to_a_seal_far_away(bot: type[Bot]) -> None:
    far = street(6, "voraxs_knowledge", degrees=90)
    near = street(3, "voraxs_knowledge", degrees=90)
    for tiles, answer in ((far, "master @6,0"), (near, "move E")):
        here = scene(*tiles, tokens=((0, 0, 6),), skills=True, heroes="wizard").change(tokens=0, broken=0b011)
        assert first_answer(bot(), here) == answer


@pytest.mark.parametrize("bot", HEROES)
def test_wizard_leaps_to_the_fire_only_where_a_way_leads_out(bot: type[Bot]) -> None:
    fire = place("fire_of_eidolon", 6, 6)
    alone = scene(fire, END, skills=True, heroes="wizard").change(broken=0b111)
    joined = scene(fire, place("narrow_end", 6, 7, 180), skills=True, heroes="wizard", end_doors=1)
    assert first_answer(bot(), alone) == "wait"
    assert first_answer(bot(), joined.change(broken=0b111)) == "master @6,6"


@pytest.mark.parametrize("bot", HEROES)
def test_wizard_sends_what_another_gathers(bot: type[Bot]) -> None:
    """Seat 1 stands at the seal with five of its tokens."""
    here = scene(
        SEAL._replace(cell=NORTH.cell), END, at=((0, 1), (0, -1)), tokens=((1, 0, 0), (5, 0, 0)), preset="sim4",
        barriers=0, skills=True, heroes="wizard warrior",
    ).change(tokens=0, broken=0b110)  # fmt: skip
    assert first_answer(bot(), here) == "send r 1"


@pytest.mark.parametrize("bot", HEROES)
def test_sage_brings_a_lost_bridge_back(bot: type[Bot]) -> None:
    here = scene(SEAL, END, tokens=((6, 0, 0),), preset="sim4", barriers=0, skills=True, heroes="sage")
    lost = mask_of([NUMBERS["skeletal_guards"]])
    here = here.change(tokens=0, broken=0b110, void=lost, removed_cards=lost)
    assert first_answer(bot(), here) == "master skeletal_guards @0,-1"


@pytest.mark.parametrize("bot", HEROES)
def test_sage_keeps_its_skill_while_nothing_is_cut_off(bot: type[Bot]) -> None:
    here = under_threat("sage", void=mask_of([NUMBERS["mindeater"]]), cultists=0)
    assert first_answer(bot(), here) == "move N"


def test_carrier_of_the_fire_walks() -> None:
    here = scene(*street(6, "narrow_end", degrees=90), skills=True, heroes="wizard", end_doors=1)
    assert first_answer(AStarHero(), here.change(broken=0b111, carrier=0)) == "move E"


def test_carrier_of_the_fire_fights_nobody_from_afar() -> None:
    here = scene(
        NORTH, place("end", 0, -2), on=("minotaur",), cards=("minotaur",), preset="sim4", barriers=0, skills=True,
        heroes="warrior",
    )  # fmt: skip
    assert first_answer(AStarHero(), here.change(tokens=0, broken=0b111, carrier=0, ap_left=2)) == "move N"


WALLS = (place("skeletal_guards", -1, -1), place("pendulum_blades", 1, -1), place("ogre_brute", 0, -2, 180))


@pytest.mark.parametrize(
    ("hero", "walls", "answer"),
    [("ranger", WALLS, "explore N stay"), ("sage", WALLS, "explore N"), ("ranger", WALLS[:2], "explore N")],
)
def test_ranger_stays_out_of_a_pocket(hero: str, walls: tuple[Placed, ...], answer: str) -> None:
    here = scene(*walls, known_map=False, skills=True, heroes=hero, stack=("voraxs_heart",))
    here = here.put(0, tokens=(6, 0, 0)).change(tokens=0, broken=0b110)
    for bot in HEROES:
        assert first_answer(bot(), here) == answer


def test_published_matches_are_played_with_all_skills() -> None:
    _, state = play(AStarHero(), preset="published", seats=6, seed=3)
    assert state.end is not None
    assert any(hero.is_master_used for hero in state.heroes)


def test_some_published_matches_are_won() -> None:
    ends = [play(AStarHero(), preset="published", seats=1, seed=seed)[1].end for seed in range(6)]
    assert End.WON in ends
