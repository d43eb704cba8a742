"""What can be done with an app from its icon on the rail."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtWidgets import QMenu

from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.wording.texts import Texts


@dataclass(frozen=True, slots=True)
class RailLinks:
    """Where the menu leads; each is told the app's id."""

    open_app: Callable[[str], None]
    open_beside: Callable[[str], None]
    show_details: Callable[[str], None]
    show_permissions: Callable[[str], None]
    reload: Callable[[str], None]
    move_by: Callable[[str, int], None]
    uninstall: Callable[[str], None]
    take_off_list: Callable[[str], None]


def fill_app_menu(
    texts: Texts, links: RailLinks, app: RegisteredApp, menu: QMenu, *, can_reload: bool
) -> None:
    """Put the commands for one app into its menu; what it cannot do now is there and grey."""
    app_id = app.app_id
    opening = menu.addAction(texts("menu.open"), partial(links.open_app, app_id))
    beside = menu.addAction(texts("menu.beside"), partial(links.open_beside, app_id))
    for each in (opening, beside):
        each.setEnabled(app.can_start and bool(app.entries))
    reloading = menu.addAction(texts("tab.reload"), partial(links.reload, app_id))
    reloading.setEnabled(can_reload)
    menu.addSeparator()
    menu.addAction(texts("menu.details"), partial(links.show_details, app_id))
    menu.addAction(texts("menu.permissions"), partial(links.show_permissions, app_id))
    menu.addSeparator()
    menu.addAction(texts("menu.up"), partial(links.move_by, app_id, -1))
    menu.addAction(texts("menu.down"), partial(links.move_by, app_id, 1))
    menu.addSeparator()
    if app.installed is None:
        menu.addAction(texts("menu.take-off"), partial(links.take_off_list, app_id))
    else:
        menu.addAction(texts("menu.uninstall"), partial(links.uninstall, app_id))
