"""The second version of D* Lite without its optimisations, line by line, to tie ours to the figures that are printed.

Koenig and Likhachev, IEEE Trans. Robotics 21(3), 2005. Slow on purpose; every vertex is kept, blocked ones too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

INF = float("inf")
Key = tuple[float, float]


class PlainDStarLite:
    def __init__(
        self,
        nodes: Iterable[str],
        start: str,
        goal: str,
        cost: Callable[[str, str], float],
        h: Callable[[str, str], float],
    ) -> None:
        self.nodes = sorted(nodes)
        self.start = self.last = start
        self.goal = goal
        self.cost = cost
        self.h = h
        self.km: float = 0
        self.g = dict.fromkeys(self.nodes, INF)
        self.rhs = dict.fromkeys(self.nodes, INF)
        self.queue: dict[str, Key] = {}
        self.rhs[goal] = 0
        self.queue[goal] = self.calculate_key(goal)

    def calculate_key(self, s: str) -> Key:
        least = min(self.g[s], self.rhs[s])
        return least + self.h(self.start, s) + self.km, least

    def update_vertex(self, u: str) -> None:
        if u != self.goal:
            self.rhs[u] = min(self.cost(u, s) + self.g[s] for s in self.nodes)
        self.queue.pop(u, None)
        if self.g[u] != self.rhs[u]:
            self.queue[u] = self.calculate_key(u)

    def top(self) -> tuple[Key, str]:
        return min(((key, s) for s, key in self.queue.items()), default=((INF, INF), ""))

    def compute_shortest_path(self) -> Iterable[str]:
        """Yields each vertex after it was expanded."""
        while self.top()[0] < self.calculate_key(self.start) or self.rhs[self.start] != self.g[self.start]:
            old_key, u = self.top()
            del self.queue[u]
            if old_key < self.calculate_key(u):
                self.queue[u] = self.calculate_key(u)
                continue
            is_over = self.g[u] > self.rhs[u]
            self.g[u] = self.rhs[u] if is_over else INF
            for s in self.nodes:
                if self.cost(s, u) < INF or (s == u and not is_over):
                    self.update_vertex(s)
            yield u

    def costs_changed(self, robot: str, tails: Iterable[str]) -> None:
        self.start = robot
        self.km += self.h(self.last, self.start)
        self.last = self.start
        for u in tails:
            self.update_vertex(u)
