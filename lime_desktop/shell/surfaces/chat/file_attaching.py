"""Gives files to an expert: what was dropped, pasted or chosen is tried, then shown as a chip; what cannot go along is said."""

import asyncio
from pathlib import Path

from PySide6.QtCore import QMimeData

from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.runs.chat_files import MOST_FILES, ChatFile, ChatFiles, RefusedFile
from lime_desktop.host.view.shell_port import FileQuestion
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.plain_text import plain_name
from lime_desktop.shell.dialogs.choosers import choose_files
from lime_desktop.shell.surfaces.chat.attachments import files_in, keep_picture, picture_in
from lime_desktop.shell.surfaces.chat.composer import Composer
from lime_desktop.shell.surfaces.surface import Surface
from lime_desktop.shell.widgets.work import Work


class FileAttaching:
    """Joins the line to write in with the files that go along."""

    def __init__(
        self,
        surface: Surface,
        texts: Texts,
        pasted: Path,
        app: RegisteredApp,
        composer: Composer,
        files: ChatFiles,
    ) -> None:
        self._surface = surface
        self._texts = texts
        self._pasted = pasted
        self._app = app
        self._composer = composer
        self._files = files
        self._turn = asyncio.Lock()
        self._work = Work(surface, surface.problem.emit)
        composer.brought.connect(self.bring)
        composer.choosing.connect(lambda: self._work.start(self._choose()))
        composer.withdrawn.connect(self._withdraw)

    def bring(self, data: QMimeData) -> None:
        """Let go along what was dropped or pasted."""
        wanted = [(path, path.name) for path in files_in(data)]
        picture = picture_in(data)
        if picture is not None:
            kept = keep_picture(picture, self._pasted)
            if kept is not None:
                wanted.append((kept, self._texts("chat.attached.pasted")))
        self._work.start(self._open(wanted))

    async def _choose(self) -> None:
        texts = self._texts
        title = self._app.title(texts.locale)
        question = FileQuestion(is_multiple=True)
        chosen = await choose_files(self._surface, texts, title, question)
        await self._open([(path, path.name) for path in chosen])

    async def _open(self, wanted: list[tuple[Path, str]]) -> None:
        # One after the other: they stay in the order in which they were brought.
        async with self._turn:
            for path, name in wanted:
                if len(self._composer.files) >= MOST_FILES:
                    self._refuse(RefusedFile(name, "too-many"))
                    return
                opened = await self._files.open(path, name)
                if isinstance(opened, ChatFile):
                    self._composer.attach(opened)
                    self._composer.setFocus()
                else:
                    self._refuse(opened)

    def _refuse(self, refused: RefusedFile) -> None:
        words = self._texts(
            f"chat.attach.refused.{refused.reason}",
            name=plain_name(refused.name),
            count=MOST_FILES,
        )
        self._surface.toast.emit(words, "warning")

    def _withdraw(self, file: ChatFile) -> None:
        self._work.start(self._files.release(file.ref))
