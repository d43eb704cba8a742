"""Saving a file for an app, to a place the person chose: one of its own origin, or one it holds a reference to.

Nothing else ever leaves by a download. A large value that a capability handed out stands on the app's own origin too,
and is saved the same way.
"""

import asyncio
import re
import shutil
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from lime_desktop.host.app_bundle import bundle_of
from lime_desktop.host.app_origin import origin_of
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.asking import OpenQuestions
from lime_desktop.host.shelf import ShelfApp
from lime_desktop.host.shell_port import ShellPort
from lime_desktop.host.ui_bundle import HOST_PREFIX
from lime_desktop.host.view_bodies import BODY_PREFIX, OfferedValue, ViewBodies
from lime_desktop.protocol.bridge.from_app import DownloadPayload
from lime_desktop.protocol.calls.files import LOCATE_FILE, LocateFileParams
from lime_desktop.protocol.capability_calls.ui import DownloadResult
from lime_desktop.protocol.errors import Cancelled, HostActionFailed, UntrustedUrl
from lime_desktop.protocol.ids import AppId

_UNFIT = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*\u202a-\u202e\u2066-\u2069]')
"""What no file system takes, and marks that turn a name around so that its ending looks like another."""


WriteTo = Callable[[Path], object]


class Downloads:
    """What one view lets the person save."""

    def __init__(
        self,
        app: Callable[[], ShelfApp],
        bodies: ViewBodies,
        shell: ShellPort,
        call: CallServer,
    ) -> None:
        self._app = app
        self._bodies = bodies
        self._shell = shell
        self._call = call
        self._questions = OpenQuestions[bool]()

    async def download(self, payload: DownloadPayload) -> DownloadResult:
        """Offer a file to the person; says false while they are still choosing, and saves it when they have."""
        is_saved = await self._questions.ask(payload.to_json(), lambda: self._save(payload))
        if is_saved is None:
            return DownloadResult(downloaded=False, status="pending")
        if not is_saved:
            raise Cancelled("The person chose no place for the file")
        return DownloadResult()

    async def _save(self, payload: DownloadPayload) -> bool:
        name, write = await self._source(payload)
        target = await self._shell.choose_save_path(file_name(payload.file_name or name))
        if target is None:
            return False
        try:
            await asyncio.to_thread(write, target)
        except OSError as error:
            raise HostActionFailed(f"The file could not be saved: {error.strerror}") from None
        return True

    async def _source(self, payload: DownloadPayload) -> tuple[str, WriteTo]:
        """A file's own name, and what writes it. Found before the person is asked where to."""
        if payload.ref is not None:
            asked = LocateFileParams(app_id=AppId(self._app().app_id), ref=payload.ref)
            held = await self._call(LOCATE_FILE, asked)
            return held.file.name, lambda target: shutil.copyfile(held.path, target)
        path = self._own_path(payload.url or "")
        body = self._read(path)
        return path, lambda target: target.write_bytes(body)

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
