"""Writes a recording while a view is used: what the bridge tells and what the page's own script marks, in one order."""

import base64
import hashlib
import json
import secrets
from collections import deque
from collections.abc import Callable
from typing import cast

from pydantic import JsonValue

from lime_desktop import __version__
from lime_desktop.developer.recording.lines import (
    BodyLine,
    FetchPieceLine,
    FromAppLine,
    Head,
    Line,
    LoadLine,
    RouteLine,
    ToAppLine,
    parse_line,
    write_line,
)
from lime_desktop.developer.redaction import redact, redact_message, redact_words
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.bridge.timeline import Record
from lime_desktop.host.web_content.ui_bundle import UiBundle
from lime_desktop.protocol.ids import JsonObject

_KEPT_UNDER_WAY = 2_000
"""So many messages may be on their way to a page; older ones never reached it."""


class Recorder:
    """One recording, from its head to its end."""

    def __init__(self, head: Head, write: Callable[[str], object]) -> None:
        self._write = write
        self._told: deque[JsonObject] = deque(maxlen=_KEPT_UNDER_WAY)
        """What was sent to the page and has not reached it yet."""
        self._bodies: set[str] = set()
        write(write_line(head))

    def hear_message(self, record: Record, text: str) -> None:
        """Take a message as the bridge tells of it."""
        if not text:
            return
        message = redact_message(text)
        if record.direction == "from-app":
            self._add(FromAppLine(message=message))
        elif isinstance(message, dict):
            self._told.append(message)

    def hear_mark(self, text: str) -> None:
        """Take what the page's script says of itself."""
        mark = cast("JsonObject", json.loads(text))
        match mark.pop("mark", None):
            case "heard":
                self._place_told(mark)
            case "fetch-piece":
                self._add_piece(mark)
            case str(kind):
                self._add(parse_line(json.dumps({**_hidden(mark), "kind": kind})))
            case _:
                return

    def hear_load(self) -> None:
        """The host loads the view anew: what was under way is lost."""
        self._told.clear()
        self._add(LoadLine())

    def hear_route(self, route: str) -> None:
        """The host brings the view elsewhere."""
        self._add(RouteLine(route=route))

    def _place_told(self, mark: JsonObject) -> None:
        """A message reached the page: its line stands where the page met it."""
        names = ("type", "requestId")
        for message in self._told:
            if all(message.get(name) == mark.get(name) for name in names):
                self._told.remove(message)
                self._add(ToAppLine(at=_time(mark), message=message))
                return

    def _add_piece(self, mark: JsonObject) -> None:
        content = _redacted_bytes(base64.b64decode(str(mark["base64"])))
        digest = f"sha256:{hashlib.sha256(content).hexdigest()}"
        if digest not in self._bodies:
            self._bodies.add(digest)
            self._add(BodyLine(hash=digest, base64=base64.b64encode(content).decode()))
        self._add(FetchPieceLine(at=_time(mark), id=cast("int", mark["id"]), body=digest))

    def _add(self, line: Line) -> None:
        self._write(write_line(line))


def _hidden(mark: JsonObject) -> dict[str, JsonValue]:
    return cast("dict[str, JsonValue]", redact(dict(mark)))


def _redacted_bytes(content: bytes) -> bytes:
    try:
        return redact_words(content.decode()).encode()
    except UnicodeDecodeError:
        return content


def _time(mark: JsonObject) -> float:
    return float(cast("float", mark.get("at", 0.0)))


def head_of(
    app: RegisteredApp, entry_key: str, bundle: UiBundle, *, locale: str, timezone: str
) -> Head:
    """Describe a view that is about to be recorded: what has to be the same for a replay to be one."""
    entry = app.projection.entry(entry_key)
    return Head(
        app_id=app.app_id,
        app_version=app.package.manifest.version,
        entry_key=entry_key,
        route=entry.route if entry and entry.route else "/",
        package=str(app.path),
        package_hash=app.package.package_hash,
        bundle_hash=bundle_hash(bundle),
        granted=tuple(sorted(app.granted)),
        locale=locale,
        timezone=timezone,
        seed=secrets.randbits(31),
        host_version=__version__,
    )


def bundle_hash(bundle: UiBundle) -> str:
    """The hash of everything that an app's origin serves of its own."""
    digest = hashlib.sha256()
    for path in sorted(each for each in bundle.files.files if each.startswith(f"{bundle.root}/")):
        digest.update(path.encode() + b"\0" + hashlib.sha256(bundle.files.read(path)).digest())
    return f"sha256:{digest.hexdigest()}"
