"""Open the window, as ``lime-desktop open`` and by other commands. Without a screen Qt would abort the process: say so instead."""

import os
import subprocess
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import click

from lime_desktop.desktop import develop, main
from lime_desktop.developer.options import Developing
from lime_desktop.doctor.desktop import check_display
from lime_desktop.doctor.finding import Health
from lime_desktop.own_programs import program_command
from lime_desktop.product import TRIED_BRAND, is_frozen, this_product

_FILE = "file:"


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


@click.command()
@click.argument("target", required=False, default="")
@click.option(
    "--brand",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Try a product that `ship` made, from a checkout: its folder.",
)
@click.pass_context
def command(ctx: click.Context, target: str, brand: Path | None) -> None:
    """Open a package or a lime:// link in Lime Desktop.

    If Lime Desktop is running, its window comes to the front.
    """
    if brand is not None:
        ctx.exit(_open_brand(brand, target))
    ctx.exit(open_window(_checked(target)))


def _open_brand(brand: Path, target: str) -> int:
    """In a process of its own: which product a process belongs to is settled when it begins."""
    if is_frozen():
        raise click.UsageError(
            "An installed program is the product that it is. Start the other one."
        )
    environment = {**os.environ, TRIED_BRAND: str(brand.resolve())}
    command = [*program_command("open"), *([target] if target else [])]
    return subprocess.run(command, env=environment, check=False).returncode  # noqa: S603 - our own program


def _checked(target: str) -> str:
    if not target or target.lower().startswith(f"{this_product().scheme}:"):
        return target
    path = _local_path(target).resolve()
    if not path.exists():
        raise click.BadParameter(
            f"There is no package at {target}. Name a package folder or a .lapp file.",
            param_hint="TARGET",
        )
    return str(path)


def _local_path(target: str) -> Path:
    """A desktop names the file that was double-clicked by its address."""
    if target.lower().startswith(_FILE):
        return Path(url2pathname(urlsplit(target).path))
    return Path(target)
