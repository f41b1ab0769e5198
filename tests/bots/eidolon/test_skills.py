"""When heroes use their skills: one situation for each, and the same without need."""

from __future__ import annotations

from typing import Any

import pytest

from gridjoust.bots.api import Bot
from gridjoust.bots.eidolon.astar import AStarHero
from gridjoust.games.eidolon.dungeon import Placed
from gridjoust.games.eidolon.state import End
from tests.bots.eidolon.matches import HEROES, first_answer, play
from tests.games.eidolon.scenes import Scene, place, scene, tiles_of

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


def finishing(*tiles: Placed, standing: int = 0b001, **options: Any) -> Scene:
    """All tokens of the one seal that stands, by default the red one, are in hand."""
    options = {"tokens": ((6, 0, 0),), "skills": True, **options}
    return scene(*tiles, **options).change(tokens=0, broken=0b111 & ~standing)


PRESSED: dict[str, Any] = {"preset": "sim4", "barriers": 0}
SEAL_NORTH = place("voraxs_heart", 0, -1)
RED_WAY, BLUE_WAY = "voraxs_heart", "voraxs_knowledge"
BLUE: dict[str, Any] = {"heroes": "wizard", "standing": 0b100, "tokens": ((0, 0, 6),)}
TWO_BRIDGES = finishing(
    NORTH, place("voracious_plant", 0, -2), place("voraxs_heart", 0, -3), END, heroes="paladin",
    on=("minotaur", "voracious_plant"), cards=("minotaur", "voracious_plant"), **PRESSED,
)  # fmt: skip
LONELY = place("dragonling", 5, 5)  # nobody can walk to it
FIRE = place("fire_of_eidolon", 6, 6)
# neither the corridor nor the seal has a door between them
WALLED = finishing(place("skeletal_guards", 0, -1), place("voraxs_heart", 1, -1), at=((0, -1),), heroes="rogue")
BARRED = finishing(SEAL_NORTH, heroes="rogue", blocked=((0, 0, "N"),)).put(0, is_master_used=True)
LOST = tiles_of("skeletal_guards")
WALLS = (place("skeletal_guards", -1, -1), place("pendulum_blades", 1, -1), place("ogre_brute", 0, -2, 180))


def before_a_pocket(hero: str, *walls: Placed) -> Scene:
    """With all three walls the cell in the north leads nowhere else."""
    return finishing(*walls, known_map=False, heroes=hero, stack=("voraxs_heart",))


DECISIONS: dict[str, tuple[Scene, str]] = {
    "the Warrior attacks the next tile": (under_threat("warrior", ap_left=2), "attack N"),
    "the Paladin attacks anywhere": (under_threat("paladin", at=(0, 1), ap_left=2), "attack @0,-1"),
    "the Warrior rushes along its way and frees it": (under_threat("warrior", at=(0, 1)), "master N N N"),
    "the Paladin strikes where several cultists stand": (TWO_BRIDGES, "master @0,-2"),
    "the Ranger fetches a token that nobody can walk to": (
        finishing(SEAL_NORTH, LONELY, tokens=((5, 0, 0),), heroes="ranger", **PRESSED).change(tokens=1 << LONELY.tile),
        "master @5,5 0",
    ),
    "the Rogue surges before a long way": (finishing(*street(5, RED_WAY, degrees=90), heroes="rogue"), "master"),
    "not before a short one": (finishing(*street(2, RED_WAY, degrees=90), heroes="rogue"), "move E"),
    "it walks through walls in its great turn": (
        WALLED.put(0, is_master_used=True).change(is_surging=True, ap_left=6), "move E",
    ),
    "it clears barriers": (BARRED, "break N"),
    "but in its great turn": (BARRED.change(is_surging=True, ap_left=6), "move N"),
    "the Wizard leaps to a seal far away": (finishing(*street(6, BLUE_WAY, degrees=90), **BLUE), "master @6,0"),
    "not to a near one": (finishing(*street(3, BLUE_WAY, degrees=90), **BLUE), "move E"),
    "nor to the Fire where no way leads out": (scene(FIRE, END, skills=True, heroes="wizard").change(broken=7), "wait"),
    "else it does": (
        scene(FIRE, place("narrow_end", 6, 7, 180), skills=True, heroes="wizard", end_doors=1).change(broken=7),
        "master @6,6",
    ),
    "the Wizard sends what another gathers, who stands at the seal": (
        finishing(
            SEAL_NORTH, END, at=((0, 1), (0, -1)), tokens=((1, 0, 0), (5, 0, 0)), heroes="wizard warrior", **PRESSED
        ),
        "send r 1",
    ),
    "the Sage brings a lost bridge back": (
        finishing(SEAL, END, heroes="sage", **PRESSED).change(void=LOST, removed_cards=LOST),
        "master skeletal_guards @0,-1",
    ),
    "not while nothing is cut off": (under_threat("sage", void=tiles_of("mindeater"), cultists=0), "move N"),
    "the Ranger stays out of a pocket": (before_a_pocket("ranger", *WALLS), "explore N stay"),
    "others enter": (before_a_pocket("sage", *WALLS), "explore N"),
    "so does the Ranger where a way leads on": (before_a_pocket("ranger", *WALLS[:2]), "explore N"),
}  # fmt: skip
PLAIN_DECISIONS: dict[str, tuple[Scene, str]] = {  # of A*, which goes where the skill is missing
    "others have to go there": (under_threat("sage", ap_left=2), "move N"),
    "without skills the Warrior has to": (
        finishing(NORTH, SEAL, END, tokens=((0, 0, 0),), on=("minotaur",), cards=("minotaur",), heroes="warrior",
                  **{**PRESSED, "skills": False}).change(ap_left=2),
        "move N",
    ),
    "the carrier of the Fire walks": (
        finishing(*street(6, "narrow_end", degrees=90), heroes="wizard", end_doors=1).change(broken=7, carrier=0),
        "move E",
    ),
    "it fights nobody from afar": (
        finishing(NORTH, place("end", 0, -2), on=("minotaur",), cards=("minotaur",), heroes="warrior", **PRESSED)
        .change(broken=7, carrier=0, ap_left=2),
        "move N",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("here", "answer"), DECISIONS.values(), ids=DECISIONS)
@pytest.mark.parametrize("bot", HEROES)
def test_skills_are_used_where_they_are_worth_it(bot: type[Bot], here: Scene, answer: str) -> None:
    assert first_answer(bot(), here) == answer


@pytest.mark.parametrize(("here", "answer"), PLAIN_DECISIONS.values(), ids=PLAIN_DECISIONS)
def test_without_the_skill_the_hero_goes_there(here: Scene, answer: str) -> None:
    assert first_answer(AStarHero(), here) == answer


def test_strike_between_two_bridges_saves_both() -> None:
    assert TWO_BRIDGES.play("master @0,-2").state.tiles_lost == 0


@pytest.mark.gate
def test_published_matches_are_played_with_all_skills() -> None:
    _, state = play(AStarHero(), preset="published", seats=6, seed=3)
    assert state.end is not None
    assert any(hero.is_master_used for hero in state.heroes)


@pytest.mark.gate
def test_some_published_matches_are_won() -> None:
    ends = (play(AStarHero(), preset="published", seats=1, seed=seed)[1].end for seed in range(6))
    assert End.WON in ends
