"""One tick as an ordered list of named stages on a working copy; the actions are already checked.

The rules fix the order: actions, damage, burning things, pick-ups, timers, bodies, fire, spawns, clean-up. A thing that
dies or expires in a tick stops fire and occupies its cell until `clean_up`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from gridjoust.games.bomber.actions import Action
from gridjoust.games.bomber.board import OFF_BOARD, Rays
from gridjoust.games.bomber.params import Rules
from gridjoust.games.bomber.state import FREE, HP_MASK, METAL, ORE, Bomb, Fire, Player, Seat, State, Token
from gridjoust.games.chance import rng_for

_BOMB, _WAIT = Action.BOMB, Action.WAIT  # in Python 3.11, looking up an enum member takes as long as a whole stage


class Tick:
    """The working copy of a state while the stages of one tick are applied to it; private to the rules."""

    __slots__ = (
        "actions",
        "ammo",
        "ammo_due",
        "blocks",
        "bombs",
        "closes",
        "fires",
        "new_fires",
        "players",
        "rays",
        "rules",
        "seed",
        "steps",
        "tick",
        "treasure",
        "treasure_due",
    )  # fmt: skip

    def __init__(self, rules: Rules, state: State, actions: Mapping[Seat, Action]) -> None:
        self.rules = rules
        self.steps = rules.board.steps
        self.rays = rules.rays
        self.closes = rules.closes
        self.actions = actions
        self.seed = state.seed
        self.tick = state.tick
        self.players = list(state.players)
        self.blocks = bytearray(state.blocks)
        self.bombs = list(state.bombs)
        self.fires = state.fires
        self.new_fires: list[Fire] = []
        self.ammo = list(state.ammo)
        self.treasure = list(state.treasure)
        self.ammo_due = list(state.ammo_due)
        self.treasure_due = state.treasure_due

    def rng(self, purpose: str) -> random.Random:
        """Return this tick's random generator for one purpose; every call starts it afresh."""
        return rng_for(self.seed, self.tick, purpose)

    def is_open(self, cell: int) -> bool:
        """Return True if the cell is on the board and holds no block and no bomb; figures are not considered."""
        if cell == OFF_BOARD or self.blocks[cell] != FREE:
            return False
        return cell not in [bomb.cell for bomb in self.bombs]

    def frozen(self) -> State:
        """Return the state after this tick."""
        return State(
            self.seed,
            self.tick + 1,
            tuple(self.players),
            bytes(self.blocks),
            tuple(self.bombs),
            tuple(self.new_fires),
            tuple(self.ammo),
            tuple(self.treasure),
            tuple(self.ammo_due),
            self.treasure_due,
        )


def play_tick(rules: Rules, state: State, actions: Mapping[Seat, Action]) -> State:
    """Return the state after one tick; a living seat without an action waits."""
    tick = Tick(rules, state, actions)
    for stage in STAGES:
        stage(tick)
    return tick.frozen()


def act(tick: Tick) -> None:
    """Apply one action per living player, one after another in a random order or all at once."""
    if tick.rules.move_order == "simultaneous":
        _act_at_once(tick)
    else:
        _act_in_order(tick)


def _act_in_order(tick: Tick) -> None:
    for seat in _action_order(tick):
        action = tick.actions[seat]
        if action == _BOMB:
            _lay_bomb(tick, seat)
            continue
        target = tick.steps[action][tick.players[seat].cell]
        if tick.is_open(target) and target not in [player.cell for player in tick.players]:
            tick.players[seat] = tick.players[seat]._replace(cell=target)


def _action_order(tick: Tick) -> list[Seat]:
    """Return the seats that act, in a random order; the order is drawn only if it can make a difference."""
    seats = [seat for seat, action in tick.actions.items() if action != _WAIT]
    if len(seats) > 1 and _is_order_felt(tick, seats):
        return _drawn_order(tick, seats)
    return seats


def _drawn_order(tick: Tick, seats: Iterable[Seat]) -> list[Seat]:
    """Return these seats, sorted by this tick's random order of all seats."""
    order = list(range(len(tick.players)))
    tick.rng("order").shuffle(order)
    return sorted(seats, key=order.index)


