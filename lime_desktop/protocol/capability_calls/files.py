"""lime.files: files that a person chose. An app holds references, never paths."""

from typing import Annotated, Literal

from pydantic import Field

from lime_desktop.protocol.capability_calls.call import Call, CallParams, Effect, ResultValue
from lime_desktop.protocol.errors import FileReferenceUnknown
from lime_desktop.protocol.errors.of_calls import DOCUMENTS
from lime_desktop.protocol.ids import JsonObject, NonEmpty, Timestamp
from lime_desktop.protocol.wire import Empty, Maybe, WireModel

NAME = "lime.files"
OPENED_TOPIC = "opened"
"""What a page subscribes to for the files that it is opened with; it may say `persist`, as where it takes what was dropped."""
PARSE_S = 75.0
"""A large document takes its time; the client may have given up, the next call is quick."""

InsidePath = Annotated[str, Field(min_length=1, max_length=4_096)]
"""A place inside a folder, with `/` between its parts; it never leads out."""


class FileRef(WireModel):
    """A file that the app may read."""

    ref: str
    name: str
    """The file's own name, without its folder."""
    size_bytes: int
    media_type: str
    modified_at: Timestamp
    is_persistent: bool = False
    """Whether the reference outlives the view."""
    is_folder: bool = False
    """Whether it opens a folder, and by it everything inside."""


class PickFilesParams(CallParams):
    """What to let the person choose."""

    accept: tuple[str, ...] = Field((), max_length=64)
    """Extensions (`.csv`) or media types (`image/*`); everything otherwise."""
    multiple: bool = False
    persist: bool = False
    """Ask for references that outlive the view."""


class PickFilesResult(WireModel):
    """What the person chose. The answer never waits for them."""

    status: Literal["chosen", "cancelled", "pending"]
    """`pending`: the chooser is open; repeat the call to get the choice."""
    files: tuple[FileRef, ...] = ()
    cancelled: bool = False


class TakeDroppedParams(CallParams):
    """What to get of what the person dropped on the page."""

    persist: bool = False
    """Ask for references that outlive the view."""


class TakeDroppedResult(WireModel):
    """What the person dropped on the page a moment ago, and nobody has taken yet."""

    files: tuple[FileRef, ...] = ()


class OpenedFiles(WireModel):
    """Files that the person opened with the app from outside, told to who subscribes to `OPENED_TOPIC`.

    That was the grant. They wait until the page subscribes, and are told once.
    """

    files: tuple[FileRef, ...]


class ReadFileParams(CallParams):
    """The part of a file to read."""

    ref: NonEmpty[str]
    encoding: Literal["utf-8", "base64"] = "utf-8"
    offset: int = Field(0, ge=0)
    length: int = Field(1_048_576, ge=1, le=2_097_152)
    """Bytes at most."""
    path: Maybe[InsidePath] = None
    """The file inside, where the reference opens a folder."""


class ReadFileResult(WireModel):
    """A part of a file."""

    ref: str
    content: str
    encoding: Literal["utf-8", "base64"]
    offset: int
    bytes_read: int
    size_bytes: int
    next_offset: Maybe[int] = None
    """Present where more follows."""


class ParseFileParams(CallParams):
    """A document to turn into text and structure."""

    ref: NonEmpty[str]
    parser: Maybe[str] = None
    """By media type otherwise."""
    output_schema: Maybe[JsonObject] = None
    path: Maybe[InsidePath] = None
    """The file inside, where the reference opens a folder."""


class ParsedSection(WireModel):
    """A part of a document."""

    title: str = ""
    level: int = 0
    text: str
    page: Maybe[int] = None


class ParseFileResult(WireModel):
    """A document as text and structure."""

    ref: str
    media_type: str
    parser: str
    text: str
    sections: tuple[ParsedSection, ...] = ()
    tables: tuple[tuple[tuple[str, ...], ...], ...] = ()
    """Each table as rows of cells."""
    metadata: JsonObject = Field(default_factory=dict)
    truncated: bool = False


class FileRefParams(CallParams):
    """The reference meant."""

    ref: NonEmpty[str]


class ListFileRefsResult(ResultValue[tuple[FileRef, ...]]):
    """Every reference that the app holds."""


class ListFolderParams(CallParams):
    """The folder to look into."""

    ref: NonEmpty[str]
    path: Maybe[InsidePath] = None
    """A folder inside; the folder itself otherwise."""


class FolderEntry(WireModel):
    """Something that lies in a folder."""

    path: str
    """From the folder that the reference opens, with `/` between its parts."""
    name: str
    is_folder: bool
    size_bytes: int
    modified_at: Timestamp


class ListFolderResult(WireModel):
    """What lies in a folder, by name; links are left out, for they may lead elsewhere."""

    entries: tuple[FolderEntry, ...]
    truncated: bool = False
    """Whether there is more than one answer names."""


class ReleaseFileRefResult(WireModel):
    """The reference no longer opens anything."""

    released: bool = True


PICK_FILES = Call(
    NAME,
    "pick",
    PickFilesParams,
    PickFilesResult,
    Effect.ASK,
    "Let the person choose files; choosing is the grant.",
    errors=(FileReferenceUnknown,),
)
TAKE_DROPPED = Call(
    NAME,
    "takeDropped",
    TakeDroppedParams,
    TakeDroppedResult,
    Effect.READ,
    "Take the files and folders that the person just dropped on the page; dropping is the grant.",
    errors=(FileReferenceUnknown,),
)
READ_FILE = Call(
    NAME,
    "readRef",
    ReadFileParams,
    ReadFileResult,
    Effect.READ,
    "Read a part of a file.",
    by="server",
    errors=(FileReferenceUnknown,),
)
PARSE_FILE = Call(
    NAME,
    "parse",
    ParseFileParams,
    ParseFileResult,
    Effect.READ,
    "Turn a document into text and structure.",
    by="server",
    timeout_s=PARSE_S,
    errors=DOCUMENTS,
)
LIST_FILES = Call(
    NAME,
    "listRefs",
    Empty,
    ListFileRefsResult,
    Effect.READ,
    "The references that the app holds.",
    by="server",
)
READ_FOLDER = Call(
    NAME,
    "listFolder",
    ListFolderParams,
    ListFolderResult,
    Effect.READ,
    "What lies in a folder that the person opened.",
    by="server",
    errors=(FileReferenceUnknown,),
)
RELEASE_FILE = Call(
    NAME,
    "releaseRef",
    FileRefParams,
    ReleaseFileRefResult,
    Effect.WRITE,
    "Give a reference back.",
    by="server",
)

CALLS = (
    PICK_FILES,
    TAKE_DROPPED,
    READ_FILE,
    PARSE_FILE,
    LIST_FILES,
    READ_FOLDER,
    RELEASE_FILE,
)
