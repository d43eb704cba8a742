"""Does a value look like a credential? In an overlay only a reference such as ``secret:crm_token`` may stand for one.

Stricter than the scan of packages: a wrong refusal here costs a person one renamed key, a wrong pass writes a secret into a
settings file that is copied, shown and synchronised.
"""

import re
from collections.abc import Mapping
from typing import cast

from pydantic import JsonValue

from lime_desktop.app_package.credentials import PATTERNS

SECRET_REF = re.compile(r"secret:[A-Za-z0-9][A-Za-z0-9_.:/-]{0,127}")
# At the end of a name: `maxTokens` and `tokenLimit` count tokens, `accessToken` is one.
_SECRET_NAME = re.compile(
    r"(passwords?|passwd|passphrase|secrets?|token|(access|api|auth|bearer|refresh)tokens|credentials?|cookie|authorization"
    r"|(api|access|private|secret|signing)keys?)$"
)
_HEADER = re.compile(r"\s*(bearer|basic)\s+\S", re.IGNORECASE)
_LONG_RUN = re.compile(r"[A-Za-z0-9+/_=-]{32,}")
_HASH = re.compile(r"sha(256|512):[0-9a-f]+")


def is_secret_ref(value: JsonValue) -> bool:
    """Tell whether a value only points at a secret."""
    return isinstance(value, str) and SECRET_REF.fullmatch(value) is not None


def holds_secret(key: str, value: JsonValue) -> bool:
    """Tell whether a value, or anything inside it, looks like a credential in plain text."""
    if value is None or isinstance(value, bool) or is_secret_ref(value):
        return False
    if isinstance(value, Mapping):
        inner = cast("Mapping[str, JsonValue]", value)
        return any(looks_secret(name) or holds_secret(name, each) for name, each in inner.items())
    if isinstance(value, list):
        return any(holds_secret(key, each) for each in value)
    return names_secret(key) or (isinstance(value, str) and looks_secret(value))


def looks_secret(text: str) -> bool:
    """Tell whether a text looks like a credential, whatever it is called."""
    raw = text.encode("utf-8", "surrogatepass")
    return (
        any(known.pattern.search(raw) for known in PATTERNS)
        or _HEADER.match(text) is not None
        or (_HASH.fullmatch(text) is None and any(map(_is_random, _LONG_RUN.findall(text))))
    )


def names_secret(key: str) -> bool:
    """Tell whether a name is one that credentials go by."""
    # The last part names the value; what comes before it may well be a tool called "token-counter".
    last = key.rpartition(".")[2]
    return _SECRET_NAME.search(re.sub(r"[^A-Za-z0-9]", "", last).lower()) is not None


def _is_random(run: str) -> bool:
    has_case = any(c.isupper() for c in run) and any(c.islower() for c in run)
    has_digit = any(c.isdigit() for c in run)
    # Words joined by hyphens are names of models and packs; a secret has no such joints.
    longest_word = max(len(word) for word in re.split(r"[-_/=]", run))
    return has_digit and longest_word >= 24 and (has_case or len(set(run)) >= 10)
