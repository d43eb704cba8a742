import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.app_package.text.json_text import parse_json
from lime_desktop.app_package.text.located import find
from lime_desktop.app_package.text.plain_text import Parsed, ReadingBudget


def parse(text: str) -> Parsed:
    return parse_json(text.encode(), "a.json", ReadingBudget())


def codes(parsed: Parsed) -> list[tuple[str, int | None]]:
    return [(problem.code, problem.line) for problem in parsed.problems]


ANY_JSON: st.SearchStrategy[object] = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**53) + 1, 2**53 - 1),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(),
    ),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)),
    max_leaves=20,
)


@given(value=ANY_JSON, indent=st.sampled_from([None, 1]), ascii_only=st.booleans())
def test_whatever_json_can_say_is_read_as_it_was_written(
    value: object, indent: int | None, *, ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    parsed = parse_json(text.encode("utf-8"), "a.json", ReadingBudget())
    assert (parsed.value, parsed.problems) == (value, [])


def test_every_value_knows_its_line() -> None:
    parsed = parse('{\n  "a": [\n    1,\n    {"b": 2}\n  ]\n}\n')
    assert find(parsed.value, ("a", 1, "b")) == (2, ("a.json", 4))


@pytest.mark.parametrize(
    "text",
    ["", "{", "[1,]", "[1 2]", '{"a" 1}', "{a: 1}", "{'a': 1}", "NaN", "[Infinity]", "01", "1.",
     "+1", '"\t"', '"\\x"', '"a', "tru", "[] []", "{,}", "]", "// no", '{"a": 1,}'],
)  # fmt: skip
def test_what_is_not_json_is_one_syntax_error(text: str) -> None:
    assert codes(parse(text)) == [("SYNTAX_INVALID", 1)]


def test_what_was_read_before_a_syntax_error_is_kept() -> None:
    parsed = parse('{"a": 1,\n "b": [2,\n 3 4]}')
    assert parsed.value == {"a": 1, "b": [2, 3]}
    assert codes(parsed) == [("SYNTAX_INVALID", 3)]


def test_duplicates_big_numbers_and_half_characters_are_reported() -> None:
    parsed = parse('{"a": 1, "a": 2,\n"b": 1e999,\n"c": "\\udc00"}')
    assert parsed.value == {"a": 2, "b": "1e999", "c": "\ufffd"}
    assert codes(parsed) == [
        ("KEY_TWICE", 1),
        ("NUMBER_OUT_OF_RANGE", 2),
        ("CHARACTER_INVALID", 3),
    ]


def test_deep_nesting_is_refused() -> None:
    assert codes(parse("[" * 1000)) == [("NESTED_TOO_DEEP", 1)]
