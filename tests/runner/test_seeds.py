"""Seeds and ids: what a bot is told is no help in guessing the tournament's seed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridjoust.runner import seeds
from gridjoust.runner.config.values import BotEntry, GameEntry, Tournament
from gridjoust.runner.config.variants import with_variants
from gridjoust.runner.play.heading import start_for
from gridjoust.runner.schedule import Pairing, make_schedule
from gridjoust.runner.seeds import bot_seed, draw_seed, keyed_id, keyed_id_of, match_seed, plain_key, run_key
from gridjoust.runner.wire.protocol import Start

GUESSES = range(5001)
KEYS = st.binary(min_size=1, max_size=64)


def played(seed: int | str) -> tuple[Tournament, Pairing, Start]:
    """A tournament, its first match, and all that the bot in seat 0 is told before its first turn."""
    bots = tuple(BotEntry(name=name, bot="random") for name in ("mine", "other"))
    game = GameEntry(game="bomber", params={"max_ticks": 20})
    loaded = with_variants(
        Tournament(tournament="cup", games=(game,), bots=bots, seed=seed), source=Path("cup.yaml"), maps={}
    )
    pairing = next(make_schedule(loaded, hash_program=lambda _: "hash"))
    rules = loaded.variants[0].game
    deal = rules.initial_state(pairing.seed)
    return loaded.config, pairing, start_for(pairing.entrants[0], pairing, rules, deal, loaded.config.run_key)


def cheap_keys(guess: int) -> Iterator[bytes]:
    """What somebody may take for the key who does not want to pay for the stretched one."""
    yield from (b"", str(guess).encode(), guess.to_bytes(8, "big"), guess.to_bytes(8, "little"), plain_key(guess))
    yield hashlib.sha256(str(guess).encode()).digest()


def cheap_numbers(guess: int, match_id: str, seat: int) -> Iterator[int]:
    """What `bot_seed` would be if it cost a hash: keyed with the seed, or with the seed in the address."""
    yield from (bot_seed(key, match_id, seat) for key in cheap_keys(guess))
    address = json.dumps(["bot", guess, match_id, seat], separators=(",", ":")).encode()
    yield int.from_bytes(hashlib.blake2b(address, digest_size=8).digest(), "big") % 2**53


@pytest.mark.gate
def test_a_bot_that_tries_small_seeds_without_stretching_them_finds_nothing() -> None:
    config, _, start = played(4711)
    found = [guess for guess in GUESSES if start.bot_seed in cheap_numbers(guess, start.match, start.seat)]
    assert found == []
    assert start.bot_seed == bot_seed(config.run_key, start.match, start.seat)  # the same address with the key


@pytest.mark.gate
def test_a_match_id_does_not_tell_whether_a_guessed_seed_of_the_match_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    contents: list[object] = []

    def watched(key: bytes, content: Mapping[str, object], varying: str) -> Callable[[int], str]:
        def make(number: int) -> str:
            contents.append({**content, varying: number})
            return keyed_id_of(key, content, varying)(number)

        return make

    monkeypatch.setattr("gridjoust.runner.schedule.stream.keyed_id_of", watched)
    config, pairing, start = played(4711)
    content = contents[0]  # all that decides the match, its seed included

    ids = [seeds.content_id(content), *(keyed_id(key, content) for guess in GUESSES for key in cheap_keys(guess))]
    assert start.match not in ids
    assert start.match == pairing.match_id == keyed_id(config.run_key, content)


def test_a_key_is_stretched_by_scrypt_as_its_rfc_has_it_and_once() -> None:
    seeds._stretched.cache_clear()
    keys = {run_key(7, tournament="cup", games=games) for games in (["maze", "duel"], ("duel", "maze", "duel"))}
    salt = b'["run","cup",["duel","maze"]]'
    assert keys == {hashlib.scrypt(b"7", salt=salt, n=2**15, r=8, p=1, maxmem=2**26, dklen=32)}
    assert seeds._stretched.cache_info().misses == 1


@pytest.mark.gate
def test_another_seed_name_or_set_of_games_is_another_key() -> None:
    keys = {
        run_key(7, tournament="cup", games=["a"]),
        run_key(8, tournament="cup", games=["a"]),
        run_key("7" * 32, tournament="cup", games=["a"]),
        run_key(7, tournament="cu", games=["a"]),
        run_key(7, tournament="cup", games=["a", "b"]),
    }
    assert len(keys) == 5


def test_a_seed_that_has_not_been_drawn_yet_gives_no_key() -> None:
    with pytest.raises(ValueError, match="expected a seed, got none yet"):
        run_key("secret", tournament="cup", games=["duel"])


def test_drawn_seeds_are_128_bits_that_differ() -> None:
    drawn = {draw_seed() for _ in range(100)}
    assert len(drawn) == 100
    assert {len(bytes.fromhex(seed)) for seed in drawn} == {16}


@pytest.mark.gate
@given(KEYS, st.text(max_size=5), st.text(max_size=5), st.integers(1, 10**6))
def test_seeds_stay_exact_in_every_language(key: bytes, variant: str, map_name: str, number: int) -> None:
    assert 0 <= match_seed(key, variant, map_name, number) < 2**53
    assert 0 <= bot_seed(key, variant, number) < 2**53


@settings(max_examples=50)
@given(KEYS, st.lists(st.tuples(st.text(max_size=3), st.text(max_size=3), st.integers(1, 9), st.integers(1, 3))))
def test_every_address_has_a_seed_of_its_own(key: bytes, addresses: list[tuple[str, str, int, int]]) -> None:
    found = {match_seed(key, *address[:3], number=address[3]) for address in addresses}
    assert len(found) == len(set(addresses))
    assert len({bot_seed(key, "match", seat) for seat in range(4)} | found) == 4 + len(found)


@given(KEYS, KEYS)
def test_the_same_key_gives_the_same_seeds_and_another_one_others(one: bytes, other: bytes) -> None:
    of_each = [(match_seed(key, "duel", "", 1), bot_seed(key, "m", 0), keyed_id(key, [1])) for key in (one, other)]
    assert (of_each[0] == of_each[1]) == (one == other)


def test_seeds_and_ids_are_the_same_in_every_version_of_the_runner() -> None:
    key = run_key(2026, tournament="cup", games=["bomber"])
    assert key.hex() == "7df8e3974df5d01d6011797f0013ffbddd55aa98fde7c3ed318968e1293ad93f"
    assert (match_seed(key, "bomber", "", 1), bot_seed(key, "m", 0)) == (7692967859851416, 1480786982712967)
    assert keyed_id(key, {"a": 1}) == "d496c507c7e8532b"
