"""What each app keeps on this machine: how much, taken along as an archive, cleared."""

import asyncio
from collections.abc import Iterator, Sequence
from functools import partial

from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QCheckBox, QFrame, QLabel, QWidget
from shiboken6 import isValid

from lime_desktop.host.app_center.records.records import KeptData, now_ms
from lime_desktop.host.app_center.records.removal import RemovalItem, UninstallKind
from lime_desktop.host.app_center.review.declared_retention import declared_terms, terms_in_words
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.calls.app_data import (
    EXPORT_APP_DATA,
    ExportAppDataParams,
    RetentionTerms,
)
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import AppId
from lime_desktop.shell.dialogs.file_dialogs import choose_target
from lime_desktop.shell.dialogs.questions import Question, ask
from lime_desktop.shell.settings.backups import BackupCard
from lime_desktop.shell.settings.section import SectionContext, app_cards, setting
from lime_desktop.shell.widgets.amounts import size_in_words
from lime_desktop.shell.widgets.parts import (
    bare_check_box,
    button,
    card,
    column,
    icon_label,
    label,
    name_button,
    row,
)

_AGAIN_S = 2.0
_LONGEST_S = 600.0
"""Copying takes as long as the data are large."""
_RECORDS = frozenset({"checkpoints", "evidence", "traffic"})
"""Parts that the host writes of an app's use."""


def build(context: SectionContext) -> QWidget:
    """The backups, and one card per app."""
    backups = BackupCard(context).card
    apps, gone = context.services.registry.apps, shows(context.services.registry)
    if not apps and not gone:
        return column(backups, context.empty("database", "settings.storage.none"), spacing=12)
    cards = app_cards(context, apps, lambda app: _AppStorage(context, app).card)
    return column(backups, cards, *kept_cards(context), spacing=12)


def kept_cards(context: SectionContext) -> list[QWidget]:
    """A card for what each uninstalled app left behind, with the ways to take it along and to delete it."""
    return [_KeptStorage(context, each).card for each in shows(context.services.registry)]


def shows(registry: AppRegistry) -> tuple[KeptData, ...]:
    """Data that outlived their apps: when some come or go, the section is built anew."""
    return registry.center.kept_data() if registry.center is not None else ()


def amount_words(parts: Sequence[RemovalItem], texts: Texts) -> str:
    """How much there is of what was stored; what came about by itself is called what it is, and counts as no item."""
    total = sum(part.size_bytes for part in parts)
    size = size_in_words(total, texts)
    stored = [each for each in parts if each.kind == "data" and each.name not in _RECORDS]
    if items := sum(each.items for each in stored):
        kept = sum(each.size_bytes for each in stored)
        amount = texts("settings.storage.amount", count=items, size=size_in_words(kept, texts))
        if kept == total:
            return amount
        rest = size_in_words(total - kept, texts)
        return texts("settings.storage.amount.more", amount=amount, size=rest)
    has_view = any(each.kind == "view" for each in parts)
    has_records = any(each.name in _RECORDS for each in parts)
    if has_view and has_records:
        return texts("settings.storage.only.both", size=size)
    if has_view:
        return texts("settings.storage.only.view", size=size)
    return texts(
        "settings.storage.only.records" if has_records else "settings.storage.empty", size=size
    )


