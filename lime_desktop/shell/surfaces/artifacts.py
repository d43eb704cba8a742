"""Artifacts of an app: what its runs produced, to be read and taken along."""

import asyncio
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QWidget

from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor
from lime_desktop.host.apps.artifact_viewers import own_viewer
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.runs.produced import Produced, list_produced, read_produced
from lime_desktop.host.runs.run_actions import read_result
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.dialogs.file_dialogs import choose_target
from lime_desktop.shell.markdown.message_text import MessageText
from lime_desktop.shell.surfaces.acceptance_part import AcceptancePart, acceptance_pill
from lime_desktop.shell.surfaces.identity_bar import IdentityBar, put_under_bar
from lime_desktop.shell.surfaces.surface import Surface
from lime_desktop.shell.widgets.page import Page
from lime_desktop.shell.widgets.parts import (
    button,
    card,
    column,
    empty_state,
    label,
    name_button,
    row,
)
from lime_desktop.shell.widgets.work import Work


class ArtifactsSurface(Surface):
    """A list, and one artifact in full."""

    def __init__(
        self, look: Look, server: AppServerSupervisor, app: RegisteredApp, entry_key: str
    ) -> None:
        super().__init__(app.app_id, entry_key)
        self._look = look
        self._call = server.call
        self._app = app
        self._work = Work(self, self.problem.emit)
        entry = app.projection.entry(entry_key)
        self._kinds = frozenset(entry.declared.artifact_types if entry else ())
        self._title = app.entry_title(entry_key, look.texts.locale)
        self._page = Page()
        put_under_bar(self, IdentityBar(look, app, entry_key), self._page)
        self._show_list(())
        self._work.start_when_running(server, self._read_list)

    def refresh(self) -> None:
        """Read the list again."""
        self._work.start(self._read_list())

    def shut(self) -> None:
        """Leave."""
        self._work.end()

    async def _read_list(self) -> None:
        self._show_list(await list_produced(self._call, self.app_id, self._kinds))

    def _show_list(self, found: tuple[Produced, ...]) -> None:
        texts = self._look.texts
        refresh = button(texts("runs.refresh"), self.refresh)
        parts: list[QWidget] = [row(label(self._title, "title"), refresh, stretch_at=0)]
        parts += [self._row(each) for each in found]
        if not found:
            sign = self._look.icons.picture("document", side=32)
            parts.append(empty_state(sign, texts("artifacts.none"), texts("artifacts.none.about")))
        self._page.refill(*parts)

    def _row(self, each: Produced) -> QWidget:
        texts = self._look.texts
        words = column(label(each.title), label(each.kind, "small"), spacing=0)
        reading = button(texts("artifacts.open"), partial(self._open, each))
        name_button(reading, texts, each.title)
        sign = self._look.icons.picture("document")
        if each.acceptance is None:
            return card(row(sign, words, reading, stretch_at=1))
        verdict = acceptance_pill(texts, each.acceptance)
        return card(row(sign, words, verdict, reading, stretch_at=1))

    def _open(self, each: Produced) -> None:
        self._work.start(self._show_one(each))

    async def _show_one(self, each: Produced) -> None:
        if each.artifact_id is not None and own_viewer(self._app, each.kind) is not None:
            self.artifact_wanted.emit(await read_result(self._call, self.app_id, each.artifact_id))
            return
        texts = self._look.texts
        content = await read_produced(self._call, each)
        back = button(texts("artifacts.back"), self.refresh, "link")
        self._look.icons.put_on(back, "chevron-left", "accent")
        if content is None:
            words: QWidget = label(texts("artifacts.gone"), "muted")
            self._page.refill(row(back), label(each.title, "title"), words)
            return
        shown = MessageText(each.title)
        shown.show_words(content)
        save = button(texts("artifacts.save"), partial(self._choose_target, each, content))
        run = button(texts("artifacts.run"), partial(self.run_wanted.emit, each.session_id))
        head = row(label(each.title, "title"), run, save, stretch_at=0)
        verdict = await self._verdict(each)
        self._page.refill(row(back), head, *([] if verdict is None else [verdict]), card(shown))

    async def _verdict(self, each: Produced) -> AcceptancePart | None:
        if each.acceptance is None or each.artifact_id is None:
            return None
        found = await read_result(self._call, self.app_id, each.artifact_id)
        if found.acceptance is None:
            return None
        part = AcceptancePart(self._look.texts, found.acceptance, found.decide, self)
        part.failed.connect(self._tell_failure)
        return part

    def _tell_failure(self, words: str) -> None:
        self.toast.emit(words, "error")

    def _choose_target(self, each: Produced, content: str) -> None:
        title = self._look.texts("artifacts.save")
        choose_target(self, title, each.file_name, partial(self._save, content))

    def _save(self, content: str, path: str) -> None:
        async def save() -> None:
            await asyncio.to_thread(Path(path).write_text, content, encoding="utf-8")
            self.toast.emit(self._look.texts("artifacts.saved"), "success")

        self._work.start(save())
