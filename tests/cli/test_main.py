"""The command line as a whole: help, exit codes, and paying only for the command in use."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from lime_desktop import __version__
from lime_desktop.cli.main import COMMANDS, load_command, main

ROOT = Path(__file__).parent.parent.parent
HELLO = ROOT / "sample_apps" / "hello-lime"


def takes_packages(name: str) -> bool:
    return any(parameter.name == "packages" for parameter in load_command(name).params)


# Open a window each time: tests/system runs them on several packages.
WINDOWS = {"test", "conformance"}


@pytest.fixture(params=[name for name in COMMANDS if takes_packages(name) and name not in WINDOWS])
def package_command(request: pytest.FixtureRequest) -> str:
    return request.param


def test_the_overview_names_every_command_with_its_line() -> None:
    result = CliRunner().invoke(main, ["--help"])
    assert result.exit_code == 0
    for name in COMMANDS:
        assert f"\n  {name} " in result.output


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str) -> None:
    result = CliRunner().invoke(main, [name, "--help"])
    assert result.exit_code == 0, result.output
    assert result.output.startswith(f"Usage: main {name}")
    # A server's output is its protocol and a window has none; every other command speaks JSON on request.
    assert "--json" in result.output or name in {"app-server", "open"}


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a screen")
@pytest.mark.parametrize("arguments", [[], ["open", str(HELLO)]])
def test_without_a_screen_the_window_says_so_instead_of_aborting(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 1
    assert "Lime Desktop can't open a window" in result.output
    assert "QT_QPA_PLATFORM=offscreen" in result.output


def test_an_unknown_command_is_a_usage_error() -> None:
    assert CliRunner().invoke(main, ["frobnicate"]).exit_code == 2


def test_the_version_is_the_packages_own() -> None:
    assert (
        CliRunner().invoke(main, ["--version"]).output == f"lime-desktop, version {__version__}\n"
    )


def test_the_doctors_json_is_one_object_with_its_findings() -> None:
    result = CliRunner().invoke(main, ["doctor", "--json"])
    report = json.loads(result.output)
    assert set(report) == {"ok", "version", "findings"}
    assert {tuple(finding) for finding in report["findings"]} == {
        ("check", "health", "message", "fix")
    }
    assert result.exit_code == (0 if report["ok"] else 1)


def test_no_color_is_respected_even_where_colour_is_forced() -> None:
    arguments = ["validate", str(HELLO)]
    environ = {"NO_COLOR": "1", "FORCE_COLOR": "1"}
    assert "\x1b" not in CliRunner().invoke(main, arguments, env=environ, color=True).output
    assert "\x1b" in CliRunner().invoke(main, arguments, env={"FORCE_COLOR": "1"}).output


def test_every_package_command_gives_one_json_object_a_line_for_several_packages(
    package_command: str,
) -> None:
    result = CliRunner().invoke(main, [package_command, str(HELLO), str(HELLO), "--json"])
    assert result.exit_code in {0, 1}, result.output
    lines = result.stdout.splitlines()
    assert len(lines) == 2
    assert all(isinstance(json.loads(line), dict) for line in lines)


def test_every_package_command_calls_a_missing_path_a_usage_error(package_command: str) -> None:
    result = CliRunner().invoke(main, [package_command, "no-such-folder"])
    assert result.exit_code == 2
    assert "no-such-folder" in result.output


def test_the_overview_imports_no_command() -> None:
    code = (
        "import sys; from click.testing import CliRunner; from lime_desktop.cli import main as cli;"
        "CliRunner().invoke(cli.main, ['--help']);"
        "print([module for module, _ in cli.COMMANDS.values() if module.partition(':')[0] in sys.modules])"
    )
    assert run_python(code) == "[]"


def test_an_output_that_knows_only_ascii_gets_escapes() -> None:
    code = (
        "import click; from lime_desktop.cli import main as cli;"
        "cli.main.add_command(click.Command('zh', callback=lambda: click.echo('写作')));"
        "cli.LazyGroup.get_command = click.Group.get_command; cli.main(['zh'])"
    )
    done = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "\\u5199\\u4f5c\n"), done.stderr


# What no command may load before it is needed: each costs more than the command itself.
HEAVY = (
    "PySide6",
    "qasync",
    "httpx",
    "sigstore",
    "keyring",
    "cryptography",
    "tuf",
    "jsonschema_rs",
)


def test_importing_the_commands_loads_nothing_heavy() -> None:
    """All in one process, where whatever one of them loads is seen; the first that does is named."""
    modules = sorted({module.partition(":")[0] for module, _ in COMMANDS.values()})
    code = f"""
import importlib, sys
for module in {modules!r}:
    importlib.import_module(module)
    if loaded := [name for name in {HEAVY!r} if name in sys.modules]:
        sys.exit(print(module, "loads", *loaded))
"""
    assert run_python(code) == ""


def test_validating_a_package_loads_no_qt_no_network_and_no_event_loop() -> None:
    """A cold start is paid on every save in an editor."""
    code = (
        "import sys; from lime_desktop.cli.main import main;"
        "main(['validate', 'sample_apps/hello-lime'], standalone_mode=False);"
        f"print([m for m in {(*HEAVY, 'asyncio', 'ssl', 'sqlite3')!r} if m in sys.modules])"
    )
    assert run_python(code).splitlines()[-1] == "[]"


def run_python(code: str) -> str:
    done = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="only Linux has a full device")
@pytest.mark.parametrize(
    "arguments", [["--help"], ["validate", "--json", "sample_apps/hello-lime"]]
)
def test_output_that_has_no_room_is_told_in_one_line(arguments: list[str]) -> None:
    """A bug: a full disk under the output gave a traceback."""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(  # noqa: S603 - our own code
            [sys.executable, "-m", "lime_desktop", *arguments],
            cwd=Path(__file__).parents[2],
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
    assert done.stderr == "Error: The output was not written: No space left on device.\n"
    assert done.returncode == 1
