"""The end record: the one place to start reading a zip, at the very end of the file."""

import struct
from dataclasses import dataclass
from typing import BinaryIO

from lime_desktop.app_package.archive.strict_zip.refusal import RefusedError, refused
from lime_desktop.app_package.files.limits import MAX_FILES
from lime_desktop.app_package.problem_kinds import archives
from lime_desktop.app_package.problem_kinds.files import TOO_MANY_FILES

# magic, disk, first disk, entries here, entries, size and place of the contents, length of the comment
_END = struct.Struct("<4s4H2LH")
_END_MAGIC = b"PK\x05\x06"
_ZIP64_LOCATOR_MAGIC, _ZIP64_LOCATOR_BYTES = b"PK\x06\x07", 20
_FULL_16, _FULL_32 = 0xFFFF, 0xFFFFFFFF
_MAX_CONTENTS_BYTES = MAX_FILES * 1024


@dataclass(frozen=True, slots=True)
class EndRecord:
    """Where the table of contents lies, and how many files it lists."""

    count: int
    contents_at: int
    contents_size: int


def read_end_record(file: BinaryIO, file_size: int) -> EndRecord:
    """Read the last bytes of the file; anything after the record, or a comment in it, is refused."""
    end_at = file_size - _END.size
    record = _read_at(file, end_at, _END.size)
    if not record.startswith(_END_MAGIC):
        raise _why_no_end_record(file, file_size)
    _, disk, first_disk, here, count, size, start, comment_size = _END.unpack(record)
    if comment_size:
        raise refused(archives.ARCHIVE_TRUNCATED, "The package file is cut short.")
    if _FULL_16 in {here, count} or _FULL_32 in {size, start} or _has_locator(file, end_at):
        raise refused(archives.ARCHIVE_ZIP64, "The archive's end record has 64-bit fields.")
    if disk or first_disk or here != count:
        raise refused(archives.ARCHIVE_SPLIT, "The archive spans several files.")
    if count > MAX_FILES or size > _MAX_CONTENTS_BYTES:
        raise refused(TOO_MANY_FILES, f"The archive lists more than {MAX_FILES} files.")
    _check_contents_place(start, size, end_at)
    return EndRecord(count, start, size)


def _read_at(file: BinaryIO, at: int, size: int) -> bytes:
    if at < 0:
        return b""
    file.seek(at)
    return file.read(size)


def _why_no_end_record(file: BinaryIO, file_size: int) -> RefusedError:
    """Tell a comment, trailing bytes and a file that is no archive apart; all are refused."""
    tail_size = min(file_size, _END.size + _FULL_16)
    tail = _read_at(file, file_size - tail_size, tail_size)
    at = tail.rfind(_END_MAGIC)
    if at < 0 or len(tail) - at < _END.size:
        return refused(archives.ARCHIVE_NOT_ZIP, "This file is not a Lime package (.lapp).")
    comment_size: int = _END.unpack_from(tail, at)[-1]
    if at + _END.size + comment_size == len(tail):
        return refused(archives.ARCHIVE_COMMENT, "The archive has a comment.")
    return refused(archives.ARCHIVE_DATA_AFTER, "Bytes follow the archive's end record.")


def _has_locator(file: BinaryIO, end_at: int) -> bool:
    record = _read_at(file, end_at - _ZIP64_LOCATOR_BYTES, _ZIP64_LOCATOR_BYTES)
    return record.startswith(_ZIP64_LOCATOR_MAGIC)


def _check_contents_place(start: int, size: int, end_at: int) -> None:
    if start + size > end_at:
        raise refused(archives.ARCHIVE_TRUNCATED, "The package file is cut short.")
    if start + size < end_at:
        # Some readers repair this by shifting every offset, so they see another archive.
        raise refused(archives.ARCHIVE_DATA_BEFORE, "The archive does not start where it says.")
