"""A computer on which a product without a runtime is started: its two places of registration lie in a test's folder. Shared by tests."""

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from click.testing import CliRunner

from lime_desktop import __version__
from lime_desktop.cli.main import main
from lime_desktop.registration.written import as_lines, installed
from tests.stamping.products import make_app

ID = "example-hello-lime"
NAME = "Example Hello Lime"
LINK = "https://example.com/get-lime"
INSTALL = f"""install:
  modes: [in_lime, runtime_backed]
  runtimeBacked:
    requires: lime-runtime
    minVersion: current
    bundleId: com.example.hello-lime
    downloadUrl: {LINK}
  branding:
    name: {NAME}
    icon: ./brand-logo.svg
    windowTitle: {NAME} Desk
    accent: "#7a2e8c"
    publisher: Example Ltd
"""
_NONE: Mapping[str, bytes] = MappingProxyType({})
_ANSWER = """#!/bin/sh
echo "$0" "$@"
PATH=/usr/bin:/bin
env | cut -d= -f1 | sort | tr '\\n' ' '
"""


def ship_backed(
    folder: Path, install: str = INSTALL, *options: str, files: Mapping[str, bytes] = _NONE
) -> tuple[int, dict[str, Any]]:
    """What `ship --runtime-backed` answers to a vendor, who wants it in `folder/out`; `files` are the app's too."""
    app = make_app(folder, install=install)
    for name, body in files.items():
        (app / name).write_bytes(body)
    words = ["ship", str(app), "--runtime-backed", "--out", str(folder / "out"), "--json", *options]
    done = CliRunner().invoke(main, words)
    return done.exit_code, json.loads(done.stdout)


class Computer:
    """Somebody's computer with a product on it; Lime Desktop is installed where a test says so."""

    def __init__(self, folder: Path, product: Path) -> None:
        self.folder = folder
        self.system = folder / "usr/share/lime-runtime"
        self.home = folder / "home of a person"
        self.own = self.home / ".local/share/lime-runtime"
        self.tools = folder / "tools"
        for each in (self.system, self.home, self.tools):
            each.mkdir(parents=True)
        self.launcher = folder / "bin" / ID
        self.launcher.parent.mkdir()
        self.launcher.write_text(self._moved((product / "bin" / ID).read_text("utf-8")), "utf-8")
        self.launcher.chmod(0o755)

    def _moved(self, script: str) -> str:
        """The launcher with the places of this computer in it: nothing else could tell it of others."""
        changes = {
            "system_registry=/usr/share/lime-runtime\n": f"system_registry='{self.system}'\n",
            'home=$(getent passwd "$me" | cut -d: -f6)\n': f"home='{self.home}'\n",
            "PATH=/usr/bin:/bin\n": f"PATH='{self.tools}':/usr/bin:/bin\n",
        }
        for old, new in changes.items():
            assert script.count(old) == 1, old
            script = script.replace(old, new)
        return script

    def install_lime(self, version: str = __version__, *, for_all: bool = True) -> Path:
        """Two programs that say how they were started, registered as an installer does it."""
        tree = self.folder / ("opt" if for_all else "lib") / f"lime desktop {version}"
        tree.mkdir(parents=True)
        for name in ("lime-desktop", "lime-app-server"):
            (tree / name).write_text(_ANSWER)
            (tree / name).chmod(0o755)
        self.register(installed(version, tree, str(tree)), for_all=for_all)
        return tree

    def register(self, fields: dict[str, object], *, for_all: bool = True) -> Path:
        place = self.system if for_all else self.own
        place.mkdir(parents=True, exist_ok=True)
        file = place / "lime-desktop.json"
        file.write_bytes(as_lines(fields))
        file.chmod(0o644)
        return file

    def start(self, *words: str, **variables: str) -> "subprocess.CompletedProcess[str]":
        environment = {"PATH": os.defpath, "HOME": str(self.home), "LANG": "C.UTF-8", **variables}
        return subprocess.run(  # noqa: S603 - our own script
            [str(self.launcher), *words],
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            timeout=60,
        )

    def tool(self, name: str, script: str) -> None:
        """A program of this desktop's."""
        (self.tools / name).write_text(f"#!/bin/sh\n{script}\n")
        (self.tools / name).chmod(0o755)