def _is_order_felt(tick: Tick, seats: list[Seat]) -> bool:
    """Return True if the order of actions can change the result.

    It can if two bombs are laid, because their fires act in that order, or if a move enters a cell that another player
    has or wants.
    """
    moving = [seat for seat in seats if tick.actions[seat] != _BOMB]
    if len(seats) - len(moving) > 1:
        return True
    touched = [tick.steps[tick.actions[seat]][tick.players[seat].cell] for seat in moving]
    touched += [player.cell for player in tick.players]
    return len(set(touched)) < len(touched)


def _lay_bomb(tick: Tick, seat: Seat) -> None:
    player = tick.players[seat]
    if player.ammo == 0 or any(bomb.cell == player.cell for bomb in tick.bombs):
        return
    tick.players[seat] = player._replace(ammo=player.ammo - 1, ammo_used=player.ammo_used + 1)
    tick.bombs.append(Bomb(player.cell, seat, tick.tick + tick.rules.bomb_ticks - 1))
    tick.ammo_due.append(tick.tick + tick.rules.ammo_return_ticks - 1)


def _act_at_once(tick: Tick) -> None:
    cells = [player.cell for player in tick.players]
    targets: dict[Seat, int] = {}
    layers: list[Seat] = []
    for seat, action in tick.actions.items():
        if action == _BOMB:
            layers.append(seat)
        elif action != _WAIT and tick.is_open(target := tick.steps[action][cells[seat]]):
            targets[seat] = target
    for seat in _drawn_order(tick, layers) if len(layers) > 1 else layers:
        _lay_bomb(tick, seat)
    for seat, target in settle_moves(cells, targets).items():
        tick.players[seat] = tick.players[seat]._replace(cell=target)


def settle_moves(cells: list[int], targets: Mapping[Seat, int]) -> dict[Seat, int]:
    """Return seat -> new cell for the moves that succeed when all are made at once.

    Players who want the same cell, or to swap, stay where they are; so does a player who follows one that stays.
    """
    wanted = list(targets.values())
    pairs = {(cells[seat], target) for seat, target in targets.items()}
    moves = {
        seat: target
        for seat, target in targets.items()
        if wanted.count(target) == 1 and (target, cells[seat]) not in pairs
    }
    while True:
        kept = {cell for seat, cell in enumerate(cells) if seat not in moves}
        working = {seat: target for seat, target in moves.items() if target not in kept}
        if len(working) == len(moves):
            return moves
        moves = working


def count_traps(tick: Tick) -> None:
    """Count a trap for the owner of a new bomb that cuts an opponent off from every cell outside all blasts."""
    if not tick.bombs:
        return
    fires_tick = tick.tick + tick.rules.bomb_ticks - 1
    for bomb in [bomb for bomb in tick.bombs if bomb.fires_tick == fires_tick]:
        owner = tick.players[bomb.owner]
        if owner.cell != bomb.cell:
            continue
        others = [other for other in tick.bombs if other is not bomb]
        for seat, player in enumerate(tick.players):
            if seat == bomb.owner or player.died_tick is not None:
                continue
            if has_way_out(tick, seat, others) and not has_way_out(tick, seat, tick.bombs):
                owner = owner._replace(traps=owner.traps + 1)
        tick.players[bomb.owner] = owner


def has_way_out(tick: Tick, seat: Seat, bombs: Sequence[Bomb]) -> bool:
    """Return True if the player can walk to a cell that none of these bombs would burn, if nothing else changes."""
    bomb_cells = {bomb.cell for bomb in bombs}
    burning = {cell for bomb in bombs for cell in blast(bomb.cell, tick.rays, tick.blocks, bomb_cells)}
    here = tick.players[seat].cell
    walls = {player.cell for player in tick.players} | bomb_cells
    walls.update(cell for cell, block in enumerate(tick.blocks) if block != FREE)
    return any(cell not in burning for cell, _ in tick.rules.board.flood(here, walls))


def burn_players(tick: Tick) -> None:
    """Take 1 HP per fire on its cell from each living player, below 0 too; reward the owners for hits on others."""
    players = tick.players
    for cell, owner in tick.fires:
        for seat, player in enumerate(players):
            if player.cell != cell or player.died_tick is not None:
                continue
            players[seat] = player._replace(hp=player.hp - 1, own_hits=player.own_hits + (seat == owner))
            if seat != owner:
                paid = players[owner]
                players[owner] = paid._replace(score=paid.score + tick.rules.hit_points, hits=paid.hits + 1)


