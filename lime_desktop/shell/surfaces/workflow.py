"""A workflow of an app: its drawing, what is missing in it, and the plain word that this version cannot run it."""

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from lime_desktop.app_package.workflow_files import WorkflowFile
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.wording.joining import sentences
from lime_desktop.host.wording.problems import tell
from lime_desktop.protocol.errors import CapabilityNotAvailable
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.surfaces.identity_bar import IdentityBar, put_under_bar
from lime_desktop.shell.surfaces.surface import Surface
from lime_desktop.shell.surfaces.workflow_picture import WorkflowPicture
from lime_desktop.shell.widgets.page import Page
from lime_desktop.shell.widgets.parts import banner, button, card, label, pill


class WorkflowSurface(Surface):
    """Nothing is started or pretended here: lime.workflow refuses with a stable code, and so does this page."""

    def __init__(self, look: Look, app: RegisteredApp, entry_key: str) -> None:
        super().__init__(app.app_id, entry_key)
        self._look = look
        page = Page()
        put_under_bar(self, IdentityBar(look, app, entry_key), page)
        entry = app.projection.entry(entry_key)
        parts: list[QWidget] = [label(app.entry_title(entry_key, look.texts.locale), "title")]
        if about := app.entry_about(entry_key, look.texts.locale):
            parts.append(label(about, "muted"))
        parts.append(self._refusal(entry_key))
        found = _named(app, (entry.declared.workflow if entry else None) or "")
        if found is not None and found.described.outline.states:
            picture = WorkflowPicture(look, app, found)
            picture.canvas.walked_to.connect(page.ensureWidgetVisible)
            parts.append(card(label(look.texts("workflow.steps"), "heading"), picture))
        page.refill(*parts)

    def _refusal(self, entry_key: str) -> QWidget:
        refused = CapabilityNotAvailable(
            "lime.workflow has no engine in this version", details={"entryKey": entry_key}
        )
        texts = self._look.texts
        told = tell(refused, texts)

        def copy() -> None:
            QGuiApplication.clipboard().setText(told.report)
            self.toast.emit(texts("report.copied"), "success")

        words = sentences(texts, texts("workflow.refused"), told.advice)
        code = pill(refused.code, "plain")
        return banner(words, "warning", code, button(texts("report.copy"), copy))


def _named(app: RegisteredApp, named: str) -> WorkflowFile | None:
    """A workflow by its key or the path of its file."""
    path = named.removeprefix("./")
    return next(
        (each for each in app.package.workflows if named == each.key or path == each.path), None
    )
