"""Other people's words cannot forge lines, hide letters or pass for another name (ours)."""

import pytest

from lime_desktop.protocol.plain_text import (
    LINE,
    address_host,
    plain_address,
    plain_line,
    plain_name,
    plain_text,
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Save\nAllowed by your organisation", "Save Allowed by your organisation"),
        ("a\r\n\tb\u2028c\u0085d", "a b c d"),
        ("\x1b[31mred\x07", "\\x1b[31mred\\x07"),
        ("\u202egnp.exe\u2066", "\\u202egnp.exe\\u2066"),
        ("pay\u200bpal\u00ad\u3164", "pay\\u200bpal\\xad\\u3164"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("lone \ud800", "lone \\ud800"),
        ("笔记　摘要", "笔记 摘要"),
        ("👩‍👧 ❤️ 1️⃣", "👩‍👧 ❤️ 1️⃣"),
        ("می‌خواهم", "می‌خواهم"),
        ("<b>bold</b> & so on", "<b>bold</b> & so on"),
    ],
)
def test_a_line_shows_what_is_there(text: str, shown: str) -> None:
    assert plain_line(text) == shown


def test_accents_do_not_climb_over_other_lines() -> None:
    assert plain_line("z" + "\u0301" * 5) == "z\u0301\u0301\u0301\\u0301\\u0301"


@pytest.mark.parametrize("text", ["x" * 10_000_000, "x " * 5_000_000, " " * 10_000_000 + "end"])
def test_a_line_is_bounded_and_says_that_it_was_cut(text: str) -> None:
    shown = plain_line(text)
    assert len(shown) <= LINE
    assert shown.endswith("…")


def test_a_text_keeps_its_lines_and_nothing_else() -> None:
    assert plain_text("one\r\n\ttwo\u202e\rthree") == "one\n    two\\u202e\nthree"
    assert plain_text("line\n" * 10_000, 20) == "line\nline\nline\nline…"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("N\u043etes", "N\u043etes ⟨\u043e: Cyrillic⟩"),
        ("\u0455\u0441\u043e\u0440\u0435", None),
        ("\U0001d40f\U0001d41a\U0001d432", None),
        ("Notes", "Notes"),
        ("笔记 Notes", "笔记 Notes"),
        ("東京OK", "東京OK"),
        ("Заметки", "Заметки"),
        ("Café Zürich", "Café Zürich"),
    ],
)
def test_a_name_that_passes_for_another_is_marked(name: str, shown: str | None) -> None:
    if shown is None:
        assert plain_name(name).startswith(f"{name} ⟨")
    else:
        assert plain_name(name) == shown


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://example.com/a?b=c", "https://example.com/a?b=c"),
        ("https://\u0430\u0440\u0440le.com/", "https://xn--le-6kc8da.com/"),
        ("https://bank.example@evil.example/x", "https://⟨bank.example⟩@evil.example/x"),
        ("https://user:secret@h.example/", "https://⟨user⟩@h.example/"),
        ("https://h.example/\u202egpj.exe", "https://h.example/\\u202egpj.exe"),
        ("http://[::1]:8080/x", "http://[::1]:8080/x"),
        ("https://[broken", "https://[broken"),
    ],
)
def test_an_address_says_where_it_leads(url: str, shown: str) -> None:
    assert plain_address(url) == shown


def test_an_address_is_bounded_and_keeps_its_host() -> None:
    shown = plain_address(f"https://example.com/{'a' * 100_000}")
    assert shown.startswith("https://example.com/a")
    assert len(shown) < 300
    assert address_host("https://a@b.example:8443/x") == "b.example:8443"
