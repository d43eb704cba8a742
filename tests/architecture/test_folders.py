"""A folder fits one screen (ours)."""

from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MOST_FILES = 30


def test_no_folder_of_the_program_has_more_files_than_fit_a_screen() -> None:
    modules = (ROOT / "lime_desktop").rglob("*.py")
    counts = Counter(str(each.parent.relative_to(ROOT)) for each in modules)
    assert {place: count for place, count in counts.items() if count > MOST_FILES} == {}
