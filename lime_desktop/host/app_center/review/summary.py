"""What can the app do, in five lines at most? What could harm comes first, and a program it runs is never left out.

Lines of the host's own are in its words; those with the reason that an author gives are marked: whoever shows them says so.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from lime_desktop.host.app_center.review.asked_permissions import AskedPermission
from lime_desktop.host.app_center.review.install_review import InstallReview
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.plain_text import plain_line

MOST_LINES = 5
_LONGEST = 120
"""Characters of an author's reason: the whole of it is among the details."""


@dataclass(frozen=True, slots=True)
class SummaryLine:
    """One thing that the app can do."""

    text: str
    is_risky: bool = False
    """Whether it reaches beyond the app's own data without anything that bounds it."""
    is_authors: bool = False
    """Whether these are the author's words, and not the host's."""

    def told_alone(self, texts: Texts) -> str:
        """The line where nothing beside it says whose words it has."""
        return texts("review.ask.reason", reason=self.text) if self.is_authors else self.text


def summary(review: InstallReview, texts: Texts) -> tuple[SummaryLine, ...]:
    """The lines of the first view; the last one counts what did not fit."""
    programs = tuple(_programs(review, texts))
    lines = (*programs, *_hooks(review, texts), *_others(review, texts))
    if not lines:
        return (SummaryLine(texts("review.can.nothing")),)
    if len(lines) <= MOST_LINES:
        return lines
    shown, left = lines[: MOST_LINES - 1], len(lines) - MOST_LINES + 1
    hides_program = len(programs) > len(shown)
    key = "review.can.more.programs" if hides_program else "review.can.more"
    return (*shown, SummaryLine(texts(key, count=left), is_risky=hides_program))


def _programs(review: InstallReview, texts: Texts) -> Iterator[SummaryLine]:
    ordered = sorted(review.programs, key=lambda each: not each.runs_anything)
    for program in ordered:
        yield SummaryLine(program.words_for_people.words(texts), is_risky=True)


def _hooks(review: InstallReview, texts: Texts) -> Iterator[SummaryLine]:
    for each in review.hooks:
        yield SummaryLine(each.words_for_people.words(texts), is_risky=True)


def _others(review: InstallReview, texts: Texts) -> Iterator[SummaryLine]:
    for connection in review.connections:
        yield SummaryLine(connection.words(texts))
    for effect in review.effects:
        if effect.is_outside:
            operation = effect.operation
            name = effect.called(texts.locale)
            words = texts(f"review.effect.{operation.side_effect}", name=name)
            yield SummaryLine(words, is_risky=bool(operation.auto_execute))
    for ask in sorted(review.asks, key=lambda each: not each.is_broad):
        yield _asked(ask, texts)
    if not review.asks:
        yield from (SummaryLine(said.words(texts)) for said in review.data)


def _asked(ask: AskedPermission, texts: Texts) -> SummaryLine:
    """The author's reason; a permission that reaches far is told in the host's words, whatever its author says."""
    reason = plain_line(ask.reason(texts.locale) or "")
    if ask.is_broad or not reason:
        return SummaryLine(ask.words.words(texts), is_risky=ask.is_broad)
    short = reason if len(reason) <= _LONGEST else f"{reason[: _LONGEST - 1].rstrip()}…"
    return SummaryLine(short, is_authors=True)
