"""What is threatened, what it is worth to fight, and how many ritual cards come: against the rules' own ritual too."""

from __future__ import annotations

import pytest

from gridjoust.bots.eidolon.roads import RoadBook
from gridjoust.bots.eidolon.roles import Requirements
from gridjoust.bots.eidolon.threats import DOOM_SHARE, MATCH_WORTH, OPEN_SHARE, SAFE_SHARE, Forecast, Horizon, Threats
from gridjoust.games.eidolon.tiles import COLOURS
from gridjoust.games.grid import Cell
from tests.bots.eidolon.matches import MEASURE
from tests.games.eidolon.scenes import Scene, place, scene, tiles_of

NORTH, SEAL, END = place("minotaur", 0, -1), place("voraxs_heart", 0, -2), place("end", 0, 1)
NORTH_CELL = Cell(0, -1)
MINOTAUR = NORTH.tile


def threats(here: Scene, *, turns: float = 1.0) -> Threats:
    """Everything is done in that many turns, a card each."""
    horizon = Horizon({0: turns}, dict.fromkeys(COLOURS, turns), turns)
    return Threats(Requirements(here.game.rules, here.state, RoadBook(here.game.rules, MEASURE)), horizon)


def threatened(*behind: object, tokens: tuple[str, ...] = (), **fields: object) -> Scene:
    """A cultist on the minotaur, whose card is one of two; only the named tokens lie."""
    laid = (NORTH, *behind, END)
    here = scene(*laid, preset="sim4", barriers=0, on=("minotaur",), cards=("minotaur", "mindeater"))  # type: ignore[arg-type]
    return here.change(tokens=tiles_of(*tokens), **fields)


REDS = ("minotaur", "voracious_plant", "dragonling", "fel_knight", "skeletal_guards", "ogre_brute", "dark_slime")
ARRIVED = scene(  # beyond the chamber with all that is needed
    NORTH, place("end", 0, -2), at=((0, -2),), preset="sim4", barriers=0, on=("minotaur",), cards=("minotaur",)
).change(tokens=0, broken=0b111, carrier=0)
UNKNOWN = scene(NORTH, SEAL, END, preset="sim5", barriers=0, on=("minotaur",), cards=("minotaur", "mindeater"))
STAKES: dict[str, tuple[Scene, float]] = {  # what it is worth to fight on the minotaur, in matches
    "a bridge is worth the odds that it falls": (threatened(SEAL), 1 / 2),
    "nothing where nobody needs what is behind it": (threatened(SEAL, broken=0b001), 0),
    "nor where nothing is": (threatened(), 0),
    "nor where all have passed it with all they need": (ARRIVED, 0),
    "less where another way may be found": (UNKNOWN.change(tokens=0), OPEN_SHARE / 2),
    "a token without which a colour cannot be completed is worth the match": (threatened(tokens=("minotaur",)), 1 / 2),
    "one that somebody holds is safe": (threatened(tokens=("minotaur",)).put(0, tokens=(6, 0, 0)), 0),
    "one to spare is worth nothing while no other is threatened": (threatened(tokens=REDS), 0),
}


@pytest.mark.parametrize(("here", "matches"), STAKES.values(), ids=STAKES)
def test_stakes(here: Scene, matches: float) -> None:
    assert threats(here).stakes == {NORTH_CELL: pytest.approx(MATCH_WORTH * matches)}


def test_token_to_spare_is_worth_more_the_likelier_another_is_lost() -> None:
    """Both cards come within the turn and a half: a second red token may go, and with it the match."""
    here = threatened(place("dragonling", 1, 0, 90), tokens=REDS, removed_cards=tiles_of("psychomancer"))
    both = threats(here.change(cultists=tiles_of("minotaur", "dragonling")), turns=1.5)
    assert 0 < both.stakes[NORTH_CELL] < MATCH_WORTH
    assert both.token_worth[NORTH_CELL] > threats(here, turns=1.5).token_worth[NORTH_CELL]


