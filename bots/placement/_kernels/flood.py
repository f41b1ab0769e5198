"""Floods Floor from the figure, and computes how near it gets to a goal with each piece that could be laid.

It is the kernel of `gridjoust.bots.placement.flood`, and does what `placements_in_reach` and `score_one_by_one` of the
beam do.
"""

import array

import cython
from cython.cimports.cpython import array
from cython.cimports.libc.string import memset

from gridjoust.bots.placement._kernels.masks import (
    PADDING,
    Mask,
    Word,
    _add,
    _count,
    _from_right,
    _lowest,
    _meets,
    _number,
    _read,
    _remove,
    _spread,
)
from gridjoust.bots.planners._kernels.cells import _INTS

_WORDS: array.array = array.array("Q")
UNSEEN = cython.declare(cython.int, 255)
Ground = cython.struct(  # a task, and what is known of one state of its board
    words=cython.int,  # of a set
    stride=cython.int,
    moves=cython.int,
    cell=cython.int,  # of the figure
    inside=Mask,
    walls=Mask,
    floor=Mask,
    void=Mask,
    left=Mask,  # Floor not yet reached; then the cells to which the figure could step
    room=Mask,  # top left corners at which a piece fits
    fresh=Mask[3],  # working space
    layers=Mask,  # one after another, by steps
    seen=Mask,  # by steps: all cells of the layers so far
    nearer=Mask,  # by distance: all cells that are nearer to the goal
    depth=cython.p_uchar,  # by cell: the steps to it, or UNSEEN
    far=cython.p_int,  # by steps: the distance left within that many, and the fewest steps to it
    reached=cython.int,  # number of layers
    generated=cython.long,  # cells walked to with a piece laid
)


def begin(board: tuple, walls: object, cell: cython.int, moves: cython.int, rings: tuple, ways: list) -> tuple:
    """Return a task packed for `walk` and `expand`; sets of cells are whole numbers with a bit per cell.

    `board` is (cells from a row to the next, set of the cells on the board), `rings` the cells by their distance to a
    goal. `ways` has a list for each piece: (an orientation, its cells counted from the corner, their set).
    """
    words: cython.int = board[1].bit_length() // 64 + 1
    numbers: array.array = array.array("i", [words, board[0], moves, cell])
    masks: array.array = array.clone(_WORDS, (words + 2 * PADDING) * (12 + 2 * moves + len(rings)), zero=True)
    depths: bytearray = bytearray(b"\xff" * (64 * words + 2 * board[0] + 2))
    far: array.array = array.clone(_INTS, 2 * (moves + 1), zero=True)
    shapes: list = [
        [(way, array.array("i", offsets), cells, [None] * (64 * words)) for way, offsets, cells in piece]
        for piece in ways
    ]
    standings: list = [None] * ((len(rings) + 1) * (moves + 1))
    task: tuple = (numbers, masks, depths, far, shapes, standings, len(rings))
    ground = _open(task)
    _read(board[1], ground.inside, words)
    _read(walls, ground.walls, words)
    nearer: object = 0
    for distance in range(len(rings)):
        nearer |= rings[distance]
        _read(nearer, _at(cython.address(ground), ground.nearer, distance + 1), words)
    return task


