"""Lifecycle hooks by command line, with the real App Server and real programs (the standard: hooks at five moments)."""

import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from lime_desktop.cli.main import main
from tests.cli.test_app_commands import AGREED, Terminal
from tests.host.app_center.packages import make_package
from tests.sandboxed import NEEDS_SANDBOX

pytestmark = NEEDS_SANDBOX

MANIFEST = """\
capabilities: [lime.terminal]
integrations:
- { key: mark, provider: Marker, role: marking, adapter: { kind: cli, command: touch } }
- { key: script, provider: Script, role: script, adapter: { kind: cli, command: "sh -c" } }
lifecycle:
"""
ALLOWING = """\
version: 1
name: Example Ltd
policy:
  rules:
    - { id: marks, effect: allow, text: Marks and scripts are fine., when: { tools: [mark, script] } }
"""
ALL = ("install", "activate", "upgrade", "disable", "uninstall")
REFUSING = ALLOWING.replace("allow,", "deny,")


def marking(*points: str) -> str:
    return "".join(
        f'  {point}: {{ tool: mark, input: {{ arguments: ["{point}"] }} }}\n' for point in points
    )


def failing(point: str) -> str:
    script = f"touch {point}; echo no room left >&2; exit 4"
    return f'  {point}: {{ tool: script, input: {{ arguments: ["{script}"] }} }}\n'


def package_in(folder: Path, hooks: str, version: str = "1.0.0") -> Path:
    return make_package(folder / version, version=version, permissions="", more=MANIFEST + hooks)


