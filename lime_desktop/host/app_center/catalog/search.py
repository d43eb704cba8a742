"""Finds apps by what a person types: a name, a keyword, what they would say, or what they are up to. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

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
