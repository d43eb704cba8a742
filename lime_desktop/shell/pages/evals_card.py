"""The quality checks of an app, each with how it stands, and the way to run it here and to stop that."""

from collections.abc import Iterator

from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.runs.eval_runs import EvalProgress, EvalRuns
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.errors import AppError
from lime_desktop.readiness.codes import Code
from lime_desktop.readiness.findings import Outcome
from lime_desktop.readiness.naming import declared_name
from lime_desktop.readiness.result import Check
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.widgets.page import keep_place
from lime_desktop.shell.widgets.parts import button, card, label, name_button, pill, row
from lime_desktop.shell.widgets.work import Failed


class EvalCards:
    """The card of whichever app is shown."""

    def __init__(self, texts: Texts, runs: EvalRuns, failed: Failed) -> None:
        self._texts = texts
        self._runs = runs
        self._failed = failed

    def parts(self, app: RegisteredApp) -> Iterator[QWidget]:
        """The card, where the app declares any."""
        checks = [
            each for each in app.readiness.checks if each.kind == "eval" and each.source == "host"
        ]
        if checks:
            heading = label(self._texts("evals.title"), "heading")
            about = label(self._texts("evals.about"), "muted")
            made = card(heading, about, *(self._row(app, each) for each in checks))
            made.setObjectName("evals")
            yield made

    def controls(self, app: RegisteredApp, eval_key: str) -> QWidget:
        """What runs one of them, wherever its finding stands."""
        return self._controls(app, eval_key, "eval step")

    def _controls(self, app: RegisteredApp, eval_key: str, place: str) -> QWidget:
        return _Controls(self._texts, self._runs, app, (eval_key, place), self._failed)

    def _row(self, app: RegisteredApp, check: Check) -> QWidget:
        parts: list[QWidget] = [label(check.message)]
        if (state := self._state(check)) is not None:
            parts.append(state)
        if check.key in app.package.quality_gates.triable:
            parts.append(self._controls(app, check.key, "eval"))
        return row(*parts, stretch_at=0)

    def _state(self, check: Check) -> QLabel | None:
        texts = self._texts
        if check.code is Code.EVAL_NOT_RUN:
            return pill(texts("evals.not-run"), "plain")
        if check.code is Code.EVAL_FAILED:
            return pill(texts("evals.failed"), "danger" if check.tier else "warning")
        if check.code is None and check.outcome is Outcome.PASSED:
            return pill(texts("evals.passed"), "ok")
        return None


class _Controls(QWidget):
    """Two buttons that stay where they are, so that the second press of a double click stops nothing."""

    def __init__(
        self,
        texts: Texts,
        runs: EvalRuns,
        app: RegisteredApp,
        at: tuple[str, str],
        failed: Failed,
    ) -> None:
        super().__init__()
        eval_key, place = at
        self._texts = texts
        self._runs = runs
        self._app = app
        self._key = eval_key
        self._failed = failed
        name = declared_name("eval", eval_key, app.package.manifest, texts.locale)
        self._progress = label("", "small")
        self._progress.setWordWrap(False)
        self._stop = button(texts("action.cancel"), lambda: runs.stop(app.app_id, eval_key))
        self._run = button(texts("evals.run"), self._start)
        name_button(self._stop, texts, name)
        name_button(self._run, texts, name)
        # What comes of it changes what stands above: the row stays below the pointer all the same.
        keep_place(self, f"{place} {eval_key}")
        beside = edge_to_edge(QHBoxLayout(self))
        for part in (self._progress, self._stop, self._run):
            beside.addWidget(part)
        self.destroyed.connect(runs.watch(self._show))
        self._show()

    def _start(self) -> None:
        self._runs.start(self._app, self._key, self._tell)
        self._show()

    def _tell(self, error: Exception) -> None:
        if isinstance(error, AppError):
            self._failed(error)

    def _show(self) -> None:
        progress = self._runs.progress(self._app.app_id, self._key)
        had_keyboard = self._run.hasFocus() or self._stop.hasFocus()
        is_running = progress is not None
        self._progress.setVisible(is_running)
        self._progress.setText("" if progress is None else self._words(progress))
        self._stop.setVisible(is_running)
        self._run.setEnabled(not is_running)
        if had_keyboard:
            (self._stop if is_running else self._run).setFocus()

    def _words(self, progress: EvalProgress) -> str:
        if progress.total is None:
            return self._texts("evals.running")
        return self._texts("evals.progress", done=progress.done, total=progress.total)
