"""Saving a file for an app: one of its own origin, to a place the person chose. Nothing else ever leaves by a download.

What a capability hands out by reference (an artifact, a large value) stands on the app's own origin too, and is saved
the same way.
"""

import asyncio
import re
from collections.abc import Callable
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from lime_desktop.host.app_bundle import bundle_of
from lime_desktop.host.app_origin import origin_of
from lime_desktop.host.asking import OpenQuestions
from lime_desktop.host.shelf import ShelfApp
from lime_desktop.host.shell_port import ShellPort
from lime_desktop.host.ui_bundle import HOST_PREFIX
from lime_desktop.host.view_bodies import BODY_PREFIX, OfferedValue, ViewBodies
from lime_desktop.protocol.bridge.from_app import DownloadPayload
from lime_desktop.protocol.capability_calls.ui import DownloadResult
from lime_desktop.protocol.errors import Cancelled, HostActionFailed, UntrustedUrl

_UNFIT = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*\u202a-\u202e\u2066-\u2069]')
"""What no file system takes, and marks that turn a name around so that its ending looks like another."""


class Downloads:
    """What one view lets the person save."""

    def __init__(self, app: Callable[[], ShelfApp], bodies: ViewBodies, shell: ShellPort) -> None:
        self._app = app
        self._bodies = bodies
        self._shell = shell
        self._questions = OpenQuestions[bool]()

    async def download(self, payload: DownloadPayload) -> DownloadResult:
        """Offer a file to the person; says false while they are still choosing, and saves it when they have."""
        key = (payload.url, payload.file_name)
        is_saved = await self._questions.ask(key, lambda: self._save(payload))
        if is_saved is False:
            raise Cancelled("The person chose no place for the file")
        return DownloadResult(downloaded=is_saved is True)

    async def _save(self, payload: DownloadPayload) -> bool:
        path = self._own_path(payload.url)
        body = self._read(path)
        target = await self._shell.choose_save_path(file_name(payload.file_name or path))
        if target is None:
            return False
        try:
            await asyncio.to_thread(target.write_bytes, body)
        except OSError as error:
            raise HostActionFailed(f"The file could not be saved: {error.strerror}") from None
        return True

    def _own_path(self, url: str) -> str:
        origin = origin_of(self._app().app_id)
        try:
            parts = urlsplit(url.removeprefix(origin) if url.startswith(f"{origin}/") else url)
        except ValueError:
            raise UntrustedUrl("The address cannot be read") from None
        if parts.scheme or parts.netloc or not parts.path.startswith("/"):
            raise UntrustedUrl("An app downloads files of its own origin")
        return parts.path

    def _read(self, path: str) -> bytes:
        if path.startswith(BODY_PREFIX):
            offered = self._bodies.take(path)
            if isinstance(offered, OfferedValue):
                return offered.body
        answer = bundle_of(self._app(), {}).answer(path)
        if answer.is_missing or path.startswith(HOST_PREFIX):
            raise UntrustedUrl("The app's origin has no such file")
        return answer.body


def file_name(wanted: str) -> str:
    """A name to propose: the last part of a path, without what could mislead a person or a file system."""
    last = PurePosixPath(unquote(wanted).replace("\\", "/")).name
    cleaned = _UNFIT.sub("_", last).strip(" .")
    return cleaned[-200:] or "download"
