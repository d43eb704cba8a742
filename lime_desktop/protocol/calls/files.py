"""file/*: files that a person opened to an app, or that the product wrote for it. Only the host names paths."""

from pydantic import Field

from lime_desktop.protocol.capability_calls.files import FileRef
from lime_desktop.protocol.ids import AppId, NonEmpty
from lime_desktop.protocol.wire import HostOnlyParams, Method, WireModel


class GrantFilesParams(HostOnlyParams):
    """A person chose these files or folders for an app."""

    app_id: NonEmpty[AppId]
    paths: tuple[str, ...] = Field(max_length=1_000)
    is_persistent: bool = False
    """Whether the references outlive this process."""


class GrantFilesResult(WireModel):
    """A reference for each, in order."""

    files: tuple[FileRef, ...]


class TakeFileParams(HostOnlyParams):
    """A person takes back what they opened to an app; what the product wrote for it is deleted."""

    app_id: NonEmpty[AppId]
    ref: NonEmpty[str]


class TakeFileResult(WireModel):
    """Whether the app held it."""

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
TAKE_FILE = Method("file/release", TakeFileParams, TakeFileResult)
LOCATE_FILE = Method("file/locate", LocateFileParams, LocateFileResult)
