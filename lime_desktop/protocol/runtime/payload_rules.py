"""What no payload may hold: names that look like keys, and bodies that belong in a store.

Values are never inspected and never repeated: a finding names a path.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from unicodedata import normalize

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
    ]
)
# For names written in one run, such as `accesstoken`.
_SECRET_ENDINGS = ("secret", "password", "token", "apikey", "accesskey", "privatekey", "secretkey")
_SECRET_CHINESE = ("密码", "密钥", "口令", "令牌")
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
    # Other forms of the same letters are the same name to whoever reads it.
    words = [word.lower() for word in _WORD.findall(normalize("NFKC", name))]
    if "".join(words) in _SECRET_WORDS:
        return True
    return any(_is_secret(word, then) for word, then in pairwise([*words, ""])) or any(
        word in name for word in _SECRET_CHINESE
    )


def _is_secret(word: str, following: str) -> bool:
    if word.endswith(_SECRET_ENDINGS):
        return following not in _AMOUNT_WORDS
    return word in _SECRET_WORDS or (word in _KEY_OWNERS and following in {"key", "keys"})


def without_keys(value: JsonValue) -> JsonValue:
    """The same value without the fields that could hold a secret."""
    if isinstance(value, Mapping):
        return {name: without_keys(part) for name, part in value.items() if not is_key_like(name)}
    if isinstance(value, list):
        return [without_keys(part) for part in value]
    return value


def key_like_paths(value: JsonValue) -> Iterator[str]:
    """Name every field, at any depth, that looks like a key, e.g. ``options.headers[0].apiKey``."""
    # A stack and not recursion: the depth is whatever a stranger sent.
    waiting: list[tuple[str, JsonValue]] = [("", value)]
    while waiting:
        path, here = waiting.pop()
        if isinstance(here, Mapping):
            prefix = f"{path}." if path else ""
            yield from (prefix + name for name in here if is_key_like(name))
            inner = [(prefix + name, part) for name, part in here.items() if not is_key_like(name)]
        elif isinstance(here, list):
            inner = [(f"{path}[{index}]", part) for index, part in enumerate(here)]
        else:
            continue
        waiting.extend(pair for pair in reversed(inner) if isinstance(pair[1], Mapping | list))


def is_oversized(payload: Mapping[str, JsonValue]) -> bool:
    """Say whether the payload, serialised, is longer than one event may carry."""
    text = msgspec.json.encode(payload)
    # UTF-8 never has fewer bytes than characters, so most payloads are never decoded.
    return len(text) > MAX_PAYLOAD_CHARACTERS and len(text.decode()) > MAX_PAYLOAD_CHARACTERS
