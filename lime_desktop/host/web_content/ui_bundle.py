"""What does the app's origin answer to this request? Knows files and headers; knows no web engine.

The bundle stands at the root of its own origin. A path that names no file and has no ending is a route of the app: who
opens it as a page gets the index page, who fetches it gets a failure. `/__lime__/` is the host's: the outer frame and the SDK, the same for every app.

Ranges are cut by the engine, out of the whole body; here is only seen whether one can be met. One that cannot must never
reach the engine together with a body: it crashes on it, and the whole program with it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote

from lime_desktop.host.web_content.content_policy import mark_scripts, response_headers
from lime_desktop.host.web_content.media_types import HTML, media_type
from lime_desktop.host.web_content.sdk_import import with_sdk_map
from lime_desktop.policy.domain_grants import NO_DOMAINS, DomainGrants

HOST_PREFIX = "/__lime__/"
FRAME_PATH = f"{HOST_PREFIX}frame.html"
_INDEX = "index.html"
_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})\Z", re.ASCII)
_MISSING = b"This file is not part of the app."
_SERVED_FOLDERS = ("sdk", "fonts")
"""Apps import the SDK from `/__lime__/sdk/`, whatever version of the host they meet, and find the fonts that the theme
names in `/__lime__/fonts/fonts.css`."""


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
    """One response, complete. It has no status: the engine sets 206 for a range it cuts, and 200 otherwise."""

    media_type: str
    headers: Mapping[str, str]
    body: bytes
    is_missing: bool = False
    """Whether the body only says that there is no such file."""


@dataclass(frozen=True, slots=True)
class PageRequest:
    """What a page asks its origin for."""

    target: str
    """Path and query as they stand in the URL, still escaped."""
    accept: str = "*/*"
    byte_range: str | None = None


@dataclass(frozen=True, slots=True)
class UiBundle:
    """An app's own files and the host's few, behind one set of headers."""

    files: BundleFiles
    root: str
    """Folder of the bundle inside the package, without a slash at its end, such as `dist/ui`."""
    host_files: Mapping[str, bytes]
    """The host's files by their name below `/__lime__/`."""
    grants: DomainGrants = NO_DOMAINS
    """The hosts that its pages may reach."""
    sockets: tuple[str, ...] = ()
    """Sources such as `ws://localhost:5173` that tell pages what changed; only while an app is worked on."""
    tried_sockets: tuple[str, ...] = ()
    """Sources that pages look for those at first. Left to the guard to refuse: a page hears nothing of what its policy
    refuses, and would never look further."""

    def answer(
        self, url_path: str, byte_range: str | None = None, *, is_navigation: bool = True
    ) -> Answer:
        """Answer a GET for a path as it stands in the URL, still escaped.

        Only what opens a page may mean a route; a script that asks for a path means a file.
        """
        path = unquote(url_path, errors="replace")
        if path.startswith(HOST_PREFIX):
            name = path.removeprefix(HOST_PREFIX)
            body = self.host_files.get(name)
        else:
            name = self._find(path, is_navigation=is_navigation)
            body = None if name is None else self._read(name)
        if name is None or body is None:
            return self.missing(byte_range)
        if _is_html(name):
            marked, nonce = mark_scripts(with_sdk_map(body))
            return self.answer_with(media_type(name), marked, byte_range, nonce)
        return self.answer_with(media_type(name), body, byte_range)

    def is_page(self, url_path: str, *, is_navigation: bool = True) -> bool:
        """Whether a path leads to a page of the bundle, whose scripts have to be looked for."""
        path = unquote(url_path, errors="replace")
        if path.startswith(HOST_PREFIX):
            return False
        name = self._find(path, is_navigation=is_navigation)
        return name is not None and _is_html(name)

    def answer_with(
        self, kind: str, body: bytes, byte_range: str | None = None, script_source: str = ""
    ) -> Answer:
        """Answer with these bytes, behind the headers that guard every answer."""
        headers = self.headers(script_source) | {"Accept-Ranges": "bytes"}
        if byte_range is None:
            return Answer(kind, headers, body)
        cut = _for_engine(byte_range, body)
        if cut is None:
            return Answer(kind, headers | {"Content-Range": f"bytes */{len(body)}"}, b"")
        return Answer(kind, headers, cut)

    def headers(self, script_source: str = "") -> dict[str, str]:
        """What guards every answer of this origin."""
        sockets = (*self.sockets, *self.tried_sockets)
        return response_headers(self.grants, script_source, sockets)

    def _find(self, path: str, *, is_navigation: bool) -> str | None:
        """The package file for a path, or the index page for a route of the app that is opened."""
        parts = [part for part in path.split("/") if part]
        if any(part in {".", ".."} or "\\" in part or "\0" in part for part in parts):
            return None
        candidates = ["/".join((self.root, *parts))]
        is_route = not parts or "." not in parts[-1]
        if is_route and is_navigation:
            candidates += ["/".join((self.root, *parts, _INDEX)), f"{self.root}/{_INDEX}"]
        return next((name for name in candidates if name in self.files.files), None)

    def _read(self, path: str) -> bytes | None:
        try:
            return self.files.read(path)
        except OSError:
            return None

    def missing(self, byte_range: str | None) -> Answer:
        """Say that there is no such file."""
        return replace(self.answer_with("text/plain", _MISSING, byte_range), is_missing=True)


def _is_html(path: str) -> bool:
    return media_type(path) == HTML


def _for_engine(byte_range: str, body: bytes) -> bytes | None:
    """The body out of which the engine cuts a single range, or None if there is nothing to cut."""
    match = _RANGE.match(byte_range.strip())
    if match is None:
        return None
    start, end = match.groups()
    if not start:
        # The engine takes the first bytes where the last are asked for, so it gets these alone.
        return body[-int(end) :] if end and int(end) > 0 and body else None
    is_met = int(start) < len(body) and (not end or int(start) <= int(end))
    return body if is_met else None


@lru_cache(maxsize=4)
def host_files(resources: Path) -> Mapping[str, bytes]:
    """The host's files by their name below `/__lime__/`."""
    served = {
        path.relative_to(resources).as_posix(): path.read_bytes()
        for folder in _SERVED_FOLDERS
        for path in sorted((resources / folder).rglob("*"))
        if path.is_file()
    }
    return {"frame.html": (resources / "view/frame.html").read_bytes(), **served}
