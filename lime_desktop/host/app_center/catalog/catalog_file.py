"""A list of apps that somebody else keeps, as a file or at an address: JSON or YAML, one row per app.

```yaml
version: 1
name: Example Ltd's apps
apps:
  - appId: notes
    version: 1.2.0
    packageUrl: notes-1.2.0.lapp        # beside the list, or https://…
    packageHash: sha256:…               # optional: the tree; archiveHash: the file
    displayName: Notes
    shortDescription: Keeps notes.
    keywords: [notes]
    triggers: { keywords: [note this down], scenarios: [take_notes] }
    notes: { en: Finds faster., zh-CN: 查找更快。 }   # optional: what is new, as text or by language
    withdrawn: Loses notes.             # optional: why it is offered no more; likewise
    revoked: Sends notes to strangers.  # optional: why it must not run; in a signed list alone, else as `withdrawn`
```

What the list says is for choosing; what is installed is judged by the package itself. One row that cannot be read
refuses the list: half a list would hide what somebody meant to offer.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BeforeValidator, ConfigDict, Field

from lime_desktop.host.app_center.documents import read_document
from lime_desktop.host.app_center.packages.fetching import beside
from lime_desktop.host.app_center.records.offers import Offer
from lime_desktop.host.app_center.records.recalls import VersionRecall
from lime_desktop.protocol.wire import WireModel
from lime_desktop.shipping.catalog_texts import (
    LANGUAGE,
    MAX_LANGUAGES,
    MAX_NOTES_CHARS,
    MAX_REASON_CHARS,
)

_Hash = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
_Words = Annotated[tuple[str, ...], Field(max_length=64)]
_Language = Annotated[str, Field(pattern=f"^{LANGUAGE}$")]


def _by_language(value: object) -> object:
    """A text without a language is in English."""
    return {"en": value} if isinstance(value, str) else value


_Reason = Annotated[
    dict[_Language, Annotated[str, Field(max_length=MAX_REASON_CHARS)]],
    Field(max_length=MAX_LANGUAGES),
    BeforeValidator(_by_language),
]
_Notes = Annotated[
    dict[_Language, Annotated[str, Field(max_length=MAX_NOTES_CHARS)]],
    Field(max_length=MAX_LANGUAGES),
    BeforeValidator(_by_language),
]


class _Triggers(WireModel):
    keywords: _Words = ()
    scenarios: _Words = ()


class _Row(WireModel):
    app_id: str = Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,63}$")
    version: str = Field(min_length=1, max_length=64)
    package_url: str = Field(min_length=1, max_length=2048)
    package_hash: _Hash | None = None
    archive_hash: _Hash | None = None
    display_name: str | None = Field(default=None, max_length=128)
    short_description: str = Field(default="", max_length=1024)
    publisher: str | None = Field(default=None, max_length=128)
    categories: _Words = ()
    keywords: _Words = ()
    triggers: _Triggers = _Triggers()
    notes: _Notes = Field(default_factory=dict[str, str])
    withdrawn: _Reason | None = None
    revoked: _Reason | None = None


class _Document(WireModel):
    model_config = ConfigDict(extra="ignore")

    version: Literal[1]
    name: str = Field(min_length=1, max_length=128)
    apps: tuple[_Row, ...] = Field(max_length=10_000)


@dataclass(frozen=True, slots=True)
class ReadCatalog:
    """What a list says."""

    offers: tuple[Offer, ...]
    recalls: tuple[VersionRecall, ...] = ()


def parse_catalog(text: str, location: str, *, may_revoke: bool = False) -> ReadCatalog:
    """Read a list that was found at `location`; only a signed one `may_revoke`.

    Raises:
        InvalidInput: it is no such list; the fields that are wrong are named.
    """
    document = read_document(text, "catalog", _Document)
    recalls = {
        (row.app_id, row.version): recall
        for row in document.apps
        if (recall := _recall(row, may_revoke=may_revoke)) is not None
    }
    # A version that is listed twice is not offered by its other row.
    offered = (row for row in document.apps if (row.app_id, row.version) not in recalls)
    return ReadCatalog(tuple(_offer(row, location) for row in offered), tuple(recalls.values()))


def _recall(row: _Row, *, may_revoke: bool) -> VersionRecall | None:
    reasons = row.withdrawn if row.revoked is None else row.revoked
    if reasons is None:
        return None
    return VersionRecall(
        app_id=row.app_id,
        version=row.version,
        package_hash=row.package_hash,
        kind="revoked" if row.revoked is not None and may_revoke else "withdrawn",
        reasons=reasons,
    )


def _offer(row: _Row, location: str) -> Offer:
    return Offer(
        app_id=row.app_id,
        title=row.display_name or row.app_id,
        version=row.version,
        location=beside(location, row.package_url),
        source=location,
        tagline=row.short_description,
        publisher=row.publisher,
        categories=row.categories,
        keywords=row.keywords,
        trigger_keywords=row.triggers.keywords,
        scenarios=row.triggers.scenarios,
        notes=row.notes,
        package_hash=row.package_hash,
        archive_hash=row.archive_hash,
    )
