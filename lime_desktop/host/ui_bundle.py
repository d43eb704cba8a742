"""What does the app's origin answer to this request? Knows files and headers; knows no web engine.

The bundle stands at the root of its own origin. A path that names no file and has no ending is a route of the app, so
it gets the index page. `/__lime__/` is the host's: the outer frame and the SDK, the same for every app.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import unquote

from lime_desktop.host.content_policy import response_headers
from lime_desktop.host.inline_scripts import mark_scripts
from lime_desktop.host.media_types import HTML, media_type

HOST_PREFIX = "/__lime__/"
FRAME_PATH = f"{HOST_PREFIX}frame.html"
_INDEX = "index.html"
_RANGE = re.compile(r"bytes=(\d*)-(\d*)\Z")


class BundleFiles(Protocol):
    """Where the bytes come from; a package tree has this shape."""

    @property
    def files(self) -> Mapping[str, object]:
        """Every path there is."""
        ...

    def read(self, path: str) -> bytes:
        """The bytes of one of them."""
        ...


@dataclass(frozen=True, slots=True)
class Answer:
    """One response, complete."""

    status: int
    media_type: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class UiBundle:
    """An app's own files and the host's few, behind one set of headers."""

    files: BundleFiles
    root: str
    """Folder of the bundle inside the package, without a slash at its end, such as `dist/ui`."""
    host_files: Mapping[str, bytes]
    """The host's files by their name below `/__lime__/`."""
    granted_domains: frozenset[str] = frozenset()

    def answer(self, url_path: str, byte_range: str | None = None) -> Answer:
        """Answer a GET for a path as it stands in the URL, still escaped."""
        path = unquote(url_path, errors="replace")
        if path.startswith(HOST_PREFIX):
            return self._answer_host(path.removeprefix(HOST_PREFIX))
        found = self._find(path)
        if found is None:
            return self._missing()
        try:
            body = self.files.read(found)
        except OSError:
            return self._missing()
        return self._page(found, body) if _is_html(found) else self._file(found, body, byte_range)

    def _find(self, path: str) -> str | None:
        """The package file for a path, or the index page for a route of the app."""
        parts = [part for part in path.split("/") if part]
        if any(part in {".", ".."} or "\\" in part or "\0" in part for part in parts):
            return None
        candidates = ["/".join((self.root, *parts))]
        is_route = not parts or "." not in parts[-1]
        if is_route:
            candidates += ["/".join((self.root, *parts, _INDEX)), f"{self.root}/{_INDEX}"]
        return next((name for name in candidates if name in self.files.files), None)

    def _answer_host(self, name: str) -> Answer:
        body = self.host_files.get(name)
        if body is None:
            return self._missing()
        return self._page(name, body) if _is_html(name) else self._file(name, body, None)

    def _page(self, name: str, body: bytes) -> Answer:
        marked, nonce = mark_scripts(body)
        return Answer(200, media_type(name), response_headers(self.granted_domains, nonce), marked)

    def _file(self, name: str, body: bytes, byte_range: str | None) -> Answer:
        headers = response_headers(self.granted_domains) | {"Accept-Ranges": "bytes"}
        if byte_range is None:
            return Answer(200, media_type(name), headers, body)
        span = _span(byte_range, len(body))
        if span is None:
            return Answer(
                416, "text/plain", headers | {"Content-Range": f"bytes */{len(body)}"}, b""
            )
        first, last = span
        headers |= {"Content-Range": f"bytes {first}-{last}/{len(body)}"}
        return Answer(206, media_type(name), headers, body[first : last + 1])

    def _missing(self) -> Answer:
        headers = response_headers(self.granted_domains)
        return Answer(404, "text/plain", headers, b"This file is not part of the app.")


def _is_html(path: str) -> bool:
    return media_type(path) == HTML


def _span(byte_range: str, length: int) -> tuple[int, int] | None:
    """First and last byte of a single range, or None if it cannot be met."""
    match = _RANGE.match(byte_range.strip())
    if match is None or match.groups() == ("", ""):
        return None
    start, end = match.groups()
    if not start:
        first, last = max(0, length - int(end)), length - 1
    else:
        first, last = int(start), min(int(end), length - 1) if end else length - 1
    return (first, last) if first <= last else None
