"""The apps at hand: read, judged, and ready to be looked at or opened. Knows packages; knows no widget.

A package is read from where it lies. Grants given here hold until the program ends.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from lime_desktop.app_package.opening import open_package
from lime_desktop.app_package.package import AppPackage, load_package
from lime_desktop.projection.entries import ProjectedEntry
from lime_desktop.projection.host_profile import THIS_HOST
from lime_desktop.projection.projection import Projection, project
from lime_desktop.readiness.assess import assess
from lime_desktop.readiness.facts import ReadinessFacts
from lime_desktop.readiness.package_checks import claimed_trust
from lime_desktop.readiness.result import Readiness


@dataclass(frozen=True)
class ShelfApp:
    """One app as it stands now."""

    path: Path
    package: AppPackage
    projection: Projection
    readiness: Readiness
    granted: frozenset[str] = field(default_factory=frozenset[str])

    @property
    def app_id(self) -> str:
        """The app's name in its manifest."""
        return self.package.manifest.name

    @property
    def can_start(self) -> bool:
        """Whether readiness lets it start, with or without warnings."""
        return self.package.is_valid and self.readiness.ok

    @property
    def views(self) -> tuple[ProjectedEntry, ...]:
        """The entries that are shown as a view of the app's own bundle."""
        return tuple(
            entry for entry in self.projection.entries if entry.is_embeddable and entry.route
        )

    def title(self, locale: str) -> str:
        """The name to show, in the person's language where the author gave it."""
        manifest = self.package.manifest
        return (
            _in_language(manifest.display_name_i18n, locale)
            or manifest.display_name
            or manifest.name
        )

    def tagline(self, locale: str) -> str:
        """One line about the app."""
        manifest = self.package.manifest
        translated = _in_language(manifest.short_description_i18n, locale)
        return translated or manifest.short_description or manifest.description

    def icon(self) -> bytes | None:
        """The bytes of the app's icon, if it has one that is really there."""
        named = (self.package.manifest.presentation or {}).get("icon")
        path = named.removeprefix("./") if isinstance(named, str) else "assets/icon.svg"
        try:
            return self.package.tree.read(path) if path in self.package.tree.files else None
        except OSError:
            return None


class Shelf:
    """Every app at hand, in the order it was found."""

    def __init__(self, locale: str) -> None:
        self._locale = locale
        self._apps: dict[str, ShelfApp] = {}
        self._watchers: list[Callable[[], None]] = []

    @property
    def apps(self) -> tuple[ShelfApp, ...]:
        """The apps, one of each name."""
        return tuple(self._apps.values())

    def app(self, app_id: str) -> ShelfApp | None:
        """The app of this name."""
        return self._apps.get(app_id)

    def watch(self, watcher: Callable[[], None]) -> None:
        """Hear of every change."""
        self._watchers.append(watcher)

    def add(self, paths: Iterable[Path]) -> tuple[ShelfApp, ...]:
        """Read packages and put them on the shelf; a later one of the same name takes the place."""
        found = tuple(
            self._judge(path, load_package(open_package(path)), frozenset()) for path in paths
        )
        self._apps |= {app.app_id: app for app in found}
        self._tell()
        return found

    def grant(self, app_id: str, permission: str) -> None:
        """Give an app one of the permissions it declares, until the program ends."""
        app = self._apps[app_id]
        declared = {each.key for each in app.package.manifest.permissions}
        if permission in declared:
            self._apps[app_id] = self._judge(app.path, app.package, app.granted | {permission})
            self._tell()

    def revoke(self, app_id: str, permission: str) -> None:
        """Take a permission back."""
        app = self._apps[app_id]
        self._apps[app_id] = self._judge(app.path, app.package, app.granted - {permission})
        self._tell()

    def speak(self, locale: str) -> None:
        """Word every finding in another language."""
        self._locale = locale
        self._apps = {
            key: self._judge(app.path, app.package, app.granted) for key, app in self._apps.items()
        }
        self._tell()

    def _judge(self, path: Path, package: AppPackage, granted: frozenset[str]) -> ShelfApp:
        projection = project(package, THIS_HOST)
        facts = ReadinessFacts(
            now=datetime.now(UTC),
            locale=self._locale,
            granted_permissions=granted,
            package_trust=claimed_trust(projection),
        )
        return ShelfApp(path, package, projection, assess(projection, facts), granted)

    def _tell(self) -> None:
        for watcher in tuple(self._watchers):
            watcher()


def find_packages(folder: Path) -> tuple[Path, ...]:
    """The packages directly inside a folder: folders with an APP.md, and archives."""
    if not folder.is_dir():
        return ()
    return tuple(
        path
        for path in sorted(folder.iterdir())
        if (path / "APP.md").is_file() or path.suffix == ".lapp"
    )


def _in_language(names: Mapping[str, str] | None, locale: str) -> str | None:
    if not names:
        return None
    language = locale.partition("-")[0]
    near = (name for tag, name in names.items() if tag.partition("-")[0] == language)
    return names.get(locale) or next(near, None)
