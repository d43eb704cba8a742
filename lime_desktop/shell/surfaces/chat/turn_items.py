"""What stands in a turn between the question and its figures: answers, thoughts, tools, documents, problems."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from lime_desktop.host.runs.story_wording import problem_words, way_out
from lime_desktop.host.wording.joining import sentences
from lime_desktop.host.wording.texts import Texts
from lime_desktop.runtime_views.story.steps import Step, StepKind, Trouble
from lime_desktop.runtime_views.story.words import sentence_of
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.markdown.message_text import MessageText
from lime_desktop.shell.surfaces.chat.message import Message
from lime_desktop.shell.widgets.fold import DetailFold
from lime_desktop.shell.widgets.parts import banner, button, label, row

_SIGNS: dict[StepKind, str] = {
    "asked": "user",
    "looked": "search",
    "model": "model",
    "tool": "tool",
    "question": "shield",
    "document": "document",
    "evidence": "evidence",
    "work": "workflow",
    "notice": "info",
    "end": "check-circle",
}
_END_SIGNS = {"cancelled": "stop", "failed": "danger"}


def sign_of(step: Step) -> str:
    """The icon of a step."""
    if step.kind == "end":
        return _END_SIGNS.get(step.state, _SIGNS["end"])
    return _SIGNS[step.kind]


@dataclass(frozen=True, slots=True)
class ConversationLinks:
    """Where things in a conversation lead."""

    link: Callable[[str], None]
    document: Callable[[str], None]
    settings: Callable[[str], None]
    run: Callable[[], None]
    retry: Callable[[str], None]
    edit: Callable[[str], None]
    advice: Callable[[Trouble], str]
    """What the app says to do about a failure."""
    unfolding: Callable[[QWidget], None]
    """Somebody opens what was folded away, and wants to read there."""


class AnswerItem(QWidget):
    """What a model wrote in one round, with its thoughts folded away."""

    def __init__(self, texts: Texts, step: Step, doors: ConversationLinks) -> None:
        super().__init__()
        self._texts = texts
        self._thoughts = ""
        self._fold = DetailFold(texts("chat.reasoning"), self._make_thoughts)
        self._fold.opening.connect(partial(doors.unfolding, self._fold))
        self._fold.hide()
        is_plan = step.key.startswith("story.plan.")
        name = texts("chat.plan" if is_plan else "chat.text")
        self.message = Message(texts, name)
        self.message.link_wanted.connect(doors.link)
        self._cut = label(texts("chat.unfinished"), "small")
        self._cut.hide()
        layout = edge_to_edge(QVBoxLayout(self), 4)
        if is_plan:
            layout.addWidget(label(name, "overline"))
        for part in (self._fold, self.message, self._cut):
            layout.addWidget(part)

    def show_step(self, step: Step) -> None:
        """How it goes on. It must have its place by then: shown without one, it would be a window."""
        told = {each.name: each.text for each in step.details}
        self._thoughts = told.get("thoughts", "")
        self._fold.setVisible(bool(self._thoughts))
        if isinstance(self._fold.inside, MessageText):
            self._fold.inside.show_words(self._thoughts, is_whole=step.state != "running")
        self.message.show_words(told.get("answer", ""), is_whole=step.state != "running")
        is_cut = step.state in {"failed", "cancelled", "unknown"} and bool(self.message.words())
        self._cut.setVisible(is_cut)
        self.setVisible(bool(self._thoughts or self.message.words()))

    def _make_thoughts(self) -> QWidget:
        made = MessageText(self._texts("chat.reasoning"))
        made.show_words(self._thoughts)
        return made


class LineItem(QWidget):
    """One sentence: a tool at work, a document that was made, a model that stepped in."""

    def __init__(self, look: Look, step: Step, doors: ConversationLinks) -> None:
        super().__init__()
        self._look = look
        self._sign = look.icons.picture(sign_of(step), side=16)
        self._words: QLabel = label("", "muted")
        parts: list[QWidget] = [self._sign, self._words]
        if step.artifact_id is not None:
            opening = partial(doors.document, step.artifact_id)
            parts.append(button(look.texts("drawer.open"), opening, "link"))
        layout = edge_to_edge(QVBoxLayout(self))
        layout.addWidget(row(*parts, stretch_at=1))

    def show_step(self, step: Step) -> None:
        """How it goes on."""
        texts = self._look.texts
        is_failed = step.state == "failed"
        self._words.setText(problem_words(step, texts) if is_failed else sentence_of(step, texts))
        role = "problem" if is_failed else "muted"
        if self._words.property("role") != role:
            self._words.setProperty("role", role)
            self._words.style().polish(self._words)


class ProblemItem(QWidget):
    """Why a turn did not end well, and the ways out."""

    def __init__(self, texts: Texts, step: Step, doors: ConversationLinks) -> None:
        super().__init__()
        ways: list[QWidget] = []
        section = way_out(step.trouble) if step.trouble else None
        if section is not None:
            words = texts("problem.settings")
            ways.append(button(words, partial(doors.settings, section)))
        ways.append(button(texts("chat.retry"), partial(doors.retry, step.turn_id or "")))
        advice = doors.advice(step.trouble) if step.trouble else ""
        words = sentences(texts, problem_words(step, texts), advice)
        layout = edge_to_edge(QVBoxLayout(self))
        layout.addWidget(banner(words, "danger", *ways))

    def show_step(self, step: Step) -> None:
        """It is over: nothing goes on."""


Item = AnswerItem | LineItem | ProblemItem


def make_item(look: Look, step: Step, doors: ConversationLinks) -> Item | None:
    """What is shown of a step; None for what is said elsewhere."""
    match step.kind:
        case "asked":
            return None
        case "model":
            return AnswerItem(look.texts, step, doors)
        case "end" if step.state == "failed":
            return ProblemItem(look.texts, step, doors)
        case "end" if step.state != "cancelled":
            return None
        case _:
            return LineItem(look, step, doors)
