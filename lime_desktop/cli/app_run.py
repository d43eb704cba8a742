"""Open an app once with its page tests, and leave: what `test` and `conformance` share."""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from lime_desktop.developer.events import Tell
    from lime_desktop.developer.testing.plan import TestPlan

_PAGES = ("page", "panel", "settings", "artifact")
"""Kinds of entries that the app draws itself."""


def page_entry(package: Path) -> str:
    """The first entry that is a page; the app itself may start with a chat."""
    from lime_desktop.app_package.package import load_package  # noqa: PLC0415 - loads models
    from lime_desktop.app_package.tree import open_folder  # noqa: PLC0415

    loaded = load_package(open_folder(package))
    if not loaded.is_valid:
        words = "\n".join(str(each.message) for each in loaded.problems if each.severity == "error")
        raise click.ClickException(
            f"{package.name} is not valid; `lime-desktop validate` says where.\n{words}"
        )
    pages = [each.key for each in loaded.manifest.entries if each.kind in _PAGES]
    if not pages:
        raise click.UsageError(f"{package.name} has no entry with a page of its own.")
    return pages[0]


def run_app(
    plan: "TestPlan",
    entry_key: str,
    hear: "Tell",
    *,
    is_shown: bool = False,
) -> None:
    """Run the tests of a plan with nothing kept, and an agent that says what the package has it say."""
    from lime_desktop.cli.window import develop_in_window  # noqa: PLC0415 - loads the desktop's parts
    from lime_desktop.developer.options import DeveloperOptions, Developing  # noqa: PLC0415
    from lime_desktop.developer.testing.engine_file import (  # noqa: PLC0415
        EngineFileUnreadable,
        write_engine_scripts,
    )

    with tempfile.TemporaryDirectory(prefix="lime-test-") as folder:
        try:
            scripts = write_engine_scripts(plan.package, Path(folder) / "engine.json")
        except EngineFileUnreadable as error:
            raise click.UsageError(f"{error}.") from None
        options = DeveloperOptions(
            package=plan.package,
            entry_key=entry_key,
            is_headless=not is_shown,
            has_fresh_profile=True,
            engine_scripts=scripts,
            is_watched=False,
            tests=plan,
        )
        develop_in_window(Developing(options, hear))
