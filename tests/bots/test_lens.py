"""What a bot shows of its search: kept where somebody looks, within bounds, and nothing at all in a match."""

from __future__ import annotations

from gridjoust.bots.api import Bot
from gridjoust.bots.lens import LIMIT_BYTES, MOST_LAYERS, Lens, ShownLayer


class Plain(Bot):
    """Only shows."""


def watched() -> tuple[Plain, Lens]:
    bot = Plain()
    bot.lens = Lens()
    return bot, bot.lens


def test_every_kind_of_layer_is_kept_as_numbers_or_words_and_taken_once() -> None:
    bot, lens = watched()
    bot.show("all", heat={(1, 2): 1 / 3}, path=[(0, 0), (1, 0)], nodes=[(2, 2)], frontier=[(3, 3)])
    bot.show("all", arrows=[((0, 0), (0, 1))], text="why")
    assert lens.take() == [
        ShownLayer("all", "heat", [1, 2, 0.333]),
        ShownLayer("all", "path", [0, 0, 1, 0]),
        ShownLayer("all", "nodes", [2, 2]),
        ShownLayer("all", "frontier", [3, 3]),
        ShownLayer("all", "arrows", [0, 0, 0, 1]),
        ShownLayer("all", "text", "why"),
    ]
    assert lens.take() == []


def test_a_layer_shown_again_for_the_same_answer_takes_the_place_of_the_first_and_gives_its_room_back() -> None:
    bot, lens = watched()
    for letter in "xyz":
        bot.show("long", text=letter * (LIMIT_BYTES - 100))
    bot.show("long", path=[(0, 0), (1, 0)])
    assert [(layer.kind, layer.data[0]) for layer in lens.take()] == [("text", "z"), ("path", 0)]
    assert lens.left_out == 0


def test_nothing_is_kept_where_nobody_looks() -> None:
    bot = Plain()
    bot.show("all", path=[(0, 0), (1, 0)])
    assert bot.lens is None


def test_what_is_too_much_for_one_answer_is_left_out_and_the_next_answer_has_room_again() -> None:
    bot, lens = watched()
    bot.show("long", text="x" * (LIMIT_BYTES - 100))
    bot.show("more", text="y" * 200)
    bot.show("less", text="z")
    assert [layer.name for layer in lens.take()] == ["long", "less"]
    assert lens.left_out == 1
    for number in range(MOST_LAYERS + 1):
        bot.show(str(number), text="x")
    assert len(lens.take()) == MOST_LAYERS
    assert lens.left_out == 2
