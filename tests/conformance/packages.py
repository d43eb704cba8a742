"""Small packages on disk, and the commands a person runs on them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from lime_desktop.cli.main import main

FRONTMATTER = """manifestVersion: 0.10.0
name: notes
description: Takes notes.
version: 1.0.0
status: ready
appType: agent-app
"""
GUIDE = "# Notes\n\nTakes notes.\n"


def app_md(more: str = "", guide: str = GUIDE) -> str:
    """An APP.md: the identity, more frontmatter, a guide."""
    return f"---\n{FRONTMATTER}{more}---\n{guide}"


def write_package(folder: Path, files: Mapping[str, str]) -> Path:
    """Write a package called `notes` below a folder."""
    root = folder / "notes"
    for name, text in {"APP.md": app_md(), **files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    return root


def answer_of(command: str, *arguments: str | Path) -> dict[str, Any]:
    """What a command says as JSON."""
    result = CliRunner().invoke(main, [command, "--json", *map(str, arguments)])
    return json.loads(result.stdout)


def errors_of(folder: Path, files: Mapping[str, str]) -> set[str]:
    """The codes of the errors in a package of these files."""
    package = write_package(folder, files)
    found = answer_of("validate", package)
    errors = {each["code"] for each in found["problems"] if each["severity"] == "error"}
    assert found["ok"] is not bool(errors)
    return errors
