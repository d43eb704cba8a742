"""The import rules hold (ours): see the contracts in pyproject.toml."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.requirement("RT-04", "RT-05")
def test_imports_follow_the_data_path() -> None:
    # In a process of its own: import-linter switches off every logger that exists.
    code = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", code, "--no-cache"], cwd=ROOT, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stdout.decode()
