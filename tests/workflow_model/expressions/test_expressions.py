"""What expressions read, compare and refuse (ours: the standard names no language)."""

import pytest
from pydantic import JsonValue

from lime_desktop.workflow_model.expressions.evaluation import evaluate
from lime_desktop.workflow_model.expressions.parser import parse_expression
from lime_desktop.workflow_model.expressions.syntax import ExpressionError, reads_of
from lime_desktop.workflow_model.expressions.templates import (
    TemplateError,
    fill_template,
    parse_template,
)

SCOPE: dict[str, JsonValue] = {
    "input": {"name": "Ann", "price": 12.5, "tags": ["a", "b"], "urgent": True, "odd key": 1},
    "states": {"read-files": {"output": {"rows": [{"n": 1}, {"n": 2}]}}},
    "run": {"id": "r1", "startedAt": "2026-01-02T03:04:05Z"},
}


def value_of(text: str) -> JsonValue:
    found = parse_expression(text)
    assert not isinstance(found, ExpressionError), found.words
    return evaluate(found, SCOPE)


def filled(value: object) -> JsonValue:
    found = parse_template(value)
    assert not isinstance(found, list), found
    return fill_template(found, SCOPE)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$.input.price", 12.5),
        ("$.states.read-files.output.rows[1].n", 2),
        ("$.states.read-files.output.rows[-1].n", 2),
        ("$.states['read-files'].output.rows[7].n", None),
        ('$.input["odd key"]', 1),
        ("$.input.name.deeper", None),
        ("$.item", None),
        ("$.run.id", "r1"),
        ("$.input.missing ?? $.input.gone ?? 'none'", "none"),
        ("($.input.missing ?? $.states.read-files.output).rows[-1].n", 2),
        ("({a: null} ?? {a: 1}).a", None),
        ("('text').deeper", None),
        ("$.input.price > 10 and $.input.urgent", True),
        ("not ($.input.price > 10)", False),
        ("not $.input.price > 10", False),
        ("'a' in $.input.tags", True),
        ("'An' in $.input.name", True),
        ("'name' in $.input", True),
        ("3 in 4", False),
        ("length($.input.tags) == 2", True),
        ("length(3)", None),
        ("true == 1", False),
        ("[true] == [1]", False),
        ("1 == 1.0", True),
        ("{'a': [1, null]} == {a: [1, null]}", True),
        ("'b' > 'a'", True),
        ("'2' > 1", False),
        ("null < 1", False),
        ("false or 0 or '' or [] or {}", False),
        ("1 == 2 or 2 == 2 and 3 == 4", False),
        (r'"\u4f60\n"', "你\n"),
        ("-1.5e1", -15.0),
    ],
)
def test_an_expression_has_its_value(text: str, value: JsonValue) -> None:
    assert value_of(text) == value
    assert type(value_of(text)) is type(value)


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [
        ("", "A value is expected before the end", 1, 1),
        ("$.inputs.a", "A read begins with one of", 1, 3),
        ("$.states.a", "Of a state, its output can be read", 1, 9),
        ("$.run.secret", "Of a run,", 1, 6),
        ("$.input.a ==", "A value is expected before the end", 1, 13),
        ("$.input.a = 1", "'=' has no meaning here", 1, 11),
        ("1 < 2 < 3", "The expression is over before `<`", 1, 7),
        ("$.input.a and\n  lenght(2)", "Did you mean length?", 2, 3),
        ("'open", "The text is not closed", 1, 1),
        ("1e999", "The number is too large", 1, 1),
        ("[1 2]", "`,` is expected before `2`", 1, 4),
        ("$.input[1.5]", "A whole number or a text is expected", 1, 9),
        ("(" * 40, "at most 32 deep", 1, 33),
        ("not " * 40 + "1", "at most 32 deep", 1, 129),
        ("1" + " " * 1_000, "at most 1000 characters", 1, 1_001),
    ],
)
def test_what_is_no_expression_says_where(text: str, message: str, line: int, column: int) -> None:
    found = parse_expression(text)
    assert isinstance(found, ExpressionError)
    assert message in found.message
    assert (found.line, found.column) == (line, column)


@pytest.mark.parametrize(
    ("template", "value"),
    [
        ("$.input.tags", ["a", "b"]),
        ("${ $.input.price }", 12.5),
        ("Dear ${ $.input.name }, ${$.input.price}${ $.input.none }!", "Dear Ann, 12.5!"),
        ("${ {'a': '}'} }", {"a": "}"}),
        ("It is ${ $.input.tags }", 'It is ["a", "b"]'),
        ("$$.input costs $5 and $${x}", "$.input costs $5 and ${x}"),
        ("", ""),
        ("$", "$"),
        ({"to": ["$.input.name", 3, None], "$.k": True}, {"to": ["Ann", 3, None], "$.k": True}),
    ],
)
def test_a_template_is_filled(template: object, value: JsonValue) -> None:
    assert filled(template) == value


def test_every_error_of_a_template_names_its_part() -> None:
    found = parse_template({"a": ["ok", "x ${ 1 "], "b": "$.nothing"})
    assert isinstance(found, list)
    assert [(each.path, each.error.column) for each in found] == [(("a", 1), 8), (("b",), 3)]
    assert all(isinstance(each, TemplateError) for each in found)


def test_a_template_of_dollars_takes_no_longer_than_its_length() -> None:
    assert filled("$$" * 200_000) == "$" * 200_000


def test_reads_are_found_wherever_they_stand() -> None:
    text = "length($.input.a) in [{x: $.states.s.output}] or not $.run.id ?? $.item.b"
    found = parse_expression(text)
    assert not isinstance(found, ExpressionError)
    assert [(each.root, each.state_key) for each in reads_of(found)] == [
        ("input", None),
        ("states", "s"),
        ("run", None),
        ("item", None),
    ]