class Hooked(Terminal):
    """A terminal, and what programs of the app left in their folders."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "data")
        self.data = folder / "data"
        self._organisation = folder / "organisation.yaml"

    def join(self, document: str) -> None:
        self._organisation.write_text(document)
        self.run("organisation", "join", self._organisation)

    @property
    def marks(self) -> list[str]:
        work = self.data / "app-server/work/notes"
        found = [path for path in work.rglob("*") if path.name in ALL]
        return [path.name for path in sorted(found, key=lambda path: path.stat().st_mtime_ns)]

    def app(self) -> dict[str, Any]:
        return self.run("apps", "show", "notes")["app"]


@pytest.fixture
def terminal(tmp_path: Path) -> Hooked:
    return Hooked(tmp_path)


def test_each_moment_of_an_apps_life_runs_its_hook(terminal: Hooked, tmp_path: Path) -> None:
    terminal.join(ALLOWING)
    installed = terminal.run("install", package_in(tmp_path, marking(*ALL)), *AGREED)
    assert (installed["ok"], installed["app"]["isEnabled"]) == (True, True)
    assert terminal.marks == ["install", "activate"]
    assert terminal.run("disable", "notes")["app"]["isEnabled"] is False
    assert terminal.run("enable", "notes")["app"]["isEnabled"] is True
    assert terminal.marks[2:] == ["disable", "activate"]
    second = package_in(tmp_path, marking(*ALL), "1.1.0")
    assert terminal.run("update", second, *AGREED)["app"]["isEnabled"] is True
    receipt = terminal.run("uninstall", "notes", "--keep-data", "--yes")["receipt"]
    assert terminal.marks[4:] == ["upgrade", "uninstall"]
    assert (receipt["hook"]["point"], receipt["hook"]["isDone"]) == ("uninstall", True)


def test_with_nobody_to_ask_the_app_is_installed_and_stays_off(
    terminal: Hooked, tmp_path: Path
) -> None:
    """Ours: what would ask a person is refused, with the reason and what to do; nothing of the app has run."""
    package = package_in(tmp_path, marking("install"))
    refused = terminal.run("install", package, *AGREED, expected=1)
    assert (refused["ok"], refused["app"]["isEnabled"]) == (False, False)
    assert refused["app"]["failedHook"]["category"] == "nobody_to_ask"
    assert refused["app"]["dueHooks"] == ["install"]
    again = terminal.run("enable", "notes", expected=1)
    assert (again["code"], again["details"]["reasonCode"]) == ("APP_E034", "nobody_to_ask")
    assert terminal.marks == []
    terminal.join(ALLOWING)
    assert terminal.run("enable", "notes")["app"]["isEnabled"] is True
    assert terminal.marks == ["install"]
    assert "failedHook" not in terminal.app()


def test_a_failure_is_told_in_words_with_its_remedy(terminal: Hooked, tmp_path: Path) -> None:
    terminal.join(ALLOWING)
    package = package_in(tmp_path, failing("install"))
    where = ["--data-dir", str(terminal.data)]
    done = CliRunner().invoke(main, ["install", str(package), *AGREED, *where])
    assert done.exit_code == 1
    assert "Notes is installed but disabled" in done.stdout
    assert "no room left" in done.stdout
    assert "lime-desktop enable notes" in done.stdout
    assert terminal.app()["isEnabled"] is False


def test_an_update_whose_hook_fails_is_taken_back(terminal: Hooked, tmp_path: Path) -> None:
    terminal.join(ALLOWING)
    terminal.run("install", package_in(tmp_path, marking("install")), *AGREED)
    second = package_in(tmp_path, failing("upgrade"), "1.1.0")
    refused = terminal.run("update", second, *AGREED, expected=1)
    assert (refused["code"], refused["details"]["hookPoint"]) == ("APP_E034", "upgrade")
    assert terminal.marks == ["install", "upgrade"]
    app = terminal.app()
    assert (app["version"], app["isEnabled"]) == ("1.0.0", True)


@pytest.mark.parametrize("way", ["failing", "refused"])
def test_no_hook_keeps_a_person_from_disabling_or_removing(
    terminal: Hooked, tmp_path: Path, way: str
) -> None:
    if way == "failing":
        terminal.join(ALLOWING)
    package = package_in(tmp_path, failing("disable") + failing("uninstall"))
    terminal.run("install", package, *AGREED)
    off = terminal.run("disable", "notes")["app"]
    assert (off["isEnabled"], off["failedHook"]["point"]) == (False, "disable")
    receipt = terminal.run("uninstall", "notes", "--keep-data", "--yes")["receipt"]
    category = "exit_code" if way == "failing" else "nobody_to_ask"
    assert (receipt["hook"]["isDone"], receipt["hook"]["category"]) == (False, category)
    assert terminal.run("apps", "list")["apps"] == []
    assert terminal.marks == (["disable", "uninstall"] if way == "failing" else [])


def test_an_organisations_no_wins(terminal: Hooked, tmp_path: Path) -> None:
    terminal.join(REFUSING)
    refused = terminal.run("install", package_in(tmp_path, marking("install")), *AGREED, expected=1)
    assert refused["app"]["failedHook"]["category"] == "permission_denied"
    assert terminal.marks == []


def test_the_review_lists_the_hooks_and_what_they_run(terminal: Hooked, tmp_path: Path) -> None:
    package = package_in(tmp_path, marking("activate") + failing("install"))
    review = terminal.run("install", package, "--review")["review"]
    assert [(each["point"], each["tool"]) for each in review["hooks"]] == [
        ("install", "script"),
        ("activate", "mark"),
    ]
    shown = terminal.read("install", package, "--review")
    assert "When it is enabled, it runs “touch activate”." in shown
    assert "exit 4" in shown


def test_an_update_that_runs_something_else_says_so_and_asks(
    terminal: Hooked, tmp_path: Path
) -> None:
    terminal.run("install", package_in(tmp_path, "  upgrade: {}\n"), *AGREED)
    second = package_in(tmp_path, marking("upgrade"), "1.1.0")
    review = terminal.run("update", second, "--review")["review"]
    assert {"area": "hook", "kind": "added", "key": "upgrade"} in review["changes"]["changes"]
    assert "hook" in review["asksBecause"]


@pytest.mark.parametrize(("answer", "marks"), [("y", ["install"]), ("n", [])])
def test_a_person_at_a_terminal_is_asked(
    terminal: Hooked, tmp_path: Path, answer: str, marks: list[str]
) -> None:
    package = package_in(tmp_path, marking("install"))
    words = ["install", str(package), *AGREED, "--data-dir", str(terminal.data)]
    told = at_a_terminal(words, answer)
    assert "touch install" in told
    assert terminal.marks == marks
    assert terminal.app()["isEnabled"] is bool(marks)


def at_a_terminal(words: list[str], answer: str) -> str:
    """Run a command as a person does who answers the one question that it asks."""
    own, theirs = pty.openpty()
    os.write(own, f"{answer}\n".encode())
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "lime_desktop", *words],
        stdin=theirs,
        capture_output=True,
        timeout=120,
        check=False,
    )
    os.close(own)
    os.close(theirs)
    return (done.stdout + done.stderr).decode()
