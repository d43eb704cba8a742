"""Small files of choices: read if they can be, written whole or not at all."""

import json
import os
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from lime_desktop.protocol.wire import WireModel

Kept = TypeVar("Kept", bound=WireModel)


def read_kept(path: Path, model: type[Kept]) -> Kept:
    """Read a file; one that cannot be read counts as nothing chosen, and is kept aside."""
    try:
        return model.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return model()
    except (ValidationError, OSError):
        path.replace(path.with_suffix(".unreadable"))
        return model()


def write_kept(path: Path, kept: WireModel) -> None:
    """Replace the file in one step: a crash leaves the old content or the new."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    with fresh.open("w", encoding="utf-8") as file:
        json.dump(kept.to_wire(), file, ensure_ascii=False, indent=2)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
