"""The corpus: archives that no host may open, each with the code that refuses it."""

import stat
import struct
from collections.abc import Callable
from dataclasses import dataclass, replace

from lime_desktop.app_package.files.path_rules import MAX_FILE_BYTES, MAX_FILES
from tests.app_package.hostile_archives.forge import (
    DEFLATED,
    SIZES_FOLLOW,
    End,
    Member,
    deflated,
    extra_field,
    forge,
    sizes_after,
)
from tests.app_package.trees import APP_MD

APP = Member(b"APP.md", APP_MD)
MEGABYTE = 1024 * 1024


@dataclass(frozen=True)
class HostileArchive:
    """One archive, what it tries, and how it must be refused."""

    name: str
    code: str
    build: Callable[[], bytes]
    also: str | None = None
    """A second code that the same trick earns."""


def named(name: bytes) -> Callable[[], bytes]:
    return lambda: forge([APP, Member(name)])


def holding(*members: Member) -> Callable[[], bytes]:
    return lambda: forge([APP, *members])


def moded(mode: int) -> Callable[[], bytes]:
    return lambda: forge([APP, Member(b"dist/x", b"/etc/passwd", mode=mode)])


def overlapping() -> bytes:
    """Two files share one header's bytes: the core of the 42-terabyte kind of bomb."""
    inner = Member(b"b", b"shared")
    outer = Member(b"a", b"", packed=forge([inner])[:37], checksum=0, size=37)
    shared_at = len(forge([outer])) - len(forge([])) - 47 - 37
    return forge([outer, replace(inner, header_at=shared_at)])


def twice_the_same_file() -> bytes:
    first = Member(b"a", b"shared")
    return forge([first, Member(b"b", b"", header_at=0)])


def streamed_with_other_sizes() -> bytes:
    member = Member(b"dist/x", b"content", flags=SIZES_FOLLOW)
    lie = replace(member, data=b"CONTENT")
    return forge(
        [
            replace(
                member,
                header={"checksum": 0, "packed_size": 0, "size": 0},
                trailer=sizes_after(lie),
            )
        ]
    )


def zip64_end() -> bytes:
    record = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, 60, 0)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, 0, 1)
    return forge([APP], before_end=record + locator)


def many_small_bombs() -> bytes:
    """Each file stays under the size where growth is looked at; together they do not."""
    data = b"\0" * (MEGABYTE - 1)
    packed = deflated(data)
    one = Member(b"", data, method=DEFLATED, packed=packed)
    return forge([replace(one, name=b"%d" % n) for n in range(64)])


