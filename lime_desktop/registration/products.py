"""The products that run on an installed Lime Desktop: a launcher names one by its id, and everything else is found and judged here.

A product's file can make a window look like another, so it is believed only where the system's owner or this very user put
it, in one of two places. It is read as strictly as that of a stamped product and obeys the same rules of names; it has no
field that allows anything. Its icon is taken as pixels alone: no decoder of pictures runs on a stranger's bytes.
"""

import os
import struct
import zlib
from pathlib import Path

from lime_desktop import __version__
from lime_desktop.product import (
    BRANDING_FILE,
    LIME,
    PRODUCT_ID,
    BrandingBroken,
    Product,
    Worn,
    read_product,
    shipped_path,
    this_product,
    wear,
)
from lime_desktop.registration.brand_rules import broken_rule
from lime_desktop.registration.places import registry_folders, why_untrusted
from lime_desktop.registration.version_ranges import fit, range_in_words

PRODUCTS = "products"
_MOST_ICON_BYTES = 2 << 20
_SIDE = 256
_PNG = b"\x89PNG\r\n\x1a\n"
_HEAD = struct.pack(">IIBBBBB", _SIDE, _SIDE, 8, 6, 0, 0, 0)
_ROW = 1 + 4 * _SIDE


def become(own: str) -> None:
    """Make this process the product of an id; where that cannot be, whoever asks which it is hears why."""
    try:
        found: tuple[Path, Product] | BrandingBroken = registered_product(own)
    except BrandingBroken as broken:
        found = broken
    wear(Worn(own, found))


def registered_product(own: str) -> tuple[Path, Product]:
    """The folder of a product and what it says, once nothing about it is in doubt. Blocks.

    Raises:
        BrandingBroken: there is none of this id that may be believed, or it does not run on this version.
    """
    if this_product() != LIME:
        raise BrandingBroken("this program is a product itself, and runs no other")
    folder = _folder_of(own)
    try:
        _check_whose(folder)
        product = read_product(folder)
        _check(own, product)
        _check_picture(folder, product)
    except OSError as error:
        raise BrandingBroken(f"{folder} cannot be read: {error.strerror}") from error
    return folder, product


def _folder_of(own: str) -> Path:
    if not PRODUCT_ID.fullmatch(own):
        raise BrandingBroken("no product has such an id")
    for place in registry_folders():
        folder = place / PRODUCTS / own
        if os.path.lexists(folder):
            return folder
    raise BrandingBroken(f"no product {own} is installed for Lime Desktop")


def _check_whose(folder: Path) -> None:
    """Nothing in it may be another user's to change."""
    for path in (folder, *sorted(folder.rglob("*"))):
        if reason := why_untrusted(path):
            raise BrandingBroken(reason)


def _check(own: str, product: Product) -> None:
    if product.id != own:
        raise BrandingBroken(f"{BRANDING_FILE} is of another product")
    if field := broken_rule(product):
        raise BrandingBroken(f"{BRANDING_FILE} says what it may not in {field}")
    needs = product.runtime
    if needs is None:
        raise BrandingBroken(f"{BRANDING_FILE} is of a product that brings its own runtime")
    if fit(__version__, needs.min_version, needs.max_version) != "fits":
        wanted = range_in_words(needs.min_version, needs.max_version)
        raise BrandingBroken(f"it needs Lime Desktop {wanted}, and this is {__version__}")


def _check_picture(folder: Path, product: Product) -> None:
    if product.icon is None:
        raise BrandingBroken("the product has no icon")
    if (folder / product.icon.path).stat().st_size > _MOST_ICON_BYTES:
        raise BrandingBroken(f"{product.icon.path} is too large")
    body = shipped_path(folder, product.icon).read_bytes()
    if not is_plain_picture(body):
        raise BrandingBroken(f"{product.icon.path} is not a picture as `ship` draws it")


def is_plain_picture(body: bytes) -> bool:
    """Whether it is a PNG file of one kind alone: 256 by 256 unfiltered pixels, and nothing else that a decoder could stumble over."""
    chunks = _chunks(body)
    if chunks is None or [kind for kind, _ in chunks] != [b"IHDR", b"IDAT", b"IEND"]:
        return False
    head, packed, end = (part for _, part in chunks)
    if head != _HEAD or end:
        return False
    unpacking = zlib.decompressobj()
    try:
        lines = unpacking.decompress(packed, _ROW * _SIDE + 1)
    except zlib.error:
        return False
    is_whole = unpacking.eof and not unpacking.unused_data and len(lines) == _ROW * _SIDE
    return is_whole and not any(lines[::_ROW])


def _chunks(body: bytes) -> list[tuple[bytes, bytes]] | None:
    if not body.startswith(_PNG):
        return None
    at, found = len(_PNG), list[tuple[bytes, bytes]]()
    while at < len(body):
        if at + 12 > len(body) or len(found) > 3:
            return None
        size = int.from_bytes(body[at : at + 4], "big")
        kind, part = body[at + 4 : at + 8], body[at + 8 : at + 8 + size]
        told = body[at + 8 + size : at + 12 + size]
        if told != struct.pack(">I", zlib.crc32(kind + part)):
            return None
        found.append((kind, part))
        at += 12 + size
    return found
