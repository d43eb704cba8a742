"""One run of `ship`: everything that is missing is found before anything is written, then each part is made and told."""

import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeVar

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.package import AppPackage, load_package
from lime_desktop.app_package.problems import Place, Problem, Severity
from lime_desktop.file_hashes import sha256_of
from lime_desktop.shell.pictures.drawing import draw_sizes
from lime_desktop.shipping.publishing.keys import KeyFolder
from lime_desktop.stamping import problem_kinds as kinds
from lime_desktop.stamping.appimage import AppImageFailed, why_no_appimage
from lime_desktop.stamping.base_tree import Base, find_base
from lime_desktop.stamping.brand import Brand, read_brand
from lime_desktop.stamping.bundle import organisation_bundle
from lime_desktop.stamping.formats.appimage import write_brand_appimage
from lime_desktop.stamping.formats.debian import write_debian
from lime_desktop.stamping.formats.macos import write_macos
from lime_desktop.stamping.formats.tarball import write_tarball
from lime_desktop.stamping.formats.windows import write_windows
from lime_desktop.stamping.organisation_build import read_build
from lime_desktop.stamping.pictures import SIDES, png
from lime_desktop.stamping.runtime_needs import RuntimeNeeds
from lime_desktop.stamping.stamp import AddContents, Order, one_app, stamp, why_not_at
from lime_desktop.stamping.system_needs import UnknownLibraries

Format = Literal["deb", "tar", "appimage", "windows", "macos"]
_SYSTEMS: dict[Format, str] = {
    **dict.fromkeys(("deb", "tar", "appimage"), "linux"),
    "windows": "windows",
    "macos": "macos",
}
_ON_LINUX = frozenset({"deb", "tar", "appimage"})
_SPARE = 1.2
_UNDRAWN = {
    "not_a_picture": "It is no picture that can be drawn.",
    "too_costly": "It took too much time or memory to draw.",
    None: "No process could be started to draw it in; `lime-desktop doctor` says what is missing.",
}
MadeT = TypeVar("MadeT")


@dataclass(frozen=True, slots=True)
class ShipOptions:
    """What somebody asked for."""

    package: Path
    """The app; or the build file, where the product is an organisation's."""
    out: Path
    formats: frozenset[Format] = frozenset()
    base: Path | None = None
    keys: Path | None = None
    appimage_runtime: Path | None = None
    is_organisations: bool = False


@dataclass(slots=True)
class Shipment:
    """What was found, and what has been made."""

    brand: Brand | None = None
    base: Base | None = None
    needs: RuntimeNeeds | None = None
    """Of a product without a runtime, in the place of a base."""
    problems: list[Problem] = field(default_factory=list[Problem])
    files: list[Path] = field(default_factory=list[Path])
    seconds: dict[str, float] = field(default_factory=dict[str, float])

    @property
    def is_sound(self) -> bool:
        """Whether nothing stands in the way."""
        return all(each.severity is not Severity.ERROR for each in self.problems)


@dataclass(frozen=True, slots=True)
class _Read:
    brand: Brand | None
    problems: tuple[Problem, ...]
    add: AddContents
    icon_place: Place


@dataclass(frozen=True, slots=True)
class _Checked:
    add: AddContents
    brand: Brand
    base: Base
    pixels: Mapping[int, bytes]


def check(wish: ShipOptions) -> Shipment:
    """Say what is missing; nothing is written."""
    found = Shipment()
    _check(wish, found)
    return found


def ship(wish: ShipOptions, tell: Callable[[str], None]) -> Shipment:
    """Make the product in every format that was asked for. `tell` hears of each part once it is there."""
    found = Shipment()
    checked = _check(wish, found)
    if checked is None or not found.is_sound:
        return found
    try:
        _make(wish, checked, Timed(found, tell))
    except (UnknownLibraries, AppImageFailed) as error:
        found.problems.append(kinds.FORMAT_UNAVAILABLE.found(str(error)))
    return found


def _check(wish: ShipOptions, found: Shipment) -> _Checked | None:
    reading = _read(wish)
    found.problems += reading.problems
    base = find_base(wish.base)
    if isinstance(base, Problem):
        found.problems.append(base)
    else:
        found.base = base
    found.brand = reading.brand
    if reading.brand is None:
        return None
    pixels = drawn_icon(reading.brand, reading.icon_place, found)
    found.problems += _in_the_way(wish, reading.brand, found.base)
    if found.base is None or pixels is None:
        return None
    return _Checked(reading.add, reading.brand, found.base, pixels)


def _read(wish: ShipOptions) -> _Read:
    if wish.is_organisations:
        build = read_build(wish.package)
        return _Read(build.brand, build.problems, organisation_bundle(build), build.icon_place)
    package = load_package(open_package(wish.package))
    reading = read_brand(package)
    return _Read(reading.brand, reading.problems, one_app(package), icon_place(package))


