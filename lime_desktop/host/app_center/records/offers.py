"""One app on offer: what a person sees and finds it by, and where its package lies."""

from collections.abc import Mapping

from pydantic import Field

from lime_desktop.host.appearance.package_face import in_language
from lime_desktop.protocol.wire import WireModel


class Offer(WireModel):
    """An app that could be installed."""

    app_id: str
    title: str
    version: str
    location: str
    """A path or an address of its package."""
    source: str
    """The folder or list it was found in."""
    tagline: str = ""
    publisher: str | None = None
    categories: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    trigger_keywords: tuple[str, ...] = ()
    """What a person would say."""
    scenarios: tuple[str, ...] = ()
    """What a machine knows it by."""
    titles: Mapping[str, str] = Field(default_factory=dict[str, str])
    """The name in other languages."""
    taglines: Mapping[str, str] = Field(default_factory=dict[str, str])
    icon_svg: str | None = None
    """Its icon, where the package is at hand and the icon is small."""
    notes: dict[str, str] = Field(default_factory=dict[str, str])
    """What the catalog says is new in it, by language."""
    package_hash: str | None = None
    """The tree that the list promises; another one is refused."""
    archive_hash: str | None = None
    """The file that the list promises; another one is refused."""

    @property
    def other_names(self) -> tuple[str, ...]:
        """Name and tagline in other languages, for whoever searches."""
        return (*self.titles.values(), *self.taglines.values())

    @property
    def icon(self) -> bytes | None:
        """The icon as it is drawn."""
        return None if self.icon_svg is None else self.icon_svg.encode()

    def title_in(self, locale: str) -> str:
        """The name to show, in the person's language where the author gave it."""
        return in_language(self.titles, locale) or self.title

    def tagline_in(self, locale: str) -> str:
        """One line about it, likewise."""
        return in_language(self.taglines, locale) or self.tagline
