"""Open the window, as ``lime-desktop open`` and by other commands. Without a screen Qt would abort the process: say so instead."""

import os
import re
import subprocess
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import click

from lime_desktop.desktop import develop, main
from lime_desktop.developer.options import Developing
from lime_desktop.doctor.desktop import check_display
from lime_desktop.doctor.finding import Health
from lime_desktop.executables import is_frozen
from lime_desktop.host.startup.asked_files import AskedFiles, spell
from lime_desktop.host.view.opened_files import MOST_BYTES, code_of, fault_of
from lime_desktop.host.wording.texts import DEFAULT_LOCALE, read_texts
from lime_desktop.own_programs import program_command
from lime_desktop.product import TRIED_BRAND, Product, this_product
from lime_desktop.resources import resources_folder

_FILE = "file:"
_APP_ID = r"[a-z0-9][a-z0-9._-]*"


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
@click.argument("targets", metavar="[TARGET]", nargs=-1)
@click.option(
    "--file",
    "files",
    multiple=True,
    metavar="PATH",
    help="A file to open with the app that TARGET names by its id; may be repeated.",
)
@click.option(
    "--brand",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Try a product that `ship` made, from a checkout: its folder.",
)
@click.pass_context
def command(
    ctx: click.Context, targets: tuple[str, ...], files: tuple[str, ...], brand: Path | None
) -> None:
    """Open a package or a lime:// link in Lime Desktop, or files with an app.

    If Lime Desktop is running, its window comes to the front.
    """
    if brand is not None:
        ctx.exit(_open_brand(brand, targets, files))
    ctx.exit(open_window(_checked(targets, files)))


def _open_brand(brand: Path, targets: tuple[str, ...], files: tuple[str, ...]) -> int:
    """In a process of its own: which product a process belongs to is settled when it begins."""
    if is_frozen():
        raise click.UsageError(
            "An installed program is the product that it is. Start the other one."
        )
    environment = {**os.environ, TRIED_BRAND: str(brand.resolve())}
    named = [word for file in files for word in ("--file", file)]
    command = [*program_command("open"), *named, "--", *targets]
    return subprocess.run(command, env=environment, check=False).returncode  # noqa: S603 - our own program


def _checked(targets: tuple[str, ...], files: tuple[str, ...]) -> str:
    product = this_product()
    if files:
        return spell(AskedFiles(_app_named(targets, product), tuple(map(_sound_file, files))))
    if product.app is not None and targets and all(map(product.is_own_file, targets)):
        # What is wrong with one of them is said in the window: nobody sees a terminal who clicks on a file.
        paths = tuple(Path(os.path.abspath(_local_path(each))) for each in targets)  # noqa: PTH100 - a link is not followed yet
        return spell(AskedFiles(product.app.id, paths))
    if len(targets) > 1:
        raise click.UsageError("Name one package or link. Files are named with --file.")
    return _checked_target("".join(targets), product)


def _app_named(targets: tuple[str, ...], product: Product) -> str:
    if product.app is not None and not targets:
        return product.app.id
    if len(targets) != 1 or not re.fullmatch(_APP_ID, targets[0]):
        raise click.UsageError("Name the app that the file is for, by its id: open APP --file PATH")
    return targets[0]


def _sound_file(file: str) -> Path:
    path = Path(os.path.abspath(_local_path(file)))  # noqa: PTH100 - a link is not followed yet
    fault = fault_of(path)
    if fault is not None:
        texts = read_texts(resources_folder() / "locales", [DEFAULT_LOCALE])
        why = texts(f"opened-file.{fault}", gigabytes=MOST_BYTES // 1024**3)
        words = texts("opened-file.refused", file=file, why=why, code=code_of(fault))
        raise click.BadParameter(words, param_hint="--file")
    return path


def _checked_target(target: str, product: Product) -> str:
    if not target or target.lower().startswith(f"{product.scheme}:"):
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
