"""Open apps once with their page tests, and leave: what `test` and `conformance` share."""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from lime_desktop.developer.events import Tell
    from lime_desktop.developer.options import Developing
    from lime_desktop.developer.testing.plan import TestPlan

_PAGES = ("page", "panel", "settings", "artifact")
"""Kinds of entries that the app draws itself."""
_Command = TypeVar("_Command", bound=Callable[..., Any])


def patience_option(usual_s: float, words: str) -> Callable[[_Command], _Command]:
    """How long something is waited for, in seconds."""
    return click.option(
        "--patience",
        "patience_s",
        type=click.FloatRange(min=1.0),
        default=usual_s,
        show_default=True,
        metavar="SECONDS",
        help=words,
    )


def page_entry(package: Path) -> str:
    """The first entry that is a page; the app itself may start with a chat."""
    from lime_desktop.app_package.files.tree import open_folder  # noqa: PLC0415
    from lime_desktop.app_package.package import load_package  # noqa: PLC0415 - loads models

    loaded = load_package(open_folder(package))
    if not loaded.is_valid:
        words = "\n".join(str(each.message) for each in loaded.problems if each.severity == "error")
        raise click.ClickException(
            f"{package.name} is not valid. `lime-desktop validate` lists every problem.\n{words}"
        )
    pages = [each.key for each in loaded.manifest.entries if each.kind in _PAGES]
    if not pages:
        raise click.UsageError(f"{package.name} has no entry with a page.")
    return pages[0]


@dataclass(frozen=True, slots=True)
class AppRun:
    """One app that is opened with its tests, and who is told what comes of it."""

    plan: "TestPlan"
    entry_key: str
    hear: "Tell"


def run_apps(runs: Sequence[AppRun], *, is_shown: bool = False) -> None:
    """Run the tests of each app with nothing kept, and an agent that says what its package has it say.

    They share one window and one App Server, one after the other.
    """
    from lime_desktop.cli.terminal.window import develop_in_window  # noqa: PLC0415 - loads the desktop's parts
    from lime_desktop.developer.options import Developing  # noqa: PLC0415

    with tempfile.TemporaryDirectory(prefix="lime-test-") as folder:
        # The first file is the one that is played, and written over: each app has its own.
        each = [
            _developing(run, Path(folder) / f"engine-{number}.json", is_shown=is_shown)
            for number, run in enumerate(runs)
        ]
        first, *then = each
        develop_in_window(Developing(first.options, first.tell, tuple(then)))


def _developing(run: AppRun, scripts: Path, *, is_shown: bool) -> "Developing":
    from lime_desktop.developer.options import DeveloperOptions, Developing  # noqa: PLC0415
    from lime_desktop.developer.testing.engine_file import (  # noqa: PLC0415
        EngineFileUnreadable,
        write_engine_scripts,
    )

    try:
        write_engine_scripts(run.plan.package, scripts)
    except EngineFileUnreadable as error:
        raise click.UsageError(f"{run.plan.package.name}: {error}.") from None
    options = DeveloperOptions(
        package=run.plan.package,
        entry_key=run.entry_key,
        is_headless=not is_shown,
        has_fresh_profile=True,
        engine_scripts=scripts,
        is_watched=False,
        tests=run.plan,
    )
    return Developing(options, run.hear)
