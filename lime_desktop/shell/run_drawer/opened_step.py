"""What a step opens to: what was asked and answered, given and got, what it took, and the exact values one press deeper."""

import json

from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from lime_desktop.host.wording.joining import named
from lime_desktop.host.wording.texts import Texts
from lime_desktop.runtime_views.story.steps import Detail, Step
from lime_desktop.runtime_views.story.times import time_of_day
from lime_desktop.runtime_views.story.words import step_figures
from lime_desktop.shell.markdown.message_text import MessageText
from lime_desktop.shell.surfaces.chat.code_box import CodeBox
from lime_desktop.shell.surfaces.chat.message import Message
from lime_desktop.shell.widgets.fold import DetailFold
from lime_desktop.shell.widgets.parts import label

_Shown = Message | MessageText | QLabel


class OpenedStep(QWidget):
    """Goes on in place while the step does: a text that grows is not drawn from its beginning again."""

    def __init__(self, texts: Texts, step: Step) -> None:
        super().__init__()
        self._texts = texts
        self._step = step
        self._parts: dict[tuple[str, int], _Shown] = {}
        self._drawn: list[QWidget] = []
        self._figures = label("", "small")
        self._exact = DetailFold(texts("drawer.exact"), self._make_exact)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(36, 4, 8, 8)
        self._layout.setSpacing(4)
        self._layout.addWidget(self._figures)
        self._layout.addWidget(self._exact)
        self.show_step(step)

    def show_step(self, step: Step) -> None:
        """How it goes on."""
        self._step = step
        is_whole = step.state != "running"
        names = [(detail.name, at) for at, detail in enumerate(step.details)]
        if not self._parts.keys() <= set(names):
            self._clear()
        for name, detail in zip(names, step.details, strict=True):
            part = self._parts.get(name) or self._make(name, detail)
            _show(part, detail, is_whole=is_whole)
        texts = self._texts
        figures = [named(texts, texts(key), words) for key, words in step_figures(step, texts)]
        at_time = texts("drawer.step.at", time=time_of_day(step.at))
        self._figures.setText(" · ".join((at_time, *figures)))
        if isinstance(self._exact.inside, CodeBox):
            self._exact.inside.show_code(self._exact_words())

    def _clear(self) -> None:
        """Something came between what was shown: it is put together anew, in order."""
        self._parts.clear()
        for old in self._drawn:
            self._layout.removeWidget(old)
            old.hide()
            old.deleteLater()
        self._drawn.clear()

    def _make(self, name: tuple[str, int], detail: Detail) -> _Shown:
        title = self._texts(f"story.detail.{detail.name}")
        made: _Shown
        match detail.form:
            case "line":
                made = label("")
            case "markdown":
                made = Message(self._texts, title)
            case _:
                made = MessageText(title)
        self._parts[name] = made
        # Before the figures and the exact values, which stay last.
        place = self._layout.count() - 2
        inside = _in_well(made) if detail.form == "text" else made
        for at, part in enumerate((label(title, "overline"), inside)):
            self._drawn.append(part)
            self._layout.insertWidget(place + at, part)
        return made

    def _make_exact(self) -> QWidget:
        box = CodeBox(self._texts, "JSON")
        box.show_code(self._exact_words())
        return box

    def _exact_words(self) -> str:
        return json.dumps(list(self._step.exact), indent=2, ensure_ascii=False)


def _show(part: _Shown, detail: Detail, *, is_whole: bool) -> None:
    if isinstance(part, Message):
        part.show_words(detail.text, is_whole=is_whole)
    elif isinstance(part, MessageText):
        part.show_plain(detail.text)
    else:
        part.setText(detail.text)


def _in_well(inside: QWidget) -> QFrame:
    made = QFrame()
    made.setProperty("role", "well")
    layout = QVBoxLayout(made)
    layout.setContentsMargins(10, 6, 10, 6)
    layout.addWidget(inside)
    return made
