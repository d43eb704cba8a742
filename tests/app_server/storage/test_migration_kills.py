"""Killed at any step of its migration, an app's data is as it was or as it was to be, never between (ours)."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from tests.app_server.storage.migration_kills import STEPS, is_decided, look, prepare

pytestmark = [
    pytest.mark.system,
    pytest.mark.timeout(600),  # a dozen kills and restarts
    pytest.mark.skipif(sys.platform == "win32", reason="kills by forking"),
]


def test_a_kill_leaves_the_old_data_or_the_new(tmp_path: Path, repository: Path) -> None:
    given, cases = tmp_path / "given", tmp_path / "cases"
    given.mkdir()
    asyncio.run(prepare(given))
    done = subprocess.run(  # noqa: S603 - our own module
        [sys.executable, "-m", "tests.app_server.storage.migration_kills", given, cases],
        cwd=repository,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert tuple((cases / "reached.txt").read_text().splitlines()) == STEPS
    old, new = asyncio.run(look(given)), asyncio.run(look(cases / "whole"))
    assert (old["pending"], new["pending"]) == (new["applied"], ())
    assert new["rows"] == [{"id": "a", "title": "Limes", "one": 1}, None, *new["rows"][2:]]
    assert [row["one"] for row in new["rows"][2:]] == [1, 1]
    for step in STEPS:
        found = asyncio.run(look(cases / step.replace(" ", "-")))
        assert found == (new if is_decided(step) else old), step
