"""What Home shows of apps that are not here as usual: set aside at a start, or gone with their data kept."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from PySide6.QtWidgets import QFrame, QWidget

from lime_desktop.host.app_center.records.records import KeptData
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.apps.set_aside import SetAsideApp
from lime_desktop.host.wording.joining import named
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.layouts.flow import flow
from lime_desktop.shell.widgets.parts import (
    button,
    card,
    column,
    label,
    pill,
    row,
    rows_card,
    section_heading,
)


class LeftOverApps:
    """Their cards. No package is read for them: what they are called was kept when they were installed."""

    def __init__(self, look: Look, registry: AppRegistry, uninstall: Callable[[str], None]) -> None:
        self._look = look
        self._registry = registry
        self._uninstall = uninstall

    def aside_parts(self, aside: Iterable[SetAsideApp]) -> Iterator[QWidget]:
        """Apps that would keep the window from starting: what that means, and the ways out."""
        yield from map(self._aside_card, aside)

    def kept_parts(self, kept: Iterable[KeptData]) -> Iterator[QWidget]:
        """Data that outlived their apps, each with the way to delete them."""
        rows = list(map(self._kept_row, kept))
        if rows:
            yield section_heading(self._look.texts("home.kept"))
            yield rows_card(*rows)

    def _aside_card(self, aside: SetAsideApp) -> QFrame:
        texts, app = self._look.texts, aside.app
        title = app.title_in(texts.locale)
        again = button(texts("home.aside.again"), partial(self._registry.try_again, app.app_id))
        again.setAccessibleName(named(texts, texts("home.aside.again"), title))
        remove = button(texts("manage.remove"), partial(self._uninstall, app.app_id), "danger")
        remove.setAccessibleName(named(texts, texts("manage.remove"), title))
        state = "home.aside.trying" if aside.is_being_tried else "home.aside.text"
        words = column(
            label(title, "heading"),
            label(texts(state), "muted"),
            flow(pill(texts("home.aside"), "warning")),
            spacing=4,
        )
        tools = () if aside.is_being_tried else (again, remove)
        return card(row(words, *tools, stretch_at=0))

    def _kept_row(self, kept: KeptData) -> QWidget:
        texts = self._look.texts
        title = kept.title_in(texts.locale)
        delete = button(texts("home.kept.delete"), partial(self._uninstall, kept.app_id))
        delete.setAccessibleName(named(texts, texts("home.kept.delete"), title))
        return row(label(title), delete, stretch_at=0)
