"""The folder that is worked in: open one after reading what it says of apps, see whether that holds, leave it."""

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.governance.workspace_rules import FileProblem, WorkspaceRules
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.wording.joining import listed
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.dialogs.file_dialogs import open_dialog
from lime_desktop.shell.dialogs.questions import Question, ask
from lime_desktop.shell.settings.organisation import rules_group
from lime_desktop.shell.settings.overlay_words import key_name, value_words
from lime_desktop.shell.settings.section import SectionContext, group, setting
from lime_desktop.shell.widgets.parts import banner, button, card, column, label, row


def build(context: SectionContext, center: AppCenter) -> QWidget:
    """The open folder, or the way to open one."""
    return _Workspace(context, center).shown


def shows(registry: AppRegistry) -> object:
    """What is told here; another workspace, or other files in it, are told anew."""
    return None if registry.center is None else registry.center.workspaces.current


def _amounts(found: WorkspaceRules, texts: Texts) -> str:
    rules, settings = len(found.policy.rules), sum(map(len, found.overlays.values()))
    return listed(
        texts, (texts("counted.rules", count=rules), texts("counted.settings", count=settings))
    )


class _Workspace:
    def __init__(self, context: SectionContext, center: AppCenter) -> None:
        self._context = context
        self._texts = context.look.texts
        self._center = center
        current = center.workspaces.current
        parts = self._outside() if current is None else self._inside(current)
        self.shown = column(*parts, spacing=16)

    def _outside(self) -> Iterator[QWidget]:
        texts = self._texts
        yield self._context.empty("folder", "settings.workspace.none")
        yield row(button(texts("settings.workspace.open"), self._choose, "primary"))

    def _choose(self) -> None:
        dialog = QFileDialog(self.shown.window(), self._texts("settings.workspace.open"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        open_dialog(dialog, self._look)

    def _look(self, folder: str) -> None:
        self._context.work.start(self._ask_to_open(Path(folder)))

    async def _ask_to_open(self, folder: Path) -> None:
        texts, found = self._texts, await self._center.workspaces.look(folder)
        about = "problems" if found.problems else "about" if found.files else "nothing"
        question = Question(
            texts("settings.workspace.open"),
            texts("settings.workspace.ask", workspace=found.title),
            texts(f"settings.workspace.ask.{about}", what=_amounts(found, texts)),
            yes=texts("settings.workspace.ask.yes"),
            no=texts("action.cancel"),
        )
        ask(self.shown.window(), question, lambda: self._context.work.start(self._open(folder)))

    async def _open(self, folder: Path) -> None:
        await self._center.workspaces.open(folder)

    def _inside(self, found: WorkspaceRules) -> Iterator[QWidget]:
        texts = self._texts
        yield self._head(found)
        for problem in found.problems:
            yield banner(self._problem(problem), "danger")
        if not found.problems:
            yield rules_group(texts("settings.workspace.rules"), found.policy, texts)
        if lines := list(self._settings(found)):
            yield group(texts("settings.workspace.settings"), *lines)

    def _head(self, found: WorkspaceRules) -> QWidget:
        texts = self._texts
        words = column(
            label(found.title, "heading"),
            label(str(found.folder), "small"),
            label(texts("settings.workspace.live"), "small"),
            spacing=2,
        )
        leave = button(texts("settings.workspace.leave"), self._leave)
        return card(words, row(button(texts("settings.workspace.other"), self._choose), leave))

    def _problem(self, problem: FileProblem) -> str:
        key = f"settings.workspace.problem.{problem.kind}"
        return self._texts(key, file=problem.file, detail=problem.detail)

    def _settings(self, found: WorkspaceRules) -> Iterator[QWidget]:
        every = self._texts("settings.workspace.every-app")
        for app_id, said in sorted(found.overlays.items()):
            for key, value in said.items():
                about = every if app_id == "*" else app_id
                words = label(value_words(value, self._texts))
                yield setting(key_name(key, self._texts), about, words)

    def _leave(self) -> None:
        current, context = self._center.workspaces.current, self._context
        if current is None:
            return

        async def leave() -> None:
            await self._center.workspaces.leave()
            words = self._texts("undo.workspace", name=current.folder.name)
            context.offer_undo(words, lambda: context.work.start(self._open(current.folder)))

        context.work.start(leave())
