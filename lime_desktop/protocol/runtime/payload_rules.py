"""What no payload may hold: names that look like keys, and bodies that belong in a store.

Values are never inspected and never repeated: a finding names a path.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import msgspec
from pydantic import JsonValue

MAX_PAYLOAD_CHARACTERS = 32_000
"""The ceiling of one serialised payload; longer content goes to the output store, by reference."""

INLINE_OUTPUT_CHARACTERS = 8_000
"""Output up to this length may stay in its event; beyond it a preview and a reference remain."""

PREVIEW_CHARACTERS = 1_200
"""How much of spilled output its event still shows."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SECRET_WORDS = frozenset(
    [
        "secret",
        "secrets",
        "password",
        "passwords",
        "passwd",
        "passphrase",
        "authorization",
        "credential",
        "credentials",
        "bearer",
        "cookie",
        "cookies",
        "jwt",
        "apikey",
        "privatekey",
        "accesskey",
        "secretkey",
        "apikeys",
    ]
)
_KEY_OWNERS = frozenset(
    [
        "api",
        "private",
        "access",
        "secret",
        "signing",
        "encryption",
        "ssh",
        "provider",
        "client",
        "account",
        "subscription",
    ]
)
# `tokenCount` and `inputTokens` are amounts; `accessToken` is a secret. `resumeTokenRef` is the
# one reference the channel contract names.
_AMOUNT_WORDS = frozenset(
    ["count", "counts", "usage", "budget", "limit", "limits", "window", "rate", "cost", "total"]
)
_ALLOWED_NAMES = frozenset({"resumeTokenRef", "resume_token_ref"})


@lru_cache(maxsize=4096)
def is_key_like(name: str) -> bool:
    """Say whether a field of this name could hold a secret."""
    if name in _ALLOWED_NAMES:
        return False
    words = [word.lower() for word in _WORD.findall(name)]
    following = [*words[1:], ""]
    return any(_is_secret(word, then) for word, then in zip(words, following, strict=True))


def _is_secret(word: str, following: str) -> bool:
    if word == "token":
        return following not in _AMOUNT_WORDS
    return word in _SECRET_WORDS or (word in _KEY_OWNERS and following in {"key", "keys"})


def key_like_paths(value: JsonValue, path: str = "") -> Iterator[str]:
    """Name every field, at any depth, that looks like a key, e.g. ``options.headers[0].apiKey``."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            here = f"{path}.{name}" if path else name
            if is_key_like(name):
                yield here
            else:
                yield from key_like_paths(inner, here)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for index, inner in enumerate(value):
            if isinstance(inner, Mapping | list):
                yield from key_like_paths(inner, f"{path}[{index}]")


def is_oversized(payload: Mapping[str, JsonValue]) -> bool:
    """Say whether the payload, serialised, is longer than one event may carry."""
    text = msgspec.json.encode(payload)
    # UTF-8 never has fewer bytes than characters, so most payloads are never decoded.
    return len(text) > MAX_PAYLOAD_CHARACTERS and len(text.decode()) > MAX_PAYLOAD_CHARACTERS
