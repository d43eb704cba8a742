"""Finds apps by what a person types: a name, a keyword, what they would say, or what they are up to. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from semantic_version import Version

from lime_desktop.host.app_center.records.offers import Offer

FoundBy = Literal["name", "keyword", "trigger", "scenario", "text"]

_WEIGHTS: dict[FoundBy, int] = {"name": 8, "keyword": 5, "trigger": 5, "scenario": 4, "text": 1}


@dataclass(frozen=True, slots=True)
class Found:
    """An offer, and what it was found by."""

    offer: Offer
    found_by: FoundBy
    score: int


def search(offers: Iterable[Offer], query: str) -> tuple[Found, ...]:
    """The offers that have every word of the query somewhere, the best first; all of them for an empty query."""
    words = query.casefold().split()
    found = [result for offer in offers if (result := _match(offer, words)) is not None]
    return tuple(sorted(found, key=lambda each: (-each.score, each.offer.title.casefold())))


def _match(offer: Offer, words: list[str]) -> Found | None:
    if not words:
        return Found(offer, "text", 0)
    best: list[FoundBy] = []
    for word in words:
        hits: list[FoundBy] = [
            where for where, texts in _places(offer).items() if _has(texts, word)
        ]
        if not hits:
            return None
        best.append(hits[0])
    score = sum(_WEIGHTS[each] for each in best)
    # A name that is the query, or begins with it, is what was meant.
    whole = " ".join(words)
    names = [name.casefold() for name in (offer.title, offer.app_id)]
    score += 10 * (whole in names) + 4 * any(name.startswith(whole) for name in names)
    return Found(offer, max(best, key=lambda each: _WEIGHTS[each]), score)


def _places(offer: Offer) -> dict[FoundBy, tuple[str, ...]]:
    places: dict[FoundBy, tuple[str, ...]] = {
        "name": (offer.title, offer.app_id, *offer.other_names),
        "keyword": (*offer.keywords, *offer.categories),
        "trigger": offer.trigger_keywords,
        "scenario": tuple(name.replace("_", " ") for name in offer.scenarios) + offer.scenarios,
        "text": (offer.tagline, offer.publisher or ""),
    }
    return places


def _has(texts: tuple[str, ...], word: str) -> bool:
    return any(word in text.casefold() for text in texts)


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
