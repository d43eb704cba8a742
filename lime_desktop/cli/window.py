"""Open the window, or say what stands in its way: without a screen Qt would abort the process."""

from pathlib import Path

import click

from lime_desktop.desktop import main
from lime_desktop.doctor.desktop import check_display
from lime_desktop.doctor.finding import Health


def open_window(package: Path | None = None) -> int:
    """Show Lime Desktop, at a package if one is named, until the window is closed."""
    display = check_display()
    if display.health is not Health.OK:
        raise click.ClickException(f"There is no screen: {display.message}. {display.fix}.")
    return main(package)
