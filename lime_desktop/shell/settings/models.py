"""Who answers, and the models of this computer: what each is good for, brought by one click, stopped, removed."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFileDialog, QFrame, QProgressBar, QWidget

from lime_desktop.host.texts import Texts
from lime_desktop.protocol.calls.host_only import HostOnlyParams
from lime_desktop.protocol.calls.local_models import (
    CANCEL_LOCAL_MODEL,
    INSTALL_LOCAL_MODEL,
    LIST_LOCAL_MODELS,
    REMOVE_LOCAL_MODEL,
    InstallLocalModelParams,
    LocalModel,
    LocalModelParams,
)
from lime_desktop.shell.parts import Tone, banner, button, card, column, label, pill, row
from lime_desktop.shell.settings.preferred_model import PreferredModel
from lime_desktop.shell.settings.section import SectionContext, group, refill

_CALL_S = 30.0
_LOOK_EVERY_MS = 400
_STEPS = 1_000
_TONES: dict[str, Tone] = {
    "installed": "ok",
    "installing": "info",
    "paused": "warning",
    "failed": "danger",
    "available": "plain",
}
_TOLD_BY_US = {"smollm2-135m", "qwen2.5-coder-1.5b"}
"""Models that the texts describe in every language; of any other its own words are shown."""


def build(context: SectionContext) -> QWidget:
    """The choice of who answers, the list, and the way to add a file."""
    return _ModelList(context).widget


class _ModelList:
    """Shows the models as the App Server tells them, and looks again while one is on its way."""

    def __init__(self, context: SectionContext) -> None:
        self._context = context
        self._preferred = PreferredModel(context)
        self._known: tuple[str, ...] | None = None
        self._cards: dict[str, _ModelCard] = {}
        self._list = column(label(context.around.texts("settings.models.asking"), "muted"))
        texts = context.around.texts
        add = button(texts("settings.models.file"), self._choose_file)
        own = group(
            texts("settings.models.own"), row(add), about=texts("settings.models.own.about")
        )
        invitation = banner(texts("settings.models.better"), "info")
        self.widget = column(self._preferred.widget, self._list, own, invitation, spacing=16)
        self._look_again = QTimer(self.widget)
        self._look_again.setSingleShot(True)
        self._look_again.setInterval(_LOOK_EVERY_MS)
        self._look_again.timeout.connect(self.follow)
        self.follow()

    def follow(self) -> None:
        """Show what there is now, and what becomes of it."""
        self._context.work.start(self._show())

    async def _show(self) -> None:
        found = await self._context.call(LIST_LOCAL_MODELS, HostOnlyParams(), timeout_s=_CALL_S)
        removed = self._context.removals.is_removed
        left = [each for each in found.models if not removed(_key(each.model_id))]
        if [model.model_id for model in left] != list(self._cards):
            self._cards = {model.model_id: _ModelCard(self._context, self, model) for model in left}
            refill(self._list, *(each.widget for each in self._cards.values()))
        for model in left:
            self._cards[model.model_id].show(model)
        if any(model.state == "installing" for model in found.models):
            self._look_again.start()
        await self._tell_change(found.models)

    async def _tell_change(self, models: Sequence[LocalModel]) -> None:
        installed = tuple(model.model_id for model in models if model.state == "installed")
        before, self._known = self._known, installed
        if before is not None and before != installed:
            await self._preferred.read()

    def _choose_file(self) -> None:
        texts = self._context.around.texts
        dialog = QFileDialog(self.widget.window(), texts("settings.models.file"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilter(texts("settings.models.file.kind"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.install_file)
        dialog.open()

    def install_file(self, path: str) -> None:
        """Begin to copy a file of the person's own."""

        async def install() -> None:
            params = InstallLocalModelParams(path=path)
            await self._context.call(INSTALL_LOCAL_MODEL, params, timeout_s=_CALL_S)
            self.follow()

        self._context.work.start(install())


class _ModelCard:
    """One model; what can be done with it hangs on its state."""

    def __init__(self, context: SectionContext, models: _ModelList, model: LocalModel) -> None:
        self._context = context
        self._models = models
        self._model_id = model.model_id
        texts = context.around.texts
        self._state = pill("", "plain")
        self._note = label("", "muted")
        self._bar = QProgressBar()
        self._bar.setRange(0, _STEPS)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(f"{texts('settings.models.progress')}: {model.title}")
        self._install = self._button("settings.models.install", self._begin, model)
        self._cancel = self._button("settings.models.cancel", self._stop, model)
        self._title = model.title
        self._remove = self._button("settings.models.remove", self._delete, model, "danger")
        head = row(
            label(model.title, "strong"),
            self._state,
            self._install,
            self._cancel,
            self._remove,
            stretch_at=0,
        )
        about = label(about_model(texts, model), "muted")
        self.widget: QFrame = card(head, about, self._bar, self._note)

    def show(self, model: LocalModel) -> None:
        """Show how it stands."""
        texts = self._context.around.texts
        is_installing = model.state == "installing"
        state = "used" if model.is_default else model.state
        self._state.setText(texts(f"settings.models.state.{state}"))
        self._state.setProperty("tone", _TONES[model.state])
        self._state.style().polish(self._state)
        self._bar.setVisible(is_installing)
        self._bar.setValue(_STEPS * model.done_bytes // max(1, model.size_bytes))
        self._install.setVisible(not is_installing and model.state != "installed")
        self._cancel.setVisible(is_installing)
        self._remove.setVisible(model.state in {"installed", "paused"})
        self._note.setText(self._note_on(model))

    def _note_on(self, model: LocalModel) -> str:
        texts = self._context.around.texts
        if model.problem:
            return texts("settings.models.failed", reason=model.problem)
        size = f"{model.size_bytes / 1e6:,.0f}"
        if model.state in {"installing", "paused"}:
            done = f"{model.done_bytes / 1e6:,.0f}"
            return texts("settings.models.part", done=done, size=size)
        return texts("settings.models.size", size=size, license=model.license or "–")

    def _button(
        self, key: str, clicked: Callable[[], None], model: LocalModel, role: str = ""
    ) -> QWidget:
        made = button(self._context.around.texts(key), clicked, role)
        made.setAccessibleName(f"{made.text()}: {model.title}")
        made.hide()
        return made

    def _begin(self) -> None:
        async def begin() -> None:
            params = InstallLocalModelParams(model_id=self._model_id)
            await self._context.call(INSTALL_LOCAL_MODEL, params, timeout_s=_CALL_S)
            self._models.follow()

        self._context.work.start(begin())

    def _stop(self) -> None:
        async def stop() -> None:
            params = LocalModelParams(model_id=self._model_id)
            await self._context.call(CANCEL_LOCAL_MODEL, params, timeout_s=_CALL_S)
            self._models.follow()

        self._context.work.start(stop())

    def _delete(self) -> None:
        context, params = self._context, LocalModelParams(model_id=self._model_id)

        async def delete() -> None:
            await context.call(REMOVE_LOCAL_MODEL, params, timeout_s=_CALL_S)

        words = context.around.texts("undo.removed", name=self._title)
        context.removals.remove(
            _key(self._model_id), words, delete, self._models.widget, self._models.follow
        )


def _key(model_id: str) -> str:
    return f"local-model/{model_id}"


def about_model(texts: Texts, model: LocalModel) -> str:
    """What a model is good for, and what not."""
    if model.model_id in _TOLD_BY_US:
        return texts(f"settings.models.about.{model.model_id}")
    return texts("settings.models.about.own") if model.is_own_file else model.about
