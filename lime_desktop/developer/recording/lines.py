"""What a recording says: a head, and after it one line per event, in the order in which the page met them.

Lines are JSON, one per line. Credentials are stars. What a page fetched is kept once, by its hash.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, cast

from pydantic import Field, JsonValue, TypeAdapter, ValidationError

from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.wire import WireModel

VERSION = 1


class Head(WireModel):
    """Which view was recorded, and what the world was like."""

    kind: Literal["recording"] = "recording"
    version: Literal[1] = VERSION
    app_id: str
    app_version: str
    entry_key: str
    route: str
    package: str
    """Where the package lay."""
    package_hash: str
    bundle_hash: str
    """The hash of the files that the app's origin serves."""
    granted: tuple[str, ...] = ()
    locale: str
    timezone: str
    seed: int
    """What the page's random numbers begin with."""
    host_version: str


class _TimedLine(WireModel):
    """Something that happened to the page."""

    at: float
    """When, in milliseconds since 1970; the page's clock stands at this until the next."""


class _NumberedLine(_TimedLine):
    """Something that happened to one of its timers, fetches or sockets."""

    id: int
    """Counted from the start of the document."""


class BeginLine(_TimedLine):
    """A document of the app began."""

    kind: Literal["begin"] = "begin"
    number: int = 1
    width: int = 0
    height: int = 0
    local_storage: Mapping[str, str] = {}


class LoadLine(WireModel):
    """The host loaded the view anew."""

    kind: Literal["load"] = "load"


class RouteLine(WireModel):
    """The host brought the view to another route."""

    kind: Literal["route"] = "route"
    route: str


class FromAppLine(WireModel):
    """The app said something."""

    kind: Literal["from-app"] = "from-app"
    message: JsonValue


class ToAppLine(_TimedLine):
    """The app was told something."""

    kind: Literal["to-app"] = "to-app"
    message: JsonValue


class InputLine(_TimedLine):
    """A person did something to the page."""

    kind: Literal["input"] = "input"
    event: JsonObject


class TimerLine(_NumberedLine):
    """A timer of the page, a frame or an idle time came."""

    kind: Literal["timer"] = "timer"


class FetchedLine(_NumberedLine):
    """A file of the bundle arrived."""

    kind: Literal["fetched"] = "fetched"


class FetchOpenedLine(_NumberedLine):
    """An answer from elsewhere began."""

    kind: Literal["fetch-opened"] = "fetch-opened"
    status: int
    headers: Mapping[str, str] = {}


class FetchPieceLine(_NumberedLine):
    """A piece of it arrived."""

    kind: Literal["fetch-piece"] = "fetch-piece"
    body: str
    """The hash of a body line."""


class FetchClosedLine(_NumberedLine):
    """It was complete."""

    kind: Literal["fetch-closed"] = "fetch-closed"


class FetchFailedLine(_NumberedLine):
    """It never came."""

    kind: Literal["fetch-failed"] = "fetch-failed"
    message: str = ""


class SocketOpenedLine(_NumberedLine):
    """A WebSocket of the page was connected."""

    kind: Literal["socket-opened"] = "socket-opened"
    subprotocol: str = ""


class SocketMessageLine(_NumberedLine):
    """It heard something, a text or bytes."""

    kind: Literal["socket-message"] = "socket-message"
    text: str | None = None
    base64: str | None = None


class SocketFailedLine(_NumberedLine):
    """It could not be connected, or broke."""

    kind: Literal["socket-failed"] = "socket-failed"


class SocketClosedLine(_NumberedLine):
    """It ended."""

    kind: Literal["socket-closed"] = "socket-closed"
    code: int = 1005
    reason: str = ""
    was_clean: bool = True


Uncovered: TypeAlias = Literal[
    "EVENT_SOURCE_NOT_RECORDED",
    "INDEXED_DB_STARTS_EMPTY",
    "SOCKET_MESSAGE_TOO_LARGE",
    "SYNCHRONOUS_REQUEST",
    "WORKER_NOT_RECORDED",
]


