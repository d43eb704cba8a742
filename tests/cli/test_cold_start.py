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
FOR_OTHER_COMMANDS = (
    "click.testing",
    "lime_desktop.app_package.archive.reader",
    "lime_desktop.app_package.archive.extraction",
    "lime_desktop.app_package.migration",
    "lime_desktop.app_package.archive.packing",
    "lime_desktop.app_package.archive.strict_zip",
    "lime_desktop.app_package.trust",
    "lime_desktop.app_server",
    "lime_desktop.database",
    "lime_desktop.host",
    "lime_desktop.jsonrpc",
    "lime_desktop.shell",
)
PROBE = """
import sys
from lime_desktop.cli.main import main
main(sys.argv[1:], standalone_mode=False)
print("LOADED", *sorted(sys.modules))
"""
BUILT = """
import sys
from lime_desktop.cli.main import main
main(sys.argv[1:], standalone_mode=False)
from lime_desktop.app_package.manifest import AgentRuntime, InstallContract, Manifest
models = (AgentRuntime, InstallContract, Manifest)
print("BUILT", *(model.__name__ for model in models if model.__pydantic_complete__))
"""
STARTED = """
import atexit, gc, sys
from lime_desktop.__main__ import start
atexit.register(lambda: print("COLLECTING", gc.isenabled(), gc.get_freeze_count() > 0))
start()
"""


def run(code: str, command: str) -> subprocess.CompletedProcess[str]:
    """Ask about a folder in a fresh interpreter."""
    return subprocess.run(  # noqa: S603 - our own interpreter and code
        [sys.executable, "-c", code, command, str(PACKAGE)],
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )


def loaded_by(command: str) -> list[str]:
    """The modules that are there after asking about a folder."""
    result = run(PROBE, command)
    loaded = result.stdout.rsplit("LOADED", 1)[-1].split()
    assert "pydantic" in loaded, result.stderr
    return loaded


@pytest.mark.parametrize("command", ["validate", "project", "readiness"])
def test_command_loads_no_window_network_or_agent_library(command: str) -> None:
    loaded = loaded_by(command)
    assert [name for name in (*HEAVY, *FOR_OTHER_COMMANDS) if name in loaded] == []


def test_rules_are_built_only_for_parts_that_the_package_has() -> None:
    result = run(BUILT, "validate")
    assert result.stdout.endswith("BUILT Manifest\n"), result.stdout + result.stderr


def test_garbage_is_collected_once_the_command_is_loaded() -> None:
    result = run(STARTED, "validate")
    assert result.stdout.endswith("COLLECTING True True\n"), result.stderr
