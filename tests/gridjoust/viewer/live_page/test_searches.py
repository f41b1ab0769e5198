"""What bots of running matches show: kept by match and seat, from the bot that sits there."""

from __future__ import annotations

import msgspec

from gridjoust.runner.wire.protocol import Layer, Shown
from gridjoust.simulation import play
from gridjoust.viewer.live_page.boards import Boards
from gridjoust.viewer.live_page.events import EventLog
from gridjoust.viewer.live_page.searches import LatestSearches

WAY = [Layer("way", "path", [0, 0, 1, 0])]


async def test_only_the_bot_of_a_seat_shows_for_it_and_only_in_a_match_that_is_known() -> None:
    header = play("bomber", ["random", "random"], seed=1, params={"max_ticks": 2}).record.header
    names = [msgspec.structs.replace(seat, bot=bot) for seat, bot in zip(header.seats, "ab", strict=True)]
    header = msgspec.structs.replace(header, seats=names)
    boards = Boards(EventLog())
    boards.hear(header.match_id, [header])
    searches = LatestSearches(boards)

    def tell(bot: str, *, match: str = header.match_id, seat: int = 0, turn: int = 1) -> None:
        searches.on_message(f"joust/r/bot/{bot}.0/shown", msgspec.json.encode(Shown(match, seat, turn, WAY)))

    tell("a", turn=1)
    tell("a", turn=2)
    searches.on_message("joust/r/bot/a.0/shown", b'{"match":"%s","seat":0,"shown":[]}' % header.match_id.encode())
    tell("b", turn=3)  # seat 0 is not its own
    tell("b", seat=1, turn=4)
    tell("a", seat=7)
    tell("a", match="another")
    searches.on_message("joust/r/bot/a.0/shown", b'{"match": 7}')
    assert {seat: shown.turn for seat, shown in searches.of(header.match_id).items()} == {0: 2, 1: 4}
    assert searches.of("another") == {}


async def test_layers_in_an_answer_are_of_the_turn_that_is_open() -> None:
    record = play("bomber", ["random", "random"], seed=1, params={"max_ticks": 2}).record
    boards = Boards(EventLog())
    boards.hear(record.header.match_id, [record.header])
    boards.hear(record.header.match_id, [record.lines[0]])
    searches = LatestSearches(boards)
    answer = {"type": "action", "match": record.header.match_id, "seat": 1, "ask": 5, "action": "up", "shown": WAY}
    searches.on_message(f"joust/r/bot/{record.header.seats[1].bot}.0/shown", msgspec.json.encode(answer))
    [shown] = searches.of(record.header.match_id).values()
    assert (shown.turn, shown.layers) == (2, WAY)
