"""MQTT topic filters: matching, overlap, and the table from topics to handlers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from gridjoust.runner.wire.bus.address import Handler

Levels = tuple[str, ...]

_TOPICS_LIMIT = 4096  # topics in a cache; limited, as bots choose topics and could make it grow without end

T = TypeVar("T")


def split_filter(topic_filter: str) -> Levels:
    """Return the parts between the slashes of a topic filter; ValueError if empty or with a misplaced + or #."""
    levels = tuple(topic_filter.split("/"))
    for place, level in enumerate(levels):
        is_last = place == len(levels) - 1
        if ("+" in level and level != "+") or ("#" in level and (level != "#" or not is_last)):
            raise ValueError(f"topic filter: expected + or # as a whole level, # last, got {topic_filter!r}")
    if not topic_filter:
        raise ValueError("topic filter: expected at least one character, got ''")
    return levels


def check_topic(topic: str) -> str:
    """Return the topic if messages can be published to it; ValueError for wildcards and the empty topic."""
    if not topic or "+" in topic or "#" in topic:
        raise ValueError(f"topic: expected a name without + and #, got {topic!r}")
    return topic


def matches(topic_filter: Levels, topic: Levels) -> bool:
    """Return True if a topic matches a filter. `a/#` matches `a` too; a leading wildcard does not match `$...`."""
    if topic[0].startswith("$") and topic_filter[0] in ("+", "#"):
        return False
    for place, level in enumerate(topic_filter):
        if level == "#":
            return True
        if place >= len(topic) or (level != "+" and level != topic[place]):
            return False
    return len(topic_filter) == len(topic)


def matches_any(topic_filters: Iterable[Levels], topic: Levels) -> bool:
    """Return True if the topic matches any of the filters."""
    return any(matches(topic_filter, topic) for topic_filter in topic_filters)


def overlap(one: Levels, other: Levels) -> bool:
    """Return True if some topic matches both filters.

    >>> overlap(("a", "+"), ("+", "b")), overlap(("a", "+"), ("a", "b", "c"))
    (True, False)
    """
    for left, right in zip(one, other, strict=False):
        if "#" in (left, right):
            return True
        if left != right and "+" not in (left, right):
            return False
    longer = one if len(one) > len(other) else other
    shorter = min(len(one), len(other))
    return len(one) == len(other) or (len(longer) == shorter + 1 and longer[shorter] == "#")


def covers(right: Levels, wanted: Levels) -> bool:
    """Return True if every topic that matches the filter `wanted` also matches the filter `right`.

    >>> covers(("a", "#"), ("a", "+")), covers(("a", "+"), ("a", "#"))
    (True, False)
    """
    for place, level in enumerate(right):
        if level == "#":
            return True
        if place >= len(wanted) or wanted[place] == "#" or (level != "+" and level != wanted[place]):
            return False
    return len(right) == len(wanted)


class ByTopic(dict[str, T]):
    """A cache of a function of topics, computed when a topic is first used; `clear` it when results change."""

    def __init__(self, work_out: Callable[[str], T]) -> None:
        super().__init__()
        self._work_out = work_out

    def __missing__(self, topic: str) -> T:
        if len(self) >= _TOPICS_LIMIT:
            self.clear()
        value = self[topic] = self._work_out(topic)
        return value


class Routes:
    """Handlers by topic filter; the handlers of a topic are looked up once and cached."""

    def __init__(self) -> None:
        self._by_filter: dict[Levels, list[Handler]] = {}
        self._found = ByTopic(self._look_for)

    def add(self, topic_filter: str, handler: Handler) -> bool:
        """Add a handler; return True if the filter is new and the bus must subscribe. ValueError if it overlaps one."""
        levels = split_filter(topic_filter)
        if levels in self._by_filter:
            self._by_filter[levels].append(handler)
            return False
        for known in self._by_filter:
            if overlap(levels, known):
                both = f"{topic_filter!r} and {'/'.join(known)!r}"
                raise ValueError(f"subscribe: expected filters that do not overlap, got {both}")
        self._by_filter[levels] = [handler]
        self._found.clear()
        return True

    def find(self, topic: str) -> list[Handler]:
        """Return the handlers of a topic, in the order of subscription."""
        return self._found[topic]

    def _look_for(self, topic: str) -> list[Handler]:
        levels = tuple(topic.split("/"))
        return next((handlers for wanted, handlers in self._by_filter.items() if matches(wanted, levels)), [])