def count_near_misses(tick: Tick) -> None:
    """Count a near miss for each living opponent that has a player's fire beside it but not on it."""
    if not tick.fires:
        return
    burning: dict[Seat, set[int]] = {}
    for cell, owner in tick.fires:
        burning.setdefault(owner, set()).add(cell)
    neighbours = tick.rules.board.neighbours
    for owner, cells in burning.items():
        missed = [
            seat
            for seat, player in enumerate(tick.players)
            if seat != owner and player.died_tick is None and player.cell not in cells
            if not cells.isdisjoint(neighbours[player.cell])
        ]
        if missed:
            own = tick.players[owner]
            tick.players[owner] = own._replace(near_misses=own.near_misses + len(missed))


def burn_things(tick: Tick) -> None:
    """Take 1 HP per fire from blocks, reward the owners for broken ones, and let bombs on fire explode this tick."""
    if not tick.fires:
        return
    for cell, owner in tick.fires:
        block = tick.blocks[cell]
        if block <= METAL:
            continue
        hp_left = block & HP_MASK
        tick.blocks[cell] = block - min(1, hp_left)
        if hp_left == 1 or (hp_left == 0 and tick.rules.double_pay):
            _pay_block(tick, owner, is_ore=block >= ORE)
    burning = {fire.cell for fire in tick.fires}
    tick.bombs = [bomb._replace(fires_tick=tick.tick) if bomb.cell in burning else bomb for bomb in tick.bombs]


def _pay_block(tick: Tick, owner: Seat, *, is_ore: bool) -> None:
    paid = tick.players[owner]
    if is_ore:
        paid = paid._replace(score=paid.score + tick.rules.ore_points, ore_blocks=paid.ore_blocks + 1)
    else:
        paid = paid._replace(score=paid.score + tick.rules.soft_points, soft_blocks=paid.soft_blocks + 1)
    tick.players[owner] = paid


def pick_up(tick: Tick) -> None:
    """Give living players the ammo and treasure on their cells; ammo that is taken does not return."""
    if not tick.ammo and not tick.treasure:
        return
    cells = [token.cell for token in tick.ammo] + tick.treasure
    for seat, player in enumerate(tick.players):
        if player.cell in cells and player.hp > 0:
            _take(tick, seat, player)


def _take(tick: Tick, seat: Seat, player: Player) -> None:
    left = [token for token in tick.ammo if token.cell != player.cell]
    ammo = player.ammo + len(tick.ammo) - len(left)
    tick.ammo = left
    if player.cell in tick.treasure:
        tick.treasure.remove(player.cell)
        score = player.score + tick.rules.treasure_points
        player = player._replace(score=score, treasure=player.treasure + 1)
    tick.players[seat] = player._replace(ammo=ammo)


def run_out(tick: Tick) -> None:
    """Schedule the return of ammo that expires at the end of this tick."""
    for token in tick.ammo:
        if token.last_tick <= tick.tick:
            tick.ammo_due.append(tick.tick + tick.rules.ammo_return_ticks)


def close(tick: Tick) -> None:
    """Turn this tick's closing cell to metal; a player there dies, bomb and treasure are lost, ammo comes back."""
    cell = tick.closes.get(tick.tick)
    if cell is None:
        return
    tick.blocks[cell] = METAL
    for seat, player in enumerate(tick.players):
        if player.cell == cell and player.died_tick is None:
            tick.players[seat] = player._replace(hp=min(player.hp, 0))
    tick.bombs = [bomb for bomb in tick.bombs if bomb.cell != cell]
    tick.treasure = [there for there in tick.treasure if there != cell]
    if any(token.cell == cell and token.last_tick > tick.tick for token in tick.ammo):
        tick.ammo_due.append(tick.tick + tick.rules.ammo_return_ticks)
    tick.ammo = [token for token in tick.ammo if token.cell != cell]


