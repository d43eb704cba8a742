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
    withdrawn: Loses notes.             # optional: why it is offered no more
```

What the list says is for choosing; what is installed is judged by the package itself. One row that cannot be read
refuses the list: half a list would hide what somebody meant to offer.
"""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from lime_desktop.host.app_center.documents import read_document
from lime_desktop.host.app_center.packages.fetching import beside
from lime_desktop.host.app_center.records.offers import Offer
from lime_desktop.protocol.wire import WireModel

_Hash = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
_Words = Annotated[tuple[str, ...], Field(max_length=64)]


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
    withdrawn: str | None = Field(default=None, max_length=1024)


class _Document(WireModel):
    model_config = ConfigDict(extra="ignore")

    version: Literal[1]
    name: str = Field(min_length=1, max_length=128)
    apps: tuple[_Row, ...] = Field(max_length=10_000)


def parse_catalog(text: str, location: str) -> tuple[Offer, ...]:
    """Read a list that was found at `location`.

    Raises:
        InvalidInput: it is no such list; the fields that are wrong are named.
    """
    document = read_document(text, "catalog", _Document)
    return tuple(_offer(row, location) for row in document.apps if row.withdrawn is None)


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
        package_hash=row.package_hash,
        archive_hash=row.archive_hash,
    )
