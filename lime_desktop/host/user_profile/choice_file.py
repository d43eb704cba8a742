"""Small files of choices: read if they can be, written whole or not at all, for their person alone."""

import json
import logging
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from lime_desktop.database.private_files import make_private_folder
from lime_desktop.durable_files.writing import write_durably
from lime_desktop.protocol.wire import WireModel

_log = logging.getLogger(__name__)

Kept = TypeVar("Kept", bound=WireModel)


def read_kept(path: Path, model: type[Kept]) -> Kept:
    """Read a file; one that cannot be read counts as nothing chosen, and is kept aside where that is possible."""
    try:
        return model.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return model()
    except (ValidationError, OSError) as problem:
        _log.warning("%s cannot be read: %s", path.name, type(problem).__name__)
        _put_aside(path)
        return model()


def write_kept(path: Path, kept: WireModel) -> None:
    """Replace the file in one step: a crash leaves the old content or the new.

    Raises:
        OSError: there is no room, or no right to write; what was there is as it was.
    """
    make_private_folder(path.parent)
    body = json.dumps(kept.to_wire(), ensure_ascii=False, indent=2).encode()
    write_durably(path, body, is_private=True)


def _put_aside(path: Path) -> None:
    try:
        path.replace(path.with_suffix(".unreadable"))
    except OSError:
        _log.warning("%s cannot be put aside either", path.name)