@cython.cfunc
def _open(task: tuple) -> Ground:
    numbers: array.array = task[0]
    masks: array.array = task[1]
    depths: bytearray = task[2]
    far: array.array = task[3]
    ground: Ground
    ground.words = numbers.data.as_ints[0]
    ground.stride = numbers.data.as_ints[1]
    ground.moves = numbers.data.as_ints[2]
    ground.cell = numbers.data.as_ints[3]
    size = ground.words + 2 * PADDING
    ground.inside = cython.cast(Mask, masks.data.as_ulonglongs) + PADDING
    ground.walls = ground.inside + size
    ground.floor = ground.walls + size
    ground.void = ground.floor + size
    ground.left = ground.void + size
    ground.room = ground.left + size
    ground.fresh[0] = ground.room + size
    ground.fresh[1] = ground.fresh[0] + size
    ground.fresh[2] = ground.fresh[1] + size
    ground.layers = ground.fresh[2] + size
    ground.seen = ground.layers + size * (ground.moves + 1)
    ground.nearer = ground.seen + size * (ground.moves + 1)
    ground.depth = cython.cast(cython.p_uchar, depths) + ground.stride + 1
    ground.far = far.data.as_ints
    ground.generated = 0
    return ground


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _at(ground: cython.pointer(Ground), masks: Mask, number: cython.int) -> Mask:
    return masks + number * (ground.words + 2 * PADDING)


def walk(task: tuple, floor: object) -> list:
    """Return, for 0, 1, 2 … steps, the set of cells that the figure first reaches in so many on this Floor."""
    ground = _open(task)
    _flood(cython.address(ground), floor, task[6])
    return [_number(_at(cython.address(ground), ground.layers, step), ground.words) for step in range(ground.reached)]


@cython.cfunc
@cython.exceptval(-1)
def _flood(ground: cython.pointer(Ground), floor: object, rings: cython.int) -> cython.int:
    """Compute `ground.layers`: the cells by the steps to them, on this Floor with no piece laid."""
    _read(floor, ground.floor, ground.words)
    for at in range(ground.words):
        ground.floor[at] &= ground.inside[at]
        ground.void[at] = ground.inside[at] & ~ground.walls[at] & ~ground.floor[at]
        ground.left[at] = ground.floor[at]
        ground.layers[at] = ground.seen[at] = 0
    _add(ground.layers, ground.cell)
    _add(ground.seen, ground.cell)
    _remove(ground.left, ground.cell)
    memset(ground.depth, UNSEEN, 64 * ground.words)
    ground.depth[ground.cell] = 0
    ground.far[0], ground.far[1] = _nearest(ground, ground.layers, rings), 0
    ground.reached = 1
    while ground.reached <= ground.moves and _next_layer(ground, ground.reached):
        ground.reached += 1
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def _next_layer(ground: cython.pointer(Ground), step: cython.int) -> cython.bint:
    """Compute the set of cells first reached in `step` steps; return False if it is empty."""
    before = _at(ground, ground.layers, step - 1)
    layer = _at(ground, ground.layers, step)
    if not _spread(before, layer, ground.left, ground.words, ground.stride):
        return False
    seen = _at(ground, ground.seen, step)
    seen_before = _at(ground, ground.seen, step - 1)
    for at in range(ground.words):
        ground.left[at] ^= layer[at]
        seen[at] = seen_before[at] | layer[at]
        word = layer[at]
        while word:
            ground.depth[64 * at + _lowest(word)] = cython.cast(cython.uchar, step)
            word &= word - 1
    known = ground.far[2 * step - 2]
    ground.far[2 * step] = _nearest(ground, layer, known)
    ground.far[2 * step + 1] = ground.far[2 * step - 1] if ground.far[2 * step] == known else step
    return True


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _nearest(ground: cython.pointer(Ground), cells: Mask, distance: cython.int) -> cython.int:
    """Return the least distance from any of these cells to the nearest goal, or `distance` if that is less."""
    while distance and _meets(cells, _at(ground, ground.nearer, distance), ground.words):
        distance -= 1
    return distance


def expand(task: tuple, floor: object, pieces: list, node: object, kinds: tuple) -> tuple:
    """Return ([(standing, node, placement)] for each placement of these pieces, number of cells walked to).

    A standing is (least distance to a goal with the piece laid, fewest steps to get there). Placements are ordered by
    piece, orientation and row.

    `kinds` are the classes to make: of the triple, of the standing, and of the placement (orientation, corner, cells).
    """
    memory = _open(task)
    ground = cython.address(memory)
    rings: cython.int = task[6]
    shapes: list = task[4]
    standings: list = task[5]
    found: list = []
    _flood(ground, floor, rings)
    _open_beside(ground)
    for piece in pieces:
        for way in cython.cast(list, shapes[piece]):
            _expand_way(ground, way, standings, node, kinds, found)
    return found, ground.generated


