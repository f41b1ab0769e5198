"""Perfect matchings in graphs: who can be paired so that nobody is left over. Knows no bots and no preferences."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

FREE = -1  # the partner of a vertex without one

Joins = Callable[[int, int], bool]


def match_all(count: int, joins: Joins) -> list[int] | None:
    """A partner for each of the vertices 0 to `count` - 1 such that joined vertices are partners, or None.

    `joins` is symmetric. Edmonds' blossom algorithm (J. Edmonds, "Paths, trees, and flowers", 1965), O(count ** 3).

    >>> match_all(4, lambda one, other: abs(one - other) == 1)
    [1, 0, 3, 2]
    >>> match_all(4, lambda one, other: 0 in (one, other)) is None
    True
    """
    neighbours = [[other for other in range(count) if other != one and joins(one, other)] for one in range(count)]
    partners = [FREE] * count
    for vertex in range(count):
        if partners[vertex] == FREE and not _Search(neighbours, partners, vertex).augment():
            return None
    return partners


class _Search:
    """One search for a path from a free vertex to another along which partners can be changed."""

    def __init__(self, neighbours: Sequence[Sequence[int]], partners: list[int], root: int) -> None:
        self._neighbours = neighbours
        self._partners = partners
        self._parent = [FREE] * len(partners)
        self._base = list(range(len(partners)))  # of the blossom that the vertex has been shrunk into
        self._is_even = [False] * len(partners)
        self._is_even[root] = True
        self._root = root
        self._queue = deque([root])

    def augment(self) -> bool:
        """Change partners along a path, so that two more vertices have one; False if there is none."""
        while self._queue:
            vertex = self._queue.popleft()
            for other in self._neighbours[vertex]:
                if self._base[vertex] == self._base[other] or self._partners[vertex] == other:
                    continue
                if self._is_even[other]:
                    self._shrink(vertex, other)
                elif self._parent[other] == FREE:
                    self._parent[other] = vertex
                    after = self._partners[other]
                    if after == FREE:
                        self._swap(other)
                        return True
                    self._is_even[after] = True
                    self._queue.append(after)
        return False

    def _swap(self, end: int) -> None:
        while end != FREE:
            before = self._parent[end]
            after = self._partners[before]
            self._partners[end], self._partners[before] = before, end
            end = after

    def _shrink(self, one: int, other: int) -> None:
        """Two even vertices are joined: their odd cycle becomes one even vertex, its base."""
        base = self._common_base(one, other)
        in_blossom = [False] * len(self._partners)
        self._mark(one, base, other, in_blossom)
        self._mark(other, base, one, in_blossom)
        for vertex, own in enumerate(self._base):
            if in_blossom[own]:
                self._base[vertex] = base
                if not self._is_even[vertex]:
                    self._is_even[vertex] = True
                    self._queue.append(vertex)

    def _common_base(self, one: int, other: int) -> int:
        """The first base that both have on their way to the root."""
        seen = set()
        while True:
            one = self._base[one]
            seen.add(one)
            if one == self._root:
                break
            one = self._parent[self._partners[one]]
        while self._base[other] not in seen:
            other = self._parent[self._partners[self._base[other]]]
        return self._base[other]

    def _mark(self, vertex: int, base: int, child: int, in_blossom: list[bool]) -> None:
        while self._base[vertex] != base:
            odd = self._partners[vertex]
            in_blossom[self._base[vertex]] = in_blossom[self._base[odd]] = True
            self._parent[vertex] = child
            child = odd
            vertex = self._parent[odd]
