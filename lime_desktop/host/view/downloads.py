"""Saving a file for an app, to a place the person chose: one of its own origin, or one it holds a reference to.

Nothing else ever leaves by a download. A large value that a capability handed out stands on the app's own origin too,
and is saved the same way.
"""

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from lime_desktop.file_names import last_name
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.approvals.deferred_prompts import DeferredPrompts
from lime_desktop.host.apps.bundle import bundle_of
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.view.bodies import BODY_PREFIX, OfferedValue, ViewBodies
from lime_desktop.host.view.shell_port import FileQuestion, ShellPort
from lime_desktop.host.view.unpacking import unpack
from lime_desktop.host.web_content.origin import origin_of
from lime_desktop.host.web_content.ui_bundle import HOST_PREFIX
from lime_desktop.protocol.bridge.from_app import DownloadPayload
from lime_desktop.protocol.calls.files import LOCATE_FILE, LocateFileParams
from lime_desktop.protocol.capability_calls.ui import DownloadResult
from lime_desktop.protocol.errors import Cancelled, HostActionFailed, UntrustedUrl
from lime_desktop.protocol.ids import AppId

WriteTo = Callable[[Path], object]


async def save_file(target: Path, write: WriteTo) -> None:
    """Write a file where a person wants it.

    Raises:
        HostActionFailed: it could not be written there.
    """
    try:
        await asyncio.to_thread(write, target)
    except OSError as error:
        raise HostActionFailed(f"The file can't be saved: {error.strerror}") from None


class Downloads:
    """What one view lets the person save."""

    def __init__(
        self,
        app: Callable[[], RegisteredApp],
        bodies: ViewBodies,
        shell: ShellPort,
        call: CallServer,
    ) -> None:
        self._app = app
        self._bodies = bodies
        self._shell = shell
        self._call = call
        self._questions = DeferredPrompts[bool]()

    async def download(self, payload: DownloadPayload) -> DownloadResult:
        """Offer a file to the person; says false while they are still choosing, and saves it when they have."""
        is_saved = await self._questions.ask(payload.to_json(), lambda: self._save(payload))
        if is_saved is None:
            return DownloadResult(downloaded=False, status="pending")
        if not is_saved:
            raise Cancelled("No folder was chosen for the file")
        return DownloadResult()

    async def _save(self, payload: DownloadPayload) -> bool:
        if payload.unpack and payload.ref is not None:
            return await self._unpack(payload.ref, payload.file_name)
        name, write = await self._source(payload)
        target = await self._shell.choose_save_path(last_name(payload.file_name or name))
        if target is None:
            return False
        await save_file(target, write)
        return True

    async def _unpack(self, ref: str, wanted: str | None) -> bool:
        """Let the person choose a place, and make a new folder there; what lies there already stays as it is."""
        asked = LocateFileParams(app_id=AppId(self._app().app_id), ref=ref)
        held = await self._call(LOCATE_FILE, asked)
        name = wanted or Path(held.file.name).stem
        chosen = await self._shell.choose_files(
            FileQuestion(is_folder=True, is_target=True, title=name)
        )
        if not chosen:
            return False
        await save_file(chosen[0], lambda place: unpack(Path(held.path), place, name))
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