class NoteLine(_TimedLine):
    """The page used something that a replay does not have as it was."""

    kind: Literal["note"] = "note"
    code: Uncovered
    about: str = ""
    """The first one of its kind: an address, or the name of a database."""


class BodyLine(WireModel):
    """Bytes that lines before or after refer to."""

    kind: Literal["body"] = "body"
    hash: str
    base64: str


Line: TypeAlias = Annotated[
    BeginLine
    | LoadLine
    | RouteLine
    | FromAppLine
    | ToAppLine
    | InputLine
    | TimerLine
    | FetchedLine
    | FetchOpenedLine
    | FetchPieceLine
    | FetchClosedLine
    | FetchFailedLine
    | SocketOpenedLine
    | SocketMessageLine
    | SocketFailedLine
    | SocketClosedLine
    | NoteLine
    | BodyLine,
    Field(discriminator="kind"),
]
_LINE: TypeAdapter[Line] = TypeAdapter(Line)


class RecordingUnreadable(ValueError):
    """A file that is no recording of a version that is known here."""


class Recording(WireModel):
    """A whole file."""

    head: Head
    lines: tuple[Line, ...]

    @property
    def bodies(self) -> Mapping[str, str]:
        """What was fetched, in base 64, by its hash."""
        return {line.hash: line.base64 for line in self.lines if isinstance(line, BodyLine)}

    @property
    def events(self) -> tuple[Line, ...]:
        """Everything that happened, in order."""
        return tuple(line for line in self.lines if not isinstance(line, BodyLine | NoteLine))

    @property
    def notes(self) -> tuple[NoteLine, ...]:
        """What a replay does not have as it was, each kind once."""
        found = {line.code: line for line in reversed(self.lines) if isinstance(line, NoteLine)}
        return tuple(found[code] for code in sorted(found))


def parse_line(text: str) -> Line:
    """Read one line after the head.

    Raises:
        ValidationError: it says nothing that is known.
    """
    return _LINE.validate_json(text)


def write_line(line: Head | Line) -> str:
    """One line, with its end."""
    return line.model_dump_json(by_alias=True, exclude_none=True) + "\n"


def read_recording(path: Path) -> Recording:
    """Read a file; one whose last line was cut off by a crash ends before it.

    Raises:
        RecordingUnreadable: it is no recording, or a line in it says nothing that is known.
    """
    texts = path.read_text(encoding="utf-8").splitlines(keepends=True)
    if not texts:
        raise RecordingUnreadable(f"{path} is empty: the app was never open while it was recorded")
    try:
        head = Head.model_validate_json(texts[0])
    except ValidationError:
        raise RecordingUnreadable(f"{path} is no recording of version {VERSION}") from None
    whole = [text for text in texts[1:] if text.endswith("\n")]
    return Recording(head=head, lines=tuple(_read_lines(path, whole)))


def _read_lines(path: Path, texts: list[str]) -> Iterator[Line]:
    for number, text in enumerate(texts, start=2):
        try:
            yield parse_line(text)
        except ValidationError:
            raise RecordingUnreadable(f"{path}:{number} is no line of a recording") from None


def subject_of(line: Line) -> str:
    """What an event is about (the call, the element, the route), in words that are the same in every language."""
    match line:
        case FromAppLine(message=message) | ToAppLine(message=message):
            return _message(message)
        case InputLine(event=event):
            shown = event.get("value") if event.get("type") == "input" else event.get("key")
            words = (event.get("type"), event.get("label"), shown)
            return " · ".join(str(each) for each in words if each)
        case RouteLine(route=words) | FetchFailedLine(message=words):
            return words
        case SocketMessageLine(text=str(words)) | SocketClosedLine(reason=words):
            return words
        case FetchOpenedLine(status=number) | TimerLine(id=number):
            return str(number)
        case _:
            return ""


def _message(message: JsonValue) -> str:
    if not isinstance(message, dict):
        return ""
    payload = message.get("payload")
    call = cast("dict[str, JsonValue]", payload) if isinstance(payload, dict) else {}
    if "capability" in call and "method" in call:
        return f"{call['capability']}.{call['method']}"
    return str(message.get("type", ""))
