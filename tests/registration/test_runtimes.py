"""Lime Desktop says that it is there: by a command, by its installers, and after each update of its own (ours)."""

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from lime_desktop import __version__
from lime_desktop.cli.main import main
from lime_desktop.executables import WITH_WINDOW
from lime_desktop.product import LIME
from lime_desktop.registration import places, runtimes, written
from tests.stamping.products import make_base

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="offered on Linux")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(places, "SYSTEM", tmp_path / "system")
    for module in (places, runtimes):
        monkeypatch.setattr(module, "own_home", lambda: tmp_path / "home")
    return tmp_path / "home"


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["runtime", *words])


def shown() -> dict[str, Any]:
    return json.loads(run("show", "--json").stdout)


def frozen(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tree / "lime-desktop"))


def test_the_plain_name_is_the_programs_own() -> None:
    assert LIME.id == WITH_WINDOW


def test_a_checkout_is_registered_by_hand_and_taken_away_again(home: Path) -> None:
    nothing = run("show")
    assert nothing.exit_code == 1
    assert "runtime register" in nothing.output
    done = run("register", "--json")
    assert done.exit_code == 0, done.output
    file = home / ".local/share/lime-runtime/lime-desktop.json"
    assert json.loads(done.stdout)["file"] == str(file)
    assert file.stat().st_mode & 0o777 == 0o644
    told = shown()
    [found] = told["registered"]
    assert found["registration"]["kind"] == "sources"
    assert found["registration"]["program"] == sys.executable
    assert "programSha256" in found["registration"]
    assert run("unregister").exit_code == 0
    assert not file.exists()
    assert json.loads(run("unregister", "--json").stdout) == {"ok": True, "removed": False}


def test_an_installed_program_is_registered_with_its_hashes_and_damage_is_told(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = make_base(tmp_path)
    frozen(tree, monkeypatch)
    assert run("register").exit_code == 0
    told = shown()
    assert told["ok"] is True
    assert [each["code"] for each in told["registered"]] == [""]
    (tree / "lime-app-server").write_text("#!/bin/sh\n")
    told = shown()
    assert told["ok"] is False
    assert [each["code"] for each in told["registered"]] == ["runtime-changed"]
    (home / ".local/share/lime-runtime/lime-desktop.json").chmod(0o666)
    assert [each["code"] for each in shown()["registered"]] == ["runtime-unsafe"]


@pytest.mark.usefixtures("home")
def test_a_path_that_a_shell_would_read_otherwise_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / 'a "quoted" folder'
    folder.mkdir()
    frozen(make_base(folder), monkeypatch)
    refused = run("register")
    assert refused.exit_code == 1
    assert "quotation mark" in refused.output


@pytest.mark.usefixtures("home")
def test_what_lies_elsewhere_at_every_start_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frozen(make_base(tmp_path), monkeypatch)
    monkeypatch.setenv("APPDIR", str(tmp_path))
    refused = run("register")
    assert refused.exit_code == 1
    assert "AppImage" in refused.output


def test_a_new_version_of_the_same_installation_registers_when_it_has_come_up(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    versions = tmp_path / "lime-desktop/versions"
    versions.mkdir(parents=True)
    for version in ("0.0.9", __version__):
        shutil.copytree(make_base(tmp_path / version), versions / version, symlinks=True)
    file = home / ".local/share/lime-runtime/lime-desktop.json"
    file.parent.mkdir(parents=True)
    old = versions / "0.0.9"
    file.write_bytes(written.as_lines(written.installed("0.0.9", old, str(old))))
    frozen(versions / __version__, monkeypatch)
    runtimes.refresh_own()
    assert runtimes.read(file).program == f"{versions / __version__}/lime-desktop"
    assert runtimes.read(file).version == __version__


def test_what_somebody_else_registered_stays(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_base(tmp_path / "other")
    file = home / ".local/share/lime-runtime/lime-desktop.json"
    file.parent.mkdir(parents=True)
    file.write_bytes(written.as_lines(written.installed("0.0.9", other, str(other))))
    before = file.read_bytes()
    versions = tmp_path / "lime-desktop/versions"
    shutil.copytree(make_base(tmp_path / "own"), versions / __version__, symlinks=True)
    frozen(versions / __version__, monkeypatch)
    runtimes.refresh_own()
    assert file.read_bytes() == before
    file.unlink()
    runtimes.refresh_own()
    assert not file.exists(), "nobody had registered it"


def test_a_release_manifest_is_read_as_it_was_written(tmp_path: Path) -> None:
    tree = make_base(tmp_path)
    body = written.as_lines(written.release_manifest("1.2.3", tree))
    [release] = msgspec.json.decode(body, type=runtimes.Releases).releases
    assert release.version == "1.2.3"
    assert re.fullmatch(r"linux-\w+", release.platform)
