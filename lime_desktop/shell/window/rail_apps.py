"""Which apps the rail shows, and in whose order."""

from collections.abc import Set as AbstractSet

from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.appearance.settings_store import SettingsStore

_MOST_APPS = 20
"""Apps that the rail shows; more could not be told apart by their icons."""


class RailApps:
    """The apps in the person's order."""

    def __init__(self, registry: AppRegistry, settings: SettingsStore, texts: Texts) -> None:
        self._registry = registry
        self._settings = settings
        self._texts = texts

    def app(self, app_id: str) -> RegisteredApp | None:
        """The app of this name."""
        return self._registry.app(app_id)

    def in_order(self, opened: AbstractSet[str]) -> list[RegisteredApp]:
        """Every app, first those that the person put in an order; of very many as many as can be told apart.

        Those that are open are always there, and Home has them all.
        """
        registry, locale = self._registry, self._texts.locale
        places = {key: at for at, key in enumerate(self._settings.current.rail_order)}
        is_many = len(registry.apps) + len(registry.unread) > _MOST_APPS
        by_name = sorted(registry.apps, key=lambda app: app.title(locale).casefold())
        found = by_name if is_many else [*registry.apps]
        found.sort(key=lambda app: places.get(app.app_id, len(places)))
        shown = {app.app_id: app for app in found[:_MOST_APPS]}
        return [*shown.values(), *(app for app in found if app.app_id in opened - shown.keys())]

    def reorder(self, order: tuple[str, ...]) -> None:
        """Keep an order; apps that are not on the rail now keep their place behind those that are."""
        others = (key for key in self._settings.current.rail_order if key not in order)
        self._settings.change(rail_order=(*order, *others))
