"""What an app may keep: JSON of a bounded size, and no credentials. Knows no file."""

import json

from pydantic import JsonValue

from lime_desktop.protocol.errors import CredentialRefused, InvalidInput, StorageQuotaExceeded
from lime_desktop.protocol.runtime.payload_rules import is_key_like, key_like_paths

MAX_VALUE_BYTES = 512 * 1024
"""Larger bodies are files or artifacts."""

QUOTA_BYTES = 64 * 1024 * 1024
"""What one app may keep, with keys and provenance."""

_MAX_NAMED_FIELDS = 20


def checked_key(key: str) -> str:
    """Give a key back that may be used.

    Raises:
        InvalidInput: it is not text that can be stored.
        CredentialRefused: it is called like a secret; secrets have a place of their own.
    """
    try:
        key.encode()
    except UnicodeEncodeError:
        raise InvalidInput.at_fields([("key", "string_unicode")]) from None
    if is_key_like(key):
        raise CredentialRefused("A key of this name would hold a credential")
    return key


def checked_value(value: JsonValue) -> str:
    """Give the JSON text of a value in its one form: compact, in the order the app wrote it.

    Raises:
        InvalidInput: it cannot be written as JSON.
        StorageQuotaExceeded: it is larger than one value may be.
        CredentialRefused: it holds what looks like a credential.
    """
    canonical, body = _write(value)
    if len(body) > MAX_VALUE_BYTES:
        raise StorageQuotaExceeded(
            f"A value has at most {MAX_VALUE_BYTES} bytes",
            details={"neededBytes": len(body), "limitBytes": MAX_VALUE_BYTES},
        )
    _refuse_credentials(value, body)
    return canonical


def _write(value: JsonValue) -> tuple[str, bytes]:
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        # Half a character pair is legal in JSON and in no text that can be stored.
        return text, text.encode()
    except (ValueError, RecursionError):
        raise InvalidInput.at_fields([("value", "json_invalid")]) from None


def _refuse_credentials(value: JsonValue, body: bytes) -> None:
    if fields := list(key_like_paths(value)):
        named = [f"value.{path}" for path in fields[:_MAX_NAMED_FIELDS]]
        raise CredentialRefused(
            "A field of the value is called like a secret", details={"fields": named}
        )
    # Imported here: its patterns are many, and a server that stores nothing should not pay for them.
    from lime_desktop.app_package.credentials import scan  # noqa: PLC0415

    if scan("value", body):
        raise CredentialRefused("The value holds what looks like a credential")
