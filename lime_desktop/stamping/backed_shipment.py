"""One run of `ship --runtime-backed`: a launcher, the brand and the app, for a Lime Desktop that is installed already. No base is needed."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import msgspec

from lime_desktop import __version__
from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.archive.packing import NotPacked
from lime_desktop.app_package.package import AppPackage, load_package
from lime_desktop.app_package.problems import Problem
from lime_desktop.stamping import problem_kinds as kinds
from lime_desktop.stamping.brand import Brand, read_brand
from lime_desktop.stamping.formats.backed import write_backed_debian, write_backed_tarball
from lime_desktop.stamping.launcher import PAGE, launcher_script, missing_page
from lime_desktop.stamping.pictures import png
from lime_desktop.stamping.runtime_needs import RuntimeNeeds, read_needs
from lime_desktop.stamping.shipment import (
    Shipment,
    ShipOptions,
    Timed,
    drawn_icon,
    icon_place,
    write_sums,
)
from lime_desktop.stamping.stamp import (
    ICON,
    ICON_SIDE,
    add_branding,
    add_file,
    one_app,
    product_of,
    settle,
    whole_tree,
    why_not_at,
)

EPOCH = 315_532_800
"""1980, the first time that every archive can write: a launcher has no base whose time it could bear."""
_OFFERED = frozenset({"deb", "tar"})
_Parts = tuple[AppPackage, Brand, RuntimeNeeds, Mapping[int, bytes]]


def check_backed(wish: ShipOptions) -> Shipment:
    """Say what is missing; nothing is written."""
    found = Shipment()
    _check(wish, found)
    return found


def ship_backed(wish: ShipOptions, tell: Callable[[str], None]) -> Shipment:
    """Make the launcher in every format that was asked for."""
    found = Shipment()
    parts = _check(wish, found)
    if parts is not None and found.is_sound:
        _make(wish, parts, Timed(found, tell))
    return found


def _check(wish: ShipOptions, found: Shipment) -> _Parts | None:
    package = load_package(open_package(wish.package))
    reading = read_brand(package, "runtime_backed")
    found.brand = reading.brand
    found.needs, problems = read_needs(package)
    found.problems += (*reading.problems, *problems)
    if reading.brand is None:
        return None
    pixels = drawn_icon(reading.brand, icon_place(package), found)
    found.problems += _in_the_way(wish, reading.brand)
    if found.needs is None or pixels is None:
        return None
    return package, reading.brand, found.needs, pixels


def _in_the_way(wish: ShipOptions, brand: Brand) -> Iterator[Problem]:
    if (taken := why_not_at(wish.out, brand)) is not None:
        yield taken
    for each in sorted(wish.formats - _OFFERED):
        message = f"A launcher for an installed Lime Desktop is a .deb or a tar.gz, not --{each}."
        yield kinds.FORMAT_UNAVAILABLE.found(message)


def _make(wish: ShipOptions, parts: _Parts, timed: Timed) -> None:
    package, brand, needs, pixels = parts
    out = wish.out
    out.mkdir(parents=True, exist_ok=True)
    icons = timed.make("icons", lambda: {side: png(side, each) for side, each in pixels.items()})
    tree = timed.make("tree", lambda: _tree(package, brand, needs, icons[ICON_SIDE], out))
    if isinstance(tree, tuple):
        timed.refuse(tree)
        return
    timed.add(tree)
    writers: dict[str, Callable[[], Path]] = {
        "deb": lambda: write_backed_debian(brand, needs, tree, icons, EPOCH, out),
        "tar": lambda: write_backed_tarball(brand, tree, icons, EPOCH, out),
    }
    packed = [timed.make(name, write) for name, write in writers.items() if name in wish.formats]
    timed.add(*packed)
    if packed:
        timed.add(write_sums(out, packed))


def _tree(
    package: AppPackage, brand: Brand, needs: RuntimeNeeds, icon: bytes, out: Path
) -> Path | tuple[Problem, ...]:
    with whole_tree(out, brand) as partial:
        contents = one_app(package)(partial)
        if isinstance(contents, NotPacked):
            return contents.problems
        product = product_of(brand, __version__, contents, add_file(partial, ICON, icon))
        script = launcher_script(brand, needs)
        add_file(partial, f"bin/{brand.id}", script.encode())
        add_file(partial, PAGE, missing_page(brand, needs).encode())
        add_branding(partial, msgspec.structs.replace(product, runtime=needs.required))
        settle(partial, EPOCH, also=("bin", PAGE))
        (partial / "bin" / brand.id).chmod(0o755)
    return out / brand.id
