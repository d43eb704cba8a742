"""file/*: files that a person opened to an app, or that the product wrote for it. Only the host names paths."""

from typing import Literal

from pydantic import Field

from lime_desktop.protocol.calls.host_only import HostOnlyParams
from lime_desktop.protocol.calls.own_data import OwnDataParams
from lime_desktop.protocol.capability_calls.files import (
    FileRef,
    FolderEntry,
    InsidePath,
    ParsedSection,
)
from lime_desktop.protocol.ids import AppId, JsonObject, NonEmpty
from lime_desktop.protocol.wire import Maybe, Method, WireModel


class GrantFilesParams(HostOnlyParams):
    """A person chose these files or folders for an app."""

    app_id: NonEmpty[AppId]
    paths: tuple[str, ...] = Field(max_length=1_000)
    is_persistent: bool = False
    """Whether the references outlive this process."""


class GrantFilesResult(WireModel):
    """A reference for each, in order."""

    files: tuple[FileRef, ...]


class ReadFileParams(OwnDataParams):
    """Read a part of a file."""

    ref: NonEmpty[str]
    encoding: Literal["utf-8", "base64"] = "utf-8"
    offset: int = Field(default=0, ge=0)
    length: int = Field(default=1_048_576, ge=1, le=2_097_152)
    path: Maybe[InsidePath] = None
    """The file inside, where the reference opens a folder."""


class ReadFileResult(WireModel):
    """A part of a file."""

    content: str
    bytes_read: int
    size_bytes: int
    next_offset: Maybe[int] = None


class ParseFileParams(OwnDataParams):
    """Turn a document into text and structure."""

    ref: NonEmpty[str]
    parser: Maybe[str] = None
    path: Maybe[InsidePath] = None
    """The file inside, where the reference opens a folder."""


class ParseFileResult(WireModel):
    """A document as text and structure."""

    media_type: str
    parser: str
    text: str
    sections: tuple[ParsedSection, ...] = ()
    tables: tuple[tuple[tuple[str, ...], ...], ...] = ()
    metadata: JsonObject = Field(default_factory=dict)
    truncated: bool = False


class ListFilesParams(OwnDataParams):
    """Which references does an app hold?"""


class ListFilesResult(WireModel):
    """Every reference that still opens something."""

    files: tuple[FileRef, ...]


class ReadFolderParams(OwnDataParams):
    """What lies in a folder?"""

    ref: NonEmpty[str]
    path: Maybe[InsidePath] = None
    """A folder inside; the folder itself otherwise."""


class ReadFolderResult(WireModel):
    """Its files and folders by name, without links."""

    entries: tuple[FolderEntry, ...]
    truncated: bool = False


class ReleaseFileParams(OwnDataParams):
    """Give a reference back; what the product wrote for it is deleted."""

    ref: NonEmpty[str]


class ReleaseFileResult(WireModel):
    """Whether there was such a reference."""

    was_held: bool


class LocateFileParams(HostOnlyParams):
    """Where does a file lie? For the host, which saves or shows it for a person."""

    app_id: NonEmpty[AppId]
    ref: NonEmpty[str]


class LocateFileResult(WireModel):
    """The place; it never reaches an app."""

    path: str
    file: FileRef


GRANT_FILES = Method("file/grant", GrantFilesParams, GrantFilesResult)
READ_FILE = Method("file/read", ReadFileParams, ReadFileResult)
PARSE_FILE = Method("file/parse", ParseFileParams, ParseFileResult)
LIST_FILES = Method("file/list", ListFilesParams, ListFilesResult)
READ_FOLDER = Method("file/folder/read", ReadFolderParams, ReadFolderResult)
RELEASE_FILE = Method("file/release", ReleaseFileParams, ReleaseFileResult)
LOCATE_FILE = Method("file/locate", LocateFileParams, LocateFileResult)
