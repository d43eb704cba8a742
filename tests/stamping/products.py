"""A small base and apps with a brand, to make products of. Shared by tests."""

import shutil
from pathlib import Path

ROOT = Path(__file__).parents[2]
SAMPLES = tuple(sorted(each.parent.name for each in (ROOT / "sample_apps").glob("*/APP.md")))

LOGO = (
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'>"
    "<rect width='8' height='8' fill='#ff0000'/></svg>"
)
INSTALL = """install:
  modes: [in_lime, standalone]
  standalone:
    bundleId: com.example.{app}
    platforms: [linux, windows, macos]
  branding:
    name: Example {title}
    icon: ./brand-logo.svg
    windowTitle: Example {title} Desk
    accent: "#7a2e8c"
    publisher: Example Ltd
    supportUrl: https://example.com/help
    fileTypes:
      - {{ extension: examplenote, name: Example note }}
"""


def make_base(folder: Path) -> Path:
    """Two tiny programs and the folders of a frozen Lime Desktop."""
    base = folder / "base"
    (base / "_internal/lime_desktop-0.1.0.dist-info").mkdir(parents=True)
    (base / "_internal/library.txt").write_text("shared")
    (base / "_internal/link").symlink_to("library.txt")
    (base / "sample_apps/notes").mkdir(parents=True)
    (base / "update-source.json").write_text("{}")
    (base / "LICENCES.txt").write_text("Apache-2.0")
    for name in ("lime-desktop", "lime-app-server"):
        (base / name).write_text(f"#!/bin/sh\necho {name}\n")
        (base / name).chmod(0o755)
    return base


def make_app(folder: Path, sample: str = "hello-lime", install: str | None = None) -> Path:
    """A copy of a sample with a brand of its own, or with what is said instead."""
    app = folder / sample
    shutil.copytree(ROOT / "sample_apps" / sample, app)
    (app / "brand-logo.svg").write_text(LOGO)
    title = sample.replace("-", " ").title()
    said = INSTALL.format(app=sample, title=title) if install is None else install
    (app / "app.install.yaml").write_text(said)
    return app
