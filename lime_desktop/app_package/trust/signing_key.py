"""Ed25519 keys at work: making them, keeping them, signing, checking.

For teams that sign without the internet. A private key is a PEM file (PKCS 8) that only its owner may read,
locked by a passphrase if one was given. Imported only when a key is used: loading cryptography takes time.
"""

import base64
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from lime_desktop.app_package.problem_kinds import trust
from lime_desktop.app_package.problems import Problem
from lime_desktop.app_package.trust.publisher_key import PublicKey

_MAX_KEY_FILE_BYTES = 64 * 1024


def is_signature_of(key: PublicKey, data: bytes, signature: bytes) -> bool:
    """Whether the key's owner signed exactly these bytes."""
    try:
        Ed25519PublicKey.from_public_bytes(key.raw).verify(signature, data)
    except (InvalidSignature, ValueError):
        return False
    return True


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A publisher's private key, in memory. Never printed: it has no fields that a repr would show."""

    _key: Ed25519PrivateKey

    def __repr__(self) -> str:
        return "SigningKey(***)"

    @property
    def public_key(self) -> PublicKey:
        """The half that others may know."""
        return PublicKey(self._key.public_key().public_bytes_raw())

    def sign(self, data: bytes) -> str:
        """Sign bytes; the signature in base64."""
        return base64.b64encode(self._key.sign(data)).decode("ascii")


def create_key(path: Path, passphrase: bytes | None) -> PublicKey | Problem:
    """Make a key in a new file that only its owner may read."""
    key = Ed25519PrivateKey.generate()
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(passphrase)
        if passphrase
        else serialization.NoEncryption(),
    )
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        descriptor = os.open(path, flags, 0o600)
    except FileExistsError:
        return trust.KEY_FILE_EXISTS.found(f"{path} already exists.")
    except OSError as error:
        return trust.SIGNING_FAILED.found(f"{path} could not be made: {error.strerror}.")
    with os.fdopen(descriptor, "wb") as file:
        file.write(pem)
    return SigningKey(key).public_key


def load_key(path: Path, passphrase: bytes | None) -> SigningKey | Problem:
    """Read a private key that nobody else may read."""
    pem = read_private_file(path)
    return pem if isinstance(pem, Problem) else _parse_key(pem, passphrase, path)


def read_private_file(path: Path) -> bytes | Problem:
    """Read a key or a passphrase, if the file is its owner's alone."""
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            data = file.read(_MAX_KEY_FILE_BYTES)
    except OSError as error:
        return trust.KEY_FILE_INVALID.found(f"{path} could not be read: {error.strerror}.")
    # Windows keeps access rights elsewhere, and gives a user's own files to that user alone.
    if os.name != "nt" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        return trust.KEY_FILE_READABLE_BY_OTHERS.found(f"Others may use {path}.")
    return data


def _parse_key(pem: bytes, passphrase: bytes | None, path: Path) -> SigningKey | Problem:
    is_locked = b"ENCRYPTED" in pem
    if is_locked and not passphrase:
        return trust.KEY_PASSPHRASE_WRONG.found(f"{path} is locked by a passphrase.")
    try:
        key = serialization.load_pem_private_key(pem, passphrase if is_locked else None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        if is_locked:
            return trust.KEY_PASSPHRASE_WRONG.found(f"The passphrase does not open {path}.")
        return trust.KEY_FILE_INVALID.found(f"{path} holds no private key.")
    if not isinstance(key, Ed25519PrivateKey):
        return trust.KEY_FILE_INVALID.found(f"{path} holds a key of another kind than Ed25519.")
    return SigningKey(key)
