"""Icon files from pixels: PNG, and the collections of Windows and macOS. Knows formats; draws nothing."""

import struct
import zlib
from collections.abc import Mapping

SIDES = (16, 24, 32, 48, 64, 128, 256, 512)
"""What desktops ask for."""
_ICNS_TYPES = {16: b"icp4", 32: b"icp5", 64: b"icp6", 128: b"ic07", 256: b"ic08", 512: b"ic09"}
_MOST_IN_ICO = 256


def png(side: int, pixels: bytes) -> bytes:
    """A square picture of red, green, blue and opacity, a byte each."""
    row = side * 4
    lines = b"".join(b"\0" + pixels[at : at + row] for at in range(0, side * row, row))
    head = struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, body) for kind, body in parts)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def ico(pictures: Mapping[int, bytes]) -> bytes:
    """The icon file of Windows: PNG pictures of up to 256 pixels behind a table of them."""
    known = {side: body for side, body in sorted(pictures.items()) if side <= _MOST_IN_ICO}
    head = struct.pack("<HHH", 0, 1, len(known))
    at = len(head) + 16 * len(known)
    table = b""
    for side, body in known.items():
        # A side of 256 is written as 0.
        table += struct.pack("<BBBBHHII", side % 256, side % 256, 0, 0, 1, 32, len(body), at)
        at += len(body)
    return head + table + b"".join(known.values())


def icns(pictures: Mapping[int, bytes]) -> bytes:
    """The icon file of macOS: PNG pictures under the names that it has for their sizes."""
    parts = [
        _ICNS_TYPES[side] + struct.pack(">I", 8 + len(body)) + body
        for side, body in sorted(pictures.items())
        if side in _ICNS_TYPES
    ]
    joined = b"".join(parts)
    return b"icns" + struct.pack(">I", 8 + len(joined)) + joined