class _AppStorage:
    """One app's row. The amount is filled in when the App Server has told it."""

    _about_clearing = "settings.storage.clear.about"

    def __init__(self, context: SectionContext, app: RegisteredApp | KeptData) -> None:
        self._context = context
        self._registry = context.services.registry
        self._texts = context.look.texts
        self._app_id = AppId(app.app_id)
        locale = self._texts.locale
        self._title = app.title_in(locale) if isinstance(app, KeptData) else app.title(locale)
        self._amount: QLabel = label(self._texts("settings.storage.counting"), "muted")
        appearance = context.look.appearance
        icon = (
            appearance.icon(None, self._title)
            if isinstance(app, KeptData)
            else appearance.icon_of(app)
        )
        self.card: QFrame = self._build(icon)
        context.work.start(self._count())

    def _build(self, icon: QIcon) -> QFrame:
        export = button(self._texts("settings.storage.export"), self._choose_target)
        name_button(export, self._texts, self._title)
        clear = button(self._texts("settings.storage.clear"), self._ask_to_clear, "danger")
        name_button(clear, self._texts, self._title)
        words = column(label(self._title, "strong"), self._amount, spacing=0)
        first = row(icon_label(icon, 36), words, export, clear, stretch_at=1)
        return card(first, *self._retention())

    def _retention(self) -> Iterator[QWidget]:
        """How long its data stay, where it declares that, and the switch for it."""
        app = self._registry.app(self._app_id)
        terms = declared_terms(app.package.manifest) if app and app.installed else None
        if terms is None or app is None or app.installed is None:
            return
        said = " ".join(each.words(self._texts) for each in terms_in_words(terms))
        box = bare_check_box()

        def show_what_holds() -> None:
            # It is said elsewhere too: on the notice before the first removal, by a command.
            center = self._registry.center
            held = center.installed_app(self._app_id) if center else None
            box.setChecked(held is not None and held.agreed_retention == terms)

        show_what_holds()
        box.destroyed.connect(self._registry.watch(show_what_holds))

        def take(is_on: bool) -> None:  # noqa: FBT001 - Qt sends it
            # It shows what holds: should this fail, or nobody agree, nothing has changed.
            box.setChecked(not is_on)
            self._context.work.start(self._turn(box, terms) if is_on else self._agree(box, None))

        box.clicked.connect(take)
        yield setting(self._texts("settings.storage.retention"), said, box)

    async def _turn(self, box: QCheckBox, terms: RetentionTerms) -> None:
        """Say first what would go at once, where anything would."""
        due = await self._registry.require_center().permissions.foresee_retention(
            self._app_id, terms
        )

        def agree() -> None:
            self._context.work.start(self._agree(box, terms))

        if not due.removed:
            agree()
            return
        texts = self._texts
        question = Question(
            texts("settings.storage.retention"),
            texts("settings.storage.retention.ask", app=self._title, count=due.removed),
            texts("settings.storage.retention.ask.about"),
            yes=texts("settings.storage.retention.yes"),
            no=texts("action.cancel"),
            is_destructive=True,
        )
        ask(self.card.window(), question, agree)

    async def _agree(self, box: QCheckBox, terms: RetentionTerms | None) -> None:
        permissions = self._registry.require_center().permissions
        await permissions.agree_to_retention(self._app_id, terms)
        done = await permissions.hold_retention(self._app_id)
        if terms is not None and done.removed:
            # Who was asked about that knows: the rest goes as it gets old.
            await permissions.tell_retention(self._app_id, terms, now_ms())
        if isValid(box):
            box.setChecked(terms is not None)
        key = "settings.storage.retention.off" if terms is None else "settings.storage.retention.on"
        self._context.say(self._texts(key, app=self._title, count=done.removed), "success")
        await self._count()

    async def _count(self) -> None:
        parts = await self._parts()
        while parts is None and isValid(self._amount):
            self._amount.setText(self._texts("settings.storage.unknown"))
            # It is on its way, as at a start; who waits here is not asked to come back.
            await asyncio.sleep(_AGAIN_S)
            parts = await self._parts()
        if parts is not None and isValid(self._amount):
            self._amount.setText(self._in_words(parts))

    def _in_words(self, parts: tuple[RemovalItem, ...]) -> str:
        return amount_words(parts, self._texts)

    async def _parts(self) -> tuple[RemovalItem, ...] | None:
        try:
            return await self._registry.require_center().data_of(self._app_id)
        except AppError:
            return None

    def _choose_target(self) -> None:
        title = self._texts("settings.storage.export.title", app=self._title)
        begin = partial(self._begin_export)
        choose_target(self.card.window(), title, f"{self._app_id}.zip", begin)

    def _begin_export(self, path: str) -> None:
        self._context.work.start(self._export(path))

    async def _export(self, path: str) -> None:
        asked = ExportAppDataParams(app_id=self._app_id, target_path=path)
        done = await self._context.call(EXPORT_APP_DATA, asked, timeout_s=_LONGEST_S)
        words = self._texts(
            "settings.storage.exported", size=size_in_words(done.size_bytes, self._texts)
        )
        self._context.say(words, "success")

    def _ask_to_clear(self) -> None:
        texts = self._texts
        question = Question(
            texts("settings.storage.clear"),
            texts("settings.storage.clear.ask", app=self._title),
            texts(self._about_clearing),
            yes=texts("settings.storage.clear.yes"),
            no=texts("action.cancel"),
            is_destructive=True,
        )
        ask(self.card.window(), question, lambda: self._context.work.start(self._clear()))

    async def _clear(self) -> None:
        # An open page would show what is gone, and its engine would write its part of it again.
        self._context.close_app(self._app_id)
        await self._registry.require_center().clear_data(self._app_id)
        await self._context.services.setup.read(self._context.call, self._app_id)
        self._context.say(self._texts("settings.storage.cleared", app=self._title), "success")
        await self._count()


class _KeptStorage(_AppStorage):
    """The row of data whose app is gone; with them goes the row."""

    _about_clearing = "settings.storage.gone.about"

    def _in_words(self, parts: tuple[RemovalItem, ...]) -> str:
        return self._texts("settings.storage.gone", amount=amount_words(parts, self._texts))

    async def _clear(self) -> None:
        await self._registry.require_center().uninstall(self._app_id, UninstallKind.DELETE_DATA)
        self._context.say(self._texts("settings.storage.cleared", app=self._title), "success")
