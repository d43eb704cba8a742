"""Writes zip files record by record, so that any field can lie."""

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field

STORED, DEFLATED = 0, 8
SIZES_FOLLOW = 1 << 3


@dataclass(frozen=True)
class Member:
    """One file of an archive. `None` means the honest value; anything else is written as it is."""

    name: bytes
    data: bytes = b"content"
    method: int = STORED
    flags: int = 0
    mode: int = 0o100644
    packed: bytes | None = None
    checksum: int | None = None
    size: int | None = None
    packed_size: int | None = None
    extra: bytes = b""
    comment: bytes = b""
    disk: int = 0
    header_at: int | None = None
    header: dict[str, int | bytes] = field(default_factory=dict[str, int | bytes])
    """Fields in which the file's own header differs from the table of contents."""
    trailer: bytes = b""
    """Bytes right after the data: the sizes of a streaming writer, or something hidden."""

    def packed_bytes(self) -> bytes:
        if self.packed is not None:
            return self.packed
        return deflated(self.data) if self.method == DEFLATED else self.data

    def facts(self) -> dict[str, int | bytes]:
        packed = self.packed_bytes()
        return {
            "name": self.name,
            "extra": self.extra,
            "flags": self.flags,
            "method": self.method,
            "checksum": zlib.crc32(self.data) if self.checksum is None else self.checksum,
            "packed_size": len(packed) if self.packed_size is None else self.packed_size,
            "size": len(self.data) if self.size is None else self.size,
        }


@dataclass(frozen=True)
class End:
    """The end record's fields; `None` means the honest value."""

    count: int | None = None
    count_here: int | None = None
    disk: int = 0
    contents_at: int | None = None
    contents_size: int | None = None
    comment: bytes = b""
    comment_size: int | None = None


HONEST_END = End()


def deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def sizes_after(member: Member, *, magic: bytes = b"PK\x07\x08") -> bytes:
    facts = member.facts()
    return magic + struct.pack("<3L", facts["checksum"], facts["packed_size"], facts["size"])


def extra_field(kind: int, body: bytes) -> bytes:
    return struct.pack("<2H", kind, len(body)) + body


def forge(
    members: Sequence[Member],
    *,
    end: End = HONEST_END,
    before: bytes = b"",
    before_contents: bytes = b"",
    before_end: bytes = b"",
    after: bytes = b"",
) -> bytes:
    """Write the archive; offsets count from its real start, so `before` is accounted for."""
    out, contents = before, b""
    for member in members:
        header_at = len(out) if member.header_at is None else member.header_at
        contents += _line(member, header_at)
        out += _header(member) + member.packed_bytes() + member.trailer
    out += before_contents
    contents_at = len(out) if end.contents_at is None else end.contents_at
    size = len(contents) if end.contents_size is None else end.contents_size
    count = len(members) if end.count is None else end.count
    here = count if end.count_here is None else end.count_here
    comment_size = len(end.comment) if end.comment_size is None else end.comment_size
    record = struct.pack(
        "<4s4H2LH", b"PK\x05\x06", end.disk, 0, here, count, size, contents_at, comment_size
    )
    return out + contents + before_end + record + end.comment + after


def _header(member: Member) -> bytes:
    facts = member.facts() | member.header
    name, extra = facts["name"], facts["extra"]
    assert isinstance(name, bytes)
    assert isinstance(extra, bytes)
    values = (facts[key] for key in ("flags", "method"))
    sizes = (facts[key] for key in ("checksum", "packed_size", "size"))
    head = struct.pack(
        "<4s5H3L2H", b"PK\x03\x04", 20, *values, 0, 0x21, *sizes, len(name), len(extra)
    )
    return head + name + extra


def _line(member: Member, header_at: int) -> bytes:
    facts = member.facts()
    name, extra = member.name, member.extra
    lengths = (len(name), len(extra), len(member.comment))
    head = struct.pack(
        "<4s6H3L3H2H2L",
        b"PK\x01\x02",
        (3 << 8) | 20,
        20,
        facts["flags"],
        facts["method"],
        0,
        0x21,
        facts["checksum"],
        facts["packed_size"],
        facts["size"],
        *lengths,
        member.disk,
        0,
        (member.mode << 16) & 0xFFFFFFFF,
        header_at,
    )
    return head + name + extra + member.comment
