"""Read, change and write a file that more than one process writes: nobody's change is lost."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from lime_desktop.durable_files.failures import catalogued_file_error
from lime_desktop.durable_files.locks import locked_file
from lime_desktop.durable_files.writing import sweep_partials, write_durably

T = TypeVar("T")


def read_file(path: Path) -> bytes | None:
    """What is in the file, or None where there is none. Blocks.

    Raises:
        AppError: it is there and cannot be read.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise catalogued_file_error(error) from error


def change_file(
    path: Path,
    change: Callable[[bytes | None], tuple[bytes | None, T]],
    *,
    is_private: bool = False,
) -> T:
    """Give `change` what is in the file now; write what it makes of it, and return what it found. Blocks.

    Between the two nobody else changes the file, in whatever process. `change` returns None for the content to leave
    it as it is; when it raises, nothing is written.

    Raises:
        AppError: the file cannot be written, or another process holds it for too long.
    """
    try:
        with locked_file(path):
            sweep_partials(path)
            body, found = change(read_file(path))
            if body is not None:
                write_durably(path, body, is_private=is_private)
            return found
    except OSError as error:
        raise catalogued_file_error(error) from error
