"""``lime-desktop dev`` before a window comes: what it refuses, and how it says so (ours)."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from lime_desktop.cli.main import main
from lime_desktop.resources import sample_apps_folder


def test_without_a_screen_nobody_can_agree_to_go_without_the_sandbox(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lime_desktop.host.startup.engine_sandbox.sandbox_gap", lambda: "root")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    app = str(sample_apps_folder() / "hello-lime")
    ran = CliRunner().invoke(main, ["dev", app, "--headless", "--fresh", "--json"])
    [problem] = json.loads(ran.stdout)["problems"]
    assert (ran.exit_code, problem["code"]) == (3, "SANDBOX_UNDECIDED")
    assert "--without-sandbox" in problem["fix"]
    assert "opensWithoutSandbox" in problem["fix"]
