"""Where a run of a workflow is begun: its input as a form, where the workflow says what it takes."""

from collections.abc import Callable, Mapping
from typing import cast

from pydantic import JsonValue
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from lime_desktop.app_package.workflow_files import WorkflowFile
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.shell.widgets.answer_form import AnswerForm, NotFilled
from lime_desktop.shell.widgets.parts import button, card, label, row


def start_card(
    texts: Texts, workflow: WorkflowFile, start: Callable[[JsonValue], None]
) -> QWidget | None:
    """The form and its button; nothing for a workflow that cannot be run."""
    definition = workflow.described.definition
    if definition is None:
        return None
    return _StartCard(texts, definition.inputs, start).whole


class _StartCard:
    def __init__(
        self, texts: Texts, schema: Mapping[str, object] | None, start: Callable[[JsonValue], None]
    ) -> None:
        self._start = start
        self._form = None if schema is None else AnswerForm(cast("JsonObject", dict(schema)), texts)
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

    def _press(self) -> None:
        try:
            given = None if self._form is None else self._form.values()
        except NotFilled as lacking:
            self._problem.setText(str(lacking))
            self._problem.show()
            return
        self._problem.hide()
        self._start(given)
