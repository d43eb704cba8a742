import json

from lime_desktop.projection.canonical import canonical, to_text


def test_what_json_cannot_hold_becomes_what_it_can() -> None:
    value = {"b": float("inf"), "a": float("nan"), "c": "\ud800", 1: (2, 3 + 4j)}
    text = to_text(canonical(value))
    assert json.loads(text) == {"1": [2, "(3+4j)"], "a": "nan", "b": "inf", "c": "?"}
    text.encode()


def test_named_keys_come_first_and_the_rest_sorted() -> None:
    ordered = canonical({"c": 1, "b": {"y": 1, "x": 2}, "a": 3}, first=("b", "missing"))
    assert to_text(ordered) == '{"b":{"x":2,"y":1},"a":3,"c":1}'
