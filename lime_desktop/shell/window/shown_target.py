"""Shows what the program was asked for, by its own command line or by a later start: nothing, a link or a package."""

from pathlib import Path

from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.startup.deep_links import (
    AppLink,
    EntryLink,
    InstallLink,
    RunLink,
    SettingsLink,
    parse_link,
)
from lime_desktop.product import LIME, Product
from lime_desktop.protocol.errors import AppError, PackageInvalid, PolicyDenied
from lime_desktop.shell.window.main_window import MainWindow


def show_target(
    window: MainWindow, registry: AppRegistry, target: str, product: Product = LIME
) -> None:
    """Come forward and show the target; one that is refused is told, and nothing else happens."""
    window.come_forward()
    try:
        if target.partition(":")[0].lower() == product.scheme:
            _show_link(window, registry, product.scheme, target)
        elif target:
            _show_package(window, product, target)
    except AppError as error:
        window.notices.problem(error)


def _show_link(window: MainWindow, registry: AppRegistry, scheme: str, text: str) -> None:
    match parse_link(text, scheme):
        case InstallLink(app_id):
            window.install_named(app_id)
        case AppLink(app_id) | EntryLink(app_id) if registry.app(app_id) is None:
            # An app that is not here may be one that a source has; nothing is installed before it was reviewed.
            window.install_named(app_id)
        case AppLink(app_id):
            window.show_details(app_id)
        case EntryLink(app_id, entry_key):
            window.open_entry(app_id, entry_key)
        case RunLink(session_id):
            window.show_run(session_id)
        case SettingsLink(section):
            window.show_settings(section)


def _show_package(window: MainWindow, product: Product, path: str) -> None:
    """An archive is something to install; a folder is opened where it lies, for whoever works on it."""
    package = Path(path)
    if not package.is_absolute() or not package.exists():
        raise PackageInvalid("There is no package at that place")
    if package.is_dir():
        if product.is_branded:
            raise PolicyDenied("This product opens only the apps that it is made for")
        window.add_package(package)
    else:
        window.install_package(package)
