"""The host's own line above a page that lacks a permission: which one is off, and the way to it."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from lime_desktop.host.app_center.review.asked_permissions import in_words
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.shell.appearance.look import LiveTexts
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.widgets.parts import banner, button


@dataclass(frozen=True, slots=True)
class MissingLinks:
    """Where the line leads."""

    show_app: Callable[[], None]
    use_installed: Callable[[], None]


class MissingPermissions(QWidget):
    """Follows what an app may do; hidden while its entry lacks nothing that a person can allow."""

    settled = Signal()
    """Everything is allowed again."""

    def __init__(
        self,
        texts: LiveTexts,
        registry: AppRegistry,
        app_id: str,
        entry_key: str,
        links: MissingLinks,
    ) -> None:
        super().__init__()
        self._texts = texts
        self._registry = registry
        self._app_id = app_id
        self._entry_key = entry_key
        self._links = links
        self._said: tuple[str, bool] = ("", False)
        self._layout = edge_to_edge(QVBoxLayout(self), 0)
        self.destroyed.connect(registry.watch(self._follow))
        texts.changed.connect(self._follow)
        self.hide()
        self._follow()

    def _follow(self) -> None:
        app = self._registry.app(self._app_id)
        is_in_place = app is not None and self._registry.hides_installed(app)
        words = "" if app is None else self._words(app)
        said = words, is_in_place
        if said == self._said:
            return
        was_missing, self._said = bool(self._said[0]), said
        while (item := self._layout.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        if words:
            self._layout.addWidget(self._banner(words, is_in_place=is_in_place))
        self.setVisible(bool(words))
        if was_missing and not words:
            self.settled.emit()

    def _banner(self, words: str, *, is_in_place: bool) -> QWidget:
        texts, links = self._texts, self._links
        show = button(texts("tab.permission.show"), links.show_app)
        if not is_in_place:
            return banner(words, "warning", show)
        # What was allowed to the installed app is allowed still: the folder is what lacks it.
        use = button(texts("page.in-place.use"), links.use_installed)
        return banner(texts("page.in-place"), "warning", use, show)

    def _words(self, app: RegisteredApp) -> str:
        entry = app.readiness.entry(self._entry_key)
        if entry is None or entry.ok:
            return ""
        texts, steps = self._texts, app.readiness.setup_actions
        wanted = {each.target for each in steps if each.kind == "grant-permission"}
        off = [
            in_words(each).words(texts)
            for each in app.package.manifest.permissions
            if each.key in wanted and each.key not in app.granted
        ]
        title = app.title(texts.locale)
        names = texts("list.semicolon").join(off)
        said = {"app": title, "permissions": names, "count": len(off)}
        return texts("tab.permission.off", **said) if off else ""
