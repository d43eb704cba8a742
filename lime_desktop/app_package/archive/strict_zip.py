"""A zip file, read strictly: what every reader would agree on, or a refusal. Knows nothing of packages.

Zip describes each file twice, and tools differ in which description they believe. So we read a narrow zip:
its records lie end to end with no byte unaccounted for, a file's own header says what the table of contents
says, and there are no comments, no second names, no 64-bit fields, no encryption, and no compression but
deflate. Names are UTF-8 whether flagged so or not: many tools write UTF-8 and forget the flag.

In this order: the end record, at the very end of the file, says where the table of contents lies; the contents list the
files; each file's header must say the same, end to end with nothing in between; and one file is unpacked in pieces, stopped
at its declared size, so that a bomb costs what it admitted to and no more.
"""

import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from lime_desktop.app_package.files.path_rules import MAX_FILES, printable
from lime_desktop.app_package.problem_kinds import archives
from lime_desktop.app_package.problem_kinds.files import PATH_NOT_UNICODE, TOO_MANY_FILES
from lime_desktop.app_package.problems import Place, Problem, ProblemKind

# magic, disk, first disk, entries here, entries, size and place of the contents, length of the comment
_END = struct.Struct("<4s4H2LH")
_END_MAGIC = b"PK\x05\x06"
_ZIP64_LOCATOR_MAGIC, _ZIP64_LOCATOR_BYTES = b"PK\x06\x07", 20
_FULL_16, _FULL_32 = 0xFFFF, 0xFFFFFFFF
_MAX_CONTENTS_BYTES = MAX_FILES * 1024
_STORED, _DEFLATED = 0, 8
_SIZES_FOLLOW = 1 << 3
"""Flag of a streaming writer: checksum and sizes stand after the data."""
_ENCRYPTION_FLAGS = 1 << 0 | 1 << 6 | 1 << 13

# magic, versions, flags, method, time, date, checksum, packed size, size,
# lengths of name, extra and comment, disk, internal and external attributes, place of the header
_LINE = struct.Struct("<4s2H4H3L3H2H2L")
_LINE_MAGIC = b"PK\x01\x02"
_ZIP64_EXTRA, _UNICODE_NAME_EXTRA = 0x0001, 0x7075
# magic, version, flags, method, time, date, checksum, packed size, size, lengths of name and extra
_HEADER = struct.Struct("<4s5H3L2H")
_HEADER_MAGIC, _SIZES_MAGIC = b"PK\x03\x04", b"PK\x07\x08"
_UTF8_NAME = 1 << 11
_FLAGS_THAT_MATTER = _ENCRYPTION_FLAGS | _SIZES_FOLLOW | _UTF8_NAME
# Larger ones go back to the system each time, and unpacking in a thread then takes twice as long.
_PIECE_BYTES = 64 * 1024


