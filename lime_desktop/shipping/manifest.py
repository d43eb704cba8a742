"""What a version consists of: every file, link and folder, with its hash. Pure; a manifest is signed and still not trusted.

Whoever holds the vendor's keys decides what runs here, so a manifest that leads outside of its folder gains an attacker
little; it is refused all the same, before a byte is written.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import Literal

import msgspec

from lime_desktop.shipping.pieces import MAX_PIECE_BYTES
from lime_desktop.shipping.refusals import UpdateCode, UpdateRefused
from lime_desktop.shipping.versions import parse_version

FORMAT = 1
MAX_MANIFEST_BYTES = 16 * 1024 * 1024
_MAX_ENTRIES = 50_000
_MAX_TREE_BYTES = 8 * 1024**3
_MAX_PATH = 1_000
_MAX_NAME_BYTES = 250
_SHA256 = re.compile(r"[0-9a-f]{64}")
# What Windows forbids in a name, so that a tree means the same everywhere.
_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f<>:"|?*\\]')


class Piece(msgspec.Struct, frozen=True, rename="camel"):
    """A part of a file, which is a blob on the server."""

    sha256: str
    size: int
    packed: int
    """Bytes of it that travel."""


class TreeFile(msgspec.Struct, frozen=True, rename="camel", tag_field="kind", tag="file"):
    """A file."""

    path: str
    mode: Literal["644", "755"]
    sha256: str
    size: int
    pieces: tuple[Piece, ...]


class TreeLink(msgspec.Struct, frozen=True, rename="camel", tag_field="kind", tag="link"):
    """A symbolic link to something else in the tree."""

    path: str
    target: str


class TreeFolder(msgspec.Struct, frozen=True, rename="camel", tag_field="kind", tag="folder"):
    """A folder with nothing in it; the others follow from what is in them."""

    path: str


Entry = TreeFile | TreeLink | TreeFolder


class Manifest(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """One version for one kind of computer."""

    format: int
    product: str
    platform: str
    version: str
    entries: tuple[Entry, ...]

    @property
    def files(self) -> tuple[TreeFile, ...]:
        """The files alone."""
        return tuple(each for each in self.entries if isinstance(each, TreeFile))

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(each.size for each in self.files)

    def to_bytes(self) -> bytes:
        """As it is published: the same bytes for the same tree."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n"


def parse_manifest(data: bytes) -> Manifest:
    """Read and judge a manifest.

    Raises:
        UpdateRefused: it cannot be understood, or names what no tree of ours has.
    """
    try:
        manifest = msgspec.json.decode(data, type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _malformed(f"the manifest cannot be read: {error}") from error
    check_manifest(manifest)
    return manifest


def check_manifest(manifest: Manifest) -> None:
    """Judge every entry, and all of them together.

    Raises:
        UpdateRefused: it names what no tree of ours has.
    """
    if manifest.format != FORMAT:
        raise _malformed(f"the manifest has format {manifest.format}, this program reads {FORMAT}")
    parse_version(manifest.version)
    if len(manifest.entries) > _MAX_ENTRIES or manifest.size > _MAX_TREE_BYTES:
        raise _malformed("the manifest names more than any version has")
    for entry in manifest.entries:
        _check_entry(entry)
    _check_together(manifest.entries)


def _check_entry(entry: Entry) -> None:
    check_path(entry.path)
    if isinstance(entry, TreeLink):
        _check_link(entry)
    elif isinstance(entry, TreeFile):
        _check_pieces(entry)


def check_path(path: str) -> tuple[str, ...]:
    """The parts of a path that stays in its folder, on every system.

    Raises:
        UpdateRefused: it does not, or means different things to different systems.
    """
    parts = tuple(path.split("/"))
    if len(path) > _MAX_PATH or _FORBIDDEN.search(path):
        raise _malformed(f"{path[:80]!r} is no path of a tree")
    if unicodedata.normalize("NFC", path) != path or any(0xD800 <= ord(c) < 0xE000 for c in path):
        raise _malformed(f"{path[:80]!r} is not written in one way")
    for part in parts:
        if part in {"", ".", ".."} or part[-1] in " ." or len(part.encode()) > _MAX_NAME_BYTES:
            raise _malformed(f"{path[:80]!r} leaves its folder, or does elsewhere")
    return parts


def _check_link(link: TreeLink) -> None:
    """Up first, then down: a link that climbs after it went down could climb out of what it was led into."""
    parts = link.target.split("/")
    climbs = 0
    while climbs < len(parts) and parts[climbs] == "..":
        climbs += 1
    below = parts[climbs:]
    depth = link.path.count("/")
    if not below or climbs > depth:
        raise _malformed(f"the link {link.path!r} leads out of the tree")
    check_path("/".join(below))


def _check_pieces(file: TreeFile) -> None:
    hashes = [file.sha256, *(piece.sha256 for piece in file.pieces)]
    if not all(_SHA256.fullmatch(each) for each in hashes):
        raise _malformed(f"{file.path!r} has a hash that is none")
    sizes = [piece.size for piece in file.pieces]
    if sum(sizes) != file.size or any(size < 0 or size > MAX_PIECE_BYTES for size in sizes):
        raise _malformed(f"the pieces of {file.path!r} are not as large as it is")
    if any(not 0 < piece.packed <= piece.size + 1024 + piece.size // 64 for piece in file.pieces):
        raise _malformed(f"the pieces of {file.path!r} are larger packed than they are")


def _check_together(entries: Sequence[Entry]) -> None:
    """No two of one name for a system that ignores case, and nothing below a file or a link."""
    folders: set[str] = set()
    seen: set[str] = set()
    spelled: dict[str, str] = {}
    for entry in entries:
        name = _folded(entry.path)
        if name in seen:
            raise _malformed(f"there are two of the name {entry.path!r}")
        seen.add(name)
        parts = entry.path.split("/")[:-1]
        for depth in range(1, len(parts) + 1):
            folder = "/".join(parts[:depth])
            if spelled.setdefault(_folded(folder), folder) != folder:
                raise _malformed(f"the folder {folder!r} is spelled in two ways")
            folders.add(_folded(folder))
    if taken := folders & seen:
        raise _malformed(f"something lies below {min(taken)!r}, which is no folder")


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", path.casefold())


def _malformed(reason: str) -> UpdateRefused:
    return UpdateRefused(UpdateCode.MALFORMED, reason)
