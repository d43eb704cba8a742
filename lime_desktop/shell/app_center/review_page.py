"""The review of a package on one screen: what it can do, what it asks for, and the decision; the rest under details."""

from collections.abc import Callable, Iterator

from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QFrame,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from lime_desktop.host.app_center.review.asked_permissions import AskedPermission
from lime_desktop.host.app_center.review.install_review import Consent, InstallReview, source_lines
from lime_desktop.host.app_center.review.summary import summary
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.shell.app_center.review_cards import (
    changes_card,
    details,
    host_gaps_card,
    refusal_cards,
    release_notes_card,
)
from lime_desktop.shell.app_center.review_head import ReviewHead
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.widgets.focus import begin_here
from lime_desktop.shell.widgets.fold import Fold
from lime_desktop.shell.widgets.page import Page
from lime_desktop.shell.widgets.parts import (
    PlainLabel,
    ShortLabel,
    Tone,
    banner,
    bare_check_box,
    button,
    card,
    label,
    name_button,
    no_mnemonic,
    pill,
    row,
)

_SIDE_BY_SIDE_FROM = 620
"""Width in pixels, at the usual text size, from which two columns can be read."""
_STANDING_TONES: dict[str, Tone] = {"new": "info", "changed": "warning", "granted": "ok"}


class ReviewPage(QWidget):
    """Shows one review; `agreed` hears the consent, `refused` that there is none."""

    def __init__(
        self,
        look: Look,
        review: InstallReview,
        agreed: Callable[[Consent], None],
        refused: Callable[[], None],
        instead: Callable[[str], None],
        signed: Callable[[], None],
    ) -> None:
        """`instead` hears of another catalog that the person would rather have it from, `signed` of the signed twin."""
        super().__init__()
        self._look = look
        self._review = review
        self._agreed = agreed
        self._instead = instead
        self._signed = signed
        self._ticks = {ask.key: self._tick(ask) for ask in review.asks}
        self._acceptance = self._condition("review.accept")
        self._source = self._condition("source.accept")
        self._install = self._install_button()
        self._body = Page()
        layout = edge_to_edge(QVBoxLayout(self), 0)
        refusing = button(
            look.texts("review.cancel" if review.can_install else "review.back"), refused
        )
        head = ReviewHead(look, review, self._install, refusing, self._conditions())
        head.align_with(self._body)
        self._body.resized.connect(lambda: head.align_with(self._body))
        layout.addWidget(head)
        layout.addWidget(self._body, 1)
        self._follow_conditions()
        self._fill()
        self._mark_first(refusing)
        self._suggested = self.choices

    @property
    def choices(self) -> Consent:
        """What the person agrees to if they install now."""
        return Consent(
            package_hash=self._review.staged.package_hash,
            granted=frozenset(key for key, tick in self._ticks.items() if tick.isChecked()),
            accepts_unverified=self._acceptance.isChecked(),
            accepts_source=self._source.isChecked(),
        )

    @property
    def has_choices(self) -> bool:
        """Whether the person has chosen something that would be lost with the page."""
        return self.choices != self._suggested

    def choose(self, chosen: Consent) -> None:
        """Tick what was ticked before, if it is the same package; for other bytes nobody has agreed to anything."""
        if chosen.package_hash != self._review.staged.package_hash:
            return
        for key, tick in self._ticks.items():
            if tick.isEnabled():
                tick.setChecked(key in chosen.granted)
        self._acceptance.setChecked(chosen.accepts_unverified)
        self._source.setChecked(chosen.accepts_source)

    def _mark_first(self, refusing: QWidget) -> None:
        """Begin at what has to be said or may be chosen; never at the yes, which a key on its way would press.

        Nor at a permission that the app needs: clearing it is no choice that anybody came for.
        """
        asked = [each for each in (self._acceptance, self._source) if self.isAncestorOf(each)]
        needed = {ask.key for ask in self._review.asks if ask.permission.required}
        ticks = [
            tick for key, tick in self._ticks.items() if tick.isEnabled() and key not in needed
        ]
        begin_here(next(iter((*asked, *ticks)), refusing))

    def _fill(self) -> None:
        texts, review = self._look.texts, self._review
        self._body.refill(
            *refusal_cards(review, texts),
            *self._notices(),
            *host_gaps_card(review, texts),
            _Columns(self._abilities(), self._asks()),
            *([release_notes_card(review, texts)] if review.release_notes else []),
            *([changes_card(review, review.changes, texts)] if review.changes else []),
            Fold(texts("review.details"), lambda: details(review, texts), self._look.icons),
        )

    def _notices(self) -> Iterator[QWidget]:
        texts, review = self._look.texts, self._review
        if review.signed_twin is not None:
            take = button(texts("review.twin.take"), self._signed)
            yield banner(texts("review.twin", file=review.signed_twin.name), "info", take)
        if review.has_kept_data:
            yield banner(texts("review.kept-data"), "info")
        tone: Tone = "danger" if review.choice.is_change else "info"
        yield from [banner(said.words(texts), tone) for said in source_lines(review)][:1]
        if not review.is_update:
            yield from map(self._other_source, review.choice.others if review.choice.source else ())

    def _other_source(self, source: str) -> QWidget:
        texts = self._look.texts
        take = button(texts("source.instead"), lambda: self._instead(source))
        name_button(take, texts, source)
        return row(ShortLabel(texts("source.other", source=source), "small"), take, stretch_at=0)

    def _abilities(self) -> QFrame:
        texts = self._look.texts
        lines = summary(self._review, texts)
        has_reasons = any(line.is_authors for line in lines)
        return _part(
            texts("review.can"),
            *(label(f"· {line.text}", "danger" if line.is_risky else "") for line in lines),
            *([label(texts("review.can.authors"), "small")] if has_reasons else []),
        )

    def _asks(self) -> QFrame:
        texts, review = self._look.texts, self._review
        if not review.can_install:
            hint = ""
        elif not review.asks:
            hint = texts("review.asks.none")
        elif review.is_update:
            hint = texts("update.open-asks")
        elif all(ask.permission.required for ask in review.asks):
            hint = ""
        else:
            hint = texts("review.asks.hint")
        return _part(
            texts("review.asks"),
            *(self._ask(ask) for ask in review.asks),
            *([label(hint, "small")] if hint else []),
        )

    def _ask(self, ask: AskedPermission) -> QWidget:
        texts = self._look.texts
        pills = [pill(texts("review.ask.broad"), "warning")] if ask.is_broad else []
        if ask.permission.required:
            pills.append(pill(texts("review.ask.required"), "plain"))
        if self._review.is_update:
            tone = _STANDING_TONES.get(ask.standing, "plain")
            pills.append(pill(texts(f"review.ask.{ask.standing}"), tone))
        words = _TickWords(ask.words.words(texts), self._ticks[ask.key])
        return row(self._ticks[ask.key], words, *pills, stretch_at=1)

    def _tick(self, ask: AskedPermission) -> QCheckBox:
        tick = bare_check_box()
        tick.setAccessibleName(plain_line(ask.words.words(self._look.texts)))
        tick.setObjectName(f"grant-{ask.key}")
        tick.setChecked(self._review.can_install and ask.is_suggested)
        # What was allowed before is not asked again; it is revoked where all permissions are.
        tick.setEnabled(self._review.can_install and ask.standing != "granted")
        return tick

    def _condition(self, key: str) -> QCheckBox:
        made = QCheckBox(no_mnemonic(self._look.texts(key)))
        made.toggled.connect(self._follow_conditions)
        return made

    def _conditions(self) -> Iterator[QWidget]:
        """What the person has to say before anything can be installed, beside the button that waits for it."""
        review = self._review
        if review.can_install and review.needs_acceptance:
            yield self._acceptance
        if review.can_install and review.choice.is_change:
            yield self._source

    def _install_button(self) -> QPushButton:
        key = "review.update" if self._review.is_update else "review.install"
        return button(self._look.texts(key), self._agree, "primary")

    def _follow_conditions(self) -> None:
        is_accepted = not self._review.needs_acceptance or self._acceptance.isChecked()
        is_wanted = not self._review.choice.is_change or self._source.isChecked()
        self._install.setEnabled(is_accepted and is_wanted)

    def _agree(self) -> None:
        self._agreed(self.choices)


