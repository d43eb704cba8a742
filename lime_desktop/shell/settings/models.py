"""Which model answers, what else could, and the models of this computer."""

import os
from collections.abc import Sequence

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from lime_desktop.protocol.calls.local_models import (
    INSTALL_LOCAL_MODEL,
    LIST_LOCAL_MODELS,
    REMOVE_LOCAL_MODEL,
    InstallLocalModelParams,
    LocalModel,
    LocalModelParams,
)
from lime_desktop.protocol.calls.model_providers import ModelProvider
from lime_desktop.protocol.wire import HostOnlyParams
from lime_desktop.shell.dialogs.file_dialogs import choose_file
from lime_desktop.shell.settings.found_models import ChoosingContext, FoundModels
from lime_desktop.shell.settings.local_model_row import LocalModelRow, RowContext
from lime_desktop.shell.settings.organisation_models import OrganisationModels
from lime_desktop.shell.settings.preferred_model import PreferredModel
from lime_desktop.shell.settings.section import SectionContext, group, refill
from lime_desktop.shell.widgets.parts import button, card, column, label, row
from lime_desktop.shell.widgets.work import Newest

_CALL_S = 30.0
_LOOK_EVERY_MS = 400


def build(context: SectionContext) -> QWidget:
    """The choice of the model, the list, and the way to add a file."""
    return _ModelList(context).widget


class _ModelList:
    """Shows the models as the App Server tells them, and looks again while one is on its way."""

    def __init__(self, context: SectionContext) -> None:
        self._context = context
        self._preferred = PreferredModel(context)
        self._newest = Newest()
        self._known: tuple[str, ...] | None = None
        self._rows: dict[str, LocalModelRow] = {}
        self._list = column(label(context.look.texts("settings.models.asking"), "muted"))
        texts = context.look.texts
        add = button(texts("settings.models.file"), self._choose_file)
        own = group(
            texts("settings.models.own"), row(add), about=texts("settings.models.own.about")
        )
        choosing = ChoosingContext(texts, context.call, context.work.start, self._tell_used)
        self._found = FoundModels(choosing, os.environ)
        near = group(texts("settings.models.found"), self._found.widget)
        self._offered = OrganisationModels(choosing) if _is_given(context) else None
        given = () if self._offered is None else (_given_group(context, self._offered),)
        self.widget = column(self._preferred.widget, *given, near, self._list, own, spacing=16)
        self._look_again = QTimer(self.widget)
        self._look_again.setSingleShot(True)
        self._look_again.setInterval(_LOOK_EVERY_MS)
        self._look_again.timeout.connect(self.follow)
        self.follow()
        self._look_around()

    def follow(self) -> None:
        """Show what there is now, and what becomes of it."""
        self._context.work.start(self._show())

    async def _show(self) -> None:
        removed, is_newest = self._context.removals.watch(), self._newest.ask()
        found = await self._context.call(LIST_LOCAL_MODELS, HostOnlyParams(), timeout_s=_CALL_S)
        if not is_newest():
            return
        left = [each for each in found.models if not removed(_key(each))]
        if [model.model_id for model in left] != list(self._rows):
            row_context = self._row_context()
            self._rows = {model.model_id: LocalModelRow(row_context, model) for model in left}
            refill(self._list, *(card(*each.parts) for each in self._rows.values()))
        for model in left:
            self._rows[model.model_id].show(model, found.available_memory_mb)
        if any(model.state == "installing" for model in found.models):
            self._look_again.start()
        await self._tell_change(found.models)

    def _row_context(self) -> RowContext:
        context = self._context
        return RowContext(
            context.look.texts, context.call, context.work.start, self.follow, self._remove
        )

    def _tell_used(self, provider: ModelProvider) -> None:
        del provider
        self._context.work.start(self._preferred.read())
        self._look_around()

    def _look_around(self) -> None:
        self._context.work.start(self._found.look())
        if self._offered is not None:
            self._context.work.start(self._offered.look())

    def _remove(self, model: LocalModel) -> None:
        context, params = self._context, LocalModelParams(model_id=model.model_id)

        async def delete() -> None:
            await context.call(REMOVE_LOCAL_MODEL, params, timeout_s=_CALL_S)

        words = context.look.texts("undo.removed", name=model.title)
        context.removals.remove(_key(model), words, delete, self.widget, self.follow)

    async def _tell_change(self, models: Sequence[LocalModel]) -> None:
        installed = tuple(model.model_id for model in models if model.state == "installed")
        before, self._known = self._known, installed
        if before is not None and before != installed:
            await self._preferred.read()

    def _choose_file(self) -> None:
        texts = self._context.look.texts
        title, kind = texts("settings.models.file"), texts("settings.models.file.kind")
        choose_file(self.widget.window(), title, self.install_file, kind)

    def install_file(self, path: str) -> None:
        """Begin to copy a file of the person's own."""

        async def install() -> None:
            params = InstallLocalModelParams(path=path)
            await self._context.call(INSTALL_LOCAL_MODEL, params, timeout_s=_CALL_S)
            self.follow()

        self._context.work.start(install())


def _is_given(context: SectionContext) -> bool:
    return context.services.folders.product.providers is not None


def _given_group(context: SectionContext, offered: OrganisationModels) -> QWidget:
    center, texts = context.services.registry.center, context.look.texts
    found = center.membership.organisation if center else None
    name = found.name if found else context.services.folders.product.name
    title = texts("settings.models.given", organisation=name)
    return group(title, offered.widget, about=texts("settings.models.given.about"))


def _key(model: LocalModel) -> str:
    return f"local-model/{model.model_id}"
