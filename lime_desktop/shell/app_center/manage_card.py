"""What can be done with one app: switch it off, bring an earlier version back, remove it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.packages.bundled import is_bundled
from lime_desktop.host.app_center.packages.fetching import place_name
from lime_desktop.host.app_center.records.records import InstalledApp
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.app_center.updates_part import updates_part
from lime_desktop.shell.appearance.brand import Brand
from lime_desktop.shell.widgets.amounts import time_in_words
from lime_desktop.shell.widgets.parts import banner, button, card, label, name_button, row
from lime_desktop.shell.widgets.work import Work


@dataclass(frozen=True, slots=True)
class ManageLinks:
    """Where the card leads."""

    install: Callable[[Path], None]
    uninstall: Callable[[str], None]
    roll_back: Callable[[str, str], None]
    show_overlays: Callable[[str], None]
    take_off_list: Callable[[str], None]
    install_named: Callable[[str], None]


def manage_card(
    texts: Texts,
    brand: Brand,
    registry: AppRegistry,
    links: ManageLinks,
    work: Work,
    app: RegisteredApp,
) -> QFrame:
    """The card for an app, installed or opened in place."""
    heading = label(texts("manage.title"), "heading")
    if app.installed is None:
        install = button(texts("manage.install"), lambda: links.install(app.path))
        take_off = button(texts("menu.take-off"), lambda: links.take_off_list(app.app_id))
        return card(heading, label(texts("manage.in-place"), "muted"), row(install, take_off))
    installed, center = app.installed, registry.require_center()
    when = time_in_words(installed.installed_at_ms, texts)
    own = brand.branding.product_name if is_bundled(installed) else None
    about = texts("manage.installed", when=when, source=own or place_name(installed.source))
    parts: list[QWidget] = [heading, label(about, "muted")]
    if not center.is_settled(app.app_id):
        parts.append(banner(texts("manage.unsettled"), "warning"))
    parts += _sources(texts, brand, center, installed, work)
    parts += updates_part(texts, center, installed, links.install_named, work)
    for point in reversed(center.rollback_points(app.app_id)):
        back = button(
            texts("manage.back", version=point.app.version),
            lambda point_id=point.point_id: links.roll_back(app.app_id, point_id),
        )
        words = texts("manage.back.text", when=time_in_words(point.made_at_ms, texts))
        parts.append(row(back, label(words, "muted"), stretch_at=1))
    remove = button(texts("manage.remove"), lambda: links.uninstall(app.app_id), "danger")
    settings = button(texts("overlay.open"), lambda: links.show_overlays(app.app_id))
    return card(*parts, row(settings, _switch(texts, app, center, work), remove))


def _sources(
    texts: Texts, brand: Brand, center: AppCenter, app: InstalledApp, work: Work
) -> Iterator[QWidget]:
    """Where its updates come from, and who else claims its name."""
    choice = center.catalog.choice(app.app_id)
    yield label(_own_words(texts, brand, center, choice.before), "muted")
    for other in choice.others:
        take = button(
            texts("source.choose"),
            lambda place=other: work.start(center.choose_source(app.app_id, place)),
        )
        name_button(take, texts, other)
        words = texts("source.choose.text", source=other)
        yield row(take, label(words, "muted"), stretch_at=1)


def _own_words(texts: Texts, brand: Brand, center: AppCenter, own: str | None) -> str:
    if own is None:
        return texts("source.none")
    if own in {each.location for each in center.catalog.built_in}:
        return texts("source.built-in", product=brand.branding.product_name)
    return texts("source.own", source=own)


def _switch(texts: Texts, app: RegisteredApp, center: AppCenter, work: Work) -> QPushButton:
    is_on = app.installed is not None and app.installed.is_enabled
    turn = center.disable if is_on else center.enable
    words = texts("manage.off" if is_on else "manage.on")
    return button(words, lambda: work.start(turn(app.app_id)))