CASES = (
    # Names that lead elsewhere.
    HostileArchive("climbs-out", "PATH_ESCAPES_PACKAGE", named(b"../evil.txt")),
    HostileArchive("climbs-out-midway", "PATH_ESCAPES_PACKAGE", named(b"dist/../../evil.txt")),
    HostileArchive("climbs-back-in", "PATH_ESCAPES_PACKAGE", named(b"dist/../APP2.md")),
    HostileArchive(
        "folder-climbs-out", "PATH_ESCAPES_PACKAGE", holding(Member(b"../x/", b"", mode=0))
    ),
    HostileArchive("absolute", "PATH_ESCAPES_PACKAGE", named(b"/etc/cron.d/evil")),
    HostileArchive("drive-letter", "PATH_ESCAPES_PACKAGE", named(b"C:/Windows/evil.dll")),
    HostileArchive("drive-relative", "PATH_ESCAPES_PACKAGE", named(b"C:evil.dll")),
    HostileArchive("unc-share", "PATH_ESCAPES_PACKAGE", named(b"//server/share/evil")),
    HostileArchive("unc-share-backslashes", "PATH_ESCAPES_PACKAGE", named(rb"\\server\share\e")),
    HostileArchive("climbs-out-backslashes", "PATH_ESCAPES_PACKAGE", named(rb"..\evil.txt")),
    HostileArchive("backslash-folder", "ARCHIVE_NAME_BACKSLASH", named(rb"dist\ui\app.js")),
    HostileArchive("home", "PATH_ESCAPES_PACKAGE", named(b"~/.ssh/authorized_keys")),
    # Names that some system reads differently.
    HostileArchive("nul-in-name", "ARCHIVE_NAME_NUL", named(b"safe.txt\0.exe")),
    HostileArchive("not-utf8", "PATH_NOT_UNICODE", named(b"caf\xe9.txt")),
    HostileArchive("device", "PATH_NOT_PORTABLE", named(b"dist/NUL.txt")),
    HostileArchive("superscript-device", "PATH_NOT_PORTABLE", named("dist/COM¹".encode())),
    HostileArchive("trailing-dot", "PATH_NOT_PORTABLE", named(b"dist/app.js.")),
    HostileArchive("trailing-space", "PATH_NOT_PORTABLE", named(b"dist /app.js")),
    HostileArchive("alternate-stream", "PATH_NOT_PORTABLE", named(b"dist/app.js:evil")),
    HostileArchive("empty-name", "PATH_NOT_PORTABLE", named(b"")),
    HostileArchive("empty-part", "PATH_NOT_PORTABLE", named(b"dist//app.js")),
    HostileArchive("dot-part", "PATH_NOT_PORTABLE", named(b"./app.js")),
    HostileArchive("long-name", "PATH_TOO_LONG", named(b"a" * 300)),
    HostileArchive("deep-folders", "FOLDERS_TOO_DEEP", named(b"a/" * 40 + b"b")),
    # Two files where there should be one.
    HostileArchive("duplicate", "ARCHIVE_DUPLICATE_NAME", named(b"APP.md")),
    HostileArchive("case-collision", "PATHS_COLLIDE", named(b"app.MD")),
    HostileArchive(
        "folder-case-collision", "PATHS_COLLIDE", holding(Member(b"ui/a"), Member(b"UI/b"))
    ),
    HostileArchive(
        "unicode-collision",
        "PATHS_COLLIDE",
        holding(Member("é".encode()), Member("e\u0301".encode())),
    ),
    HostileArchive("file-and-folder", "ARCHIVE_FILE_IS_FOLDER", named(b"APP.md/x")),
    HostileArchive("folder-with-content", "ARCHIVE_FILE_IS_FOLDER", named(b"dist/")),
    HostileArchive("folder-by-mode", "ARCHIVE_FILE_IS_FOLDER", moded(stat.S_IFDIR | 0o755)),
    HostileArchive(
        "second-name",
        "ARCHIVE_TWO_NAMES",
        holding(Member(b"a", extra=extra_field(0x7075, b"\x01\0\0\0\0../evil"))),
    ),
    # Things that are no files.
    HostileArchive("link", "LINK_IN_PACKAGE", moded(stat.S_IFLNK | 0o777)),
    HostileArchive("device-node", "SPECIAL_FILE_IN_PACKAGE", moded(stat.S_IFBLK | 0o600)),
    HostileArchive("pipe", "SPECIAL_FILE_IN_PACKAGE", moded(stat.S_IFIFO | 0o600)),
    HostileArchive("socket", "SPECIAL_FILE_IN_PACKAGE", moded(stat.S_IFSOCK | 0o600)),
    # Content that can't be checked.
    HostileArchive("encrypted", "ARCHIVE_ENCRYPTED", holding(Member(b"a", flags=1))),
    HostileArchive("masked", "ARCHIVE_ENCRYPTED", holding(Member(b"a", flags=1 << 13))),
    HostileArchive("bzip2", "ARCHIVE_COMPRESSION_UNSUPPORTED", holding(Member(b"a", method=12))),
    HostileArchive("lzma", "ARCHIVE_COMPRESSION_UNSUPPORTED", holding(Member(b"a", method=14))),
    # Sizes.
    HostileArchive("bomb", "ARCHIVE_BOMB", holding(Member(b"a", b"\0" * 8 * MEGABYTE, DEFLATED))),
    HostileArchive("many-small-bombs", "ARCHIVE_BOMB", many_small_bombs),
    HostileArchive(
        "huge-file",
        "FILE_TOO_LARGE",
        holding(Member(b"a", method=DEFLATED, size=MAX_FILE_BYTES + 1)),
        also="ARCHIVE_BOMB",
    ),
    HostileArchive(
        "huge-total",
        "PACKAGE_TOO_LARGE",
        lambda: forge([Member(b"%d" % n, size=MAX_FILE_BYTES) for n in range(5)]),
        also="ARCHIVE_BOMB",
    ),
    HostileArchive(
        "declares-less", "ARCHIVE_SIZE_WRONG", holding(Member(b"a", b"x" * 500, DEFLATED, size=10))
    ),
    HostileArchive(
        "declares-less-than-a-bomb",
        "ARCHIVE_SIZE_WRONG",
        holding(Member(b"a", b"\0" * 64 * MEGABYTE, DEFLATED, size=1000)),
    ),
    HostileArchive(
        "declares-more", "ARCHIVE_SIZE_WRONG", holding(Member(b"a", b"x" * 500, DEFLATED, size=501))
    ),
    HostileArchive("stored-declares-more", "ARCHIVE_SIZE_WRONG", holding(Member(b"a", size=8))),
    HostileArchive(
        "too-many-files",
        "TOO_MANY_FILES",
        lambda: forge([Member(b"%d" % n, b"") for n in range(MAX_FILES + 1)]),
    ),
    # Bytes that are not what they should be.
    HostileArchive("bad-checksum", "ARCHIVE_CHECKSUM_WRONG", holding(Member(b"a", checksum=1))),
    HostileArchive(
        "bad-deflate",
        "ARCHIVE_DATA_DAMAGED",
        holding(Member(b"a", method=DEFLATED, packed=b"\xff" * 20)),
    ),
    HostileArchive(
        "bytes-after-deflate",
        "ARCHIVE_DATA_DAMAGED",
        holding(Member(b"a", method=DEFLATED, packed=deflated(b"content") + b"hidden")),
    ),
    HostileArchive(
        "deflate-cut-short",
        "ARCHIVE_DATA_DAMAGED",
        holding(Member(b"a", b"abc" * 99, DEFLATED, packed=deflated(b"abc" * 99)[:-1])),
    ),
    # Headers that tell another story than the table of contents.
    HostileArchive(
        "other-name-in-header",
        "ARCHIVE_HEADERS_DISAGREE",
        holding(Member(b"a", header={"name": b"b"})),
    ),
    HostileArchive(
        "other-size-in-header",
        "ARCHIVE_HEADERS_DISAGREE",
        holding(Member(b"a", header={"size": 3})),
    ),
    HostileArchive(
        "other-method-in-header",
        "ARCHIVE_HEADERS_DISAGREE",
        holding(Member(b"a", header={"method": DEFLATED})),
    ),
    HostileArchive(
        "encrypted-in-header-only",
        "ARCHIVE_HEADERS_DISAGREE",
        holding(Member(b"a", header={"flags": 1})),
    ),
    HostileArchive("other-sizes-after", "ARCHIVE_HEADERS_DISAGREE", streamed_with_other_sizes),
    HostileArchive(
        "points-nowhere", "ARCHIVE_HEADERS_DISAGREE", holding(Member(b"a", header_at=7))
    ),
    # Layout.
    HostileArchive("overlap", "ARCHIVE_ENTRIES_OVERLAP", overlapping),
    HostileArchive("same-header-twice", "ARCHIVE_HEADERS_DISAGREE", twice_the_same_file),
    HostileArchive(
        "runs-into-contents",
        "ARCHIVE_ENTRIES_OVERLAP",
        holding(Member(b"a", size=30, packed_size=30)),
    ),
    HostileArchive(
        "hidden-between", "ARCHIVE_DATA_BETWEEN", lambda: forge([replace(APP, trailer=b"x"), APP])
    ),
    HostileArchive(
        "hidden-before-contents",
        "ARCHIVE_DATA_BETWEEN",
        lambda: forge([APP], before_contents=b"x"),
    ),
    HostileArchive(
        "program-before", "ARCHIVE_DATA_BEFORE", lambda: forge([APP], before=b"#!/bin/sh\n")
    ),
    HostileArchive(
        "program-before-unadjusted", "ARCHIVE_DATA_BEFORE", lambda: b"MZ" + forge([APP])
    ),
    HostileArchive(
        "archive-after-archive", "ARCHIVE_DATA_BEFORE", lambda: forge([APP]) + forge([APP])
    ),
    HostileArchive("bytes-after", "ARCHIVE_DATA_AFTER", lambda: forge([APP], after=b"tail")),
    HostileArchive("cut-short", "ARCHIVE_NOT_ZIP", lambda: forge([APP])[:-10]),
    HostileArchive(
        "contents-cut-out",
        "ARCHIVE_TRUNCATED",
        lambda: forge([APP], end=End(contents_at=5000)),
    ),
    HostileArchive("no-zip", "ARCHIVE_NOT_ZIP", lambda: b"not an archive at all, but long enough"),
    HostileArchive("no-bytes", "ARCHIVE_NOT_ZIP", lambda: b""),
    HostileArchive("empty", "ARCHIVE_EMPTY", lambda: forge([])),
    HostileArchive("only-folders", "ARCHIVE_EMPTY", lambda: forge([Member(b"a/", b"", mode=0)])),
    HostileArchive("comment", "ARCHIVE_COMMENT", lambda: forge([APP], end=End(comment=b"hello"))),
    HostileArchive(
        "comment-cut-off",
        "ARCHIVE_TRUNCATED",
        lambda: forge([APP], end=End(comment_size=9)),
    ),
    HostileArchive("file-comment", "ARCHIVE_COMMENT", holding(Member(b"a", comment=b"hello"))),
    HostileArchive(
        "archive-hidden-in-comment",
        "ARCHIVE_DATA_BEFORE",
        lambda: forge([APP], end=End(comment=forge([APP]))),
    ),
    HostileArchive("count-too-high", "ARCHIVE_CONTENTS_DAMAGED", lambda: forge([APP], end=End(2))),
    HostileArchive(
        "count-too-low", "ARCHIVE_CONTENTS_DAMAGED", lambda: forge([APP, APP], end=End(1))
    ),
    HostileArchive("split", "ARCHIVE_SPLIT", lambda: forge([APP], end=End(disk=1))),
    HostileArchive("file-on-other-disk", "ARCHIVE_SPLIT", holding(Member(b"a", disk=1))),
    # 64-bit fields: a second size for those who look at it.
    HostileArchive("zip64-end", "ARCHIVE_ZIP64", zip64_end),
    HostileArchive(
        "zip64-sizes",
        "ARCHIVE_ZIP64",
        holding(Member(b"a", size=0xFFFFFFFF, packed_size=0xFFFFFFFF)),
    ),
    HostileArchive(
        "zip64-extra",
        "ARCHIVE_ZIP64",
        holding(Member(b"a", extra=extra_field(1, struct.pack("<2Q", 7, 7)))),
    ),
    HostileArchive(
        "zip64-extra-in-header-only",
        "ARCHIVE_ZIP64",
        holding(Member(b"a", header={"extra": extra_field(1, struct.pack("<2Q", 9, 9))})),
    ),
    HostileArchive("zip64-count", "ARCHIVE_ZIP64", lambda: forge([APP], end=End(0xFFFF, 0xFFFF))),
)
