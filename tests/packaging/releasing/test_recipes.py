"""The recipes for Windows and macOS, which never ran here: looked at without running them (ours)."""

import plistlib
import shutil
import subprocess
from importlib import util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from PySide6.QtGui import QImage
from ruamel.yaml import YAML

from lime_desktop.stamping.pictures import ico

ROOT = Path(__file__).parents[3]


def _recipe(system: str) -> ModuleType:
    path = ROOT / f"packaging/{system}/build.py"
    spec = util.spec_from_file_location(f"{system}_recipe", path)
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_both_say_that_they_never_ran() -> None:
    for system in ("windows", "macos"):
        assert "NEVER RUN" in (_recipe(system).__doc__ or "")


def test_the_mac_bundle_opens_links_and_packages(tmp_path: Path) -> None:
    recipe = _recipe("macos")
    tree, icons = tmp_path / "tree", tmp_path / "icons"
    for path in (tree / "lime-desktop", icons / "16.png", icons / "512.png"):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"x")
    bundle = recipe.make_bundle(tree, icons, "1.2.3", tmp_path)
    about = plistlib.loads((bundle / "Contents/Info.plist").read_bytes())
    assert about["CFBundleURLTypes"][0]["CFBundleURLSchemes"] == ["lime"]
    declared = about["UTExportedTypeDeclarations"][0]
    assert declared["UTTypeTagSpecification"]["public.filename-extension"] == ["lapp"]
    assert about["CFBundleDocumentTypes"][0]["LSItemContentTypes"] == [declared["UTTypeIdentifier"]]
    assert (bundle / "Contents/MacOS" / about["CFBundleExecutable"]).exists()
    icon = (bundle / "Contents/Resources" / about["CFBundleIconFile"]).read_bytes()
    assert icon[:4] == b"icns"
    assert int.from_bytes(icon[4:8], "big") == len(icon)


def test_the_mac_bundle_is_sealed_from_the_inside_out(tmp_path: Path) -> None:
    recipe = _recipe("macos")
    bundle = tmp_path / "Lime Desktop.app"
    deep = bundle / "Contents/MacOS/_internal/PySide6/QtCore.abi3.so"
    deep.parent.mkdir(parents=True)
    deep.write_bytes(b"")
    sealed = [line[-1] for line in recipe.signing_commands(bundle, "Somebody", tmp_path / "e")]
    assert sealed.index(str(deep)) == 0
    assert sealed[-1] == str(bundle)
    assert plistlib.loads(plistlib.dumps(recipe.ENTITLEMENTS))["com.apple.security.cs.allow-jit"]


def test_the_windows_passphrase_is_in_no_command_line(tmp_path: Path) -> None:
    recipe = _recipe("windows")
    command = recipe.signing_command(
        tmp_path / "a.exe", tmp_path / "b.exe", tmp_path / "c.pfx", tmp_path / "passphrase"
    )
    assert command[command.index("-readpass") + 1] == str(tmp_path / "passphrase")
    assert "-pass" not in command


@pytest.mark.skipif(shutil.which("makensis") is None, reason="there is no makensis here")
def test_the_windows_installer_is_made(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "lime-desktop.exe").write_bytes(b"MZ")
    icon = tmp_path / "lime-desktop.ico"
    picture = QImage(32, 32, QImage.Format.Format_ARGB32)
    picture.fill(0)
    assert picture.save(str(tmp_path / "32.png"))
    icon.write_bytes(ico({32: (tmp_path / "32.png").read_bytes()}))
    target = tmp_path / "setup.exe"
    command = _recipe("windows").installer_command(tree, icon, "1.2.3", target)
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - the recipe's own
    assert done.returncode == 0, done.stdout
    assert target.read_bytes()[:2] == b"MZ"


def test_the_installer_removes_all_that_it_registers() -> None:
    script = (ROOT / "packaging/windows/lime-desktop.nsi").read_text("utf-8")
    made, removed = script.split('Section "Uninstall"')
    keys = {line.split('"')[1] for line in made.splitlines() if "WriteReg" in line}
    gone = {line.split('"')[1] for line in removed.splitlines() if "DeleteRegKey" in line}
    assert {key for key in keys if not any(key.startswith(each) for each in gone)} == set()


def test_the_workflow_builds_on_three_systems_by_scripts_that_exist() -> None:
    text = (ROOT / ".github/workflows/release.yml").read_text("utf-8")
    jobs: Any = YAML(typ="safe").load(text)["jobs"]  # pyright: ignore[reportUnknownMemberType]
    assert set(jobs) == {"linux", "windows", "macos"}
    runs = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    for word in " ".join(runs).split():
        if word.startswith("packaging/"):
            assert (ROOT / word).is_file(), word
