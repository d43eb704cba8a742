"""Did someone leave a secret in this file? Looks at one file's name and bytes; never repeats what it found.

Two kinds of evidence. Formats that an issuer made recognisable (keys, tokens, addresses with a password) are
errors. A setting called `password`, `apiKey` and the like is a warning, if its value is neither a placeholder
nor a plain word: names of secret slots and references to them are everywhere in an honest package.
A file with NUL bytes is judged by its name alone, and only the first 2 MiB of a file are read: this catches
accidents, and nobody hides a secret from themselves.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import PurePosixPath

from lime_desktop.app_package.credential_patterns import (
    CREDENTIAL_FILE_NAMES,
    CREDENTIAL_FILE_SUFFIXES,
    PATTERNS,
    PLACEHOLDER,
    SECRET_SETTING,
    SETTING_FILE_SUFFIXES,
    TEMPLATE_SUFFIXES,
)
from lime_desktop.app_package.problem_kinds.credentials import (
    CREDENTIAL_FILE,
    PLAINTEXT_CREDENTIAL,
    POSSIBLE_CREDENTIAL,
)
from lime_desktop.app_package.problems import Place, Problem

MAX_SCANNED_BYTES = 2 * 1024 * 1024
_MAX_FINDINGS = 20
_MIN_BITS_PER_CHARACTER = 2.8
# Words joined by punctuation, as in `content_api_key` or `sigstore:app@1`; people choose passwords like `spring2026`.
_NAME = re.compile(rb"[A-Za-z]+[0-9]{0,4}(?:[-_./:@][A-Za-z0-9]{1,12})*")


def scan(path: str, data: bytes) -> tuple[Problem, ...]:
    """List the credentials that a package file seems to hold, at most one per line."""
    found: dict[int | None, Problem] = {}
    for problem in _findings(PurePosixPath(path), data[:MAX_SCANNED_BYTES]):
        found.setdefault(problem.line, problem)
        if len(found) == _MAX_FINDINGS:
            break
    return tuple(found.values())


def _findings(path: PurePosixPath, data: bytes) -> Iterator[Problem]:
    if _is_credential_file(path):
        yield CREDENTIAL_FILE.found("A file for credentials.", Place(file=str(path)))
    if b"\0" in data:
        return
    yield from _known_formats(path, data)
    if _holds_settings(path):
        yield from _secret_settings(path, data)


def _is_credential_file(path: PurePosixPath) -> bool:
    name = path.name.lower()
    is_template = name.endswith(TEMPLATE_SUFFIXES)
    is_environment = name == ".env" or (name.startswith(".env.") and not is_template)
    return (
        is_environment or name in CREDENTIAL_FILE_NAMES or name.endswith(CREDENTIAL_FILE_SUFFIXES)
    )


def _holds_settings(path: PurePosixPath) -> bool:
    name = path.name.lower()
    return name.endswith(SETTING_FILE_SUFFIXES) or name.startswith(".env")


def _known_formats(path: PurePosixPath, data: bytes) -> Iterator[Problem]:
    for known in PATTERNS:
        if not any(mark in data for mark in known.marks):
            continue
        for match in known.pattern.finditer(data):
            value = match.groupdict().get("value") or match.group()
            if not _is_placeholder(value):
                message = f"This looks like {known.what}."
                yield PLAINTEXT_CREDENTIAL.found(message, _place(path, data, match))


def _secret_settings(path: PurePosixPath, data: bytes) -> Iterator[Problem]:
    for match in SECRET_SETTING.finditer(data):
        key = match["key"].decode("ascii", "replace")
        value = match["double"] or match["single"] or match["bare"]
        if _looks_random(value, is_password="pass" in key.lower()) and not _is_placeholder(value):
            message = f"The value of {key!r} looks like a real secret."
            yield POSSIBLE_CREDENTIAL.found(message, _place(path, data, match))


def _place(path: PurePosixPath, data: bytes, match: re.Match[bytes]) -> Place:
    return Place(file=str(path), line=data.count(b"\n", 0, match.start()) + 1)


def _is_placeholder(value: bytes) -> bool:
    return PLACEHOLDER.search(value) is not None or len(set(value)) < 5


def _looks_random(value: bytes, *, is_password: bool) -> bool:
    """Whether a value is more like a secret than like a word, a name or a path."""
    is_name = _NAME.fullmatch(value) and not (is_password and value.isalnum())
    if is_name or not value.isascii():
        return False
    has_digit = any(chr(byte).isdigit() for byte in value)
    has_letter = any(chr(byte).isalpha() for byte in value)
    return has_digit and has_letter and _bits_per_character(value) >= _MIN_BITS_PER_CHARACTER


def _bits_per_character(value: bytes) -> float:
    counts = Counter(value).values()
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts)