def bury(tick: Tick) -> None:
    """Turn players without HP into bodies."""
    for seat, player in enumerate(tick.players):
        if player.hp <= 0 and player.died_tick is None:
            tick.players[seat] = player._replace(died_tick=tick.tick)


def explode(tick: Tick) -> None:
    """Make fire for every bomb whose time is up, and with instant chains for every bomb that this fire reaches."""
    lit = [bomb.cell for bomb in tick.bombs if bomb.fires_tick <= tick.tick]
    if not lit:
        return
    bomb_cells = {bomb.cell for bomb in tick.bombs}
    if tick.rules.chain == "instant":
        light_chain(lit, tick.rays, tick.blocks, bomb_cells)
        tick.bombs = [bomb._replace(fires_tick=tick.tick) if bomb.cell in lit else bomb for bomb in tick.bombs]
    for bomb in tick.bombs:
        if bomb.fires_tick <= tick.tick:
            cells = blast(bomb.cell, tick.rays, tick.blocks, bomb_cells)
            tick.new_fires += [Fire(cell, bomb.owner) for cell in cells]


def blast(cell: int, rays: Rays, blocks: bytes | bytearray, bomb_cells: Collection[int]) -> list[int]:
    """Return the cells that a bomb's fire reaches: its own, and each ray up to and including the first obstacle."""
    cells = [cell]
    for ray in rays[cell]:
        for reached in ray:
            cells.append(reached)
            if blocks[reached] != FREE or reached in bomb_cells:
                break
    return cells


def light_chain(lit: list[int], rays: Rays, blocks: bytes | bytearray, bomb_cells: Collection[int]) -> None:
    """Add to `lit`, the cells of exploding bombs, all bombs that their fire reaches, also through other bombs."""
    for cell in lit:  # the list grows while the loop runs
        reached = blast(cell, rays, blocks, bomb_cells)
        lit += [other for other in reached if other in bomb_cells and other not in lit]


def spawn(tick: Tick) -> None:
    """Put the ammo and treasure due in this tick on random free cells; if no cell is free, delay them."""
    if tick.ammo_due and tick.ammo_due[0] <= tick.tick:
        _spawn_ammo(tick)
    if tick.treasure_due <= tick.tick:
        _spawn_treasure(tick)


def _spawn_ammo(tick: Tick) -> None:
    rng = tick.rng("ammo")
    while tick.ammo_due and tick.ammo_due[0] <= tick.tick:
        del tick.ammo_due[0]
        free = _free_cells(tick)
        if free:
            tick.ammo.append(Token(rng.choice(free), tick.tick + tick.rules.ammo_lifetime_ticks))
        else:
            tick.ammo_due.append(tick.tick + tick.rules.ammo_return_ticks)


def _spawn_treasure(tick: Tick) -> None:
    rng = tick.rng("treasure")
    free = _free_cells(tick)
    if free:
        tick.treasure.append(rng.choice(free))
        tick.treasure_due = tick.tick + rng.randint(tick.rules.treasure_min_ticks, tick.rules.treasure_max_ticks)
    else:
        tick.treasure_due = tick.tick + rng.randint(1, tick.rules.treasure_min_ticks)


def _free_cells(tick: Tick) -> list[int]:
    taken = {player.cell for player in tick.players}
    taken.update(bomb.cell for bomb in tick.bombs)
    taken.update(token.cell for token in tick.ammo)
    taken.update(tick.treasure)
    return [cell for cell, block in enumerate(tick.blocks) if block == FREE and cell not in taken]


def clean_up(tick: Tick) -> None:
    """Remove broken blocks, bombs that made fire, and expired ammo."""
    if tick.fires:
        for cell, _ in tick.fires:
            if tick.blocks[cell] > METAL and not tick.blocks[cell] & HP_MASK:
                tick.blocks[cell] = FREE
    if tick.new_fires:
        tick.bombs = [bomb for bomb in tick.bombs if bomb.fires_tick > tick.tick]
    if tick.ammo:
        tick.ammo = [token for token in tick.ammo if token.last_tick > tick.tick]


STAGES: tuple[Callable[[Tick], None], ...] = (
    act,
    count_traps,
    burn_players,
    count_near_misses,
    burn_things,
    pick_up,
    run_out,
    close,
    bury,
    explode,
    spawn,
    clean_up,
)
