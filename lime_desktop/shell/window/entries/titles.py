"""What open entries are called, in the language of now: on tabs with room and without, and on panels."""

from collections.abc import Sequence

from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.surfaces.surface import Surface
from lime_desktop.shell.window.entries.tab_strip import TabFace


class EntryTitles:
    """Names surfaces by the apps that are registered."""

    def __init__(self, look: Look, registry: AppRegistry) -> None:
        self._look = look
        self._registry = registry

    def face(self, surface: Surface, among: Sequence[Surface]) -> TabFace | None:
        """How its tab names it beside the others; nothing for an app that is gone: its tab is about to be closed."""
        app = self._registry.app(surface.app_id)
        if app is None:
            return None
        icon = self._look.appearance.icon_of(app)
        return TabFace(surface, self.whole(surface), self.short(surface, among), icon)

    def whole(self, surface: Surface) -> str:
        """The app and the entry; said once where both have one name."""
        app, locale = self._registry.app(surface.app_id), self._look.texts.locale
        if app is None:
            return surface.app_id
        names = (app.title(locale), app.entry_title(surface.entry_key, locale))
        return " · ".join(dict.fromkeys(names))

    def short(self, surface: Surface, among: Sequence[Surface]) -> str:
        """The app alone; of several entries of one app, the entry, which the app's icon stands beside."""
        app, locale = self._registry.app(surface.app_id), self._look.texts.locale
        if app is None:
            return surface.app_id
        is_only = [each.app_id for each in among].count(surface.app_id) <= 1
        return app.title(locale) if is_only else app.entry_title(surface.entry_key, locale)

    def of_panel(self, panel: Surface) -> str:
        """The panel's own name: its tab names the app."""
        app, locale = self._registry.app(panel.app_id), self._look.texts.locale
        return panel.title or (app.entry_title(panel.entry_key, locale) if app else panel.app_id)
