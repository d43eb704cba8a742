"""An app as one row of a catalogue: what a person sees before they install it."""

from dataclasses import dataclass
from typing import cast

from lime_desktop.projection.projection import Projection


@dataclass(frozen=True, slots=True)
class CatalogRow:
    """What a shelf shows of an app, and finds it by."""

    ok: bool
    name: str
    display_name: str
    other_names: tuple[str, ...]
    """The name and the tagline in other languages: found by, not shown."""
    tagline: str
    version: str
    status: str
    app_type: str
    categories: tuple[str, ...]
    keywords: tuple[str, ...]
    publisher: str | None
    icon: str | None
    entries: tuple[tuple[str, str, str], ...]
    """Key, kind and title of each."""
    capabilities: tuple[str, ...]
    install_modes: tuple[str, ...]
    trigger_keywords: tuple[str, ...]
    """What a person would say."""
    trigger_scenarios: tuple[str, ...]
    """What a machine knows it by."""

    def matches(self, query: str) -> bool:
        """Whether every word of the query is found somewhere in the row, whatever its case."""
        return all(word in self._searched_text() for word in query.casefold().split())

    def _searched_text(self) -> str:
        titles = (title for _, _, title in self.entries)
        words = (
            self.name,
            self.display_name,
            self.tagline,
            self.publisher or "",
            *self.categories,
            *self.keywords,
            *self.other_names,
            *self.trigger_keywords,
            *self.trigger_scenarios,
            *titles,
        )
        return "\n".join(words).casefold()

    def to_document(self) -> dict[str, object]:
        """The row as JSON; what the package does not say is left out."""
        document: dict[str, object | None] = {
            "ok": self.ok,
            "name": self.name,
            "displayName": self.display_name,
            "shortDescription": self.tagline,
            "version": self.version,
            "status": self.status,
            "appType": self.app_type,
            "categories": list(self.categories),
            "keywords": list(self.keywords),
            "publisher": self.publisher,
            "icon": self.icon,
            "entries": [{"key": k, "kind": kind, "title": t} for k, kind, t in self.entries],
            "capabilities": list(self.capabilities),
            "installModes": list(self.install_modes),
            "triggers": {
                "keywords": list(self.trigger_keywords),
                "scenarios": list(self.trigger_scenarios),
            },
        }
        return {name: value for name, value in document.items() if value is not None}


def catalog_row(projection: Projection) -> CatalogRow:
    """Pick from a projection what a catalogue shows."""
    manifest = projection.manifest
    publisher, triggers = manifest.publisher, manifest.triggers
    return CatalogRow(
        ok=projection.is_valid,
        name=manifest.name,
        display_name=manifest.title,
        other_names=(
            *manifest.display_name_i18n.values(),
            *manifest.short_description_i18n.values(),
        ),
        tagline=manifest.short_description or manifest.description,
        version=manifest.version,
        status=manifest.status,
        app_type=manifest.app_type,
        categories=manifest.categories,
        keywords=manifest.keywords,
        publisher=(publisher.display_name or publisher.name) if publisher else None,
        icon=_icon(projection),
        entries=tuple((e.key, e.declared.kind, e.declared.title) for e in projection.entries),
        capabilities=tuple(each.name for each in projection.capabilities),
        install_modes=manifest.install.modes if manifest.install else ("in_lime",),
        trigger_keywords=triggers.keywords if triggers else (),
        trigger_scenarios=triggers.scenarios if triggers else (),
    )


def _icon(projection: Projection) -> str | None:
    manifest = projection.manifest
    shown = cast("object", (manifest.presentation or {}).get("icon"))
    if isinstance(shown, str) and shown:
        return shown
    return (
        manifest.install.branding.icon if manifest.install and manifest.install.branding else None
    )
