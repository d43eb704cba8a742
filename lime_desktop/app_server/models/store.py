"""Keeps model weights, one folder each. A model is there whole or not at all; what is half here can go on.

::

    models/<id>/weights.gguf, model.json     installed
    models/.incoming/<id>/weights.partial    on its way
"""

import contextlib
import json
import os
import shutil
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import platformdirs

from lime_desktop.app_server.models.catalogue import RANK_OF_OWN_FILES, known_model
from lime_desktop.database.failures import catalogued
from lime_desktop.database.lock import FolderLock
from lime_desktop.durable_files.writing import settle, write_durably
from lime_desktop.file_names import is_plain_name, plain_name
from lime_desktop.protocol.calls.models import ModelQuality
from lime_desktop.protocol.errors import AppError, Conflict, DatabaseBusy

PLACE_VARIABLE = "LIME_DESKTOP_MODELS"
"""Names another folder for weights, as on a machine where they are shared."""
_WEIGHTS = "weights.gguf"
_RECORD = "model.json"
_PARTIAL = "weights.partial"
_ABANDONED_S = 30 * 24 * 3_600


@dataclass(frozen=True, slots=True)
class ModelRecord:
    """What is remembered of an installed model."""

    model_id: str
    title: str
    file_name: str
    """What the file was called where it came from."""
    size: int
    sha256: str
    context_tokens: int | None


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """A model that can be used."""

    record: ModelRecord
    path: Path

    @property
    def rank(self) -> int:
        """How good a choice it is where nobody chose."""
        known = known_model(self.record.model_id)
        return known.rank if known else RANK_OF_OWN_FILES

    @property
    def quality(self) -> ModelQuality:
        """How far its answers can be trusted. A file of one's own is no demo: who installs it means to use it."""
        known = known_model(self.record.model_id)
        return known.quality if known else "small"


def default_folder() -> Path:
    """Where this user's weights lie."""
    named = os.environ.get(PLACE_VARIABLE)
    if named:
        return Path(named)
    return platformdirs.user_data_path("lime-desktop", appauthor=False) / "models"


class ModelStore:
    """The weights in one folder. Reads are fresh each time: another process may install, too."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def installed(self) -> tuple[InstalledModel, ...]:
        """Every model that is here whole, the best choice first."""
        found = (self.find(path.parent.name) for path in self.folder.glob(f"*/{_RECORD}"))
        models = [model for model in found if model is not None]
        return tuple(sorted(models, key=lambda model: (-model.rank, model.record.model_id)))

    def find(self, model_id: str) -> InstalledModel | None:
        """One model by its name, if it is here whole."""
        if not is_plain_name(model_id):
            return None
        folder = self.folder / plain_name(model_id)
        record = _read_record(folder / _RECORD)
        path = folder / _WEIGHTS
        if record is None or record.model_id != model_id or not path.is_file():
            return None
        return InstalledModel(record, path)

    def partial_size(self, model_id: str) -> int:
        """How many bytes of a model are here from an install that did not finish."""
        try:
            return self._partial(model_id).stat().st_size
        except OSError:
            return 0

    @contextmanager
    def incoming(self, model_id: str) -> Generator[Path]:
        """Hold the folder where a model comes together. One process at a time.

        Raises:
            Conflict: somebody else is installing it.
        """
        try:
            lock = FolderLock(self.folder / ".locks" / plain_name(model_id))
        except DatabaseBusy:
            raise Conflict("This model is being installed by another process.") from None
        try:
            folder = self._partial(model_id).parent
            folder.mkdir(parents=True, exist_ok=True)
            yield folder / _PARTIAL
        except OSError as error:
            raise catalogued(error) from error
        finally:
            lock.release()

    def settle(self, partial: Path, record: ModelRecord) -> InstalledModel:
        """Make a finished file an installed model, in one step."""
        folder = partial.parent
        for path in folder.iterdir():
            if path != partial:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        partial.rename(folder / _WEIGHTS)
        write_durably(folder / _RECORD, json.dumps(asdict(record), ensure_ascii=False).encode())
        target = self.folder / plain_name(record.model_id)
        shutil.rmtree(target, ignore_errors=True)
        settle(folder, target)
        return InstalledModel(record, target / _WEIGHTS)

    def remove(self, model_id: str) -> bool:
        """Delete a model, or what is here of it; say whether there was anything."""
        if not is_plain_name(model_id):
            return False
        there = False
        for folder in (self.folder / plain_name(model_id), self._partial(model_id).parent):
            there = there or folder.is_dir()
            # The record first: what is left of an interrupted removal is no model.
            (folder / _RECORD).unlink(missing_ok=True)
            shutil.rmtree(folder, ignore_errors=True)
        return there

    def sweep_abandoned(self) -> None:
        """Let go of downloads that nobody went on with for a month; until then what is here need not come again."""
        for folder in (self.folder / ".incoming").glob("*"):
            if not is_plain_name(folder.name) or not _is_abandoned(folder):
                continue
            # Who is at it holds the lock, however slow the line is.
            with contextlib.suppress(AppError), self.incoming(folder.name):
                shutil.rmtree(folder, ignore_errors=True)

    def _partial(self, model_id: str) -> Path:
        return self.folder / ".incoming" / plain_name(model_id) / _PARTIAL


def _is_abandoned(folder: Path) -> bool:
    try:
        newest = max(path.lstat().st_mtime for path in (folder, *folder.iterdir()))
    except OSError:
        return False
    return newest < time.time() - _ABANDONED_S


def _read_record(path: Path) -> ModelRecord | None:
    try:
        return ModelRecord(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
