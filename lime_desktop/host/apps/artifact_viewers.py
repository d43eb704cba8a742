"""Which page of an app shows an artifact of a kind: the one that the app declares for it, or none."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast
from urllib.parse import quote

from lime_desktop.app_package.manifest import Manifest
from lime_desktop.host.apps.registry import RegisteredApp

_KINDS = ("artifactType", "type", "kind")
_PLACES = ("entry", "viewer", "route")


@dataclass(frozen=True, slots=True)
class OwnViewer:
    """A page of an app that shows artifacts."""

    entry_key: str
    """The entry whose rights it has."""
    route: str

    def address_of(self, artifact_id: str) -> str:
        """Its page for one artifact: a page is told by its address what to show, and learns no path of this machine."""
        mark = "&" if "?" in self.route else "?"
        return f"{self.route}{mark}artifact={quote(artifact_id)}"


def own_viewer(app: RegisteredApp, kind: str) -> OwnViewer | None:
    """The viewer that an app declares for a kind: `artifactTypes[].viewer`, else `ui.artifactViewers`."""
    for place in _declared(app.package.manifest, kind):
        found = _viewer_at(app, place, kind)
        if found is not None:
            return found
    return None


def _declared(manifest: Manifest, kind: str) -> Iterator[str]:
    for each in manifest.artifact_types:
        if each.key == kind and each.viewer is not None:
            yield each.viewer
    for each in manifest.ui.artifact_viewers if manifest.ui else ():
        if kind in _kinds_of(each):
            yield from (place for name in _PLACES if isinstance(place := each.get(name), str))


def _kinds_of(declared: Mapping[str, object]) -> list[object]:
    several = declared.get("artifactTypes")
    listed = cast("Sequence[object]", several) if isinstance(several, list | tuple) else ()
    return [*listed, *(declared.get(name) for name in _KINDS)]


def _viewer_at(app: RegisteredApp, place: str, kind: str) -> OwnViewer | None:
    """An entry by its key, or a route of the app's own pages; what leads elsewhere is no viewer."""
    entry = app.projection.entry(place)
    if entry is not None:
        return None if entry.route is None else OwnViewer(entry.key, entry.route)
    if not place.startswith("/") or place.startswith(("//", "/\\")):
        return None
    own = (each.key for each in app.projection.entries if kind in each.declared.artifact_types)
    key = next(own, None) or app.first_entry
    return None if key is None else OwnViewer(key, place)
