"""What an app's product is called and looks like, as its package says; or every reason why that cannot be.

`install.branding` holds what the standard names (`name`, `icon`, `windowTitle`) and what a desktop asks beyond it: `accent`,
`publisher`, `supportUrl`, `scheme`, `fileTypes`. `install.standalone` holds `bundleId`, `platforms` and `updates`. Nothing
here can say what an app may do.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast
from urllib.parse import urlsplit

from lime_desktop.app_package.files.path_rules import normalised
from lime_desktop.app_package.package import AppPackage
from lime_desktop.app_package.problems import Place, Problem, ProblemKind, Severity
from lime_desktop.app_package.text.located import LocatedMap, find, key_path
from lime_desktop.host.appearance.picture_cache import MOST_PICTURE_BYTES
from lime_desktop.product import PRODUCT_ID, FileType
from lime_desktop.shipping.versions import is_version
from lime_desktop.stamping import problem_kinds as kinds
from lime_desktop.stamping import reserved

_BRANDING = ("install", "branding")
_STANDALONE = ("install", "standalone")
_MOST_WORDS = 60
_SIGNS = frozenset(" .-_&'()+!,·")
_BUNDLE_PART = re.compile(r"[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_SCHEME = re.compile(r"[a-z][a-z0-9-]{1,39}")
_EXTENSION = re.compile(r"[a-z0-9][a-z0-9-]{1,31}")
_CHANNEL = re.compile(r"[a-z][a-z0-9-]{0,31}")
_MOST_FILE_TYPES = 8
_PNG = b"\x89PNG\r\n\x1a\n"
_SHARP = 512


@dataclass(frozen=True, slots=True)
class BrandUpdates:
    """Where a product's new versions come from."""

    url: str
    channel: str


@dataclass(frozen=True, slots=True)
class Brand:
    """A product, before it is made."""

    id: str
    bundle_id: str
    name: str
    window_title: str
    version: str
    scheme: str
    publisher: str
    summary: str
    accent: str | None
    support_url: str | None
    file_types: tuple[FileType, ...]
    icon: bytes
    updates: BrandUpdates | None
    platforms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BrandReading:
    """What was found; the brand is there only where nothing is wrong with it."""

    brand: Brand | None
    problems: tuple[Problem, ...]


def read_brand(package: AppPackage) -> BrandReading:
    """Read the brand of a package, and collect everything that is wrong with it."""
    reader = _Reader(package)
    brand = reader.read()
    is_sound = package.is_valid and all(
        each.severity is not Severity.ERROR for each in reader.problems
    )
    errors = [each for each in package.problems if each.severity is Severity.ERROR]
    return BrandReading(brand if is_sound else None, (*errors, *reader.problems))


def id_of(bundle_id: str) -> str:
    """The one name that is safe as a folder, a program and a package: com.example.notes is example-notes."""
    parts = bundle_id.lower().split(".")
    return "-".join(parts[1:] if len(parts) > 2 else parts)


