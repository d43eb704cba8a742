"""Where apps are offered: what comes along, what the organisation gives, and what the person adds."""

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtWidgets import QFrame, QLineEdit, QWidget
from shiboken6 import isValid

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.packages.fetching import is_url, place_name
from lime_desktop.host.app_center.records.records import CatalogSource
from lime_desktop.host.app_center.records.update_records import EVERY_APP
from lime_desktop.shell.dialogs.file_dialogs import choose_folder
from lime_desktop.shell.settings.section import (
    PLACE_WIDTH,
    SectionContext,
    group,
    refill,
    setting,
)
from lime_desktop.shell.settings.update_policy import forced_words, policy_choice
from lime_desktop.shell.widgets.parts import button, card, column, label, name_button, pill, row


def build(context: SectionContext, center: AppCenter) -> QWidget:
    """Every source, and a form for one more."""
    sources = _Sources(context, center)
    context.work.start(sources.read())
    return column(sources.listing, sources.form(), _updates(context, center), spacing=16)


def _updates(context: SectionContext, center: AppCenter) -> QFrame:
    """How apps are updated of which the person says nothing else on their pages."""
    texts = context.look.texts
    return group(
        texts("auto-update.title"),
        setting(
            texts("auto-update.default.title"),
            forced_words(texts, center) or texts("auto-update.about"),
            policy_choice(texts, center, EVERY_APP, context.work),
        ),
    )


class _Sources:
    def __init__(self, context: SectionContext, center: AppCenter) -> None:
        self._context = context
        self._texts = context.look.texts
        self._center = center
        self._failed: frozenset[str] = frozenset()
        self._place = QLineEdit()
        self._place.setObjectName("place")
        self._place.setPlaceholderText(self._texts("settings.sources.place.example"))
        self._place.setMinimumWidth(PLACE_WIDTH)
        self._place.returnPressed.connect(self._add)
        self.listing = column(spacing=12)
        self._show()

    async def read(self) -> None:
        """Look at every source anew."""
        self._failed = frozenset(await self._center.catalog.refresh())
        self._show()

    def form(self) -> QFrame:
        """Where one more is named."""
        texts = self._texts
        return group(
            texts("settings.sources.add"),
            setting(texts("settings.sources.place"), "", self._place),
            row(
                button(texts("settings.sources.do"), self._add, "primary"),
                button(texts("settings.sources.choose"), self._choose),
            ),
            about=texts("settings.sources.add.about"),
        )

    def _show(self) -> None:
        refill(self.listing, *self._own(), *map(self._source, self._center.catalog.sources))

    def _own(self) -> Iterator[QWidget]:
        texts = self._texts
        for source in self._center.catalog.built_in:
            words = column(
                label(self._context.services.brand.branding.product_name, "strong"),
                label(texts("settings.sources.own.about"), "small"),
                spacing=0,
            )
            yield card(row(words, self._count(source), stretch_at=0))

    def _source(self, source: CatalogSource) -> QFrame:
        texts = self._texts
        kind, name = _kind(source.location), place_name(source.location)
        where = column(label(name, "strong"), label(source.location, "small"), spacing=0)
        parts: list[QWidget] = [where, pill(texts(f"settings.sources.{kind}"), "plain")]
        if source.is_given:
            parts.append(pill(texts("settings.sources.given"), "info"))
        parts.append(self._count(source))
        if not source.is_given:
            removing = button(
                texts("settings.sources.remove"), lambda: self._remove(source), "danger"
            )
            name_button(removing, texts, source.location)
            parts.append(removing)
        failed = [label(texts("settings.sources.failed"), "danger")]
        return card(row(*parts, stretch_at=0), *(failed if source.location in self._failed else ()))

    def _count(self, source: CatalogSource) -> QWidget:
        return label(self._texts("settings.sources.apps", count=len(source.offers)), "muted")

    def _choose(self) -> None:
        title = self._texts("settings.sources.choose")
        choose_folder(self.listing.window(), title, self._place.setText)

    def _add(self) -> None:
        place = self._place.text().strip()

        async def add() -> None:
            await self._center.catalog.add(place)
            self._place.clear()
            self._context.say(self._texts("settings.sources.added"), "success")
            self._show()

        if place:
            self._context.work.start(add())

    def _remove(self, source: CatalogSource) -> None:
        async def remove() -> None:
            await self._center.catalog.remove(source.location)
            words = self._texts("undo.removed", name=place_name(source.location))
            self._context.offer_undo(words, lambda: self._put_back(source))
            self._show()

        self._context.work.start(remove())

    def _put_back(self, source: CatalogSource) -> None:
        async def put_back() -> None:
            await self._center.catalog.add(source.location)
            if isValid(self.listing):
                self._show()

        self._context.work.start(put_back())


def _kind(location: str) -> str:
    if is_url(location):
        return "address"
    return "list" if Path(location).suffix else "folder"
