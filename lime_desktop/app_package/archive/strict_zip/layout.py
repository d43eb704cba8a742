"""Where each file lies: headers that say what the contents say, end to end, with nothing in between."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import BinaryIO

from lime_desktop.app_package.archive.strict_zip.contents import (
    ENCRYPTION_FLAGS,
    SIZES_FOLLOW,
    ListedFile,
    check_extra,
    read_contents,
)
from lime_desktop.app_package.archive.strict_zip.end_record import read_end_record
from lime_desktop.app_package.archive.strict_zip.refusal import refused
from lime_desktop.app_package.problem_kinds import archives

# magic, version, flags, method, time, date, checksum, packed size, size, lengths of name and extra
_HEADER = struct.Struct("<4s5H3L2H")
_HEADER_MAGIC, _SIZES_MAGIC = b"PK\x03\x04", b"PK\x07\x08"
_UTF8_NAME = 1 << 11
_FLAGS_THAT_MATTER = ENCRYPTION_FLAGS | SIZES_FOLLOW | _UTF8_NAME


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file whose header agrees with the contents, and the bytes of the archive that are its own."""

    listed: ListedFile
    data_at: int
    end_at: int


def read_archive(file: BinaryIO, file_size: int) -> tuple[StoredFile, ...]:
    """List what the archive stores, in the order it lies there, or raise why it is refused."""
    end = read_end_record(file, file_size)
    listed = sorted(read_contents(file, end), key=lambda each: each.header_at)
    stored = tuple(_stored(file, each) for each in listed)
    _check_nothing_between(stored, end.contents_at)
    return stored


def _stored(file: BinaryIO, listed: ListedFile) -> StoredFile:
    file.seek(listed.header_at)
    record = file.read(_HEADER.size)
    if len(record) < _HEADER.size or not record.startswith(_HEADER_MAGIC):
        message = "The table of contents points to something that is no file."
        raise refused(archives.ARCHIVE_HEADERS_DISAGREE, message, listed.name)
    *facts, name_size, extra_size = _HEADER.unpack(record)
    raw_name, extra = file.read(name_size), file.read(extra_size)
    if raw_name != listed.raw_name or not _agrees(facts[2:], listed):
        message = "The file's header and the table of contents disagree."
        raise refused(archives.ARCHIVE_HEADERS_DISAGREE, message, listed.name)
    check_extra(extra, raw_name, listed.name)
    data_at = listed.header_at + _HEADER.size + name_size + extra_size
    data_end = data_at + listed.packed_size
    return StoredFile(listed, data_at, data_end + _sizes_after(file, listed, data_end))


def _agrees(facts: Sequence[int], listed: ListedFile) -> bool:
    flags, method, _, _, *sizes = facts
    expected = [listed.checksum, listed.packed_size, listed.size]
    sizes_agree = sizes == expected or (bool(flags & SIZES_FOLLOW) and sizes == [0, 0, 0])
    flags_agree = (flags ^ listed.flags) & _FLAGS_THAT_MATTER == 0
    return sizes_agree and flags_agree and method == listed.method


def _sizes_after(file: BinaryIO, listed: ListedFile, at: int) -> int:
    """Count the bytes of the sizes that a streaming writer puts after the data."""
    if not listed.flags & SIZES_FOLLOW:
        return 0
    expected = struct.pack("<3L", listed.checksum, listed.packed_size, listed.size)
    file.seek(at)
    found = file.read(len(_SIZES_MAGIC + expected))
    if found == _SIZES_MAGIC + expected:
        return len(found)
    if found.startswith(expected):
        return len(expected)
    message = "The sizes after the file's data are not those of the table of contents."
    raise refused(archives.ARCHIVE_HEADERS_DISAGREE, message, listed.name)


def _check_nothing_between(stored: Sequence[StoredFile], contents_at: int) -> None:
    expected_at = 0
    for each in stored:
        _check_adjoins(each.listed.header_at, expected_at, each.listed.name)
        expected_at = each.end_at
    _check_adjoins(contents_at, expected_at, "the table of contents")


def _check_adjoins(start: int, expected: int, name: str) -> None:
    if start < expected:
        message = f"Two files share bytes of the archive, before {name!r}."
        raise refused(archives.ARCHIVE_ENTRIES_OVERLAP, message)
    if start > expected and expected == 0:
        raise refused(archives.ARCHIVE_DATA_BEFORE, "Bytes stand before the first file.")
    if start > expected:
        message = f"Bytes that belong to no file stand before {name!r}."
        raise refused(archives.ARCHIVE_DATA_BETWEEN, message)
