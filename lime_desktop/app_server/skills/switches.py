"""Which manual skills a person switched on, for each app: a file for each, written whole. One that cannot be read is as good as none."""

import json
import logging
from pathlib import Path

from lime_desktop.app_server.apps.data_holder import HeldAmount
from lime_desktop.durable_files.failures import MESSAGES, kind_of_failure
from lime_desktop.durable_files.writing import write_durably
from lime_desktop.file_names import stored_name
from lime_desktop.protocol.errors import DataReadOnly
from lime_desktop.protocol.ids import AppId

_log = logging.getLogger(__name__)


class SkillSwitches:
    """The switches of every app."""

    name = "skills"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, frozenset[str]] = {}

    def of(self, app_id: str) -> frozenset[str]:
        """The skills that are on. Blocks where it has to be read first."""
        if app_id not in self._known:
            self._known[app_id] = _read(self._path(app_id))
        return self._known[app_id]

    def turn(self, app_id: str, skill: str, *, is_on: bool) -> None:
        """Turn one on or off. It holds once it is on disk. Blocks.

        Raises:
            AppError: it could not be written.
        """
        before = self.of(app_id)
        after = before | {skill} if is_on else before - {skill}
        if after == before:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_durably(self._path(app_id), json.dumps(sorted(after)).encode())
        except OSError as error:
            kind = kind_of_failure(error) or DataReadOnly
            _log.warning("a skill's switch was not written: %s", error.strerror)
            raise kind(MESSAGES[kind]) from error
        self._known[app_id] = after

    # A part of the app's data: it goes with the app, and is in no copy, as nobody's yes is given again by itself.

    async def amount(self, app_id: AppId) -> HeldAmount:
        """Count what is on."""
        return HeldAmount(len(self.of(app_id)), 0)

    async def copy_to(self, app_id: AppId, folder: Path) -> None:
        """Nothing: switches are in no copy."""

    async def replace_from(self, app_id: AppId, folder: Path) -> None:
        """Nothing: they are as they were."""

    async def remove(self, app_id: AppId) -> None:
        """Forget them."""
        self._known.pop(app_id, None)
        self._path(app_id).unlink(missing_ok=True)

    def _path(self, app_id: str) -> Path:
        return self._folder / stored_name(app_id, ".json")


def _read(path: Path) -> frozenset[str]:
    try:
        listed: object = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return frozenset()
    return frozenset(map(str, listed)) if isinstance(listed, list) else frozenset()  # pyright: ignore[reportUnknownArgumentType]
