"""Records one view from its first page on: what crosses its bridge and what the person does to it."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject

from lime_desktop.developer.recording.page_script import MARK, PageScriptOptions, page_script
from lime_desktop.developer.recording.recorder import Recorder, head_of
from lime_desktop.host.apps.bundle import bundle_of
from lime_desktop.host.web_content.ui_bundle import host_files
from lime_desktop.shell.window.app_tab.app_tab import AppTab
from lime_desktop.shell.window.services import OpenedTabs


class ViewRecording(QObject):
    """Writes the session of the first view of an app that is opened from now on."""

    def __init__(self, opened_tabs: OpenedTabs, resources: Path, app_id: str, file: Path) -> None:
        super().__init__(opened_tabs)
        self._resources = resources
        self._app_id = app_id
        # Line by line: what was recorded before a crash is the most interesting part.
        self._file = file.open("w", encoding="utf-8", buffering=1)
        self._stop: Callable[[], None] | None = None
        self._loads = 0
        opened_tabs.opened.connect(self._join)

    @property
    def is_empty(self) -> bool:
        """Whether no view was opened so far."""
        return self._stop is None

    def close(self) -> None:
        """Record no more."""
        if self._stop is not None:
            self._stop()
        self._file.close()

    def _join(self, tab: AppTab) -> None:
        if tab.app_id != self._app_id or self._stop is not None:
            return
        resources, place = self._resources, tab.place()
        head = head_of(
            tab.app(),
            tab.entry_key,
            bundle_of(tab.app(), host_files(resources)),
            locale=place.locale,
            timezone=place.timezone,
        )
        recorder = Recorder(head, self._write)
        self._stop = tab.session.timeline.listen(recorder.hear_message)
        script = page_script(resources, PageScriptOptions(mode="record", seed=head.seed))
        tab.view.instrument(script, MARK, recorder.hear_mark)
        tab.view.routed.connect(recorder.hear_route)
        tab.reloading.connect(lambda: self._on_load(recorder))

    def _on_load(self, recorder: Recorder) -> None:
        # The first time is where a recording begins.
        self._loads += 1
        if self._loads > 1:
            recorder.hear_load()

    def _write(self, line: str) -> None:
        if not self._file.closed:
            self._file.write(line)