@cython.cfunc
@cython.exceptval(check=False)
def _open_beside(ground: cython.pointer(Ground)) -> cython.void:
    """Set `ground.left` to the Void cells to which the figure could step from where it can walk."""
    last = min(ground.reached, ground.moves) - 1
    if last < 0:
        memset(ground.left, 0, ground.words * cython.sizeof(Word))
    else:
        _spread(_at(ground, ground.seen, last), ground.left, ground.void, ground.words, ground.stride)


@cython.cfunc
def _expand_way(
    ground: cython.pointer(Ground), way: tuple, standings: list, node: object, kinds: tuple, found: list
) -> cython.int:
    """Append to `found` the placements of a piece in one orientation; equal standings and placements are made once."""
    make: object = tuple.__new__
    offsets: array.array = way[1]
    known: list = way[3]
    size: cython.int = len(offsets)
    cells: cython.p_int = offsets.data.as_ints
    _fit(ground, cells, size)
    for at in range(ground.words):
        word = ground.room[at]
        while word:
            corner: cython.int = 64 * at + _lowest(word)
            word &= word - 1
            number = _stand(ground, corner, cells, size)
            standing: object = standings[number]
            if standing is None:
                standing = make(kinds[1], (number // (ground.moves + 1), number % (ground.moves + 1)))
                standings[number] = standing
            placement: object = known[corner]
            if placement is None:
                placement = make(kinds[2], (way[0], corner, way[2] << corner))
                known[corner] = placement
            found.append(make(kinds[0], (standing, node, placement)))
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def _fit(ground: cython.pointer(Ground), cells: cython.p_int, size: cython.int) -> cython.void:
    """Set `ground.room` to the top left corners where the piece covers Void alone and the figure can step onto it."""
    for at in range(ground.words):
        room = ~cython.cast(Word, 0)
        touch = cython.cast(Word, 0)
        for number in range(size):
            room &= _from_right(ground.void, at, cells[number])
            touch |= _from_right(ground.left, at, cells[number])
        ground.room[at] = room & touch


@cython.cfunc
@cython.exceptval(check=False)
def _stand(ground: cython.pointer(Ground), corner: cython.int, cells: cython.p_int, size: cython.int) -> cython.int:
    """Return one number for how near the figure gets with the piece laid there: distance × (moves + 1) + steps.

    The walk continues from the first layer that touches the piece.
    """
    step: cython.int = UNSEEN
    for number in range(size):
        depth = ground.depth + corner + cells[number]
        step = min(step, min(min((depth - 1)[0], depth[1]), min((depth - ground.stride)[0], depth[ground.stride])))
    distance, steps = ground.far[2 * step], ground.far[2 * step + 1]
    layer = _at(ground, ground.layers, step)
    seen = _at(ground, ground.seen, step)
    left = ground.fresh[2]
    for at in range(ground.words):
        left[at] = ground.floor[at] & ~seen[at]
    for number in range(size):
        _add(left, corner + cells[number])
    is_walking: cython.bint = distance != 0
    ground.generated += _count(left, ground.words) if is_walking else 0
    for later in range(step + 1, ground.moves + 1):
        fresh = ground.fresh[later & 1]
        if distance == 0 or not _spread(layer, fresh, left, ground.words, ground.stride):
            break
        for at in range(ground.words):
            left[at] ^= fresh[at]
        nearer = _nearest(ground, fresh, distance)
        if nearer < distance:
            distance, steps = nearer, later
        layer = fresh
    ground.generated -= _count(left, ground.words) if is_walking else 0
    return distance * (ground.moves + 1) + steps
