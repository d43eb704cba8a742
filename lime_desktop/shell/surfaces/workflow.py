"""A workflow of an app: its steps as declared, and the plain word that this version cannot run it."""

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.wording.joining import sentences
from lime_desktop.host.wording.problems import tell
from lime_desktop.protocol.errors import CapabilityNotAvailable
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.surfaces.identity_bar import IdentityBar, put_under_bar
from lime_desktop.shell.surfaces.surface import Surface
from lime_desktop.shell.widgets.page import Page
from lime_desktop.shell.widgets.parts import banner, button, card, label, pill, row


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
        parts += self._steps(app, (entry.declared.workflow if entry else None) or "")
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

    def _steps(self, app: RegisteredApp, named: str) -> list[QWidget]:
        named_so = (each.workflow for each in app.package.workflows if each.key == named)
        found = next(named_so, None)
        locale = self._look.texts.locale
        states = [app.step_title(named, each.key, locale) for each in found.states] if found else []
        if not states:
            return []
        texts = self._look.texts
        numbered = [
            row(pill(str(number), "plain"), label(state), stretch_at=1)
            for number, state in enumerate(states, 1)
        ]
        return [card(label(texts("workflow.steps"), "heading"), *numbered)]
