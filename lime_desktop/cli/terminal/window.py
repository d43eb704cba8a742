"""Open the window, or say what stands in its way: without a screen Qt would abort the process."""

import click

from lime_desktop.desktop import develop, main
from lime_desktop.developer.options import Developing
from lime_desktop.doctor.desktop import check_display
from lime_desktop.doctor.finding import Health


def open_window(target: str = "") -> int:
    """Show Lime Desktop, at a package or a `lime://` link if one is named, until it is left."""
    _need_screen()
    return main(target)


def develop_in_window(developing: Developing) -> int:
    """Show a package that is worked on, until its window is left."""
    if not developing.options.is_headless:
        _need_screen()
    return develop(developing)


def _need_screen() -> None:
    display = check_display()
    if display.health is not Health.OK:
        raise click.ClickException(
            f"Lime Desktop can't open a window: {display.message}. {display.fix}."
        )
