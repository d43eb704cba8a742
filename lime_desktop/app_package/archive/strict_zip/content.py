"""One file's bytes, unpacked in pieces and held to what the archive said of them.

The size is enforced while unpacking: a file that lies about it is stopped at its declared size, so a bomb
costs what it admitted to and no more.
"""

import zlib
from collections.abc import Iterator
from typing import BinaryIO

from lime_desktop.app_package.archive.strict_zip.contents import STORED
from lime_desktop.app_package.archive.strict_zip.layout import StoredFile
from lime_desktop.app_package.archive.strict_zip.refusal import refused
from lime_desktop.app_package.problem_kinds import archives

# Larger ones go back to the system each time, and unpacking in a thread then takes twice as long.
_PIECE_BYTES = 64 * 1024


def unpack(file: BinaryIO, stored: StoredFile) -> Iterator[bytes]:
    """Give the file's bytes; raise after the last piece if they are not the ones declared."""
    listed = stored.listed
    raw = _raw_pieces(file, stored)
    size = checksum = 0
    for piece in raw if listed.method == STORED else _inflated(raw, listed.name):
        size += len(piece)
        if size > listed.size:
            break
        checksum = zlib.crc32(piece, checksum)
        yield piece
    if size != listed.size:
        message = "The file does not unpack to the size that the archive says."
        raise refused(archives.ARCHIVE_SIZE_WRONG, message, listed.name)
    if checksum != listed.checksum:
        message = "The file's bytes do not match the archive's checksum."
        raise refused(archives.ARCHIVE_CHECKSUM_WRONG, message, listed.name)


def _raw_pieces(file: BinaryIO, stored: StoredFile) -> Iterator[bytes]:
    file.seek(stored.data_at)
    left = stored.listed.packed_size
    while left:
        piece = file.read(min(left, _PIECE_BYTES))
        if not piece:
            raise refused(archives.ARCHIVE_TRUNCATED, "The file is cut short.", stored.listed.name)
        left -= len(piece)
        yield piece


def _inflated(raw: Iterator[bytes], name: str) -> Iterator[bytes]:
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        for packed in raw:
            if inflater.eof:
                raise refused(archives.ARCHIVE_DATA_DAMAGED, "Bytes hide after the file.", name)
            waiting, has_more = packed, True
            while has_more and not inflater.eof:
                piece = inflater.decompress(waiting, _PIECE_BYTES)
                waiting = inflater.unconsumed_tail
                # A full piece may have left output behind although all input was taken.
                has_more = bool(waiting) or len(piece) == _PIECE_BYTES
                yield piece
    except zlib.error:
        message = "The file's compressed bytes are damaged."
        raise refused(archives.ARCHIVE_DATA_DAMAGED, message, name) from None
    if not inflater.eof or inflater.unused_data:
        message = "The file's compressed bytes do not end where they should."
        raise refused(archives.ARCHIVE_DATA_DAMAGED, message, name)
