"""Pictures that are small as files and without end as pictures."""

import struct
import zlib

GOOD_SVG = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">'
    b'<rect width="8" height="8" fill="#ff0000"/></svg>'
)


def nested_uses(depth: int = 12, each: int = 10) -> bytes:
    """An SVG of some 2 kB that shows one rectangle a million million times."""
    layers = "".join(
        f'<g id="l{level}">' + f'<use xlink:href="#l{level - 1}"/>' * each + "</g>"
        for level in range(1, depth)
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        'viewBox="0 0 8 8"><defs><g id="l0"><rect width="1" height="1"/></g>'
        f'{layers}</defs><use xlink:href="#l{depth - 1}"/></svg>'
    ).encode()


def huge_png(side: int = 60_000) -> bytes:
    """A PNG whose head promises so many pixels a side."""
    head = struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 0)
    rows = zlib.compress(b"\0" * 1_000_000, 9)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in ((b"IHDR", head), (b"IDAT", rows), (b"IEND", b""))
    )


def endless_gif(frames: int = 2_000) -> bytes:
    """A GIF of one pixel that moves for ever."""
    loop = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
    frame = b"\x21\xf9\x04\x00\x01\x00\x00\x00\x2c\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02\x44\x01\x00"
    palette = b"\x00\xff\x00\xff\xff\xff"
    return b"GIF89a\x01\x00\x01\x00\x80\x00\x00" + palette + loop + frame * frames + b"\x3b"