class RefusedError(OSError):
    """The archive, or a file in it, is not one we read. An OSError: its bytes cannot be had."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.code}: {problem.message}")
        self.problem = problem


def _refused(kind: ProblemKind, message: str, name: str | None = None) -> RefusedError:
    """Make the refusal for a problem, at the file it concerns."""
    place = Place(file=None if name is None else printable(name))
    return RefusedError(kind.found(message, place))


@dataclass(frozen=True, slots=True)
class _EndRecord:
    """Where the table of contents lies, and how many files it lists."""

    count: int
    contents_at: int
    contents_size: int


def _read_end_record(file: BinaryIO, file_size: int) -> _EndRecord:
    """Read the last bytes of the file; anything after the record, or a comment in it, is refused."""
    end_at = file_size - _END.size
    record = _read_at(file, end_at, _END.size)
    if not record.startswith(_END_MAGIC):
        raise _why_no_end_record(file, file_size)
    _, disk, first_disk, here, count, size, start, comment_size = _END.unpack(record)
    if comment_size:
        raise _refused(archives.ARCHIVE_TRUNCATED, "The package file is cut short.")
    if _FULL_16 in {here, count} or _FULL_32 in {size, start} or _has_locator(file, end_at):
        raise _refused(archives.ARCHIVE_ZIP64, "The archive's end record has 64-bit fields.")
    if disk or first_disk or here != count:
        raise _refused(archives.ARCHIVE_SPLIT, "The archive spans several files.")
    if count > MAX_FILES or size > _MAX_CONTENTS_BYTES:
        raise _refused(TOO_MANY_FILES, f"The archive lists more than {MAX_FILES} files.")
    _check_contents_place(start, size, end_at)
    return _EndRecord(count, start, size)


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
        return _refused(archives.ARCHIVE_NOT_ZIP, "This file is not a Lime package (.lapp).")
    comment_size: int = _END.unpack_from(tail, at)[-1]
    if at + _END.size + comment_size == len(tail):
        return _refused(archives.ARCHIVE_COMMENT, "The archive has a comment.")
    return _refused(archives.ARCHIVE_DATA_AFTER, "Bytes follow the archive's end record.")


def _has_locator(file: BinaryIO, end_at: int) -> bool:
    record = _read_at(file, end_at - _ZIP64_LOCATOR_BYTES, _ZIP64_LOCATOR_BYTES)
    return record.startswith(_ZIP64_LOCATOR_MAGIC)


def _check_contents_place(start: int, size: int, end_at: int) -> None:
    if start + size > end_at:
        raise _refused(archives.ARCHIVE_TRUNCATED, "The package file is cut short.")
    if start + size < end_at:
        # Some readers repair this by shifting every offset, so they see another archive.
        raise _refused(archives.ARCHIVE_DATA_BEFORE, "The archive does not start where it says.")


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


def _read_contents(file: BinaryIO, end: _EndRecord) -> list[ListedFile]:
    """Read every line; the table must have exactly the length and count that it claims."""
    file.seek(end.contents_at)
    listed = list(_lines(file.read(end.contents_size)))
    if len(listed) != end.count:
        message = "The table of contents does not have the number of files it says."
        raise _refused(archives.ARCHIVE_CONTENTS_DAMAGED, message)
    return listed


def _lines(table: bytes) -> Iterator[ListedFile]:
    at = 0
    while at < len(table):
        if len(table) - at < _LINE.size or not table.startswith(_LINE_MAGIC, at):
            message = "A line of the table of contents is broken."
            raise _refused(archives.ARCHIVE_CONTENTS_DAMAGED, message)
        line, at = _line(table, at)
        yield line


def _line(table: bytes, at: int) -> tuple[ListedFile, int]:
    fields: tuple[int, ...] = _LINE.unpack_from(table, at)[3:]
    flags, method, _, _, checksum, packed_size, size = fields[:7]
    name_size, extra_size, comment_size, disk, _, attributes, header_at = fields[7:]
    extra_at = at + _LINE.size + name_size
    comment_at = extra_at + extra_size
    if comment_at + comment_size > len(table):
        raise _refused(archives.ARCHIVE_CONTENTS_DAMAGED, "A line runs past the table of contents.")
    raw_name = table[at + _LINE.size : extra_at]
    name = _decoded(raw_name)
    if comment_size:
        raise _refused(archives.ARCHIVE_COMMENT, "The file has a comment.", name)
    if disk:
        raise _refused(archives.ARCHIVE_SPLIT, "The file lies in another part.", name)
    if _FULL_32 in {packed_size, size, header_at}:
        raise _refused(archives.ARCHIVE_ZIP64, "The file has 64-bit sizes.", name)
    _check_extra(table[extra_at:comment_at], raw_name, name)
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
        raise _refused(PATH_NOT_UNICODE, message, shown) from None


def _check_extra(extra: bytes, raw_name: bytes, name: str) -> None:
    """Refuse the two extra fields that give a file a second size or a second name."""
    at = 0
    # Some tools pad with fewer bytes than a field's head; readers agree to ignore those.
    while at + 4 <= len(extra):
        kind, size = struct.unpack_from("<2H", extra, at)
        if kind == _ZIP64_EXTRA:
            raise _refused(archives.ARCHIVE_ZIP64, "The file has a 64-bit extra field.", name)
        # One byte of version and four of checksum stand before the second name.
        if kind == _UNICODE_NAME_EXTRA and extra[at + 9 : at + 4 + size] != raw_name:
            message = "The file has another name in an extra field."
            raise _refused(archives.ARCHIVE_TWO_NAMES, message, name)
        at += 4 + size


def _check_readable(flags: int, method: int, name: str) -> None:
    if flags & _ENCRYPTION_FLAGS:
        raise _refused(archives.ARCHIVE_ENCRYPTED, "The file is encrypted.", name)
    if method not in {_STORED, _DEFLATED}:
        message = f"The file is compressed by method {method}."
        raise _refused(archives.ARCHIVE_COMPRESSION_UNSUPPORTED, message, name)


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file whose header agrees with the contents, and the bytes of the archive that are its own."""

    listed: ListedFile
    data_at: int
    end_at: int


def read_archive(file: BinaryIO, file_size: int) -> tuple[StoredFile, ...]:
    """List what the archive stores, in the order it lies there, or raise why it is refused."""
    end = _read_end_record(file, file_size)
    listed = sorted(_read_contents(file, end), key=lambda each: each.header_at)
    stored = tuple(_stored(file, each) for each in listed)
    _check_nothing_between(stored, end.contents_at)
    return stored


