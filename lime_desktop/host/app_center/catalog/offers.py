"""One app on offer: what a person sees and finds it by, and where its package lies."""

from pydantic import Field

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
    titles: dict[str, str] = Field(default_factory=dict[str, str])
    """Its name in other languages, by language."""
    taglines: dict[str, str] = Field(default_factory=dict[str, str])
    package_hash: str | None = None
    """The tree that the list promises; another one is refused."""
    archive_hash: str | None = None
    """The file that the list promises; another one is refused."""

    def title_in(self, locale: str) -> str:
        """Its name in a language, where there is one."""
        return self.titles.get(locale, self.title)

    def tagline_in(self, locale: str) -> str:
        """One line about it, likewise."""
        return self.taglines.get(locale, self.tagline)

    @property
    def other_names(self) -> tuple[str, ...]:
        """What it is called, and what is said of it, in other languages."""
        return (*self.titles.values(), *self.taglines.values())
