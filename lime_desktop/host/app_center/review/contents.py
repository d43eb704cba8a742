"""What would the app add, where would its data lie, and whom would it talk to?"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal
from urllib.parse import urlsplit

from lime_desktop.app_package.manifest import Manifest
from lime_desktop.app_package.manifest.values import ManifestModel
from lime_desktop.app_package.translations import Translations
from lime_desktop.host.app_center.review.declared_retention import declared_terms, terms_in_words
from lime_desktop.host.app_center.review.deferred_text import DeferredText
from lime_desktop.projection.projection import Projection
from lime_desktop.protocol.plain_text import plain_name
from lime_desktop.readiness.naming import plain_words, title_in

AdditionKind = Literal[
    "entry", "service", "workflow", "skill", "tool", "knowledge", "artifact", "secret", "event"
]


_TEXTS_OF: Mapping[AdditionKind, str] = {"entry": "entries", "workflow": "workflows"}
"""Where the standard puts the texts of a kind."""


@dataclass(frozen=True, slots=True)
class Addition:
    """One thing that the app brings or wants to be given."""

    kind: AdditionKind
    key: str
    declared: ManifestModel | None = None
    by: str = ""
    """What sort of program does it, or where it comes from."""
    title: Callable[[str], str | None] = lambda _: None
    """What the app's own texts call it in a language."""

    def called(self, locale: str) -> str:
        """What a person calls it: the author's title in their language, else plain words."""
        # A skill is known by its path.
        short = self.key.rstrip("/").rpartition("/")[2]
        name = self.title(locale) or title_in(self.declared, locale) or plain_words(short)
        return f"{name} ({self.by})" if self.by else name


def additions(projection: Projection, translations: Translations) -> tuple[Addition, ...]:
    """Everything the host would register, in the order in which a person meets it."""
    return tuple(
        replace(each, title=partial(_title, translations, each)) for each in _additions(projection)
    )


def _title(translations: Translations, addition: Addition, locale: str) -> str | None:
    place = _TEXTS_OF.get(addition.kind)
    found = translations.title(locale, place, addition.key) if place else None
    return plain_name(found) if found else None


def _additions(projection: Projection) -> tuple[Addition, ...]:
    manifest = projection.manifest
    bundled = manifest.skills.bundled if manifest.skills else ()
    return (
        *(Addition("entry", each.key, each.declared) for each in projection.entries),
        *(Addition("service", each.key, each, each.kind) for each in manifest.services),
        *(Addition("workflow", each.key, each) for each in manifest.workflows),
        *(Addition("skill", each.path, each) for each in bundled),
        *(Addition("tool", each.key, each, each.provider) for each in manifest.tool_refs),
        *(Addition("knowledge", each.key, each) for each in manifest.knowledge_templates),
        *(Addition("artifact", each.key, each) for each in manifest.artifact_types),
        *(Addition("secret", each.key, each) for each in manifest.secrets),
        *(Addition("event", each.key, each) for each in manifest.events),
    )


def data_boundaries(manifest: Manifest) -> tuple[DeferredText, ...]:
    """Where the app's data stay, and where they may go."""
    return tuple(_data_boundaries(manifest))


def _data_boundaries(manifest: Manifest) -> Iterator[DeferredText]:
    storage = manifest.storage
    if storage is None:
        yield DeferredText("review.data.none")
    else:
        yield DeferredText("review.data.storage", {"namespace": storage.namespace})
        if storage.uninstall_policy is not None:
            yield DeferredText(f"review.data.uninstall.{storage.uninstall_policy}")
    if (terms := declared_terms(manifest)) is not None:
        yield from terms_in_words(terms)
        yield DeferredText("review.retention.off")
    if any(permission.scope == "model" for permission in manifest.permissions):
        yield DeferredText("review.data.model")
    if not {"hybrid", "server-assisted"}.isdisjoint(manifest.runtime_targets):
        yield DeferredText("review.data.cloud")
    compliance = manifest.compliance
    if compliance is not None and compliance.data_residency:
        yield DeferredText(
            "review.data.residency", lists={"places": tuple(compliance.data_residency)}
        )
    if compliance is not None and compliance.data_retention:
        yield DeferredText("review.data.retention", {"text": compliance.data_retention})


def network_domains(manifest: Manifest) -> tuple[str, ...]:
    """Every host the app names, in permissions or as a remote service."""
    named = {
        domain
        for permission in manifest.permissions
        if permission.scope == "network"
        for domain in permission.domains
    }
    remote = {
        urlsplit(service.endpoint).hostname or service.endpoint
        for service in manifest.services
        if service.endpoint
    }
    return tuple(sorted(named | remote))
