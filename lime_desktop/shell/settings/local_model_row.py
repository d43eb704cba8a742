"""One model of this computer: what it is good for, brought by one click, stopped, gone on with, removed."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from PySide6.QtWidgets import QProgressBar, QPushButton, QWidget

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.wording.joining import named
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.calls.local_models import (
    CANCEL_LOCAL_MODEL,
    INSTALL_LOCAL_MODEL,
    InstallLocalModelParams,
    LocalModel,
    LocalModelParams,
)
from lime_desktop.shell.widgets.amounts import size_in_words
from lime_desktop.shell.widgets.parts import Tone, button, label, pill, row

_CALL_S = 30.0
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


@dataclass(frozen=True, slots=True)
class RowContext:
    """What a row may use."""

    texts: Texts
    call: CallServer
    start: Callable[[Coroutine[Any, Any, None]], None]
    """Begins what takes a while."""
    changed: Callable[[], None]
    """Told once something was begun or stopped."""
    remove: Callable[[LocalModel], None] | None = None
    """Deletes weights; where there is none, nothing is removed here."""


class LocalModelRow:
    """What can be done with a model hangs on its state."""

    def __init__(self, context: RowContext, model: LocalModel) -> None:
        self._context = context
        self._model = model
        texts = context.texts
        self._state = pill("", "plain")
        self._demo = pill(texts("settings.models.demo"), "warning")
        self._demo.setVisible(model.quality == "demo")
        self._note = label("", "muted")
        self._bar = QProgressBar()
        self._bar.setRange(0, _STEPS)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(named(texts, texts("settings.models.progress"), model.title))
        self._install = self._button("settings.models.install", self._begin, model)
        self._cancel = self._button("settings.models.cancel", self._stop, model)
        self._remove = self._button("settings.models.remove", self._delete, model, "danger")
        head = row(
            label(model.title, "strong"),
            self._demo,
            self._state,
            self._install,
            self._cancel,
            self._remove,
            stretch_at=0,
        )
        about = label(about_model(texts, model), "muted")
        self.parts: tuple[QWidget, ...] = (head, about, self._bar, self._note)

    def show(self, model: LocalModel, available_mb: int | None) -> None:
        """Show how it stands."""
        texts = self._context.texts
        is_installing = model.state == "installing"
        state = "used" if model.is_default and model.quality != "demo" else model.state
        self._state.setText(texts(f"settings.models.state.{state}"))
        self._state.setProperty("tone", _TONES[model.state])
        self._state.style().polish(self._state)
        self._bar.setVisible(is_installing)
        self._bar.setValue(_STEPS * model.done_bytes // max(1, model.size_bytes))
        self._install.setVisible(not is_installing and model.state != "installed")
        begin = "continue" if model.state == "paused" else "install"
        self._install.setText(texts(f"settings.models.{begin}"))
        lack = _lacking_mb(model, available_mb)
        self._install.setEnabled(lack is None)
        self._cancel.setVisible(is_installing)
        can_remove = self._context.remove is not None
        self._remove.setVisible(can_remove and model.state in {"installed", "paused"})
        self._note.setText(self._note_on(model, lack))

    def _note_on(self, model: LocalModel, lack: int | None) -> str:
        texts = self._context.texts
        if model.problem:
            return texts("settings.models.failed", reason=model.problem)
        if lack is not None:
            needed = f"{model.memory_mb or 0:,}"
            return texts("settings.models.memory", needed=needed, free=f"{lack:,}")
        size = size_in_words(model.size_bytes, texts)
        if model.state in {"installing", "paused"}:
            done = size_in_words(model.done_bytes, texts)
            return texts("settings.models.part", done=done, size=size)
        return texts("settings.models.size", size=size, license=model.license or "–")

    def _button(
        self, key: str, clicked: Callable[[], None], model: LocalModel, role: str = ""
    ) -> QPushButton:
        made = button(self._context.texts(key), clicked, role)
        made.setAccessibleName(named(self._context.texts, made.text(), model.title))
        made.hide()
        return made

    def _begin(self) -> None:
        async def begin() -> None:
            params = InstallLocalModelParams(model_id=self._model.model_id)
            await self._context.call(INSTALL_LOCAL_MODEL, params, timeout_s=_CALL_S)
            self._context.changed()

        self._context.start(begin())

    def _stop(self) -> None:
        async def stop() -> None:
            params = LocalModelParams(model_id=self._model.model_id)
            await self._context.call(CANCEL_LOCAL_MODEL, params, timeout_s=_CALL_S)
            self._context.changed()

        self._context.start(stop())

    def _delete(self) -> None:
        if self._context.remove is not None:
            self._context.remove(self._model)


def _lacking_mb(model: LocalModel, available_mb: int | None) -> int | None:
    """How much memory is free, where that is too little for a model that is not here yet."""
    is_coming = model.state in {"available", "paused", "failed"}
    if not is_coming or available_mb is None or model.memory_mb is None:
        return None
    return available_mb if available_mb < model.memory_mb else None


def about_model(texts: Texts, model: LocalModel) -> str:
    """What a model is good for, and what not."""
    if model.model_id in _TOLD_BY_US:
        return texts(f"settings.models.about.{model.model_id}")
    return texts("settings.models.about.own") if model.is_own_file else model.about
