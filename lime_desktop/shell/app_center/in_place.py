"""Packages that are opened where they lie, for whoever works on them, and found again at the next start."""

from collections.abc import Callable
from pathlib import Path

from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.shell.appearance.settings_store import SettingsStore


class PackagesInPlace:
    """Opens and closes them, in the registry and in what the person chose."""

    def __init__(self, registry: AppRegistry, settings: SettingsStore) -> None:
        self._registry = registry
        self._settings = settings

    def open(self, path: Path) -> RegisteredApp:
        """Open a package where it lies."""
        (app,) = self._registry.add([path])
        kept = dict.fromkeys([*self._settings.current.package_paths, str(path)])
        self._settings.change(package_paths=tuple(kept))
        return app

    def close(self, app_id: str) -> None:
        """Forget that an app was opened in place; nothing of it is deleted."""
        path = self._registry.take_off(app_id)
        if path is not None:
            paths = self._settings.current.package_paths
            self._settings.change(package_paths=tuple(each for each in paths if each != str(path)))

    def take_off(self, app: RegisteredApp) -> Callable[[], None]:
        """Close one, and give what opens it again with what it was granted."""
        path, granted = app.path, app.granted
        self.close(app.app_id)

        def undo() -> None:
            self.open(path)
            self._registry.grant(app.app_id, *granted)

        return undo
