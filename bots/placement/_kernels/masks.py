"""Sets of cells as rows of 64-bit words, with words of zeros on either side, so that shifts need no bounds."""

import cython
from cython.cimports.libc.string import memcpy

Word = cython.typedef(cython.ulonglong)
Mask = cython.typedef(cython.pointer(Word))
PADDING = cython.declare(cython.int, 6)  # words: more than the cells of a piece on the widest board


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _from_left(mask: Mask, at: cython.int, bits: cython.int) -> Word:
    """Return word `at` of the set with all its cells moved up by `bits` numbers."""
    word = mask + at - bits // 64
    return word[0] << (bits % 64) | (word - 1)[0] >> 1 >> (63 - bits % 64)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _from_right(mask: Mask, at: cython.int, bits: cython.int) -> Word:
    """Return word `at` of the set with all its cells moved down by `bits` numbers."""
    word = mask + at + bits // 64
    return word[0] >> (bits % 64) | word[1] << 1 << (63 - bits % 64)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _add(mask: Mask, cell: cython.int) -> cython.void:
    mask[cell // 64] |= cython.cast(Word, 1) << (cell % 64)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _remove(mask: Mask, cell: cython.int) -> cython.void:
    mask[cell // 64] &= ~(cython.cast(Word, 1) << (cell % 64))


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _lowest(word: Word) -> cython.int:
    """Return the number of the lowest bit, by bisection."""
    number: cython.int = 0
    half: cython.int = 32
    while half:
        if word & ((cython.cast(Word, 1) << half) - 1) == 0:
            word >>= half
            number += half
        half >>= 1
    return number


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _spread(mask: Mask, into: Mask, allowed: Mask, words: cython.int, stride: cython.int) -> Word:
    """Set `into` to the allowed cells one step away from `mask`; return 0 if there are none."""
    any_cell: Word = 0
    for at in range(words):
        into[at] = (
            _from_left(mask, at, 1)
            | _from_right(mask, at, 1)
            | _from_left(mask, at, stride)
            | _from_right(mask, at, stride)
        ) & allowed[at]
        any_cell |= into[at]
    return any_cell


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _meets(one: Mask, other: Mask, words: cython.int) -> cython.bint:
    for at in range(words):
        if one[at] & other[at]:
            return True
    return False


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _count(mask: Mask, words: cython.int) -> cython.int:
    """Return the number of cells in a set."""
    found: cython.int = 0
    for at in range(words):
        word: Word = mask[at]
        word -= (word >> 1) & cython.cast(Word, 0x5555555555555555)
        word = (word & cython.cast(Word, 0x3333333333333333)) + ((word >> 2) & cython.cast(Word, 0x3333333333333333))
        word = (word + (word >> 4)) & cython.cast(Word, 0x0F0F0F0F0F0F0F0F)
        found += cython.cast(cython.int, (word * cython.cast(Word, 0x0101010101010101)) >> 56)
    return found


@cython.cfunc
@cython.exceptval(-1)
def _read(number: object, mask: Mask, words: cython.int) -> cython.int:
    """Unpack a set from a whole number with a bit per cell into `mask`."""
    packed: bytes = number.to_bytes(8 * words, "little")
    memcpy(mask, cython.cast(cython.p_char, packed), 8 * words)
    return 0


@cython.cfunc
def _number(mask: Mask, words: cython.int) -> object:
    """Return the set as a whole number with a bit per cell."""
    return int.from_bytes(cython.cast(cython.p_char, mask)[: 8 * words], "little")
