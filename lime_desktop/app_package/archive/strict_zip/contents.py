"""The table of contents: what the archive says of each file, before any of it is believed."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from lime_desktop.app_package.archive.strict_zip.end_record import EndRecord
from lime_desktop.app_package.archive.strict_zip.refusal import refused
from lime_desktop.app_package.problem_kinds import archives
from lime_desktop.app_package.problem_kinds.files import PATH_NOT_UNICODE

STORED, DEFLATED = 0, 8
SIZES_FOLLOW = 1 << 3
"""Flag of a streaming writer: checksum and sizes stand after the data."""
ENCRYPTION_FLAGS = 1 << 0 | 1 << 6 | 1 << 13

# magic, versions, flags, method, time, date, checksum, packed size, size,
# lengths of name, extra and comment, disk, internal and external attributes, place of the header
_LINE = struct.Struct("<4s2H4H3L3H2H2L")
_LINE_MAGIC = b"PK\x01\x02"
_ZIP64_EXTRA, _UNICODE_NAME_EXTRA = 0x0001, 0x7075
_FULL_32 = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class ListedFile:
    """One line of the table of contents."""

    name: str
    raw_name: bytes
    flags: int
    method: int
    checksum: int
    packed_size: int
    size: int
    unix_mode: int
    header_at: int

    @property
    def is_folder(self) -> bool:
        """Whether the line only names a folder."""
        return self.name.endswith("/")


def read_contents(file: BinaryIO, end: EndRecord) -> list[ListedFile]:
    """Read every line; the table must have exactly the length and count that it claims."""
    file.seek(end.contents_at)
    listed = list(_lines(file.read(end.contents_size)))
    if len(listed) != end.count:
        message = "The table of contents does not have the number of files it says."
        raise refused(archives.ARCHIVE_CONTENTS_DAMAGED, message)
    return listed


def _lines(table: bytes) -> Iterator[ListedFile]:
    at = 0
    while at < len(table):
        if len(table) - at < _LINE.size or not table.startswith(_LINE_MAGIC, at):
            message = "A line of the table of contents is broken."
            raise refused(archives.ARCHIVE_CONTENTS_DAMAGED, message)
        line, at = _line(table, at)
        yield line


def _line(table: bytes, at: int) -> tuple[ListedFile, int]:
    fields: tuple[int, ...] = _LINE.unpack_from(table, at)[3:]
    flags, method, _, _, checksum, packed_size, size = fields[:7]
    name_size, extra_size, comment_size, disk, _, attributes, header_at = fields[7:]
    extra_at = at + _LINE.size + name_size
    comment_at = extra_at + extra_size
    if comment_at + comment_size > len(table):
        raise refused(archives.ARCHIVE_CONTENTS_DAMAGED, "A line runs past the table of contents.")
    raw_name = table[at + _LINE.size : extra_at]
    name = _decoded(raw_name)
    if comment_size:
        raise refused(archives.ARCHIVE_COMMENT, "The file has a comment.", name)
    if disk:
        raise refused(archives.ARCHIVE_SPLIT, "The file lies in another part.", name)
    if _FULL_32 in {packed_size, size, header_at}:
        raise refused(archives.ARCHIVE_ZIP64, "The file has 64-bit sizes.", name)
    check_extra(table[extra_at:comment_at], raw_name, name)
    _check_readable(flags, method, name)
    mode = attributes >> 16
    listed = ListedFile(name, raw_name, flags, method, checksum, packed_size, size, mode, header_at)
    return listed, comment_at


def _decoded(raw_name: bytes) -> str:
    try:
        return raw_name.decode("utf-8")
    except UnicodeDecodeError:
        shown = raw_name.decode("utf-8", "backslashreplace")
        message = "A file name in the archive is not valid UTF-8."
        raise refused(PATH_NOT_UNICODE, message, shown) from None


def check_extra(extra: bytes, raw_name: bytes, name: str) -> None:
    """Refuse the two extra fields that give a file a second size or a second name."""
    at = 0
    # Some tools pad with fewer bytes than a field's head; readers agree to ignore those.
    while at + 4 <= len(extra):
        kind, size = struct.unpack_from("<2H", extra, at)
        if kind == _ZIP64_EXTRA:
            raise refused(archives.ARCHIVE_ZIP64, "The file has a 64-bit extra field.", name)
        # One byte of version and four of checksum stand before the second name.
        if kind == _UNICODE_NAME_EXTRA and extra[at + 9 : at + 4 + size] != raw_name:
            message = "The file has another name in an extra field."
            raise refused(archives.ARCHIVE_TWO_NAMES, message, name)
        at += 4 + size


def _check_readable(flags: int, method: int, name: str) -> None:
    if flags & ENCRYPTION_FLAGS:
        raise refused(archives.ARCHIVE_ENCRYPTED, "The file is encrypted.", name)
    if method not in {STORED, DEFLATED}:
        message = f"The file is compressed by method {method}."
        raise refused(archives.ARCHIVE_COMPRESSION_UNSUPPORTED, message, name)
