"""One place makes file names, and none of them leads elsewhere (ours). Names come from anybody."""

from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lime_desktop.file_names import (
    UnfitName,
    is_plain_name,
    last_name,
    plain_name,
    shown_name,
    stored_name,
)

DEVICES = {
    "CON",
    "PRN",
    "AUX",
    "NUL",
    *(f"{port}{n}" for port in ("COM", "LPT") for n in range(10)),
}
HOSTILE = [
    "/etc/passwd",
    "../../../home/person/.bashrc",
    "..",
    ".",
    "",
    " ",
    "...",
    "C:\\Windows\\win.ini",
    "\\\\server\\share\\x",
    "a\0b",
    "a\nb",
    "con",
    "NUL.txt",
    "com1 .x",
    "aux.",
    "name.",
    "name ",
    "invoice\u202egpj.exe",
    "a\u200bb",
    "\ud800",
    "x" * 5_000,
    "审批" * 3_000,
    "~root",
    "-rf",
    "a:b",
    "$(id)",
]


def is_one_name(name: str) -> bool:
    """Whether a name is one part of a path, and no device, on every system."""
    return (
        PurePosixPath(name).name == name
        and PureWindowsPath(name).name == name
        and name.partition(".")[0].strip().upper() not in DEVICES
        and not name.endswith((".", " "))
        and len(name.encode()) <= 255
        and not any(each < " " or "\u202a" <= each <= "\u202e" for each in name)
    )


@pytest.mark.parametrize("identity", HOSTILE)
def test_every_name_is_one_name_everywhere(identity: str) -> None:
    assert is_one_name(stored_name(identity, ".db"))
    assert is_one_name(shown_name(identity))
    assert is_one_name(shown_name(identity, ".md"))
    assert is_one_name(last_name(identity))


@given(st.text(), st.sampled_from(["", ".md", ".json"]))
@example("\u202e", ".md")
@example("con", "")
@example("ﬀ" * 100, ".md")
def test_whatever_is_asked_for_is_one_name(text: str, ending: str) -> None:
    for name in (stored_name(text, ending), shown_name(text, ending), last_name(text)):
        assert is_one_name(name)
    if is_plain_name(text):
        assert is_one_name(plain_name(text))


def test_a_name_can_be_written(tmp_path: Path) -> None:
    for identity in HOSTILE:
        for name in (stored_name(identity), shown_name(identity)):
            (tmp_path / name).write_text("x")
    assert all(path.parent == tmp_path for path in tmp_path.rglob("*"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Notes", "notes"),
        ("a/b", "a_b"),
        ("é", "e\u0301"),
        ("ſ", "s"),
        ("name.", "name"),
        ("x" * 300, "x" * 301),
        ("\ud800", "\ud801"),
    ],
)
def test_two_identities_never_share_a_name(one: str, other: str) -> None:
    """Also where a system takes upper and lower case for one another."""
    assert stored_name(one).casefold() != stored_name(other).casefold()


@pytest.mark.parametrize("text", [*HOSTILE, ".hidden", "a b", "é", "a/b"])
def test_only_what_is_a_name_already_stays_as_it_is(text: str) -> None:
    with pytest.raises(UnfitName):
        plain_name(text)


@pytest.mark.parametrize("text", ["notes", "my-app_2.0", "0f3a", "SKILL.md", "console"])
def test_plain_names_stay(text: str) -> None:
    assert plain_name(text) == text


def test_a_title_keeps_what_it_says_and_its_ending() -> None:
    assert shown_name("Q3: costs / benefits", ".md") == "Q3_ costs _ benefits.md"
    assert shown_name("季度报告.pdf") == "季度报告.pdf"
    assert shown_name("x" * 300 + ".pdf").endswith("x.pdf")
    assert last_name("https://example.com/a/b%20c.pdf") == "b c.pdf"
