import pytest

from lime_desktop.app_package.text.kept_events import KeptEvents, KeptText
from lime_desktop.app_package.text.located import LocatedMap, find
from lime_desktop.app_package.text.plain_text import Parsed, ReadingBudget
from lime_desktop.app_package.text.yaml_text import parse_yaml


def parse(text: str | bytes) -> Parsed:
    data = text.encode() if isinstance(text, str) else text
    return parse_yaml(data, "a.yaml", ReadingBudget())


def codes(parsed: Parsed) -> list[tuple[str, int | None]]:
    return [(problem.code, problem.line) for problem in parsed.problems]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: 1", 1),
        ('a: "1.0"', "1.0"),
        ("a: 1.0", 1.0),
        ("a: 0x1F", 31),
        ("a: 0o17", 15),
        ("a: 017", 17),
        ("a: yes", "yes"),
        ("a: no", "no"),
        ("a: True", True),
        ("a: ~", None),
        ("a:", None),
        ("a: 2026-05-16", "2026-05-16"),
        ("a: 2026-05-16T00:00:00Z", "2026-05-16T00:00:00Z"),
        ("a: 12:30:00", "12:30:00"),
        ("a: https://example.com/#x", "https://example.com/#x"),
        ("a: |\n  one\n  two\n", "one\ntwo\n"),
        ("a: >-\n  one\n  two\n", "one two"),
        ("a:\n- 1\n- 2", [1, 2]),
        ("a: [x, 'y, z']", ["x", "y, z"]),
        ("a: {b: c} # comment", {"b": "c"}),
        ("\ufeffa: 1", 1),
        ("a: 1\r\n", 1),
        ("%YAML 1.1\n---\na: yes", "yes"),
    ],
)
def test_scalars_and_collections_mean_what_yaml_1_2_says(text: str, value: object) -> None:
    parsed = parse(text)
    assert (parsed.value, codes(parsed)) == ({"a": value}, [])


def test_every_value_knows_its_line() -> None:
    parsed = parse("a:\n  - b: 1\n\n    c: 2\n  - d\ne: 3\n")
    places = {path: find(parsed.value, path)[1] for path in [("a", 0, "c"), ("a", 1), ("e",)]}
    assert places == {
        ("a", 0, "c"): ("a.yaml", 4),
        ("a", 1): ("a.yaml", 5),
        ("e",): ("a.yaml", 6),
    }


def test_what_was_read_before_a_syntax_error_is_kept() -> None:
    parsed = parse("a: 1\nb:\n  - x\n  - }\n")
    assert parsed.value == {"a": 1, "b": ["x"]}
    assert codes(parsed) == [("SYNTAX_INVALID", 4)]


def test_merge_keys_fill_in_and_own_keys_win() -> None:
    parsed = parse("a: &a {x: 1, y: 1}\nb: {y: 2, <<: *a}\nc: {<<: [{x: 3}, *a]}\n")
    assert parsed.value == {
        "a": {"x": 1, "y": 1},
        "b": {"y": 2, "x": 1},
        "c": {"x": 3, "y": 1},
    }
    assert codes(parsed) == []


def test_an_alias_inside_its_own_anchor_is_refused() -> None:
    parsed = parse("a: &a\n  b: *a\n")
    assert parsed.value == {"a": {"b": None}}
    assert codes(parsed) == [("ALIASES_TOO_LARGE", 2)]


def test_aliases_that_multiply_are_refused() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [" + ", ".join([f"*a{n - 1}"] * 9) + "]" for n in range(1, 10)]
    parsed = parse("\n".join(lines))
    assert set(codes(parsed)) >= {("ALIASES_TOO_LARGE", 6)}


def test_aliases_do_not_nest_deeper_than_a_file_may() -> None:
    lines = ["a0: &a0 [x]"] + [f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 60)]
    assert "ALIASES_TOO_LARGE" in {code for code, _ in codes(parse("\n".join(lines)))}


def test_half_a_character_is_replaced() -> None:
    parsed = parse('a: "\\ud800"')
    assert parsed.value == {"a": "\ufffd"}
    assert codes(parsed) == [("CHARACTER_INVALID", 1)]


def test_an_escape_beyond_unicode_is_a_syntax_error() -> None:
    """ruamel.yaml lets the OverflowError of `chr` through."""
    assert codes(parse('a: "\\Uffffffff"')) == [("SYNTAX_INVALID", 1)]


def test_bytes_that_are_no_text_name_their_line() -> None:
    assert codes(parse(b"a: 1\nb: \xff\n")) == [("TEXT_NOT_UTF8", 2)]
    assert codes(parse("a: 1\nb: \x07\n")) == [("SYNTAX_INVALID", 2)]


@pytest.mark.parametrize("text", ["", "# only a comment\n", "~", "---\n"])
def test_an_empty_document_is_nothing_and_no_problem(text: str) -> None:
    parsed = parse(text)
    assert (parsed.value, codes(parsed)) == (None, [])


def test_the_budget_is_shared_by_all_files_of_a_package() -> None:
    budget = ReadingBudget(tokens=10)
    first = parse_yaml(b"a: 1", "a.yaml", budget)
    second = parse_yaml(b"a: [1, 2, 3, 4]", "b.yaml", budget)
    assert codes(first) == []
    assert codes(second) == [("TEXT_TOO_LARGE", 1)]


def test_a_text_that_was_read_before_costs_the_budget_as_much() -> None:
    """Ours: what is remembered of a text must not let a package have more of them."""
    text, fresh, again = b"once: [read, before]", ReadingBudget(), ReadingBudget()
    first, second = (parse_yaml(text, "a.yaml", budget) for budget in (fresh, again))
    assert (first.value, fresh) == (second.value, again)
    spare = ReadingBudget(tokens=ReadingBudget().tokens - again.tokens)
    assert codes(parse_yaml(text, "a.yaml", spare)) == []
    assert codes(parse_yaml(text, "a.yaml", spare)) == [("TEXT_TOO_LARGE", 1)]


def test_a_text_that_was_read_before_gives_values_of_its_own() -> None:
    """Ours: merging changes what was read."""
    first, second = (
        parse_yaml(b"mine: [1]", name, ReadingBudget()) for name in ("a.yaml", "b.yaml")
    )
    assert isinstance(first.value, LocatedMap)
    assert isinstance(second.value, LocatedMap)
    assert first.value["mine"] is not second.value["mine"]
    assert second.value.origins["mine"].file == "b.yaml"


def test_only_a_bounded_number_of_events_is_remembered() -> None:
    kept = KeptEvents(most_events=4)
    for text in ("a", "b", "a", "c"):
        if kept.of(text) is None:
            kept.keep(text, KeptText((text, text), 2))
    kept.keep("too large", KeptText((1, 2, 3), 3))
    assert [kept.of(each) is not None for each in ("a", "b", "c", "too large")] == [
        *(True, False, True, False)
    ]