def icon_place(package: AppPackage) -> Place:
    """Where a package names its icon."""
    origins = package.origins
    origin = origins.get("install.branding.icon") or origins.get("presentation.icon")
    return Place(origin.file, origin.line, "install.branding.icon") if origin else Place()


def drawn_icon(brand: Brand, place: Place, found: Shipment) -> Mapping[int, bytes] | None:
    """The pixels of the icon in every size, or None and a problem at the place that names it."""
    drawn = draw_sizes(brand.icon, SIDES)
    if isinstance(drawn, Mapping):
        return drawn
    found.problems.append(kinds.ICON_UNUSABLE.found(_UNDRAWN[drawn], place))
    return None


def _in_the_way(wish: ShipOptions, brand: Brand, base: Base | None) -> Iterator[Problem]:
    if (taken := why_not_at(wish.out, brand)) is not None:
        yield taken
    for each in sorted(wish.formats):
        if brand.platforms and _SYSTEMS[each] not in brand.platforms:
            message = f"--{each} is for {_SYSTEMS[each]}, which the product's platforms leave out."
            yield kinds.PLATFORM_EXCLUDED.found(message)
    if base is not None and base.suffix and wish.formats & _ON_LINUX:
        yield kinds.FORMAT_UNAVAILABLE.found("The base is one for Windows.")
    if "appimage" in wish.formats and (reason := why_no_appimage(wish.appimage_runtime)):
        yield kinds.FORMAT_UNAVAILABLE.found(reason)
    if brand.updates is not None and wish.keys is None:
        yield kinds.UPDATES_UNTRUSTED.found(kinds.UPDATES_UNTRUSTED.meaning)
    if base is not None and (lack := _room_lacking(wish, base)):
        yield kinds.OUT_TAKEN.found(lack, fix="Free some space, or name another folder with --out.")


def _room_lacking(wish: ShipOptions, base: Base) -> str:
    size = sum(each.lstat().st_size for each in base.folder.rglob("*"))
    needed = int(size * _SPARE * (1 + len(wish.formats & _ON_LINUX)))
    there = next(each for each in (wish.out, *wish.out.absolute().parents) if each.exists())
    free = shutil.disk_usage(there).free
    return "" if free >= needed else f"{needed >> 20} MB are needed, {free >> 20} MB are free."


class Timed:
    """Does one thing after the other, and tells of each."""

    def __init__(self, shipment: Shipment, tell: Callable[[str], None]) -> None:
        self._shipment = shipment
        self._tell = tell

    def make(self, name: str, work: Callable[[], MadeT]) -> MadeT:
        """Do a part of the work."""
        started = time.monotonic()
        made = work()
        took = self._shipment.seconds[name] = round(time.monotonic() - started, 2)
        self._tell(f"{name}: {took:.1f} s")
        return made

    def add(self, *files: Path) -> None:
        """Note what was made."""
        self._shipment.files += files

    def refuse(self, problems: tuple[Problem, ...]) -> None:
        """Note why something could not be made."""
        self._shipment.problems += problems


def _make(wish: ShipOptions, checked: _Checked, timed: Timed) -> None:
    brand, base, out = checked.brand, checked.base, wish.out
    out.mkdir(parents=True, exist_ok=True)
    icons = timed.make(
        "icons", lambda: {side: png(side, each) for side, each in checked.pixels.items()}
    )
    keys = KeyFolder(wish.keys) if wish.keys is not None else None
    order = Order(checked.add, brand, base, icons, keys)
    tree = timed.make("tree", lambda: stamp(order, out))
    if isinstance(tree, tuple):
        timed.refuse(tree)
        return
    timed.add(tree)
    writers: dict[Format, Callable[[], Path | tuple[Path, ...]]] = {
        "deb": lambda: write_debian(brand, tree, icons, base.epoch, out),
        "tar": lambda: write_tarball(brand, tree, icons, base.epoch, out),
        "appimage": lambda: write_brand_appimage(
            brand, tree, icons, wish.appimage_runtime or Path(), base.epoch, out
        ),
        "windows": lambda: write_windows(brand, icons, out),
        "macos": lambda: write_macos(brand, icons, out),
    }
    written = [timed.make(name, write) for name, write in writers.items() if name in wish.formats]
    for each in written:
        timed.add(*(each if isinstance(each, tuple) else (each,)))
    packed = [each for each in written if isinstance(each, Path)]
    if packed:
        timed.add(write_sums(out, packed))


def write_sums(out: Path, files: list[Path]) -> Path:
    """Write the hashes of what was made for people to download."""
    target = out / "SHA256SUMS"
    lines = [f"{sha256_of(path)}  {path.name}\n" for path in sorted(files)]
    target.write_text("".join(lines), "utf-8")
    return target
