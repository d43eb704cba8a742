"""Where updates are read from: a web server that serves a folder, or one file that somebody brought. Believes nothing of it."""

import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import httpx
from tuf.api.exceptions import DownloadHTTPError

from lime_desktop.network.hosts import is_local, parse_host
from lime_desktop.network.http import open_client
from lime_desktop.shipping.refusals import UpdateCode, UpdateRefused

_CHUNK_BYTES = 64 * 1024
_GONE = 404


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a server may take."""

    idle_s: float = 20.0
    """Until it answers, and between any two of its bytes."""
    window_s: float = 30.0
    """How often it is looked at how much has come."""
    least_bytes: int = 30_000
    """That must have come in each window: one that drips would never end."""


class Source(Protocol):
    """A published folder, wherever it lies."""

    def read(self, path: str) -> Iterator[bytes]:
        """The bytes of one of its files. How many are taken is for the reader to limit.

        Raises:
            DownloadHTTPError: there is no such file (404).
            UpdateRefused: it cannot be read.
        """
        ...

    def close(self) -> None:
        """Let go of what is open."""
        ...


class HttpSource:
    """A folder that a web server serves."""

    def __init__(self, url: str, limits: Limits | None = None) -> None:
        host = parse_host(url)
        # The vendor wrote the address into the program: one that is of the own network itself may lead there.
        self._allows_local = host is not None and is_local(host)
        if host is None or not (url.startswith("https://") or self._allows_local):
            raise UpdateRefused(UpdateCode.NO_SOURCE, "updates come from an https:// address")
        self._url = url.rstrip("/")
        self._limits = limits or Limits()
        self._client: httpx.Client | None = None

    def read(self, path: str) -> Iterator[bytes]:
        """Ask for one file, plainly: no redirect is followed and nothing is unpacked on the way."""
        url = f"{self._url}/{path}"
        plain = {"Accept-Encoding": "identity"}
        try:
            with self._opened().stream("GET", url, headers=plain) as answer:
                if answer.status_code != 200:
                    raise DownloadHTTPError(f"{answer.status_code} for {path}", answer.status_code)
                # As the bytes come: whoever waits for a whole chunk never sees that they drip.
                yield from self._watched(answer.iter_raw())
        except httpx.TimeoutException as error:
            raise UpdateRefused(UpdateCode.TOO_SLOW, f"{path} did not come in time") from error
        except (httpx.HTTPError, OSError) as error:
            raise UpdateRefused(UpdateCode.UNREACHABLE, f"{path}: {error}") from error

    def close(self) -> None:
        """Let go of the server; the next read finds it again."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def _opened(self) -> httpx.Client:
        # One for all files: making one reads every certificate that this machine trusts.
        if self._client is None:
            self._client = open_client(self._limits.idle_s, allows_local=self._allows_local)
        return self._client

    def _watched(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        since, came = time.monotonic(), 0
        for chunk in chunks:
            came += len(chunk)
            if (now := time.monotonic()) - since >= self._limits.window_s:
                if came < self._limits.least_bytes:
                    raise UpdateRefused(UpdateCode.TOO_SLOW, "the bytes come too slowly")
                since, came = now, 0
            yield chunk


class FileSource:
    """A published version in one file, for a computer without a network: `publish offline` makes it."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._archive: zipfile.ZipFile | None = None

    def read(self, path: str) -> Iterator[bytes]:
        """Read one of its members; what is signed says whether it is the right one."""
        try:
            with self._opened().open(path) as member:
                while chunk := member.read(_CHUNK_BYTES):
                    yield chunk
        except KeyError:
            raise DownloadHTTPError(f"no {path} in the file", _GONE) from None
        except (OSError, zipfile.BadZipFile, EOFError, ValueError) as error:
            raise UpdateRefused(UpdateCode.FILE_UNREADABLE, f"{path}: {error}") from error

    def close(self) -> None:
        """Let go of the file."""
        if self._archive is not None:
            self._archive.close()
            self._archive = None

    def _opened(self) -> zipfile.ZipFile:
        if self._archive is None:
            try:
                self._archive = zipfile.ZipFile(self._file)
            except (OSError, zipfile.BadZipFile) as error:
                reason = f"{self._file.name}: {error}"
                raise UpdateRefused(UpdateCode.FILE_UNREADABLE, reason) from error
        return self._archive


def read_limited(
    source: Source, path: str, most_bytes: int, is_cancelled: Callable[[], bool] = lambda: False
) -> bytes:
    """A file of at most so many bytes.

    Raises:
        UpdateRefused: it is larger, cannot be read, or is no longer wanted.
    """
    body = bytearray()
    try:
        for chunk in source.read(path):
            if is_cancelled():
                raise UpdateRefused(UpdateCode.CANCELLED, "stopped by the person")
            body += chunk
            if len(body) > most_bytes:
                raise UpdateRefused(
                    UpdateCode.TOO_LARGE, f"{path} has more than {most_bytes} bytes"
                )
    except DownloadHTTPError as error:
        raise UpdateRefused(UpdateCode.UNREACHABLE, str(error)) from error
    return bytes(body)
