"""The parts of a review that read the same on a page and in a terminal: their titles and lines, drawn by neither.

Which parts are shown, in which order, and what stands for an empty one is each surface's own.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from lime_desktop.app_package.problems import Problem, Severity
from lime_desktop.host.app_center.review.effects import DeclaredEffect
from lime_desktop.host.app_center.review.install_review import FirstRunNote, InstallReview
from lime_desktop.host.wording.schedule_words import when_words
from lime_desktop.host.wording.texts import Texts
from lime_desktop.host.wording.trigger_words import trigger_words
from lime_desktop.protocol.plain_text import plain_name

Part: TypeAlias = Literal[
    "risk", "programs", "secrets", "hooks", "schedules", "connections", "data", "domains", "effects"
]


@dataclass(frozen=True, slots=True)
class Section:
    """One part, in the person's language."""

    title: str
    lines: tuple[str, ...]


def section(review: InstallReview, part: Part, texts: Texts) -> Section:
    """What a review says of one thing; no lines, where there is nothing to say."""
    return Section(texts(f"review.{part}"), tuple(_LINES[part](review, texts)))


def effect_line(effect: DeclaredEffect, texts: Texts) -> str:
    """What one operation does to the world."""
    kind = effect.operation.side_effect
    return texts(f"review.effect.{kind}", name=effect.called(texts.locale))


def package_errors(review: InstallReview) -> tuple[Problem, ...]:
    """What is wrong with the package, as far as it keeps it from being installed."""
    return tuple(each for each in review.package.problems if each.severity is Severity.ERROR)


def notes_for_people(review: InstallReview) -> tuple[FirstRunNote, ...]:
    """The author's advice for the first run; what developers check is theirs to read."""
    return tuple(each for each in review.notes if each.kind != "check")


class _Said(Protocol):
    def words(self, texts: Texts) -> str: ...


def _told(said: Iterable[_Said], texts: Texts) -> Iterable[str]:
    return (each.words(texts) for each in said)


def _schedules(review: InstallReview, texts: Texts) -> Iterable[str]:
    for each in review.package.schedules:
        if each.schedule is not None:
            schedule = each.schedule
            when = when_words(schedule.written, schedule.time_zone, texts, schedule.jitter_ms)
            yield texts("review.schedule", name=plain_name(each.title), when=when)
    for each in review.package.triggers:
        if each.trigger is not None:
            when = trigger_words(each.trigger, texts)
            yield texts("review.schedule", name=plain_name(each.title), when=when)


_LINES: Mapping[Part, Callable[[InstallReview, Texts], Iterable[str]]] = {
    "risk": lambda review, texts: _told((each.words for each in review.risk.reasons), texts),
    "programs": lambda review, texts: _told(
        (each.words_for_people for each in review.programs), texts
    ),
    "secrets": lambda review, texts: _told(
        (each.words_for_people for each in review.secrets), texts
    ),
    "hooks": lambda review, texts: _told((each.words_for_people for each in review.hooks), texts),
    "schedules": _schedules,
    "connections": lambda review, texts: _told(review.connections, texts),
    "data": lambda review, texts: _told(review.data, texts),
    "domains": lambda review, _: review.domains,
    "effects": lambda review, texts: (effect_line(each, texts) for each in review.effects),
}
