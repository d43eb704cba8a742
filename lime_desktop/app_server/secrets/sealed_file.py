"""The fallback where no keyring runs: one encrypted file, and its key beside it for this user only.

It keeps secrets out of backups, searches and shared screens. It does not keep them from a program that runs as the same
user; only a keyring can ask the person first, which is why `doctor` says which of the two is in use.
"""

import base64
import os
import stat
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import Field, ValidationError

from lime_desktop.app_server.folder_sync import sync_folder
from lime_desktop.database.failures import catalogued
from lime_desktop.protocol.errors import DatabaseDamaged, HostActionFailed
from lime_desktop.protocol.wire import WireModel

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

FILE_NAME = "secrets.sealed"
KEY_NAME = "secrets.key"

_NONCE_BYTES = 12
_KEY_BYTES = 32


class _Sealed(WireModel):
    """The file's content: what lies under each id is a nonce and a ciphertext."""

    version: Literal[1] = 1
    entries: dict[str, str] = Field(default_factory=dict)


class SealedFile:
    """Values in a file of ours. Each is bound to its id, so that two cannot be exchanged."""

    name: Literal["sealed-file"] = "sealed-file"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        # Read, changed and written whole; two writers would lose one change.
        self._changing = threading.Lock()

    def write(self, secret_id: str, value: str) -> None:
        """Keep a value; it is on disk when this returns."""
        with self._changing:
            nonce = os.urandom(_NONCE_BYTES)
            body = nonce + self._cipher().encrypt(nonce, value.encode(), secret_id.encode())
            entries = {**self._entries(), secret_id: base64.b64encode(body).decode("ascii")}
            self._keep(entries)

    def read(self, secret_id: str) -> str | None:
        """The value, if it is there and was sealed with our key."""
        with self._changing:
            sealed = self._entries().get(secret_id)
            if sealed is None:
                return None
            body = base64.b64decode(sealed)
            # Loaded with the first secret: most starts open none.
            from cryptography.exceptions import InvalidTag  # noqa: PLC0415

            try:
                opened = self._cipher().decrypt(
                    body[:_NONCE_BYTES], body[_NONCE_BYTES:], secret_id.encode()
                )
            except InvalidTag:
                raise DatabaseDamaged("The sealed file and its key do not fit") from None
            return opened.decode()

    def delete(self, secret_id: str) -> None:
        """Forget a value."""
        with self._changing:
            entries = self._entries()
            if entries.pop(secret_id, None) is not None:
                self._keep(entries)

    def _entries(self) -> dict[str, str]:
        try:
            body = (self._folder / FILE_NAME).read_bytes()
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise catalogued(error) from error
        try:
            return dict(_Sealed.model_validate_json(body).entries)
        except ValidationError:
            raise DatabaseDamaged("The sealed file cannot be read") from None

    def _keep(self, entries: dict[str, str]) -> None:
        _write_private(self._folder / FILE_NAME, _Sealed(entries=entries).to_json().encode())

    def _cipher(self) -> "ChaCha20Poly1305":
        from cryptography.hazmat.primitives.ciphers.aead import (  # noqa: PLC0415 - likewise
            ChaCha20Poly1305,
        )

        path = self._folder / KEY_NAME
        try:
            _refuse_open_to_others(path)
            key = path.read_bytes()
        except FileNotFoundError:
            key = ChaCha20Poly1305.generate_key()
            _write_private(path, key)
        if len(key) != _KEY_BYTES:
            raise DatabaseDamaged("The key of the sealed file cannot be read")
        return ChaCha20Poly1305(key)


def _refuse_open_to_others(path: Path) -> None:
    if os.name != "nt" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise HostActionFailed("The key of the sealed file can be read by other users: run doctor")


def _write_private(path: Path, body: bytes) -> None:
    fresh = path.with_name(f"{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh.unlink(missing_ok=True)
        # Private from its first byte: a mode set afterwards would come too late.
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise catalogued(error) from error
