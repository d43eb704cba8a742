"""What no file of a package may hold: secrets that were left in it, and a request to bypass permissions."""

from collections.abc import Iterator

from lime_desktop.app_package import credentials
from lime_desktop.app_package.checks.facts import PackageFacts
from lime_desktop.app_package.credentials import SETTING_FILE_SUFFIXES
from lime_desktop.app_package.files.path_rules import printable
from lime_desktop.app_package.files.tree import FileEntry, PackageTree
from lime_desktop.app_package.problem_kinds.files import FILE_UNREADABLE
from lime_desktop.app_package.problem_kinds.rules import (
    CREDENTIALS_NOT_SOUGHT,
    PERMISSIONS_BYPASSED,
)
from lime_desktop.app_package.problems import Place, Problem
from lime_desktop.app_package.text.located import key_path, walk

_MAX_COST = 2 * 1024 * 1024
"""Bytes of settings files per package; other text is searched eight times as fast."""
_ALWAYS_SEARCHED = 64
_BINARY_MARK = b"\0"
_FORBIDDEN = "bypasspermissions"


def check_credentials(facts: PackageFacts) -> Iterator[Problem]:
    """Search the package's text files, smallest first: secrets sit in small files."""
    tree = facts.reader.tree
    left = _MAX_COST
    for entry in sorted(tree.files.values(), key=lambda entry: (entry.size, entry.path)):
        place = Place(printable(entry.path))
        try:
            data = _text(tree, entry)
        except OSError as error:
            message = f"Could not be read: {error.strerror or 'input/output error'}."
            yield FILE_UNREADABLE.found(message, place)
            continue
        left -= _cost(entry.path, data)
        if left < 0 and len(data) > _ALWAYS_SEARCHED:
            message = "This file and larger ones were not searched for credentials."
            yield CREDENTIALS_NOT_SOUGHT.found(message, place)
            return
        yield from credentials.scan(entry.path, data)


def _text(tree: PackageTree, entry: FileEntry) -> bytes:
    """The part of a file that is searched; of a binary file only its beginning."""
    data = b""
    for piece in tree.pieces(entry.path):
        data += piece
        if _BINARY_MARK in piece or len(data) >= credentials.MAX_SCANNED_BYTES:
            break
    return data[: credentials.MAX_SCANNED_BYTES]


def _cost(path: str, data: bytes) -> int:
    if _BINARY_MARK in data:
        return 0
    is_settings = path.lower().endswith(SETTING_FILE_SUFFIXES)
    return len(data) if is_settings else len(data) // 8


def check_bypassing(facts: PackageFacts) -> Iterator[Problem]:
    """`bypassPermissions` may stand nowhere: looked for in every file that was read, at any depth."""
    for value in facts.reader.values():
        for path, child, origin in walk(value):
            if _is_forbidden(path[-1]) or _is_forbidden(child):
                place = Place(origin.file, origin.line, key_path(path))
                message = "The package asks to bypass permissions."
                yield PERMISSIONS_BYPASSED.found(message, place)


def _is_forbidden(word: object) -> bool:
    return isinstance(word, str) and word.lower().replace("_", "").replace("-", "") == _FORBIDDEN
