"""Which model shall answer? Everything that could, from the nearest to the farthest; nothing is used before it is pressed."""

import os

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget
from shiboken6 import isValid

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.wording.models import full_name
from lime_desktop.protocol.calls.local_models import (
    LIST_LOCAL_MODELS,
    ListLocalModelsResult,
)
from lime_desktop.protocol.calls.model_providers import (
    LIST_PROVIDERS,
    ListProvidersParams,
    ModelProvider,
)
from lime_desktop.protocol.calls.models import (
    LIST_MODELS,
    PREFER_MODEL,
    ListModelsParams,
    ListModelsResult,
    ModelChoice,
    PreferModelParams,
)
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.wire import HostOnlyParams
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.settings.found_models import ChoosingContext, FoundModels
from lime_desktop.shell.settings.key_form import KeyForm
from lime_desktop.shell.settings.local_model_row import LocalModelRow, RowContext
from lime_desktop.shell.settings.section import refill
from lime_desktop.shell.widgets.parts import button, column, label, line, pill, row
from lime_desktop.shell.widgets.work import Work

_CALL_S = 30.0
_LOOK_EVERY_MS = 400


class ModelChoices(QFrame):
    """A card that says which model answers now, and offers others. It stays while the page around it is filled anew."""

    failed = Signal(AppError)
    """Something that was pressed did not work."""
    settings_wanted = Signal(str)
    """A part of the settings that offers more."""

    def __init__(self, look: Look, call: CallServer) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._look = look
        self._call = call
        self._work = Work(self, self.failed.emit)
        # What nobody pressed fails in silence: the server's return looks again.
        self._looking = Work(self, lambda _error: None)
        self._has_looked = False
        self._rows: dict[str, LocalModelRow] = {}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.setSpacing(12)
        self._look_again = QTimer(self)
        self._look_again.setSingleShot(True)
        self._look_again.setInterval(_LOOK_EVERY_MS)
        self._look_again.timeout.connect(lambda: self._looking.start(self._follow()))
        self._build()

    def look(self) -> None:
        """Find out what there is now."""
        self._has_looked = True
        self._looking.start(self._find())

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt calls this
        """Come back from the settings, where another model may have been set up."""
        super().showEvent(event)
        # The first frame is painted before there is a loop to ask on; the page looks once there is a server.
        if self._has_looked:
            self._looking.start(self._follow())

    def retranslate(self) -> None:
        """Say it all in the language of now."""
        layout = self.layout()
        while layout is not None and (item := layout.takeAt(0)) is not None:  # pyright: ignore[reportUnnecessaryComparison] - Qt gives None at the end
            if (old := item.widget()) is not None:  # pyright: ignore[reportUnnecessaryComparison] - a spacer has none
                old.hide()
                old.deleteLater()
        self._build()

    def _build(self) -> None:
        texts = self._look.texts
        context = ChoosingContext(texts, self._call, self._work.start, self._used)
        self._rows = {}
        self._now = label(texts("models.now.unknown"), "muted")
        self._found = FoundModels(context, os.environ)
        self._keys = KeyForm(context)
        self._local, self._demo = column(spacing=12), column()
        head = row(
            self._look.icons.picture("model", side=24),
            label(texts("models.choose"), "heading"),
            button(texts("models.found.again"), lambda: self._work.start(self._find())),
            button(texts("models.more"), lambda: self.settings_wanted.emit("providers")),
            stretch_at=1,
        )
        parts = (head, self._now, self._found.widget, self._local, line())
        for part in (*parts, self._keys.widget, self._demo):
            self._lay(part)

    def _lay(self, part: QWidget) -> None:
        layout = self.layout()
        if layout is not None:  # pyright: ignore[reportUnnecessaryComparison] - a bare widget has none
            layout.addWidget(part)

    async def _find(self) -> None:
        await self._follow()
        presets = await self._call(LIST_PROVIDERS, ListProvidersParams(), timeout_s=_CALL_S)
        if isValid(self):
            self._keys.offer(presets.presets)
            await self._found.look()

    async def _follow(self) -> None:
        """Show which model answers, and how those of this computer stand."""
        listed = await self._call(LIST_MODELS, ListModelsParams(), timeout_s=_CALL_S)
        here = await self._call(LIST_LOCAL_MODELS, HostOnlyParams(), timeout_s=_CALL_S)
        if not isValid(self):
            return
        self._show_now(listed)
        self._found.follow(listed)
        self._show_local(here)
        self._show_demo(listed)
        if any(model.state == "installing" for model in here.models):
            self._look_again.start()

    def _show_now(self, listed: ListModelsResult) -> None:
        texts, model = self._look.texts, listed.default_model
        if model is None:
            self._now.setText(texts("models.now.none"))
        elif model.quality == "demo":
            self._now.setText(texts("models.now.demo", model=model.title))
        else:
            where = "local" if model.is_local else "remote"
            self._now.setText(texts(f"models.now.{where}", model=full_name(model)))

    def _show_local(self, here: ListLocalModelsResult) -> None:
        able = [model for model in here.models if model.quality != "demo"]
        if [model.model_id for model in able] != list(self._rows):
            context = RowContext(self._look.texts, self._call, self._work.start, self.look)
            self._rows = {model.model_id: LocalModelRow(context, model) for model in able}
            parts = [column(*each.parts, spacing=4) for each in self._rows.values()]
            refill(self._local, line(), *parts)
        for model in able:
            self._rows[model.model_id].show(model, here.available_memory_mb)

    def _show_demo(self, listed: ListModelsResult) -> None:
        demos = (each for each in listed.models if each.quality == "demo")
        demo = next((each for each in demos if each.obstacle is None), None)
        if demo is None:
            refill(self._demo)
            return
        texts, default = self._look.texts, listed.default_model
        choice = ModelChoice(provider_id=demo.provider_id, model_id=demo.model_id)
        is_used = default is not None and choice.means(default)
        if is_used:
            way = button(texts("models.demo.stop"), lambda: self._prefer(None))
        else:
            way = button(texts("models.demo.use"), lambda: self._prefer(choice))
        words = column(
            row(label(demo.title, "strong"), pill(texts("settings.models.demo"), "warning")),
            label(texts("models.demo.about"), "small"),
            spacing=0,
        )
        refill(self._demo, line(), row(words, way, stretch_at=0))

    def _prefer(self, choice: ModelChoice | None) -> None:
        async def prefer() -> None:
            await self._call(PREFER_MODEL, PreferModelParams(model=choice), timeout_s=_CALL_S)
            await self._follow()

        self._work.start(prefer())

    def _used(self, provider: ModelProvider) -> None:
        del provider
        self.look()
