import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.policy.patterns import parse_path, path_matches


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("a/b", "a/b"),
        ("./a//b/./c/", "a/b/c"),
        ("/a/b", "/a/b"),
        ("a\\b", "a/b"),
        ("c:\\Users\\me", "C:/Users/me"),
        (".", "."),
        ("./", "."),
        ("/", "/"),
        ("cafe\u0301", "caf\u00e9"),
        (".hidden/x", ".hidden/x"),
    ],
)
def test_a_path_has_one_plain_form(text: str, path: str) -> None:
    assert parse_path(text) == path


@pytest.mark.parametrize(
    "text",
    [
        "",
        "../a",
        "a/../b",
        "a/..",
        "~/a",
        "~root",
        "//server/share",
        "\\\\?\\C:\\a",
        "a\0b",
        "a/b.",
        "a/b ",
        "a/...",
        "file.txt:stream",
        "C:relative",
        "a\n",
    ],
)
def test_a_path_that_is_open_to_two_readings_is_refused(text: str) -> None:
    assert parse_path(text) is None


@pytest.mark.parametrize(
    ("pattern", "path", "is_match"),
    [
        ("drafts", "drafts", True),
        ("drafts", "drafts/a/b", True),
        ("drafts", "drafts-old", False),
        ("drafts/*.md", "drafts/a.md", True),
        ("drafts/*.md", "drafts/x/a.md", False),
        ("drafts/**/a.md", "drafts/a.md", True),
        ("drafts/**/a.md", "drafts/x/y/a.md", True),
        ("**/.ssh", "/home/me/.ssh/id", True),
        ("*", "/anything/at/all", True),
        (".", "a/b", True),
        (".", "/a/b", False),
        (".", "C:/a", False),
        ("/", "/a/b", True),
        ("/", "a/b", False),
        ("/srv", "srv", False),
    ],
)
def test_a_pattern_covers_what_it_names_and_what_is_below(
    pattern: str, path: str, *, is_match: bool
) -> None:
    assert path_matches(pattern, path, ignore_case=False) is is_match


def test_case_counts_unless_it_is_to_be_ignored() -> None:
    assert not path_matches("private", "Private/x", ignore_case=False)
    assert path_matches("private", "PRIVATE/x", ignore_case=True)


@given(st.text(max_size=40))
def test_any_text_gives_a_plain_path_or_nothing(text: str) -> None:
    path = parse_path(text)
    if path is not None:
        assert parse_path(path) == path
        assert ".." not in path.split("/")
