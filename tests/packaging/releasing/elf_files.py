"""Makes small ELF files that hold nothing but what the loader reads."""

import struct
from pathlib import Path


def write_elf(path: Path, *needed: str, soname: str = "", versions: tuple[str, ...] = ()) -> Path:
    """A library that asks for others."""
    strings = b"\0"
    places: dict[str, int] = {}
    for text in (*needed, soname, *versions):
        places[text] = len(strings)
        strings += text.encode() + b"\0"
    start = 64 + 2 * 56
    wanted = b""
    if versions:
        wanted = struct.pack("<HHIII", 1, len(versions), places[needed[0]], 16, 0)
        for number, text in enumerate(versions):
            more = 16 if number + 1 < len(versions) else 0
            wanted += struct.pack("<IHHII", 0, 0, number, places[text], more)
    tags = [(1, places[name]) for name in needed]
    if soname:
        tags.append((14, places[soname]))
    count = len(tags) + (3 if versions else 1) + 1
    strings_at = start + 16 * count
    wanted_at = strings_at + len(strings)
    tags.append((5, strings_at))
    if versions:
        tags += [(0x6FFFFFFE, wanted_at), (0x6FFFFFFF, 1)]
    dynamic = b"".join(struct.pack("<qQ", *tag) for tag in (*tags, (0, 0)))
    size = wanted_at + len(wanted)
    head = struct.pack(
        "<16sHHIQQQIHHHHHH", b"\x7fELF\x02\x01\x01", 3, 62, 1, 0, 64, 0, 0, 64, 56, 2, 0, 0, 0
    )
    loaded = struct.pack("<IIQQQQQQ", 1, 5, 0, 0, 0, size, size, 4096)
    pointed = struct.pack("<IIQQQQQQ", 2, 6, start, start, start, len(dynamic), len(dynamic), 8)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(head + loaded + pointed + dynamic + strings + wanted)
    return path
