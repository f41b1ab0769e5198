"""YAML as it is read here: lines, keys, and none of YAML 1.1's surprises."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridjoust.runner.config.document import DocumentError, format_document, format_path, parse_document

plain_data = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(-1e9, 1e9) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.gate
@settings(deadline=None)
@given(plain_data)
def test_what_is_written_is_read_back_equal(data: object) -> None:
    assert parse_document(format_document(data)).data == data


TEXTS = ["1:30", "010", "2026-01-01", "1_000", "0x1F", ".inf", ".nan", "00", "=", "1:30.5"]
NUMBERS = {"1e3": 1000.0, ".5": 0.5, "-3": -3, "+4": 4, "2.0": 2.0}


@pytest.mark.parametrize(("text", "expected"), [*((text, text) for text in TEXTS), *NUMBERS.items()])
def test_only_plain_decimals_are_numbers(text: str, expected: str | float) -> None:
    data = parse_document(f"key: {text}").data

    assert data == {"key": expected}
    assert isinstance(data, dict)
    assert type(data["key"]) is type(expected)


def test_a_line_is_that_of_the_key_in_force_or_of_its_mapping_where_it_is_missing() -> None:
    document = parse_document("a: 1\nb:\n  - c: 1\n  - c: 2\n    d: 3\n")
    assert [document.line_of(("b", 1, key)) for key in ("d", "nothing")] == [5, 4]


def test_merged_keys_are_overridden_by_the_mappings_own() -> None:
    document = parse_document("a: &base {x: 1, y: 1}\nb:\n  <<: *base\n  y: 2\n")
    assert document.data == {"a": {"x": 1, "y": 1}, "b": {"x": 1, "y": 2}}
    assert document.line_of(("b", "y")) == 4


def test_what_an_unquoted_boolean_looked_like_is_remembered() -> None:
    document = parse_document("a: off\nb: 'off'\n")
    assert (document.as_written(("a",)), document.as_written(("b",))) == ("off", None)


@pytest.mark.default(
    "a: 1\\n---\\nb: 1-expected one document, got a second one after ----2",
    "a: *b-expected valid YAML, got 'a: *b': found undefined alias 'b'-1",
    "a: !!python/name:os.system-expected no YAML tag, got one: put text that starts with ! in quotes-1",
    "a: 1\\na: 2-expected each key once, got it again (first in line 1)-2",
)
@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("a:\n\tb: 1", "expected spaces, got a tab: YAML does not indent with tabs", 2),
        ("a: b: c", "expected one `key: value` a line, got another ': ': put text in quotes, line keys up", 1),
        ("x: 1\na: 'b\n\n\n", "expected a closing quote, got the end of the file", 2),
        ("x: 1\na: [1, 2\n\n", "expected a closing bracket, got the end of the file", 2),
        ("a: [1]]", "expected as many opening as closing brackets, got one ] more", 1),
        ("a:\n  - b\n c: 1", "expected keys that line up, got a line that is indented differently", 3),
        ("a: 1\n---\nb: 1", "expected one document, got a second one after ---", 2),
        ("a: !!python/name:os.system", "expected no YAML tag, got one: put text that starts with ! in quotes", 1),
        ("a: @b", "expected valid YAML, got 'a: @b': found character '@' that cannot start any token", 1),
        ("a: *b", "expected valid YAML, got 'a: *b': found undefined alias 'b'", 1),
        ("a: 1\nb: \x01", "expected text, got the character 0x01", 2),
        ("a: 1\na: 2", "expected each key once, got it again (first in line 1)", 2),
        ("on: 1", "expected text as a key, got on, which YAML reads as true or false: put it in quotes", 1),
        ("3: 1", "expected text as a key, got 3: put it in quotes", 1),
        ("? [a]\n: 1", "expected text as a key, got a list or a mapping", 1),
        ("a: 1e999", "expected a number of at most 30 digits, got 1e999", 1),
        ("a: " + "[" * 5000, "expected a few levels of nesting, got hundreds", 1),
    ],
)
def test_broken_text_is_explained_with_its_line(text: str, message: str, line: int) -> None:
    with pytest.raises(DocumentError) as caught:
        parse_document(text)
    assert (str(caught.value), caught.value.line) == (message, line)


def test_a_repeated_key_is_named_with_its_path() -> None:
    with pytest.raises(DocumentError) as caught:
        parse_document("bots:\n  - name: a\n    name: b\n")
    assert format_path(caught.value.path) == "bots[0].name"


BOMBS = {
    "shared lists": [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)],
    "merged keys": [f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}" for n in range(1, 30)],
    "a chain of merged keys": [f"a{n}: &a{n} {{<<: *a{n - 1}, k{n}: 1}}" for n in range(1, 300)],
    "very many values": ["b: [" + "1, " * 31_000 + "]"],
}


@pytest.mark.default("shared lists", "merged keys", "a chain of merged keys")
@pytest.mark.parametrize("rows", BOMBS.values(), ids=BOMBS)
def test_what_is_small_as_text_and_huge_as_values_is_refused(rows: list[str]) -> None:
    with pytest.raises(DocumentError, match="expected at most 30000 keys and values, got more"):
        parse_document("\n".join(["a0: &a0 {x: 1}", *rows]))


def test_shared_and_merged_parts_of_a_common_size_are_read() -> None:
    rows = ["base: &base {x: 1}", "all: [" + "{<<: *base, y: 2}, " * 1000 + "]"]
    assert parse_document("\n".join(rows)).data == {"base": {"x": 1}, "all": [{"x": 1, "y": 2}] * 1000}


@pytest.mark.gate
def test_a_text_is_bounded() -> None:
    assert parse_document("a: 1\n#" + "x" * 1_000_000).data == {"a": 1}
    with pytest.raises(DocumentError, match="expected at most 1500000 bytes, got more"):
        parse_document("a: 1\n#" + "x" * 1_500_000)


def test_keys_that_are_no_plain_words_are_quoted_in_paths() -> None:
    assert format_path(("bots", 2, "roles", "dark lord", "bot")) == "bots[2].roles['dark lord'].bot"


@pytest.mark.parametrize("text", ['tournament: cup\ntitle: "\\ud800"\n', 'tournament: cup\n"\\udfff": 1\n'])
def test_half_of_a_surrogate_pair_is_no_text(text: str) -> None:
    with pytest.raises(DocumentError, match="expected text, got half of a surrogate pair") as refused:
        parse_document(text)
    assert refused.value.line == 2


def test_a_surrogate_pair_in_escapes_is_one_sign() -> None:
    assert parse_document('title: "\\ud83e\\udd86"').data == {"title": "🦆"}