def test_things_that_will_be_done_before_the_card_comes_are_hardly_threatened() -> None:
    assert threats(threatened(SEAL), turns=0.1).stakes[NORTH_CELL] < threats(threatened(SEAL)).stakes[NORTH_CELL]


def test_detour_to_a_chamber_whose_card_is_discarded_can_wait() -> None:
    found = threats(threatened(SEAL, discards=tiles_of("minotaur")), turns=1.5)
    assert found.worth[NORTH_CELL] == SAFE_SHARE * found.stakes[NORTH_CELL] > 0


def test_detours_are_worth_less_where_much_else_is_threatened() -> None:
    chambers = ("minotaur", "psychomancer")
    behind = (SEAL, END, place("psychomancer", 1, 0), place("voraxs_knowledge", 2, 0, 90))
    two = scene(NORTH, *behind, preset="sim4", barriers=0, on=chambers, cards=chambers).change(tokens=0)
    assert threats(two).stakes == {NORTH_CELL: MATCH_WORTH / 2, Cell(1, 0): MATCH_WORTH / 2}
    assert threats(two).worth[NORTH_CELL] == MATCH_WORTH / 2 * (1 - DOOM_SHARE / 2)


def test_chamber_with_a_cultist_alone_is_threatened() -> None:
    for on in ((), ("minotaur",)):
        found = threats(scene(NORTH, SEAL, preset="sim4", barriers=0, on=on)).worth
        assert list(found) == [NORTH_CELL] * len(on)


def forecast(here: Scene) -> Forecast:
    return Forecast(here.game.rules, here.state)


def deck(*cards: str, discarded: tuple[str, ...] = ()) -> Scene:
    """A cultist on the minotaur, and these cards; those discarded come with the next shuffle."""
    here = scene(NORTH, preset="sim4", barriers=0, on=("minotaur",), cards=(*cards, *discarded))
    return here.change(discards=tiles_of(*discarded))


# normal: one card a turn for the first pass of 21, two for the second, one for the third
PASSES = {0: 0, 1: 1, 10: 10, 20: 20, 21: 21, 22: 23, 31.5: 42, 33.5: 44}
CARDS = [(scene(preset="sim4"), turns, cards) for turns, cards in PASSES.items()]
CARDS += [(deck("minotaur", "mindeater"), turns, cards) for turns, cards in {2: 2, 3: 4}.items()]  # shorter passes
CARDS += [(scene(preset="sim2"), 10, 0)]  # no cultists


@pytest.mark.parametrize(("here", "turns", "cards"), CARDS)
def test_cards_follow_the_track_and_its_shuffles(here: Scene, turns: float, cards: float) -> None:
    assert forecast(here).cards_in(turns) == pytest.approx(cards)


THREE = deck("minotaur", "mindeater", "dragonling")
FOUR = deck("minotaur", "mindeater", "dragonling", "fel_knight")
LATER = deck("mindeater", "dragonling", discarded=("minotaur",))


@pytest.mark.parametrize(
    ("here", "cards", "odds"), [(FOUR, 1, 1 / 4), (FOUR, 9, 1), (LATER, 2, 0), (LATER, 3, 1 / 3), (THREE, 1, 1 / 3)]
)
def test_chamber_with_a_cultist_falls_with_its_card_and_not_before_the_shuffle(
    here: Scene, cards: float, odds: float
) -> None:
    assert forecast(here).loss_odds(MINOTAUR, cards) == pytest.approx(odds)


def test_fight_saves_a_chamber_for_one_pass() -> None:
    assert [forecast(deck("minotaur", "mindeater")).odds_saved(MINOTAUR, cards) for cards in (2, 4)] == [1, 0]


def test_odds_are_those_of_the_rules() -> None:
    """The first card of a ritual out of three takes the chamber in a third of 300 matches (99.9 %: 24 % to 43 %)."""
    assert 72 <= sum(THREE.change(seed=seed).play("wait").state.tiles_lost for seed in range(300)) <= 129
