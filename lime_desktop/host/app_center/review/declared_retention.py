"""How long would an app's data stay, by what it declares? As terms that a person agrees to, and in words."""

from collections.abc import Iterator

from lime_desktop.app_package.manifest import Manifest
from lime_desktop.app_package.retention import retention_of
from lime_desktop.host.app_center.review.deferred_text import DeferredText
from lime_desktop.protocol.calls.app_data import RetentionTerms


def declared_terms(manifest: Manifest) -> RetentionTerms | None:
    """What the manifest declares; None where that is nothing."""
    found = retention_of(manifest)
    if found is None:
        return None
    return RetentionTerms(
        values=found.values, tables=dict(found.tables), artifacts=dict(found.artifacts)
    )


def terms_in_words(terms: RetentionTerms) -> Iterator[DeferredText]:
    """One sentence for each."""
    if terms.values is not None:
        yield DeferredText("review.retention.values", {"days": str(terms.values)})
    for kind, named in (("table", terms.tables), ("artifact", terms.artifacts)):
        for name, days in named.items():
            yield DeferredText(f"review.retention.{kind}", {"name": name, "days": str(days)})
