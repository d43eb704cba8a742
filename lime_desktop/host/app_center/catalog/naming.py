"""Which app is meant by a name? And of several versions of it, which is the newest? Pure."""

from collections.abc import Iterable

from semantic_version import Version

from lime_desktop.host.app_center.catalog.search import search
from lime_desktop.host.app_center.records.offers import Offer


def named(offers: Iterable[Offer], name: str) -> tuple[Offer, ...]:
    """The apps that a name may mean, each at its newest version; an id outweighs a title, a title any other find."""
    known, wanted = newest(offers), name.casefold().strip()
    by_id = tuple(each for each in known if each.app_id == name)
    by_title = tuple(
        each
        for each in known
        if wanted in {title.casefold() for title in (each.title, *each.other_names)}
    )
    return by_id or by_title or tuple(found.offer for found in search(known, name))


def newest(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Each app once, at its newest version; of two that are equal, the first one offered."""
    found: dict[str, Offer] = {}
    for offer in offers:
        known = found.get(offer.app_id)
        if known is None or is_newer(offer.version, known.version):
            found[offer.app_id] = offer
    return tuple(found.values())


def is_newer(version: str, than: str) -> bool:
    """Whether a version comes after another; where that can't be known, it does not."""
    try:
        return Version(version) > Version(than)
    except ValueError:
        return False
