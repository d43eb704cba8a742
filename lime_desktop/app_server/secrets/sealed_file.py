"""The fallback where no keyring runs: one encrypted file, and its key beside it for this user only.

It keeps secrets out of backups, searches and shared screens. It does not keep them from a program that runs as the same
user; only a keyring can ask the person first, which is why `doctor` says which of the two is in use.
"""

import base64
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import Field, ValidationError

from lime_desktop.durable_files.changing import change_file, read_file
from lime_desktop.durable_files.failures import catalogued_file_error
from lime_desktop.durable_files.writing import write_durably
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
    """Values in a file of ours, which command line and App Server both write. Each value is bound to its id, so that
    two cannot be exchanged.
    """

    name: Literal["sealed-file"] = "sealed-file"

    def __init__(self, folder: Path) -> None:
        self._file = folder / FILE_NAME
        self._key_file = folder / KEY_NAME

    def write(self, secret_id: str, value: str) -> None:
        """Keep a value; it is on disk when this returns."""

        def sealed(body: bytes | None) -> tuple[bytes, None]:
            entries = _entries(body)
            # Made while the file is held: a second key would make the values of the first unreadable.
            cipher = _cipher(self._read_key() or self._new_key(entries))
            nonce = os.urandom(_NONCE_BYTES)
            sealed = nonce + cipher.encrypt(nonce, value.encode(), secret_id.encode())
            entries[secret_id] = base64.b64encode(sealed).decode("ascii")
            return _written(entries), None

        change_file(self._file, sealed, is_private=True)

    def read(self, secret_id: str) -> str | None:
        """The value, if it is there and was sealed with our key."""
        sealed = _entries(read_file(self._file)).get(secret_id)
        if sealed is None:
            return None
        key = self._read_key()
        if key is None:
            raise _key_is_gone()
        body = base64.b64decode(sealed)
        # Loaded with the first secret: most starts open none.
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415

        try:
            opened = _cipher(key).decrypt(
                body[:_NONCE_BYTES], body[_NONCE_BYTES:], secret_id.encode()
            )
        except InvalidTag:
            raise DatabaseDamaged("The sealed file and its key do not fit") from None
        return opened.decode()

    def delete(self, secret_id: str) -> None:
        """Forget a value."""

        def without(body: bytes | None) -> tuple[bytes | None, None]:
            entries = _entries(body)
            is_there = entries.pop(secret_id, None) is not None
            return (_written(entries) if is_there else None), None

        change_file(self._file, without, is_private=True)

    def _read_key(self) -> bytes | None:
        try:
            _refuse_open_to_others(self._key_file)
            key = self._key_file.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise catalogued_file_error(error) from error
        if len(key) != _KEY_BYTES:
            raise DatabaseDamaged("The key of the sealed file cannot be read")
        return key

    def _new_key(self, entries: Mapping[str, str]) -> bytes:
        if entries:
            # What is there could never be opened again beside what comes now.
            raise _key_is_gone()
        key = os.urandom(_KEY_BYTES)
        write_durably(self._key_file, key, is_private=True)
        return key


def _entries(body: bytes | None) -> dict[str, str]:
    if body is None:
        return {}
    try:
        return dict(_Sealed.model_validate_json(body).entries)
    except ValidationError:
        raise DatabaseDamaged("The sealed file cannot be read") from None


def _written(entries: dict[str, str]) -> bytes:
    return _Sealed(entries=entries).to_json().encode()


def _cipher(key: bytes) -> "ChaCha20Poly1305":
    from cryptography.hazmat.primitives.ciphers.aead import (  # noqa: PLC0415 - likewise
        ChaCha20Poly1305,
    )

    return ChaCha20Poly1305(key)


def _key_is_gone() -> DatabaseDamaged:
    return DatabaseDamaged(
        f"{KEY_NAME}, the key of the sealed file, is gone. Bring it back, or remove {FILE_NAME} and enter the secrets again."
    )


def _refuse_open_to_others(path: Path) -> None:
    if os.name != "nt" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise HostActionFailed("The key of the sealed file can be read by other users: run doctor")
