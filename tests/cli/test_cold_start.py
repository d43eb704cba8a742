"""Asking about a package must not pay for windows, networks or agents."""

import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "projection" / "packages" / "content-studio"
HEAVY = (
    "PySide6",
    "aiosqlite",
    "asyncio",
    "cryptography",
    "httpx",
    "keyring",
    "multiprocessing",
    "qasync",
    "sigstore",
    "sqlite3",
    "ssl",
)
PROBE = """
import sys
from lime_desktop.cli.main import main
main(sys.argv[1:], standalone_mode=False)
heavy = {name.split(".")[0] for name in sys.modules}
print("LOADED", *sorted(heavy))
"""


@pytest.mark.parametrize("command", ["validate", "project", "readiness"])
def test_command_loads_no_window_network_or_agent_library(command: str) -> None:
    result = subprocess.run(  # noqa: S603 - our own interpreter and code
        [sys.executable, "-c", PROBE, command, str(PACKAGE)],
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    loaded = result.stdout.rsplit("LOADED", 1)[-1].split()
    assert "pydantic" in loaded, result.stderr
    assert [name for name in HEAVY if name in loaded] == []
