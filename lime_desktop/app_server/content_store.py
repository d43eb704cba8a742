"""Bodies too large for an event: one file per content, named by its hash, checked whenever it is read.

Knows bytes, not what they mean. A file is complete and on disk before anybody learns its name, so a
fact that refers to it can never be ahead of it.
"""

import hashlib
from pathlib import Path

from lime_desktop.database.failures import catalogued
from lime_desktop.durable_files.writing import write_durably
from lime_desktop.protocol.errors import ArtifactNotFound, DatabaseDamaged

SCHEME = "sidecar://"


class ContentStore:
    """Put bytes, get a reference; give the reference, get the same bytes or an error."""

    def __init__(self, folder: Path):
        self._folder = folder

    def put(self, kind: str, body: bytes) -> str:
        """Keep `body` and return its reference, ``sidecar://<kind>/<sha256>``. Blocks until it is on disk."""
        digest = hashlib.sha256(body).hexdigest()
        path = self._path(digest)
        try:
            if not _holds(path, body):
                write_durably(path, body)
        except OSError as error:
            raise catalogued(error) from error
        return f"{SCHEME}{kind}/{digest}"

    def read(self, reference: str) -> bytes:
        """The bytes behind a reference. Blocks."""
        digest = digest_of(reference)
        try:
            body = self._path(digest).read_bytes()
        except FileNotFoundError:
            raise ArtifactNotFound("This content is not in the store.") from None
        if hashlib.sha256(body).hexdigest() != digest:
            raise DatabaseDamaged("The stored content does not match its name.")
        return body

    def _path(self, digest: str) -> Path:
        return self._folder / digest[:2] / digest


def digest_of(reference: str) -> str:
    """The hash in a reference; anything that is not a reference of ours is refused, never opened."""
    digest = reference.rpartition("/")[2]
    is_ours = reference.startswith(SCHEME) and len(digest) == 64
    if not is_ours or not all(character in "0123456789abcdef" for character in digest):
        raise ArtifactNotFound("This is not a reference to stored content.")
    return digest


def _holds(path: Path, body: bytes) -> bool:
    # Compared whole: a damaged file would fail every later reader of what is at hand right now.
    try:
        return path.read_bytes() == body
    except FileNotFoundError:
        return False
