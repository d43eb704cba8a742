"""Sentences that are easy to read (ours): short, whole, and written with the signs of their language."""

import ast
import re
import string
from collections.abc import Iterator

import pytest

from tests.architecture.visible_texts import ROOT, table

ENGLISH, CHINESE = table("en"), table("zh-CN")
MOST_WORDS = 20
VERBS = frozenset(
    [
        "Accept",
        "Add",
        "Allow",
        "Answer",
        "Approve",
        "Ask",
        "Back",
        "Cancel",
        "Change",
        "Check",
        "Choose",
        "Clear",
        "Close",
        "Copy",
        "Create",
        "Decide",
        "Delete",
        "Disable",
        "Dismiss",
        "Done",
        "Don't",
        "Edit",
        "Enable",
        "Enter",
        "Export",
        "Find",
        "Fork",
        "Get",
        "Go",
        "Hide",
        "Inspect",
        "Install",
        "Join",
        "Leave",
        "Later",
        "Move",
        "Never",
        "Open",
        "Pause",
        "Play",
        "Print",
        "Quit",
        "Refresh",
        "Reject",
        "Reload",
        "Remove",
        "Replace",
        "Reset",
        "Restore",
        "Set",
        "Resume",
        "Retry",
        "Run",
        "Review",
        "Revoke",
        "Roll",
        "Save",
        "Search",
        "Select",
        "Send",
        "Show",
        "Start",
        "Step",
        "Stop",
        "Summarize",
        "Test",
        "Try",
        "Undo",
        "Uninstall",
        "Update",
        "Use",
        "View",
        "Wait",
    ]
)
LEADS_TO_MORE = frozenset({"Details", "More", "All documents", "Settings…"})
"""Names of what opens: nothing is done by pressing them."""


def sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.!?])\s+|\n", text)


def test_a_sentence_is_short() -> None:
    """One test, not one per text: two thousand of them cost a run more than all the texts do."""
    long = {
        key: [each for each in sentences(text) if len(each.split()) > MOST_WORDS]
        for key, text in ENGLISH.items()
    }
    assert {key: found for key, found in long.items() if found} == {}


def test_nothing_ends_twice() -> None:
    twice = re.compile(r"\.\.|。。|[.。!！?？][。.](?!\w)|…\.")
    assert {key for key, text in ENGLISH.items() if twice.search(text)} == set()
    assert {key for key, text in CHINESE.items() if twice.search(text)} == set()


def test_english_is_written_with_english_signs() -> None:
    wide = re.compile(r"[\u3000-\u303f\uff01-\uff60「」『』]")
    assert {key: text for key, text in ENGLISH.items() if wide.search(text)} == {}


def test_chinese_is_written_with_chinese_signs() -> None:
    narrow = re.compile(
        r"[\u4e00-\u9fff}][,;:!?]|[\u4e00-\u9fff]\s*[\"']|[\"']\s*[\u4e00-\u9fff]|\.\.\."
    )
    assert {key: text for key, text in CHINESE.items() if narrow.search(text)} == {}


def test_both_languages_fill_in_the_same() -> None:
    def filled(text: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    assert {key: filled(text) for key, text in ENGLISH.items()} == {
        key: filled(text) for key, text in CHINESE.items()
    }


def pressed_keys() -> Iterator[str]:
    """Texts that stand on a button, by how the code makes one."""
    for path in sorted((ROOT / "lime_desktop/shell").rglob("*.py")):
        source = path.read_text("utf-8")
        if "button(" not in source:
            continue
        for node in ast.walk(ast.parse(source)):
            if (
                isinstance(node, ast.Call)
                and getattr(node.func, "id", "") == "button"
                and node.args
            ):
                text = node.args[0]
                if (
                    isinstance(text, ast.Call)
                    and text.args
                    and isinstance(text.args[0], ast.Constant)
                ):
                    yield str(text.args[0].value)


BUTTONS = sorted(set(pressed_keys()))


def test_the_buttons_are_found() -> None:
    assert len(BUTTONS) > 60


@pytest.mark.parametrize("key", BUTTONS)
def test_a_button_says_what_it_does(key: str) -> None:
    text = ENGLISH[key]
    assert text in LEADS_TO_MORE or text.rstrip("…").split()[0] in VERBS
