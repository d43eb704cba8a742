"""The program as a wheel installs it, outside of any checkout: commands, resources and sample apps are found (ours).

What goes where is read from pyproject.toml, which the build goes by; no build tool and no network is needed.
"""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SAMPLES = tuple(sorted(path.parent.name for path in ROOT.glob("sample_apps/*/APP.md")))
_JUNK = shutil.ignore_patterns("__pycache__", "node_modules", "*.pyc")
WAIT_S = 120


class Installed:
    """What lies in site-packages, and a person who works somewhere else."""

    def __init__(self, folder: Path) -> None:
        self.site = folder / "site-packages"
        self.work = folder / "work"
        self.work.mkdir(parents=True)
        wheel = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
        built = wheel["tool"]["hatch"]["build"]["targets"]["wheel"]
        for package in built["packages"]:
            shutil.copytree(ROOT / package, self.site / package, ignore=_JUNK)
        for source, target in built["force-include"].items():
            shutil.copytree(ROOT / source, self.site / target, ignore=_JUNK)

    def run(self, *words: str) -> str:
        """Run the program, in a home of its own."""
        home = self.work.parent / "home"
        homes = {name: str(home) for name in ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA")}
        left_out = {"PYTHONPATH", *(name for name in os.environ if name.startswith("XDG_"))}
        kept = {name: value for name, value in os.environ.items() if name not in left_out}
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, *words],
            cwd=self.work,
            env={**kept, **homes, "PYTHONPATH": str(self.site)},
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=WAIT_S,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def lime(self, *arguments: str) -> str:
        return self.run("-m", "lime_desktop", *arguments)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("wheel"))


def test_what_is_installed_finds_its_own_files(installed: Installed) -> None:
    words = "from lime_desktop.resources import resources_folder, sample_apps_folder as samples\n"
    found = installed.run("-c", f"{words}print(resources_folder()); print(samples())").split("\n")
    inside = installed.site / "lime_desktop"
    assert [Path(line) for line in found[:2]] == [inside / "_resources", inside / "sample_apps"]


def test_the_program_starts_and_names_its_commands(installed: Installed) -> None:
    assert "validate" in installed.lime("--help")


def test_every_sample_is_there_whole_and_known_as_the_programs_own(installed: Installed) -> None:
    """Their hashes are shipped: a file that the wheel lost or gained would make strangers of them."""
    for name in SAMPLES:
        sample = str(installed.site / "lime_desktop/sample_apps" / name)
        assert json.loads(installed.lime("validate", "--json", sample))["ok"] is True
        assert "Verified" in installed.lime("install", name, "--review"), name


def test_an_app_made_by_what_is_installed_is_valid(installed: Installed) -> None:
    installed.lime("new", "my-notes", "--template", "plain")
    assert json.loads(installed.lime("validate", "--json", "my-notes"))["ok"] is True
