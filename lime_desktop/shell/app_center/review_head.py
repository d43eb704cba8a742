"""The part of a review that never scrolls away: what it is, who made it, its risk, and the decision."""

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from lime_desktop.host.app_center.review.install_review import InstallReview
from lime_desktop.host.appearance.package_face import package_icon, tagline_of, title_of
from lime_desktop.shell.app_center.review_cards import byline, risk_pill, verdict_pill
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.widgets.amounts import size_in_words
from lime_desktop.shell.widgets.page import COLUMN_WIDTH, Page
from lime_desktop.shell.widgets.parts import ShortLabel, column, icon_label, label, row

_ICON = 48


class ReviewHead(QFrame):
    """Stands above whatever there is to read. `conditions` are ticks without which nothing is installed."""

    def __init__(
        self,
        look: Look,
        review: InstallReview,
        install: QWidget,
        refusing: QWidget,
        conditions: Iterator[QWidget],
    ) -> None:
        super().__init__()
        self.setObjectName("bar")
        texts = look.texts
        manifest = review.package.manifest
        title = title_of(manifest, texts.locale)
        shown = (
            texts("review.title.update", app=title, version=manifest.version)
            if review.is_update
            else title
        )
        size = size_in_words(review.staged.total_bytes, texts)
        facts = texts("review.facts", version=manifest.version, size=size)
        words = column(
            label(shown, "title"),
            row(ShortLabel(byline(review, texts), "muted"), verdict_pill(review, texts)),
            label(tagline_of(manifest, texts.locale)),
            row(risk_pill(review, texts), ShortLabel(facts, "small")),
            spacing=6,
        )
        top = QWidget()
        beside = edge_to_edge(QHBoxLayout(top), 16)
        at_top = Qt.AlignmentFlag.AlignTop
        icon = look.appearance.icon(package_icon(review.package), title)
        beside.addWidget(icon_label(icon, _ICON), 0, at_top)
        beside.addWidget(words, 1)
        ways = column(install, refusing) if review.can_install else refusing
        beside.addWidget(ways, 0, at_top)
        inner = column(top, *conditions)
        self._inner = inner
        across = self._across = QHBoxLayout(self)
        across.addStretch(1)
        across.addWidget(inner, 1_000)
        across.addStretch(1)

    def align_with(self, body: Page) -> None:
        """Begin and end where the parts below do, which a scroll bar makes room for."""
        margin, scroll_bar = body.margin, max(0, body.width() - body.viewport().width())
        self._inner.setMaximumWidth(COLUMN_WIDTH - 2 * margin)
        self._across.setContentsMargins(margin, 20, margin + scroll_bar, 14)
