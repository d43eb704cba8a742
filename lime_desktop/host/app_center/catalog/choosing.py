"""Of several sources that offer one name, which one is meant? Pure.

Never the one with the highest version: anybody can write a number, and claim a name. It is the source that the app
came from, and for an app that is not here the first one that offers it, as sources stand in order.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from lime_desktop.host.app_center.packages.fetching import is_url
from lime_desktop.host.app_center.records.offers import Offer
from lime_desktop.host.app_center.records.records import CatalogSource, InstalledApp, KeptData


@dataclass(frozen=True, slots=True)
class SourceChoice:
    """Which source a package comes from, beside what was chosen for its name and what else there is."""

    source: str | None = None
    """None where the package was chosen by itself: that chooses no source."""
    before: str | None = None
    is_chosen: bool = False
    """Whether it is settled for this name already where updates come from, if from anywhere."""
    others: tuple[str, ...] = ()
    """What else offers this name."""

    @property
    def is_change(self) -> bool:
        """Whether updates would come from elsewhere than until now: a person has to want that."""
        return self.is_chosen and self.source is not None and self.source != self.before


def chosen_sources(
    apps: Iterable[InstalledApp], kept: Iterable[KeptData], sources: Sequence[CatalogSource]
) -> Mapping[str, str | None]:
    """For every name that is settled the source of its updates; None where there is none yet."""
    places = {each.location: source.location for source in sources for each in source.offers}
    chosen: dict[str, str | None] = {
        each.app_id: each.offered_by for each in kept if each.offered_by is not None
    }
    for app in apps:
        chosen[app.app_id] = app.offered_by or _place_of(app.source, places, sources)
    return chosen


def offers_meant(
    sources: Sequence[CatalogSource], chosen: Mapping[str, str | None]
) -> tuple[Offer, ...]:
    """What is on offer, every app from one source alone and each version of it once."""
    meant = dict(chosen)
    found: dict[tuple[str, str], Offer] = {}
    for source in sources:
        for offer in source.offers:
            if meant.setdefault(offer.app_id, source.location) == source.location:
                found.setdefault((offer.app_id, offer.version), offer)
    return tuple(found.values())


def _place_of(
    package: str, places: Mapping[str, str], sources: Iterable[CatalogSource]
) -> str | None:
    """The source that a package lies in, for an app whose source was never written down."""
    if package in places:
        return places[package]
    beside = package.replace("\\", "/").rpartition("/")[0]
    for source in sources:
        place = source.location.replace("\\", "/")
        folder = place.rpartition("/")[0] if is_url(place) else place
        if beside and beside == folder:
            return source.location
    return None
