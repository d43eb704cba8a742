"""Reads which shared libraries an ELF file asks for, and where it ends. Knows nothing of where they lie."""

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

_MAGIC = b"\x7fELF"
_64_BIT_LITTLE_ENDIAN = b"\x02\x01"
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SEGMENT = struct.Struct("<IIQQQQQQ")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SHT_NOBITS = 8
_DYNAMIC = struct.Struct("<qQ")
_VERSION_NEED = struct.Struct("<HHIII")
_VERSION_AUX = struct.Struct("<IHHII")
_PT_LOAD, _PT_DYNAMIC = 1, 2
_NEEDED, _STRTAB, _SONAME, _RPATH, _RUNPATH = 1, 5, 14, 15, 29
_VERNEED, _VERNEEDNUM = 0x6FFFFFFE, 0x6FFFFFFF


@dataclass(frozen=True, slots=True)
class ElfFile:
    """What the loader reads of a program or a library."""

    needed: tuple[str, ...]
    soname: str | None = None
    search_paths: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    """Versions of symbols it wants of others, such as `GLIBC_2.34`."""


def read_elf(path: Path) -> ElfFile | None:
    """The file's wishes; None if it is no 64-bit ELF file, or one without a dynamic section."""
    with path.open("rb") as file:
        start = file.read(6)
        if start[:4] != _MAGIC or start[4:6] != _64_BIT_LITTLE_ENDIAN:
            return None
        return parse_elf(start + file.read())


def parse_elf(body: bytes) -> ElfFile | None:
    """The same, from the bytes of a file."""
    header = _HEADER.unpack_from(body)
    offset, count = header[5], header[10]
    segments = [_SEGMENT.unpack_from(body, offset + n * _SEGMENT.size) for n in range(count)]
    dynamic = next((each for each in segments if each[0] == _PT_DYNAMIC), None)
    if dynamic is None:
        return None
    loaded = [(each[3], each[2], each[5]) for each in segments if each[0] == _PT_LOAD]
    tags = list(_tags(body, dynamic[2], dynamic[5]))
    values = dict(tags)
    strings = _file_offset(loaded, values[_STRTAB])

    def text(at: int) -> str:
        begin = strings + at
        return body[begin : body.index(b"\0", begin)].decode("utf-8", "surrogateescape")

    paths = [text(value) for tag, value in tags if tag in {_RPATH, _RUNPATH}]
    versions: tuple[str, ...] = ()
    if _VERNEED in values:
        at = _file_offset(loaded, values[_VERNEED])
        versions = tuple(text(name) for name in _versions(body, at, values[_VERNEEDNUM]))
    return ElfFile(
        needed=tuple(text(value) for tag, value in tags if tag == _NEEDED),
        soname=text(values[_SONAME]) if _SONAME in values else None,
        search_paths=tuple(part for path in paths for part in path.split(":") if part),
        versions=versions,
    )


def elf_size(head: bytes, section: Callable[[int, int], bytes]) -> int:
    """Where a 64-bit ELF file ends by its own word: whatever is joined to it begins there. `section` reads bytes at a place."""
    fields = _HEADER.unpack_from(head)
    at, each, count = fields[6], fields[11], fields[12]
    last = _SECTION.unpack(section(at + each * (count - 1), _SECTION.size)) if count else None
    # A last section that takes no room in the file ends nowhere.
    end_of_last = last[4] + last[5] if last is not None and last[1] != _SHT_NOBITS else 0
    return max(at + each * count, end_of_last)


def _tags(body: bytes, offset: int, size: int) -> Iterator[tuple[int, int]]:
    for at in range(offset, offset + size, _DYNAMIC.size):
        tag, value = _DYNAMIC.unpack_from(body, at)
        if tag == 0:
            return
        yield tag, value


def _versions(body: bytes, at: int, count: int) -> Iterator[int]:
    for _ in range(count):
        _, wanted, _, first, following = _VERSION_NEED.unpack_from(body, at)
        of_one = at + first
        for _ in range(wanted):
            *_, name, next_one = _VERSION_AUX.unpack_from(body, of_one)
            yield name
            of_one += next_one
        at += following


def _file_offset(loaded: list[tuple[int, int, int]], address: int) -> int:
    for start, offset, size in loaded:
        if start <= address < start + size:
            return address - start + offset
    raise ValueError("an address lies outside of everything that is loaded")
