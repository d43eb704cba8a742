"""The language is total: any text parses or has an error with its place, any expression has a value for any JSON (ours)."""

import json

from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from lime_desktop.workflow_model.expressions.evaluation import evaluate
from lime_desktop.workflow_model.expressions.parser import parse_expression
from lime_desktop.workflow_model.expressions.syntax import (
    LONGEST_EXPRESSION,
    ROOTS,
    Compare,
    Constant,
    Expression,
    ExpressionError,
    Join,
    Length,
    ListOf,
    Not,
    ObjectOf,
    PartOf,
    Read,
)
from lime_desktop.workflow_model.expressions.templates import (
    Fixed,
    fill_template,
    parse_template,
    parse_text,
    write_text,
)
from lime_desktop.workflow_model.expressions.writing import write_expression

_WORDS = [
    *("$.input", "$.states.a.output", "$.run.id", "$.item", ".", "$", "[", "]", "(", ")", "{", "}"),
    *("and", "or", "not", "in", "??", "==", "<", ">=", "length", "null", "1", "-2.5e3", "'t'", '"'),
    *(",", ":", " ", "\n", "名", "x-y"),
]
texts = st.text() | st.lists(st.sampled_from(_WORDS), max_size=30).map(" ".join)
scalars = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8)  # fmt: skip
json_values: st.SearchStrategy[JsonValue] = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)
scopes = st.dictionaries(st.sampled_from(ROOTS), json_values)
names = st.text(min_size=1, max_size=5)
reads = st.one_of(
    st.builds(
        Read,
        st.sampled_from(["input", "item"]),
        st.lists(names | st.integers(-9, 9), max_size=3).map(tuple),
    ),
    names.map(lambda key: Read("states", (key, "output", 2))),
    st.just(Read("run", ("startedAt",))),
)


ways = st.lists(names | st.integers(-9, 9), min_size=1, max_size=3).map(tuple)


def _wider(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    parts = st.lists(inner, min_size=2, max_size=3).map(tuple)
    fields = st.dictionaries(names, inner, max_size=2).map(lambda found: tuple(found.items()))
    signs = st.sampled_from(["==", "!=", "<", "<=", ">", ">=", "in"])
    return st.one_of(
        st.builds(ListOf, st.lists(inner, max_size=3).map(tuple)),
        st.builds(ObjectOf, fields),
        st.builds(Not, inner),
        st.builds(Length, inner),
        st.builds(PartOf, inner, ways),
        st.builds(Compare, signs, inner, inner),
        st.builds(Join, st.sampled_from(["or", "and", "??"]), parts),
    )


expressions: st.SearchStrategy[Expression] = st.recursive(
    st.builds(Constant, scalars) | reads, _wider, max_leaves=8
)


@given(texts, scopes)
def test_any_text_parses_or_says_where_it_does_not_and_what_parses_has_a_value(
    text: str, scope: dict[str, JsonValue]
) -> None:
    found = parse_expression(text)
    if isinstance(found, ExpressionError):
        assert 1 <= found.line <= text.count("\n") + 1
        assert 1 <= found.column <= len(text.split("\n")[found.line - 1]) + 1
        assert found.message
    else:
        json.dumps(evaluate(found, scope))


@given(expressions, scopes)
def test_an_expression_survives_being_written_and_has_a_value_for_any_json(
    expression: Expression, scope: dict[str, JsonValue]
) -> None:
    json.dumps(evaluate(expression, scope))
    written = write_expression(expression)
    if len(written) <= LONGEST_EXPRESSION:
        assert parse_expression(written) == expression


@given(st.recursive(scalars | texts, lambda inner: st.lists(inner, max_size=3)), scopes)
def test_any_json_is_a_template_or_has_errors_with_their_places(
    value: object, scope: dict[str, JsonValue]
) -> None:
    found = parse_template(value)
    if isinstance(found, list):
        assert all(each.error.message for each in found)
    else:
        json.dumps(fill_template(found, scope))


@given(st.text())
def test_an_escaped_text_stays_what_it_was(text: str) -> None:
    assert parse_text(write_text(text)) == Fixed(text)


def test_values_nested_deeper_than_the_stack_are_compared_and_written() -> None:
    deep: JsonValue = []
    for _ in range(5_000):
        deep = [deep]
    same = parse_expression("$.input == $.item")
    assert not isinstance(same, ExpressionError)
    assert evaluate(same, {"input": deep, "item": [deep]}) is False
    told = parse_template("so: ${ $.input }")
    assert not isinstance(told, list)
    # How deep Python can write is its own affair, from one version to the next.
    assert fill_template(told, {"input": deep}) in {"so: …", f"so: {'[' * 5_001}{']' * 5_001}"}
