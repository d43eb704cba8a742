"""What an app's product is called and looks like, as its package says; or every reason why that cannot be.

`install.branding` holds what the standard names (`name`, `icon`, `windowTitle`) and what a desktop asks beyond it: `accent`,
`publisher`, `supportUrl`, `scheme`, `fileTypes`. `install.standalone` holds `bundleId`, `platforms` and `updates`; a product
that runs on an installed Lime Desktop may have its `bundleId` in `install.runtimeBacked`. Nothing here can say what an app may do.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, cast

from lime_desktop.app_package.files.path_rules import normalised
from lime_desktop.app_package.package import AppPackage
from lime_desktop.app_package.problems import Problem, ProblemKind, Severity
from lime_desktop.app_package.text.located import LocatedMap
from lime_desktop.host.appearance.picture_cache import MOST_PICTURE_BYTES
from lime_desktop.product import FileType
from lime_desktop.registration.brand_rules import (
    COLOUR,
    id_of,
    is_bundle_id,
    is_own_extension,
    is_own_scheme,
    is_plain_name,
    is_taken_id,
    is_taken_name,
    mime_type,
)
from lime_desktop.shipping.versions import is_version
from lime_desktop.stamping import problem_kinds as kinds
from lime_desktop.stamping.package_values import WrittenValues

_BRANDING = ("install", "branding")
_STANDALONE = ("install", "standalone")
_BACKED = ("install", "runtimeBacked")
BrandMode = Literal["standalone", "runtime_backed"]
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


def read_brand(package: AppPackage, mode: BrandMode = "standalone") -> BrandReading:
    """Read the brand of a package, and collect everything that is wrong with it."""
    reader = _PackageReader(package, mode)
    brand = reader.read()
    is_sound = package.is_valid and all(
        each.severity is not Severity.ERROR for each in reader.problems
    )
    errors = [each for each in package.problems if each.severity is Severity.ERROR]
    return BrandReading(brand if is_sound else None, (*errors, *reader.problems))


class BrandReader(WrittenValues):
    """Takes one value of a brand after the other, and notes what is wrong."""

    branding_at: tuple[str, ...] = _BRANDING
    """Where names and looks stand in the document."""
    standalone_at: tuple[str, ...] = _STANDALONE
    """Where the id and the updates stand."""

    def _own_name(self, otherwise: str) -> str:
        name = self._words("name", otherwise)
        if is_taken_name(name):
            self.note(kinds.NAME_TAKEN, kinds.NAME_TAKEN.meaning, *self.branding_at, "name")
        return name

    def _bundle_id(self, *path: str) -> str:
        found = self.text(*path) or ""
        if not is_bundle_id(found):
            message = (
                "The bundleId is missing." if not found else "The bundleId is not safe as a name."
            )
            self.note(kinds.BUNDLE_ID_INVALID, message, *path)
        elif is_taken_id(found):
            self.note(kinds.ID_TAKEN, f"The product would be {id_of(found)}.", *path)
        return found

    def _words(self, key: str, otherwise: str, *, may_lack: bool = False) -> str:
        found = self.text(*self.branding_at, key)
        words = otherwise if found is None else found
        if not (may_lack and not words) and not is_plain_name(words):
            self.note(kinds.NAME_UNSAFE, kinds.NAME_UNSAFE.meaning, *self.branding_at, key)
        return words

    def _scheme(self, own: str) -> str:
        found = self.text(*self.branding_at, "scheme")
        scheme = own if found is None else found
        if not is_own_scheme(scheme):
            self.note(kinds.SCHEME_TAKEN, kinds.SCHEME_TAKEN.meaning, *self.branding_at, "scheme")
        return scheme

    def _matched(self, key: str, shape: re.Pattern[str], kind: ProblemKind) -> str | None:
        found = self.text(*self.branding_at, key)
        if found is not None and not shape.fullmatch(found):
            self.note(kind, kind.meaning, *self.branding_at, key)
        return found

    def _updates(self) -> BrandUpdates | None:
        path = (*self.standalone_at, "updates")
        if self.value(*path) is None:
            return None
        url = self.url(*path, "url")
        channel = self.text(*path, "channel") or "stable"
        if url is None or not _CHANNEL.fullmatch(channel):
            message = "Updates need a url, and a channel of lower-case letters and digits."
            self.note(kinds.VALUE_INVALID, message, *path)
        return BrandUpdates(url or "", channel)

    def _sharp(self, picture: bytes, *path: str | int) -> bytes:
        """A picture as it is; that it will look blurred is noted."""
        if picture.startswith(_PNG) and int.from_bytes(picture[16:20], "big") < _SHARP:
            self.note(kinds.ICON_SMALL, kinds.ICON_SMALL.meaning, *path)
        return picture


class _PackageReader(BrandReader):
    """Reads what a package says of itself."""

    def __init__(self, package: AppPackage, mode: BrandMode) -> None:
        super().__init__(package.effective)
        self.package = package
        self._mode: BrandMode = mode

    def read(self) -> Brand:
        manifest = self.package.manifest
        install = manifest.install
        if install is None or self._mode not in install.modes:
            message = f"install.modes does not name {self._mode}."
            self.note(kinds.MODE_MISSING, message, "install", "modes")
        if not is_version(manifest.version):
            self.note(kinds.VERSION_INVALID, kinds.VERSION_INVALID.meaning, "version")
        backed = (*_BACKED, "bundleId")
        is_backed = self._mode == "runtime_backed" and self.value(*backed) is not None
        bundle_id = self._bundle_id(*(backed if is_backed else (*_STANDALONE, "bundleId")))
        own = id_of(bundle_id)
        name = self._own_name(self._shown_name())
        publisher = manifest.publisher.display_name if manifest.publisher else None
        return Brand(
            id=own,
            bundle_id=bundle_id,
            name=name,
            window_title=self._words("windowTitle", name),
            version=manifest.version,
            scheme=self._scheme(own),
            publisher=self._words("publisher", publisher or "", may_lack=True),
            summary=one_line(manifest.description or name),
            accent=self._matched("accent", COLOUR, kinds.COLOUR_INVALID),
            support_url=self.url(*_BRANDING, "supportUrl"),
            file_types=tuple(self._file_types(own)),
            icon=self._icon(),
            updates=self._updates(),
            platforms=install.standalone.platforms if install and install.standalone else (),
        )

    def _shown_name(self) -> str:
        manifest = self.package.manifest
        return manifest.display_name or manifest.name

    def _file_types(self, own: str) -> Iterator[FileType]:
        path = (*_BRANDING, "fileTypes")
        listed = self.value(*path)
        rows = cast("list[object]", listed) if isinstance(listed, list) else []
        if (listed is not None and not isinstance(listed, list)) or len(rows) > _MOST_FILE_TYPES:
            self.note(
                kinds.VALUE_INVALID, f"fileTypes is not a list of up to {_MOST_FILE_TYPES}.", *path
            )
            return
        for at, row in enumerate(rows):
            fields: Mapping[str, object] = row if isinstance(row, LocatedMap) else {}
            extension, name = fields.get("extension"), fields.get("name")
            if not is_own_extension(extension) or not is_plain_name(name):
                self.note(kinds.FILE_TYPE_INVALID, kinds.FILE_TYPE_INVALID.meaning, *path, at)
                continue
            mime = mime_type(own, str(extension))
            yield FileType(extension=str(extension), name=str(name), mime_type=mime)

    def _icon(self) -> bytes:
        path = (*_BRANDING, "icon")
        named = self.text(*path)
        if named is None:
            path = ("presentation", "icon")
            named = self.text(*path)
        tree = self.package.tree
        entry = tree.files.get(normalised(named) or "") if named else None
        if entry is None:
            self.note(kinds.ICON_MISSING, kinds.ICON_MISSING.meaning, *path)
            return b""
        if entry.size > MOST_PICTURE_BYTES:
            self.note(kinds.ICON_TOO_LARGE, f"The picture has {entry.size} bytes.", *path)
            return b""
        return self._sharp(b"".join(tree.pieces(entry.path)), *path)


def one_line(text: str) -> str:
    """A description as a menu and a package have it."""
    return " ".join(text.split())[:200]
