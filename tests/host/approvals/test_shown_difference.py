"""A difference is read by a person: lines and where they stand, none of a patch's marks (a bug: reviews showed `@@ … @@`)."""

import pytest

from lime_desktop.host.approvals.shown_difference import compared_lines, is_patch, patch_lines
from lime_desktop.host.wording.texts import Texts, read_texts
from lime_desktop.resources import resources_folder

PATCH = """diff --git a/letter.md b/letter.md
index 83db48f..bf269f4 100644
--- a/letter.md
+++ b/letter.md
@@ -1,3 +1,3 @@
-Dear all
+Dear friends
 it is spring
---- a line of its own
@@ -20,2 +19,2 @@ ## Regards
 so long
-Ann
+Bo
\\ No newline at end of file
"""


@pytest.fixture
def english() -> Texts:
    return read_texts(resources_folder() / "locales", ["en"])


def test_parts_of_a_long_text_are_told_apart_by_their_line(english: Texts) -> None:
    before = [f"line {number}" for number in range(1, 21)]
    after = [*before[:1], "second", *before[2:17], "eighteenth", *before[18:]]
    assert compared_lines("\n".join(before), "\n".join(after), english) == (
        ("same", "line 1"),
        ("removed", "line 2"),
        ("added", "second"),
        ("same", "line 3"),
        ("same", "line 4"),
        ("place", "Line 16"),
        ("same", "line 16"),
        ("same", "line 17"),
        ("removed", "line 18"),
        ("added", "eighteenth"),
        ("same", "line 19"),
        ("same", "line 20"),
    )


def test_a_line_of_dashes_is_a_line_like_any_other(english: Texts) -> None:
    """A bug: a removed `-- Ann` was taken for the head of a patch, and not shown as removed."""
    assert compared_lines("so long\n-- Ann", "so long\n++ Bo", english) == (
        ("same", "so long"),
        ("removed", "-- Ann"),
        ("added", "++ Bo"),
    )


def test_what_was_not_compared_is_not_passed_over(english: Texts) -> None:
    """Ours: who approves must see that there is more."""
    text = "\n".join(str(number) for number in range(700))
    assert compared_lines(text, f"{text}\nmore", english) == (("place", "…"),)


def test_a_patch_shows_its_files_and_lines_and_no_marks(english: Texts) -> None:
    assert is_patch(PATCH)
    assert patch_lines(PATCH, english) == (
        ("place", "letter.md"),
        ("removed", "Dear all"),
        ("added", "Dear friends"),
        ("same", "it is spring"),
        ("removed", "--- a line of its own"),
        ("place", "Line 19 · ## Regards"),
        ("same", "so long"),
        ("removed", "Ann"),
        ("added", "Bo"),
    )


def test_a_patch_of_an_agents_own_kind_is_shown_too(english: Texts) -> None:
    patch = "--- /dev/null\n+++ b/new.py\n@@ def main():\n+    run()\n@@\n+done\n"
    assert is_patch(patch)
    assert patch_lines(patch, english) == (
        ("place", "new.py"),
        ("place", "def main():"),
        ("added", "    run()"),
        ("place", "…"),
        ("added", "done"),
    )
    moved = "diff --git a/old.md b/new.md\nsimilarity index 100%\nrename from old.md\n"
    assert patch_lines(moved, english)[0] == ("place", "old.md → new.md")


def test_a_letter_with_dashes_is_no_patch() -> None:
    """A bug: `--- Original message ---` made a whole letter a difference."""
    assert not is_patch("Dear all\n\n--- Original message ---\nHello")
    assert not is_patch("@@ -1 +1 @@")
