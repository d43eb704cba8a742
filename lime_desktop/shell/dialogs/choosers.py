"""The host's own dialogs in which a person opens a file to an app, or types a secret for it. No page reaches them."""

import asyncio
import mimetypes
from dataclasses import replace
from pathlib import Path

from pydantic import SecretStr
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QLineEdit, QWidget
from shiboken6 import isValid

from lime_desktop.host.view.shell_port import FileQuestion, SecretQuestion, SkillQuestion
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.plain_text import plain_line, plain_name
from lime_desktop.shell.dialogs.input_guard import InputGuard
from lime_desktop.shell.dialogs.question_dialog import QuestionDialog
from lime_desktop.shell.widgets.parts import button, label


async def choose_files(
    parent: QWidget, texts: Texts, app_title: str, question: FileQuestion
) -> tuple[Path, ...]:
    """Let the person choose; the app's name is in the title, so that they know for whom."""
    if question.is_either:
        kind = await _folder_or_files(parent, texts, app_title)
        if kind is None:
            return ()
        question = replace(kind, title=question.title)
    key = _title_key(question)
    words = texts(key, app=app_title)
    titled = f"{words} · {plain_name(question.title)}" if question.title else words
    dialog = _file_dialog(parent, titled)
    dialog.setFileMode(_mode(question))
    if filters := _filters(question.accept):
        dialog.setNameFilter(f"{texts('choose.accepted')} ({' '.join(filters)})")
    if not await accepted(dialog):
        return ()
    return tuple(Path(name) for name in dialog.selectedFiles())


def _title_key(question: FileQuestion) -> str:
    if question.is_target:
        return "choose.target"
    return "choose.folder" if question.is_folder else "choose.files"


async def choose_save_path(
    parent: QWidget, texts: Texts, app_title: str, file_name: str
) -> Path | None:
    """Let the person choose where to save a file; one that is there already is asked about."""
    dialog = _file_dialog(parent, texts("download.title", app=app_title))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.selectFile(file_name)
    if not await accepted(dialog):
        return None
    return Path(dialog.selectedFiles()[0])


class SecretDialog(QuestionDialog):
    """The only place where a secret is typed: the host's, with dots for letters, and no history."""

    def __init__(
        self, parent: QWidget, texts: Texts, app_title: str, asked: SecretQuestion
    ) -> None:
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setAccessibleName(texts("secret.field"))
        words = texts("secret.text", app=app_title, slot=plain_name(asked.slot))
        reason = texts("secret.reason", reason=plain_line(asked.reason)) if asked.reason else ""
        about = (label(reason, "muted"),) if reason else ()
        super().__init__(parent, texts("secret.title", app=app_title), words, *about, self.field)
        keep = button(texts("secret.keep"), lambda: None, "primary")
        self.offer(texts("choose.either.cancel"), keep)
        # What is typed ends with Enter: that is the yes here.
        keep.setAutoDefault(True)
        keep.setDefault(True)
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)


async def ask_secret(
    parent: QWidget, texts: Texts, app_title: str, question: SecretQuestion
) -> SecretStr | None:
    """Let the person type a secret; it shows as dots and stays out of any history."""
    dialog = SecretDialog(parent, texts, app_title, question)
    if not await accepted(dialog) or not dialog.field.text():
        return None
    return SecretStr(dialog.field.text())


async def ask_skill(parent: QWidget, texts: Texts, app_title: str, question: SkillQuestion) -> bool:
    """Let the person switch a skill on for an app's agents."""
    words = texts("skill.ask", app=app_title, skill=plain_name(question.skill))
    about = [question.description]
    if question.reason:
        about.append(texts("secret.reason", reason=plain_line(question.reason)))
    parts = (label(plain_line(each), "muted") for each in about if each)
    dialog = QuestionDialog(parent, texts("skills.title"), words, *parts)
    dialog.offer(texts("skill.ask.no"), button(texts("skill.ask.yes"), lambda: None, "primary"))
    return await accepted(dialog)


async def _folder_or_files(parent: QWidget, texts: Texts, app_title: str) -> FileQuestion | None:
    """The system's dialogs choose one or the other: the person says which."""
    title = texts("choose.folder", app=app_title)
    dialog = QuestionDialog(parent, title, texts("choose.either", app=app_title))
    pressed: list[FileQuestion] = []
    folder, files = FileQuestion(is_folder=True), FileQuestion(is_multiple=True)
    dialog.offer(
        texts("choose.either.cancel"),
        button(texts("choose.either.files"), lambda: pressed.append(files)),
        button(texts("choose.either.folder"), lambda: pressed.append(folder), "primary"),
    )
    await accepted(dialog)
    return pressed[0] if pressed else None


def _file_dialog(parent: QWidget, title: str) -> QFileDialog:
    dialog = QFileDialog(parent, plain_line(title))
    # The system's own takes every key at once, also those that were typed into the page.
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    return dialog


def _mode(question: FileQuestion) -> QFileDialog.FileMode:
    if question.is_folder:
        return QFileDialog.FileMode.Directory
    many, one = QFileDialog.FileMode.ExistingFiles, QFileDialog.FileMode.ExistingFile
    return many if question.is_multiple else one


def _filters(accept: tuple[str, ...]) -> list[str]:
    """File name patterns for endings and media types; nothing that could end the filter early."""
    found: list[str] = []
    for each in accept:
        endings = [each] if each.startswith(".") else _endings_of(each)
        found += [f"*{ending}" for ending in endings if ending[1:].isalnum()]
    return found


def _endings_of(media_type: str) -> list[str]:
    mimetypes.init()
    group = media_type.removesuffix("*") if media_type.endswith("/*") else None
    return sorted(
        ending
        for ending, kind in mimetypes.types_map.items()
        if kind == media_type or (group and kind.startswith(group))
    )


async def accepted(dialog: QDialog) -> bool:
    """Show a dialog without stopping the program around it, and wait for its end."""
    answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def finish(code: int) -> None:
        if not answer.done():
            answer.set_result(code == QDialog.DialogCode.Accepted)

    dialog.finished.connect(finish)
    # With its parent gone nobody can answer any more.
    dialog.destroyed.connect(lambda: finish(QDialog.DialogCode.Rejected))
    if isinstance(dialog, QuestionDialog):
        dialog.guard()
    else:
        InputGuard(dialog)
    dialog.open()
    try:
        return await answer
    finally:
        # A window that was closed meanwhile took its dialogs along.
        if isValid(dialog):
            dialog.deleteLater()