def _stored(file: BinaryIO, listed: ListedFile) -> StoredFile:
    file.seek(listed.header_at)
    record = file.read(_HEADER.size)
    if len(record) < _HEADER.size or not record.startswith(_HEADER_MAGIC):
        message = "The table of contents points to something that is no file."
        raise _refused(archives.ARCHIVE_HEADERS_DISAGREE, message, listed.name)
    *facts, name_size, extra_size = _HEADER.unpack(record)
    raw_name, extra = file.read(name_size), file.read(extra_size)
    if raw_name != listed.raw_name or not _agrees(facts[2:], listed):
        message = "The file's header and the table of contents disagree."
        raise _refused(archives.ARCHIVE_HEADERS_DISAGREE, message, listed.name)
    _check_extra(extra, raw_name, listed.name)
    data_at = listed.header_at + _HEADER.size + name_size + extra_size
    data_end = data_at + listed.packed_size
    return StoredFile(listed, data_at, data_end + _sizes_after(file, listed, data_end))


def _agrees(facts: Sequence[int], listed: ListedFile) -> bool:
    flags, method, _, _, *sizes = facts
    expected = [listed.checksum, listed.packed_size, listed.size]
    sizes_agree = sizes == expected or (bool(flags & _SIZES_FOLLOW) and sizes == [0, 0, 0])
    flags_agree = (flags ^ listed.flags) & _FLAGS_THAT_MATTER == 0
    return sizes_agree and flags_agree and method == listed.method


def _sizes_after(file: BinaryIO, listed: ListedFile, at: int) -> int:
    """Count the bytes of the sizes that a streaming writer puts after the data."""
    if not listed.flags & _SIZES_FOLLOW:
        return 0
    expected = struct.pack("<3L", listed.checksum, listed.packed_size, listed.size)
    file.seek(at)
    found = file.read(len(_SIZES_MAGIC + expected))
    if found == _SIZES_MAGIC + expected:
        return len(found)
    if found.startswith(expected):
        return len(expected)
    message = "The sizes after the file's data are not those of the table of contents."
    raise _refused(archives.ARCHIVE_HEADERS_DISAGREE, message, listed.name)


def _check_nothing_between(stored: Sequence[StoredFile], contents_at: int) -> None:
    expected_at = 0
    for each in stored:
        _check_adjoins(each.listed.header_at, expected_at, each.listed.name)
        expected_at = each.end_at
    _check_adjoins(contents_at, expected_at, "the table of contents")


def _check_adjoins(start: int, expected: int, name: str) -> None:
    if start < expected:
        message = f"Two files share bytes of the archive, before {name!r}."
        raise _refused(archives.ARCHIVE_ENTRIES_OVERLAP, message)
    if start > expected and expected == 0:
        raise _refused(archives.ARCHIVE_DATA_BEFORE, "Bytes stand before the first file.")
    if start > expected:
        message = f"Bytes that belong to no file stand before {name!r}."
        raise _refused(archives.ARCHIVE_DATA_BETWEEN, message)


def unpack(file: BinaryIO, stored: StoredFile) -> Iterator[bytes]:
    """Give the file's bytes; raise after the last piece if they are not the ones declared."""
    listed = stored.listed
    raw = _raw_pieces(file, stored)
    size = checksum = 0
    for piece in raw if listed.method == _STORED else _inflated(raw, listed.name):
        size += len(piece)
        if size > listed.size:
            break
        checksum = zlib.crc32(piece, checksum)
        yield piece
    if size != listed.size:
        message = "The file does not unpack to the size that the archive says."
        raise _refused(archives.ARCHIVE_SIZE_WRONG, message, listed.name)
    if checksum != listed.checksum:
        message = "The file's bytes do not match the archive's checksum."
        raise _refused(archives.ARCHIVE_CHECKSUM_WRONG, message, listed.name)


def _raw_pieces(file: BinaryIO, stored: StoredFile) -> Iterator[bytes]:
    file.seek(stored.data_at)
    left = stored.listed.packed_size
    while left:
        piece = file.read(min(left, _PIECE_BYTES))
        if not piece:
            raise _refused(archives.ARCHIVE_TRUNCATED, "The file is cut short.", stored.listed.name)
        left -= len(piece)
        yield piece


def _inflated(raw: Iterator[bytes], name: str) -> Iterator[bytes]:
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        for packed in raw:
            if inflater.eof:
                raise _refused(archives.ARCHIVE_DATA_DAMAGED, "Bytes hide after the file.", name)
            waiting, has_more = packed, True
            while has_more and not inflater.eof:
                piece = inflater.decompress(waiting, _PIECE_BYTES)
                waiting = inflater.unconsumed_tail
                # A full piece may have left output behind although all input was taken.
                has_more = bool(waiting) or len(piece) == _PIECE_BYTES
                yield piece
    except zlib.error:
        message = "The file's compressed bytes are damaged."
        raise _refused(archives.ARCHIVE_DATA_DAMAGED, message, name) from None
    if not inflater.eof or inflater.unused_data:
        message = "The file's compressed bytes do not end where they should."
        raise _refused(archives.ARCHIVE_DATA_DAMAGED, message, name)
