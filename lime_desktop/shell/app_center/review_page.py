"""The review of a package: everything it wants, a tick for each permission, and the decision."""

from collections.abc import Callable

from PySide6.QtWidgets import QCheckBox, QFrame, QPushButton, QWidget

from lime_desktop.host.app_center.review.asking import AskedPermission
from lime_desktop.host.app_center.review.making import Consent, InstallReview
from lime_desktop.host.app_center.review.sourcing import source_lines
from lime_desktop.host.package_face import package_icon, tagline_of, title_of
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.shell.app_center.amounts import size_in_words
from lime_desktop.shell.app_center.review_cards import (
    changes_card,
    contents_cards,
    effects_card,
    further_cards,
    publisher_words,
    refusal_cards,
    risk_card,
    verdict_pill,
)
from lime_desktop.shell.pages.page import Page
from lime_desktop.shell.parts import (
    ShortLabel,
    Tone,
    banner,
    button,
    card,
    icon_label,
    label,
    no_mnemonic,
    pill,
    row,
)
from lime_desktop.shell.surroundings import Surroundings

_UNDER_THE_WORDS = 36
"""Where the words of a tick begin."""
_STANDING_TONES: dict[str, Tone] = {"new": "info", "changed": "warning", "granted": "ok"}


class ReviewPage(Page):
    """Shows one review; `agreed` hears the consent, `refused` that there is none."""

    def __init__(
        self,
        around: Surroundings,
        review: InstallReview,
        agreed: Callable[[Consent], None],
        refused: Callable[[], None],
        instead: Callable[[str], None],
    ) -> None:
        """`instead` hears of another source that the person would rather have it from."""
        super().__init__()
        self._around = around
        self._review = review
        self._agreed = agreed
        self._refused = refused
        self._instead = instead
        self._ticks = {ask.key: self._tick(ask) for ask in review.asks}
        self._acceptance = QCheckBox(around.texts("review.accept"))
        self._acceptance.toggled.connect(self._follow_acceptance)
        self._source = QCheckBox(around.texts("source.accept"))
        self._source.toggled.connect(self._follow_acceptance)
        self._install = self._install_button()
        self._follow_acceptance()
        self._fill()

    def _fill(self) -> None:
        texts, review = self._around.texts, self._review
        self.refill(
            self._head(),
            *refusal_cards(review, texts),
            *([changes_card(review, review.changes, texts)] if review.changes else []),
            risk_card(review, texts),
            self._asks(),
            *contents_cards(review, texts),
            effects_card(review, texts),
            *further_cards(review, texts),
            self._decision(),
        )

    def _head(self) -> QFrame:
        texts, review = self._around.texts, self._review
        manifest = review.package.manifest
        title = title_of(manifest, texts.locale)
        icon = self._around.icon(package_icon(review.package), title)
        key = "review.title.update" if review.is_update else "review.title"
        size = size_in_words(review.staged.total_bytes, texts)
        facts = [
            texts("review.version", version=manifest.version),
            texts("review.size", files=len(review.package.tree.files), size=size),
            texts("review.mode"),
        ]
        parts: list[QWidget] = [
            row(
                icon_label(icon, 56),
                label(texts(key, app=title, version=manifest.version), "title"),
                stretch_at=1,
            ),
            label(tagline_of(manifest, texts.locale)),
            row(verdict_pill(review, texts), label(publisher_words(review, texts)), stretch_at=1),
            label(" · ".join(facts), "muted"),
            ShortLabel(texts("review.from", source=review.source), "small"),
            ShortLabel(texts("review.hash", hash=review.staged.package_hash), "mono"),
        ]
        if review.has_kept_data:
            parts.append(banner(texts("review.kept-data"), "info"))
        tone: Tone = "danger" if review.choice.is_change else "info"
        parts += [banner(said.words(texts), tone) for said in source_lines(review)][:1]
        if not review.is_update:
            parts += map(self._other_source, review.choice.others if review.choice.source else ())
        return card(*parts)

    def _other_source(self, source: str) -> QWidget:
        texts = self._around.texts
        take = button(texts("source.instead"), lambda: self._instead(source))
        take.setAccessibleName(f"{texts('source.instead')}: {plain_line(source)}")
        return row(ShortLabel(texts("source.other", source=source), "small"), take, stretch_at=0)

    def _asks(self) -> QFrame:
        texts, review = self._around.texts, self._review
        if not review.can_install:
            hint = ""
        elif not review.asks:
            hint = texts("review.asks.none")
        elif review.is_update:
            hint = texts("update.open-asks")
        else:
            hint = texts("review.asks.hint")
        return card(
            label(texts("review.asks"), "heading"),
            *([label(hint, "muted")] if hint else []),
            *(self._ask(ask) for ask in review.asks),
        )

    def _ask(self, ask: AskedPermission) -> QWidget:
        texts = self._around.texts
        pills = [pill(texts("review.ask.broad"), "warning")] if ask.is_broad else []
        if ask.permission.required:
            pills.append(pill(texts("review.ask.required"), "plain"))
        if self._review.is_update:
            tone = _STANDING_TONES.get(ask.standing, "plain")
            pills.append(pill(texts(f"review.ask.{ask.standing}"), tone))
        reason = ask.reason(texts.locale)
        told = (
            texts("review.ask.reason", reason=reason) if reason else texts("review.ask.no-reason")
        )
        reason_label = label(told, "muted")
        reason_label.setIndent(_UNDER_THE_WORDS)
        return card(row(self._ticks[ask.key], *pills, stretch_at=0), reason_label)

    def _tick(self, ask: AskedPermission) -> QCheckBox:
        words = plain_line(ask.words.words(self._around.texts))
        tick = QCheckBox(no_mnemonic(words))
        tick.setAccessibleName(words)
        tick.setObjectName(f"grant-{ask.key}")
        tick.setChecked(self._review.can_install and ask.is_suggested)
        # What was allowed before is not asked again; it is taken back where all permissions are.
        tick.setEnabled(self._review.can_install and ask.standing != "granted")
        return tick

    def _decision(self) -> QFrame:
        texts, review = self._around.texts, self._review
        refuse = button(texts("review.cancel"), self._refused)
        if not review.can_install:
            return card(row(button(texts("review.back"), self._refused)))
        parts: list[QWidget] = [self._acceptance] if review.needs_acceptance else []
        parts += [self._source] if review.choice.is_change else []
        return card(*parts, row(self._install, refuse))

    def _install_button(self) -> QPushButton:
        key = "review.update" if self._review.is_update else "review.install"
        return button(self._around.texts(key), self._agree, "primary")

    def _follow_acceptance(self) -> None:
        is_accepted = not self._review.needs_acceptance or self._acceptance.isChecked()
        is_wanted = not self._review.choice.is_change or self._source.isChecked()
        self._install.setEnabled(is_accepted and is_wanted)

    def _agree(self) -> None:
        granted = frozenset(key for key, tick in self._ticks.items() if tick.isChecked())
        self._agreed(
            Consent(
                package_hash=self._review.staged.package_hash,
                granted=granted,
                accepts_unverified=self._acceptance.isChecked(),
                accepts_source=self._source.isChecked(),
            )
        )
