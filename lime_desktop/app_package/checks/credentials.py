"""Secrets that were left in package files."""

from collections.abc import Iterator

from lime_desktop.app_package import credentials
from lime_desktop.app_package.checks.facts import PackageFacts
from lime_desktop.app_package.problem_kinds.files import FILE_UNREADABLE
from lime_desktop.app_package.problems import Place, Problem

MAX_SCANNED_BYTES = 32 * 1024 * 1024
"""Per package, smallest files first: secrets sit in small files, and scanning must stay quick."""


def check(facts: PackageFacts) -> Iterator[Problem]:
    """Look through the package's files for credentials."""
    left = MAX_SCANNED_BYTES
    for entry in sorted(facts.reader.tree.files.values(), key=lambda entry: entry.size):
        left -= min(entry.size, credentials.MAX_SCANNED_BYTES)
        if left < 0:
            return
        try:
            data = facts.reader.tree.read(entry.path)
        except OSError as error:
            message = f"Could not be read: {error.strerror or 'input/output error'}."
            yield FILE_UNREADABLE.found(message, Place(entry.path))
            continue
        yield from credentials.scan(entry.path, data)
