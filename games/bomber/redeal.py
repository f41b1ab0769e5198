"""Resample what one seat of bomber cannot see; everything that the seat sees stays exactly as it was.

The result is consistent. The total of ammo stays. The ammo of every bomb still comes back later. No two bombs explode
in the same tick. Every hit has a player who scored it and a player who took it. Every fire comes from a bomb that has
just exploded.
"""

from __future__ import annotations

import random

from gridjoust.games.bomber.params import Rules
from gridjoust.games.bomber.stages import blast
from gridjoust.games.bomber.state import FREE, METAL, ORE, SOFT, Bomb, Fire, Player, Seat, State, Token
from gridjoust.games.chance import SEED_LIMIT


def redeal(rules: Rules, state: State, seat: Seat, rng: random.Random) -> State:
    """Draw a new seed and treasure time; with `hidden`, also draw all that the seat does not observe."""
    fresh = redeal_unknown(rules, state, rng)
    return _redeal_hidden(rules, fresh, seat, rng) if rules.hidden else fresh


def redeal_unknown(rules: Rules, state: State, rng: random.Random) -> State:
    """Draw a new seed and treasure time; all the rest follows from what the seats have seen and done."""
    interval = rng.randint(rules.treasure_min_ticks, rules.treasure_max_ticks)
    return state._replace(seed=rng.randrange(SEED_LIMIT), treasure_due=state.tick + rng.randrange(interval))


def _redeal_hidden(rules: Rules, state: State, seat: Seat, rng: random.Random) -> State:
    bombs = _redeal_bombs(rules, state, seat, rng)
    hands, ammo_due = _redeal_ammo(rules, state, seat, bombs, rng)
    fresh = state._replace(
        players=_redeal_players(rules, state, seat, rng),
        blocks=_redeal_blocks(rules, state.blocks, rng),
        bombs=bombs,
        ammo=tuple(Token(token.cell, state.tick + rng.randrange(rules.ammo_lifetime_ticks)) for token in state.ammo),
        ammo_due=ammo_due,
    )
    players = list(fresh.players)
    for owner, player in enumerate(fresh.players):
        if owner != seat:
            laid = sum(bomb.owner == owner for bomb in bombs)
            players[owner] = player._replace(ammo=hands[owner], ammo_used=laid + rng.randrange(5))
    return fresh._replace(players=tuple(players), fires=_redeal_fires(rules, fresh, rng))


def _redeal_blocks(rules: Rules, blocks: bytes, rng: random.Random) -> bytes:
    fresh = bytearray(blocks)
    for cell, block in enumerate(blocks):
        if block >= ORE:
            fresh[cell] = ORE + rng.randint(1, rules.ore_hp)
        elif block > METAL:
            fresh[cell] = SOFT + rng.randint(1, rules.soft_hp)
    return bytes(fresh)


def _redeal_bombs(rules: Rules, state: State, seat: Seat, rng: random.Random) -> tuple[Bomb, ...]:
    """Return the bombs with random owners and timers; the seat owns at most as many as it has laid."""
    first = max(state.tick, rules.bomb_ticks - 1)
    ticks = range(first, state.tick + rules.bomb_ticks - 1)
    if len(ticks) < len(state.bombs):
        ticks = range(state.tick, state.tick + max(rules.bomb_ticks, len(state.bombs)))
    own_left = state.players[seat].ammo_used
    fresh = []
    for bomb, fires_tick in zip(state.bombs, rng.sample(ticks, len(state.bombs)), strict=True):
        owner = rng.choice([other for other in range(len(state.players)) if other != seat or own_left > 0])
        own_left -= owner == seat
        fresh.append(Bomb(bomb.cell, owner, fires_tick))
    return tuple(sorted(fresh, key=lambda bomb: bomb.fires_tick))


def _redeal_ammo(
    rules: Rules, state: State, seat: Seat, bombs: tuple[Bomb, ...], rng: random.Random
) -> tuple[list[int], tuple[int, ...]]:
    """Return random ammo for each player, and the ticks at which used ammo comes back; the total stays the same."""
    hands = [player.ammo if owner == seat else 0 for owner, player in enumerate(state.players)]
    unseen = sum(player.ammo for player in state.players) - hands[seat] + len(state.ammo_due)
    owed = [bomb.fires_tick - rules.bomb_ticks + rules.ammo_return_ticks for bomb in bombs]
    due = [tick for tick in owed if tick >= state.tick][:unseen]
    for _ in range(unseen - len(due)):
        holder = rng.randrange(len(hands))
        if holder == seat:  # the seat knows its own ammo, so this token comes back later
            due.append(state.tick + rng.randrange(rules.ammo_return_ticks))
        else:
            hands[holder] += 1
    return hands, tuple(sorted(due))


def _redeal_fires(rules: Rules, state: State, rng: random.Random) -> tuple[Fire, ...]:
    """Return the fires of bombs on random free cells, as many bombs as exploded in the last tick.

    The number of these bombs follows from the ammo: the ammo of a bomb comes back a fixed time after its explosion.
    """
    gone_due = state.tick - rules.bomb_ticks + rules.ammo_return_ticks - 1
    bomb_cells = {bomb.cell for bomb in state.bombs}
    cells = [cell for cell, block in enumerate(state.blocks) if block == FREE and cell not in bomb_cells]
    fires: list[Fire] = []
    for _ in range(state.ammo_due.count(gone_due) if cells else 0):
        owner = rng.randrange(len(state.players))
        fires += [Fire(cell, owner) for cell in blast(rng.choice(cells), rules.rays, state.blocks, bomb_cells)]
    return tuple(fires)


def _redeal_players(rules: Rules, state: State, seat: Seat, rng: random.Random) -> tuple[Player, ...]:
    """Return the players with random HP and points for the opponents of the seat.

    Hits that the seat took are credited to opponents; hits that the seat scored cost opponents HP.
    """
    own = state.players[seat]
    others = [other for other in range(len(state.players)) if other != seat]
    taken = [rng.choice(others) for _ in range(rules.player_hp - own.hp - own.own_hits)]
    losses: list[Seat] = []
    for _ in range(own.hits):
        dead = [n for n in others if state.players[n].died_tick is not None]
        room = [n for n in others if n in dead or losses.count(n) < rules.player_hp - 1]
        losses += [rng.choice(room)] if room else []
    return tuple(
        player if n == seat else _redeal_player(rules, player, hits=taken.count(n), losses=losses.count(n), rng=rng)
        for n, player in enumerate(state.players)
    )


def _redeal_player(rules: Rules, player: Player, *, hits: int, losses: int, rng: random.Random) -> Player:
    left = rules.player_hp - losses
    own_hits = rng.randrange(max(left, 1)) if player.died_tick is None else max(left, 0)
    soft, ore, treasure = rng.randrange(10), rng.randrange(3), rng.randrange(5)
    points = soft * rules.soft_points + ore * rules.ore_points + treasure * rules.treasure_points
    return player._replace(
        hp=left - own_hits,
        score=points + hits * rules.hit_points,
        soft_blocks=soft,
        ore_blocks=ore,
        treasure=treasure,
        hits=hits,
        own_hits=own_hits,
    )