class _Reader:
    """Takes one value after the other, and notes what is wrong."""

    def __init__(self, package: AppPackage) -> None:
        self._package = package
        self.problems: list[Problem] = []

    def read(self) -> Brand:
        manifest = self._package.manifest
        install = manifest.install
        if install is None or "standalone" not in install.modes:
            self._note(
                kinds.MODE_MISSING, "install.modes does not name standalone.", "install", "modes"
            )
        if self._value("install", "organisation") is not None:
            self._note(
                kinds.ORGANISATION_BUILD,
                kinds.ORGANISATION_BUILD.meaning,
                "install",
                "organisation",
            )
        if not is_version(manifest.version):
            self._note(kinds.VERSION_INVALID, kinds.VERSION_INVALID.meaning, "version")
        bundle_id = self._bundle_id()
        own = id_of(bundle_id)
        name = self._words("name", self._shown_name())
        if name.casefold() in reserved.NAMES:
            self._note(kinds.NAME_TAKEN, kinds.NAME_TAKEN.meaning, *_BRANDING, "name")
        publisher = manifest.publisher.display_name if manifest.publisher else None
        return Brand(
            id=own,
            bundle_id=bundle_id,
            name=name,
            window_title=self._words("windowTitle", name),
            version=manifest.version,
            scheme=self._scheme(own),
            publisher=self._words("publisher", publisher or "", may_lack=True),
            summary=_one_line(manifest.description or name),
            accent=self._matched("accent", _COLOUR, kinds.COLOUR_INVALID),
            support_url=self._url(*_BRANDING, "supportUrl"),
            file_types=tuple(self._file_types(own)),
            icon=self._icon(),
            updates=self._updates(),
            platforms=install.standalone.platforms if install and install.standalone else (),
        )

    def _shown_name(self) -> str:
        manifest = self._package.manifest
        return manifest.display_name or manifest.name

    def _bundle_id(self) -> str:
        found = self._text(*_STANDALONE, "bundleId") or ""
        parts = found.split(".")
        is_sound = len(parts) > 1 and all(_BUNDLE_PART.fullmatch(each) for each in parts)
        own = id_of(found)
        if not is_sound or not PRODUCT_ID.fullmatch(own) or len(own) > 40:
            message = (
                "The bundleId is missing." if not found else "The bundleId is not safe as a name."
            )
            self._note(kinds.BUNDLE_ID_INVALID, message, *_STANDALONE, "bundleId")
        elif (
            own in reserved.IDS
            or own.startswith("lime-desktop")
            or found.lower().startswith("lime.")
        ):
            self._note(kinds.ID_TAKEN, f"The product would be {own}.", *_STANDALONE, "bundleId")
        return found

    def _words(self, key: str, otherwise: str, *, may_lack: bool = False) -> str:
        found = self._text(*_BRANDING, key)
        words = otherwise if found is None else found
        if not (may_lack and not words) and not _is_plain_name(words):
            self._note(kinds.NAME_UNSAFE, kinds.NAME_UNSAFE.meaning, *_BRANDING, key)
        return words

    def _scheme(self, own: str) -> str:
        found = self._text(*_BRANDING, "scheme")
        scheme = own if found is None else found
        if not _SCHEME.fullmatch(scheme) or scheme in reserved.SCHEMES:
            self._note(kinds.SCHEME_TAKEN, kinds.SCHEME_TAKEN.meaning, *_BRANDING, "scheme")
        return scheme

    def _matched(self, key: str, shape: re.Pattern[str], kind: ProblemKind) -> str | None:
        found = self._text(*_BRANDING, key)
        if found is not None and not shape.fullmatch(found):
            self._note(kind, kind.meaning, *_BRANDING, key)
        return found

    def _url(self, *path: str) -> str | None:
        found = self._text(*path)
        if found is not None and not _is_https(found):
            self._note(kinds.URL_INVALID, kinds.URL_INVALID.meaning, *path)
        return found

    def _updates(self) -> BrandUpdates | None:
        path = (*_STANDALONE, "updates")
        if self._value(*path) is None:
            return None
        url = self._url(*path, "url")
        channel = self._text(*path, "channel") or "stable"
        if url is None or not _CHANNEL.fullmatch(channel):
            message = "Updates need a url, and a channel of lower-case letters and digits."
            self._note(kinds.VALUE_INVALID, message, *path)
        return BrandUpdates(url or "", channel)

    def _file_types(self, own: str) -> Iterator[FileType]:
        path = (*_BRANDING, "fileTypes")
        listed = self._value(*path)
        rows = cast("list[object]", listed) if isinstance(listed, list) else []
        if (listed is not None and not isinstance(listed, list)) or len(rows) > _MOST_FILE_TYPES:
            self._note(
                kinds.VALUE_INVALID, f"fileTypes is not a list of up to {_MOST_FILE_TYPES}.", *path
            )
            return
        for at, row in enumerate(rows):
            fields: Mapping[str, object] = row if isinstance(row, LocatedMap) else {}
            extension, name = fields.get("extension"), fields.get("name")
            is_sound = isinstance(extension, str) and _EXTENSION.fullmatch(extension)
            if not is_sound or extension in reserved.EXTENSIONS or not _is_plain_name(name):
                self._note(kinds.FILE_TYPE_INVALID, kinds.FILE_TYPE_INVALID.meaning, *path, at)
                continue
            mime = f"application/vnd.{own}.{extension}"
            yield FileType(extension=str(extension), name=str(name), mime_type=mime)

    def _icon(self) -> bytes:
        path = (*_BRANDING, "icon")
        named = self._text(*path)
        if named is None:
            path = ("presentation", "icon")
            named = self._text(*path)
        tree = self._package.tree
        entry = tree.files.get(normalised(named) or "") if named else None
        if entry is None:
            self._note(kinds.ICON_MISSING, kinds.ICON_MISSING.meaning, *path)
            return b""
        if entry.size > MOST_PICTURE_BYTES:
            self._note(kinds.ICON_TOO_LARGE, f"The picture has {entry.size} bytes.", *path)
            return b""
        picture = b"".join(tree.pieces(entry.path))
        if picture.startswith(_PNG) and int.from_bytes(picture[16:20], "big") < _SHARP:
            self._note(kinds.ICON_SMALL, kinds.ICON_SMALL.meaning, *path)
        return picture

    def _value(self, *path: str | int) -> object:
        found, _ = find(self._package.effective, path)
        return found

    def _text(self, *path: str | int) -> str | None:
        found = self._value(*path)
        if found is not None and not isinstance(found, str):
            self._note(kinds.VALUE_INVALID, "It is not text.", *path)
            return None
        return found

    def _note(self, kind: ProblemKind, message: str, *path: str | int) -> None:
        _, origin = find(self._package.effective, path)
        place = Place(None, None, key_path(path))
        if origin is not None:
            place = Place(origin.file, origin.line, key_path(path))
        self.problems.append(kind.found(message, place))


def _is_plain_name(words: object) -> bool:
    if not isinstance(words, str) or not 0 < len(words) <= _MOST_WORDS:
        return False
    is_normal = unicodedata.normalize("NFC", words) == words == words.strip()
    return is_normal and all(each.isalnum() or each in _SIGNS for each in words)


def _is_https(text: str) -> bool:
    if not text.isascii() or not text.isprintable() or " " in text or len(text) > 500:
        return False
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme == "https" and bool(parts.hostname) and not parts.username


def _one_line(text: str) -> str:
    return " ".join(text.split())[:200]
