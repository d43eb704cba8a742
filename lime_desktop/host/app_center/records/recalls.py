"""What is said of versions that are offered no more: withdrawn ones keep working, revoked ones must not run."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from lime_desktop.host.appearance.package_face import in_language
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.protocol.wire import WireModel

RecallKind = Literal["withdrawn", "revoked"]


def said_in(texts: Mapping[str, str], locale: str) -> str:
    """A text by language: in the person's, else in English, else in any."""
    return in_language(texts, locale) or texts.get("en") or next(iter(texts.values()), "")


class VersionRecall(WireModel):
    """One version that a catalog offers no more, and why."""

    app_id: str
    version: str
    package_hash: str | None = None
    kind: RecallKind
    reasons: dict[str, str] = Field(default_factory=dict[str, str])

    def concerns(self, version: str, package_hash: str) -> bool:
        """Whether these bytes are meant; the version counts only where the list names no bytes."""
        if self.package_hash is not None:
            return self.package_hash == package_hash
        return self.version == version


class StoredRevocation(WireModel):
    """That bytes which are here were revoked. It holds for as long as they are: nothing that is read later takes it back."""

    app_id: AppId
    version: str
    package_hash: str
    reasons: dict[str, str] = Field(default_factory=dict[str, str])
    said_by: Literal["catalog", "publisher"]
    source: str
    """The catalog, or who signed the package."""
    learned_at_ms: int


class AppRecall(WireModel):
    """How an installed version stands that was withdrawn or revoked, with the way out of it."""

    kind: RecallKind
    reasons: dict[str, str] = Field(default_factory=dict[str, str])
    update: str | None = None
    """A newer version that is on offer."""

    def reason_in(self, locale: str) -> str:
        """Why, on one line; nothing where nobody said."""
        return plain_line(said_in(self.reasons, locale))
