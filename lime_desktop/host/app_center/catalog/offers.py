"""One app on offer: what a person sees and finds it by, and where its package lies."""

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
    other_names: tuple[str, ...] = ()
    """Name and tagline in other languages."""
    package_hash: str | None = None
    """The tree that the list promises; another one is refused."""
    archive_hash: str | None = None
    """The file that the list promises; another one is refused."""
