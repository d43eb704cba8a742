"""A publisher's public key, as it is written in trust and signature files.

``ed25519:`` and the 32 bytes of the key in base64. That text is the key itself, not a fingerprint of it: what
a trust file lists is what a signature is checked with.
"""

import base64
import binascii
from dataclasses import dataclass

_PREFIX = "ed25519:"


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A key that checks signatures."""

    raw: bytes

    @property
    def text(self) -> str:
        """The key as it is written."""
        return _PREFIX + base64.b64encode(self.raw).decode("ascii")


def parse_public_key(text: str) -> PublicKey | None:
    """Read `ed25519:<base64>`, or nothing if it is not that."""
    raw = decode_base64(text.removeprefix(_PREFIX)) if text.startswith(_PREFIX) else None
    return PublicKey(raw) if raw is not None and len(raw) == 32 else None


def decode_base64(text: str) -> bytes | None:
    """Read base64 in its one canonical spelling."""
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return raw if base64.b64encode(raw).decode("ascii") == text else None
