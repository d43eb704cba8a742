"""What the start is spared: PySide's search of every module that is imported after it. Ours."""

import subprocess
import sys

import pytest

_COUNT_READ_SOURCES = """
import PySide6.QtCore, inspect
from lime_desktop.shell.startup.starting import skip_feature_search
{before}
read = []
inspect.getsource = lambda module: read.append(module) or ""
import lime_desktop.durable_files.writing
print(len(read))
"""


def _sources_read(before: str) -> int:
    script = _COUNT_READ_SOURCES.format(before=before)
    done = subprocess.run(  # noqa: S603 - our own words
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    return int(done.stdout)


def test_no_source_is_read_for_qt_features() -> None:
    assert _sources_read("skip_feature_search()") == 0


def test_pyside_still_reads_them_otherwise() -> None:
    """Where this fails, a new PySide has no such search, and `skip_feature_search` can go."""
    if not _sources_read(""):
        pytest.fail("PySide no longer searches modules: remove skip_feature_search.")
