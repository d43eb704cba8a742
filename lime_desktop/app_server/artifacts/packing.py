"""A deliverable that is several files, as one archive. Pure: `{"files": [{"path", "text"}]}` in, bytes out.

Names are made fit for every file system here, so that whoever unpacks the archive need not trust the app.
"""

import io
import zipfile
from collections.abc import Iterator

from pydantic import BaseModel, Field, JsonValue, StrictStr, ValidationError

from lime_desktop.file_names import shown_name
from lime_desktop.protocol.errors import InvalidInput

MOST_FILES = 10_000
_DEEPEST = 16
_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The same content is the same bytes, whenever it was packed."""


class _File(BaseModel):
    path: StrictStr
    text: StrictStr


class _Files(BaseModel):
    files: list[_File] = Field(max_length=MOST_FILES)


def pack(content: JsonValue, _: str) -> bytes:
    """The archive.

    Raises:
        InvalidInput: the content is no list of files with a path and a text.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in _unique(_files_in(content)):
            archive.writestr(_entry(path), text.encode())
    return out.getvalue()


def _entry(path: str) -> zipfile.ZipInfo:
    made = zipfile.ZipInfo(path, _EARLIEST)
    made.compress_type = zipfile.ZIP_DEFLATED
    return made


def _files_in(content: JsonValue) -> Iterator[tuple[str, str]]:
    try:
        given = _Files.model_validate(content)
    except ValidationError:
        raise InvalidInput.at_fields([("content.files", "not_a_list_of_files")]) from None
    return ((_fit(file.path), file.text) for file in given.files)


def _fit(path: str) -> str:
    parts = [part for part in path.replace("\\", "/").split("/") if part.strip(" .")]
    return "/".join(shown_name(part) for part in parts[-_DEEPEST:]) or shown_name("")


def _unique(files: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Two of one name get a number, where small and large letters are alike too."""
    seen: dict[str, int] = {}
    for path, text in files:
        count = seen[path.casefold()] = seen.get(path.casefold(), 0) + 1
        stem, dot, ending = path.rpartition(".")
        numbered = f"{stem} {count}{dot}{ending}" if stem else f"{path} {count}"
        yield (path if count == 1 else numbered), text
