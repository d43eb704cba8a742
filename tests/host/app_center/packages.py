"""Small packages, made to order."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.archive.packing import Packed, pack

NOTES = """
- { key: keep, scope: storage, access: read-write, required: true, reason: To keep your notes. }
"""
WEATHER = """
- { key: weather, scope: network, access: read, reason: To ask for the weather., domains: [api.example.com] }
"""


def make_package(
    folder: Path,
    name: str = "notes",
    version: str = "1.0.0",
    permissions: str = NOTES,
    more: str = "",
    files: Mapping[str, str] | None = None,
) -> Path:
    """A valid package in a folder of its own name."""
    package = folder / name
    (package / "dist/ui").mkdir(parents=True)
    (package / "dist/ui/index.html").write_text(f"<h1>{name} {version}</h1>")
    (package / "APP.md").write_text(
        f"""---
manifestVersion: 0.10.0
name: {name}
displayName: {name.title()}
description: An app for tests.
version: {version}
status: ready
appType: agent-app
requires: {{ capabilities: {{ lime.ui: ">=0.3.0", lime.storage: ">=0.3.0" }} }}
runtimePackage: {{ ui: {{ path: dist/ui, entry: index.html, format: static }} }}
storage: {{ namespace: {name} }}
permissions: {permissions or "[]"}
entries:
- {{ key: main, kind: page, title: Main, route: / }}
{more}
---

# {name}

## When to Use

- Whenever a test needs an app.

## Verification Checklist

- [ ] Open it once.
""",
        encoding="utf-8",
    )
    for path, text in (files or {}).items():
        (package / path).parent.mkdir(parents=True, exist_ok=True)
        (package / path).write_text(text, encoding="utf-8")
    return package


def packed(package: Path, target: Path) -> Path:
    """The same package as an archive."""
    done = pack(open_package(package), target)
    assert isinstance(done, Packed), done
    return target


def names_below(folder: Path, leaving_out: Sequence[str] = ()) -> set[str]:
    """Every file below a folder."""
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {str(path) for path in found if path.parts[0] not in leaving_out}
