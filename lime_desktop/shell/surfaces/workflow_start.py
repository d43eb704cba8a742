"""Where a run of a workflow is begun: its input as a form, where the workflow says what it takes."""

from collections.abc import Callable, Iterator, Mapping
from typing import cast

from pydantic import JsonValue
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from lime_desktop.app_package.workflow_files import WorkflowFile
from lime_desktop.host.wording.joining import sentences
from lime_desktop.host.wording.problems import tell
from lime_desktop.host.wording.texts import DEFAULT_LOCALE, Texts
from lime_desktop.protocol.errors import AppError, InvalidInput
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.shell.widgets.answer_form import AnswerForm, NotFilled
from lime_desktop.shell.widgets.parts import button, card, label, row

_INPUT = "input"


class StartCard:
    """The form and its button. What was wrong with a start stands here until the next one is tried."""

    def __init__(
        self, texts: Texts, workflow: WorkflowFile, start: Callable[[JsonValue], None]
    ) -> None:
        definition = workflow.described.definition
        schema = definition.inputs if definition else None
        self._texts = texts
        self._start = start
        self._form = (
            None
            if schema is None
            else AnswerForm(cast("JsonObject", dict(schema)), texts, "workflow.input.json")
        )
        self._problem: QLabel = label("", "danger")
        self._problem.hide()
        run = button(texts("workflow.run"), self._press, "primary")
        run.setObjectName("workflow-run")
        parts: list[QWidget] = [] if self._form is None else [self._form.widget()]
        for field in (field for part in parts for field in part.findChildren(QLineEdit)):
            field.returnPressed.connect(self._press)
        self.whole = card(
            label(texts("workflow.start"), "heading"), *parts, self._problem, row(run)
        )

    def tell(self, error: AppError) -> None:
        """Say why nothing was begun: beside the fields that it is about, or under them all."""
        wrong = dict(_wrong_parts(error, self._texts))
        is_marked = self._form is not None and self._form.mark(
            {path: words for path, words in wrong.items() if path}
        )
        if not is_marked:
            self._say(self._words(error, wrong))

    def _words(self, error: AppError, wrong: Mapping[str, str]) -> str:
        if wrong:
            return "\n".join(f"{path}: {words}" if path else words for path, words in wrong.items())
        told = tell(error, self._texts)
        english = error.message if self._texts.locale == DEFAULT_LOCALE else ""
        return sentences(self._texts, told.title, english or told.advice)

    def _say(self, words: str) -> None:
        self._problem.setText(words)
        self._problem.setVisible(bool(words))

    def _press(self) -> None:
        self._say("")
        if self._form is not None:
            self._form.mark({})
        try:
            given = None if self._form is None else self._form.values()
        except NotFilled as lacking:
            self._say(str(lacking))
            return
        self._start(given)


def start_card(
    texts: Texts, workflow: WorkflowFile, start: Callable[[JsonValue], None]
) -> StartCard | None:
    """The card; nothing for a workflow that cannot be run."""
    if workflow.described.definition is None:
        return None
    return StartCard(texts, workflow, start)


def _wrong_parts(error: AppError, texts: Texts) -> Iterator[tuple[str, str]]:
    """Each part of the input that does not fit, by its path in it, with what is wanted there."""
    found: object = error.details.get("fields") if isinstance(error, InvalidInput) else None
    for each in cast("list[object]", found) if isinstance(found, list) else []:
        if not isinstance(each, dict) or "wanted" not in each:
            continue
        field = cast("Mapping[str, object]", each)
        path = str(field.get("path", "")).removeprefix(_INPUT).removeprefix(".")
        yield plain_line(path), _wanted_words(str(field.get("problem")), field["wanted"], texts)


def _wanted_words(rule: str, wanted: object, texts: Texts) -> str:
    key = f"workflow.input.{rule}"
    listed = (
        ", ".join(map(str, cast("list[object]", wanted))) if isinstance(wanted, list) else wanted
    )
    words = texts(key, wanted=plain_line(str(listed)))
    return texts("workflow.input.unfit") if words == key else words
