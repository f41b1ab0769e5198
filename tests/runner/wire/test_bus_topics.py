"""Topic filters, the table of handlers, and addresses of brokers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridjoust.runner.wire.bus import Address, parse_address
from gridjoust.runner.wire.bus.topics import Routes, check_topic, covers, matches, overlap, split_filter
from gridjoust.runner.wire.errors import ConfigError

# examples of MQTT 3.1.1, section 4.7: filter, topics that it means, topics that it does not mean
MATCHES = [
    (
        "sport/tennis/player1/#",
        ["sport/tennis/player1", "sport/tennis/player1/ranking", "sport/tennis/player1/score/wimbledon"],
        [],
    ),
    ("sport/#", ["sport"], []),
    ("#", ["sport"], ["$SYS/broker"]),
    ("sport/tennis/+", ["sport/tennis/player1"], ["sport/tennis/player1/ranking"]),
    ("sport/+", ["sport/"], ["sport"]),
    ("+/+", ["/finance"], []),
    ("/+", ["/finance"], []),
    ("+", [], ["/finance"]),
    ("$SYS/#", ["$SYS/broker"], []),
    ("+/monitor/Clients", [], ["$SYS/monitor/Clients"]),
    ("sport", [], ["sports"]),
    ("sport/tennis", [], ["sport"]),
]


@pytest.mark.parametrize(("topic_filter", "meant", "others"), MATCHES)
def test_a_filter_means_its_topics_and_no_others(topic_filter: str, meant: list[str], others: list[str]) -> None:
    levels = split_filter(topic_filter)
    assert [topic for topic in (*meant, *others) if matches(levels, tuple(topic.split("/")))] == meant


@pytest.mark.parametrize("wrong", ["", "sport/tennis#", "sport/tennis/#/ranking", "sport+", "a/+b", "##"])
def test_a_wrong_filter_and_a_topic_with_wildcards_are_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="topic filter: expected"):
        split_filter(wrong)
    for topic in (wrong, "a/+", "#"):
        with pytest.raises(ValueError, match="topic: expected"):
            check_topic(topic)


LEVELS = st.sampled_from("ab")
TOPICS = st.lists(LEVELS, min_size=1, max_size=4).map(tuple)
FILTERS = st.builds(
    lambda levels, end: (*levels, *end),
    st.lists(st.sampled_from("ab+"), min_size=1, max_size=3),
    st.sampled_from([(), ("#",)]),
)
ALL_TOPICS = [
    tuple(f"{number:0{size}b}".replace("0", "a").replace("1", "b")) for size in range(1, 6) for number in range(2**size)
]


@given(one=FILTERS, other=FILTERS)
def test_overlapping_filters_are_those_with_a_common_topic(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    common = any(matches(one, topic) and matches(other, topic) for topic in ALL_TOPICS)
    assert overlap(one, other) == overlap(other, one) == common


@pytest.mark.gate
@given(right=FILTERS, wanted=FILTERS)
def test_a_filter_covers_another_if_it_matches_all_its_topics(right: tuple[str, ...], wanted: tuple[str, ...]) -> None:
    # topics with a level that neither filter names stand for all the others
    topics = [*ALL_TOPICS, *(tuple("c" * size) for size in range(1, 6))]
    mixed = [tuple("c" if bit == "b" else bit for bit in topic) for topic in ALL_TOPICS]
    expected = all(matches(right, topic) for topic in [*topics, *mixed] if matches(wanted, topic))
    assert covers(right, wanted) == expected


def first(topic: str, payload: bytes) -> None: ...


def second(topic: str, payload: bytes) -> None: ...


def test_a_topic_finds_the_handlers_of_its_filter_in_order_also_of_one_that_comes_later() -> None:
    routes = Routes()
    assert routes.add("a/b", first)
    assert not routes.add("a/b", second)  # the broker knows already
    assert routes.add("a/+/out", first)
    topics = ("a/b", "a/1/out", "a/1/out", "a/1/status")
    assert [routes.find(topic) for topic in topics] == [[first, second], [first], [first], []]
    routes.add("a/+/status", second)
    assert routes.find("a/1/status") == [second]
    with pytest.raises(ValueError, match=r"expected filters that do not overlap, got 'a/1/#' and 'a/\+/out'"):
        routes.add("a/1/#", second)


def test_the_memory_of_topics_met_is_bounded() -> None:
    routes = Routes()
    routes.add("a/+", first)
    for number in range(20_000):
        routes.find(f"x/{number}")
    assert len(routes._found) < 5000


ADDRESSES = {
    "mqtt://h": (Address("h", 1883), None, None),
    "mqtts://h": (Address("h", 8883, tls=True), None, None),
    "mqtt://u:p%3Aq@h:99/": (Address("h", 99), "u", "p:q"),
    "mqtt://[::1]:5": (Address("::1", 5), None, None),
}


@pytest.mark.parametrize(("url", "expected"), ADDRESSES.items())
def test_an_address_is_parsed(url: str, expected: object) -> None:
    assert parse_address(url) == expected


@pytest.mark.parametrize(
    "wrong",
    [
        *("", "h:1883", "http://h", "mqtt://", "mqtt://h:0", "mqtt://h:70000", "mqtt://h/x", "mqtt://[h"),
        "mqttx://joe:secret@h",
    ],
)
def test_anything_else_is_no_address_and_shown_without_a_password(wrong: str) -> None:
    with pytest.raises(ConfigError, match=r"broker\.url: expected mqtt\(s\)://") as refusal:
        parse_address(wrong)
    assert "secret" not in str(refusal.value)


@given(st.integers(1, 65535), st.booleans())
def test_a_url_names_the_address_it_was_made_from(port: int, tls: bool) -> None:
    address = Address("example.org", port, tls=tls)
    assert parse_address(address.url)[0] == address