def _part(title: str, *lines: QWidget) -> QFrame:
    """A card whose lines stand at its top, however high the other one is."""
    made = card(label(title, "heading"), *lines)
    layout = made.layout()
    if isinstance(layout, QVBoxLayout):
        layout.addStretch(1)
    return made


class _TickWords(PlainLabel):
    """The words of a tick, which wrap as those of a check box do not, and press it all the same."""

    def __init__(self, text: str, tick: QCheckBox) -> None:
        super().__init__(text)
        self._tick = tick
        self.setWordWrap(True)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt calls this
        """Press the tick."""
        if self._tick.isEnabled() and self.rect().contains(event.position().toPoint()):
            self._tick.toggle()


class _Columns(QWidget):
    """Two parts side by side, or one below the other where the text leaves no room for that."""

    def __init__(self, left: QWidget, right: QWidget) -> None:
        super().__init__()
        self._across = edge_to_edge(QBoxLayout(QBoxLayout.Direction.LeftToRight, self), 12)
        self._across.addWidget(left, 1)
        self._across.addWidget(right, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt calls this
        """Follow the width and the size of the text."""
        super().resizeEvent(event)
        letters = _SIDE_BY_SIDE_FROM * self.fontMetrics().averageCharWidth() / 7
        is_wide = self.width() >= letters
        way = QBoxLayout.Direction.LeftToRight if is_wide else QBoxLayout.Direction.TopToBottom
        if self._across.direction() is not way:
            self._across.setDirection(way)
