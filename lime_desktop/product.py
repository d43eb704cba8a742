"""Which product is this: Lime Desktop itself, one that an app was made into, or an organisation's with several apps?

A product that was stamped has a `branding.json` beside its executables, and both of its processes read it: its name, its
app, its link scheme, and the one id that keeps its data, its keyring entries and its sockets apart from those of others.
It says how things look and where they lie. It has no field that allows an app anything, and one that it does not know
makes it unreadable: a product that cannot tell what it is does not start, least of all as another one.

A product that brings no runtime is started on an installed Lime Desktop, which is told its id and finds its folder itself
(`registration/products.py`); this process is that product from then on.

From a checkout, a folder with such a file can be tried: `LIME_DESKTOP_BRAND` names it. A frozen program looks at no variable.
"""

import hashlib
import os
import re
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from lime_desktop.executables import is_frozen
from lime_desktop.file_hashes import sha256_of

BRANDING_FILE = "branding.json"
TRIED_BRAND = "LIME_DESKTOP_BRAND"
FORMAT = 1
_MOST_BYTES = 64 * 1024

PRODUCT_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
"""What is safe as a folder, a program, a Debian package and a keyring service at once."""

Id = Annotated[str, msgspec.Meta(pattern=rf"^{PRODUCT_ID.pattern}$", min_length=2, max_length=40)]
Scheme = Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z0-9-]{1,39}$")]
Words = Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
Sha256 = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}$")]
PathBeside = Annotated[
    str, msgspec.Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)*$")
]
"""A file below the product's own folder: no name in it begins with a dot."""


class BrandingBroken(Exception):
    """What says which product this is cannot be read, or does not fit what lies beside it."""


class _Part(msgspec.Struct, frozen=True, rename="camel", kw_only=True, forbid_unknown_fields=True):
    pass


class FileType(_Part, frozen=True):
    """Files that the product is the program for."""

    extension: str
    name: str
    mime_type: str


class ShippedFile(_Part, frozen=True):
    """A file that came with the product, known by its hash."""

    path: PathBeside
    sha256: Sha256

    def below(self, folder: Path) -> Path:
        """Where it lies in the product's folder; its shape lets it lead nowhere else."""
        return folder / self.path


class ShippedApp(_Part, frozen=True):
    """An app that came with the product. It is reviewed, verified and installed like any other."""

    id: str
    version: str
    package: ShippedFile


class RequiredRuntime(_Part, frozen=True):
    """The installed Lime Desktop that a product without a runtime of its own asks for."""

    min_version: Words
    max_version: Words | None = None
    """Of the newest that will do, as many numbers as are given: 1.4 is every 1.4.x."""


class Product(_Part, frozen=True):
    """A product's own file. Without one, it is Lime Desktop."""

    format: Literal[1] = FORMAT
    id: Id = "lime-desktop"
    bundle_id: str = "lime-desktop"
    name: Words = "Lime Desktop"
    brand_name: Words = "Lime"
    window_title: Words = "Lime Desktop"
    version: str = ""
    """The product's own; nothing where that is the program's."""
    runtime_version: str = ""
    """Of the Lime Desktop that it was stamped on."""
    scheme: Scheme = "lime"
    publisher: str = ""
    accent: str | None = None
    support_url: str | None = None
    file_types: tuple[FileType, ...] = ()
    app: ShippedApp | None = None
    """What is opened alone; none is Lime Desktop, which opens many, or an organisation's product."""
    apps: tuple[ShippedApp, ...] = ()
    """What an organisation's product offers, each to be reviewed by the person."""
    organisation: ShippedFile | None = None
    """The organisation's file, whose rules hold in its product from the first start."""
    providers: ShippedFile | None = None
    """The model providers that its product offers; no key is among them."""
    icon: ShippedFile | None = None
    """A square picture, drawn when the product was made."""
    runtime: RequiredRuntime | None = None
    """What an installed Lime Desktop must be to run it; none where it brings its own."""

    @property
    def is_branded(self) -> bool:
        """Whether it is a product of its own: an app's, or an organisation's."""
        return self.app is not None or self.organisation is not None

    @property
    def is_of_one_app(self) -> bool:
        """Whether it opens its app alone, and has no rail and no Home."""
        return self.app is not None

    def is_own_file(self, name: str) -> bool:
        """Whether a file is of a kind that the product is the program for."""
        return name.lower().endswith(tuple(f".{each.extension}" for each in self.file_types))

    @property
    def install_mode(self) -> Literal["in_lime", "standalone", "runtime_backed"]:
        """How its apps are installed, in the words of the standard: several of them share a host, as in Lime Desktop."""
        if not self.is_of_one_app:
            return "in_lime"
        return "standalone" if self.runtime is None else "runtime_backed"


LIME = Product()


@dataclass(frozen=True, slots=True)
class Worn:
    """A product that this process was asked to be: what was found of it, or why it cannot be."""

    id: str
    found: tuple[Path, Product] | BrandingBroken


_worn: list[Worn] = []


def wear(worn: Worn) -> None:
    """Be this product from now on. Once, before anything asks which one it is."""
    _worn[:] = [worn]
    this_product.cache_clear()


def worn_product() -> Worn | None:
    """What this process was asked to be; None where it is the program that it was installed as."""
    return _worn[0] if _worn else None


def product_folder() -> Path | None:
    """Where this process would find its branding; None where nothing can be branded."""
    if (worn := worn_product()) is not None:
        return None if isinstance(worn.found, BrandingBroken) else worn.found[0]
    if is_frozen():
        return Path(sys.executable).parent
    tried = os.environ.get(TRIED_BRAND)
    return Path(tried).absolute() if tried else None


@cache
def this_product() -> Product:
    """The product that this process belongs to.

    Raises:
        BrandingBroken: it cannot be told.
    """
    if (worn := worn_product()) is not None:
        if isinstance(worn.found, BrandingBroken):
            raise worn.found
        return worn.found[1]
    folder = product_folder()
    if folder is None or (is_frozen() and not (folder / BRANDING_FILE).exists()):
        return LIME
    product = read_product(folder)
    if is_frozen() and product.runtime is not None:
        raise BrandingBroken(f"{BRANDING_FILE} is of a product that brings no runtime")
    return product


def read_product(folder: Path) -> Product:
    """The product of a folder.

    Raises:
        BrandingBroken: there is no such file, or it says what it may not.
    """
    try:
        with (folder / BRANDING_FILE).open("rb") as file:
            body = file.read(_MOST_BYTES + 1)
        product = msgspec.json.decode(body[: _MOST_BYTES + 1], type=Product)
    except (OSError, msgspec.DecodeError) as error:
        raise BrandingBroken(f"{BRANDING_FILE} cannot be read: {error}") from error
    if product.id == LIME.id or product.scheme == LIME.scheme:
        raise BrandingBroken(f"{BRANDING_FILE} names an id or scheme of Lime Desktop's")
    if not _is_of_one_kind(product):
        raise BrandingBroken(f"{BRANDING_FILE} names no app, or no organisation for several")
    return product


def _is_of_one_kind(product: Product) -> bool:
    """One app and nothing else; or several apps of which none comes twice, and the organisation whose they are."""
    if product.app is not None:
        return not product.apps and product.organisation is None and product.providers is None
    names = {each.id for each in product.apps}
    is_whole = product.organisation is not None and product.runtime is None
    return is_whole and 0 < len(names) == len(product.apps)


def check_governing_files(product: Product, folder: Path | None) -> None:
    """See that what governs an organisation's product is there as it was shipped. Blocks, for less than a millisecond.

    Raises:
        BrandingBroken: it is gone, or another.
    """
    for each in (product.organisation, product.providers):
        if each is not None and folder is not None:
            shipped_bytes(folder, each)


def shipped_bytes(folder: Path, shipped: ShippedFile) -> bytes:
    """What stands in a small shipped file; the very bytes that were looked at are given. Blocks.

    Raises:
        BrandingBroken: it is gone, or another.
    """
    try:
        body = shipped.below(folder).read_bytes()
    except OSError as error:
        raise BrandingBroken(f"{shipped.path} cannot be read: {error.strerror}") from error
    if hashlib.sha256(body).hexdigest() != shipped.sha256:
        raise BrandingBroken(f"{shipped.path} is not the file that was shipped")
    return body


def shipped_path(folder: Path, shipped: ShippedFile) -> Path:
    """A shipped file, once it is known to be the one that was shipped. Blocks.

    Raises:
        BrandingBroken: it is gone, or another.
    """
    path = shipped.below(folder)
    try:
        found = sha256_of(path)
    except OSError as error:
        raise BrandingBroken(f"{shipped.path} cannot be read: {error.strerror}") from error
    if found != shipped.sha256:
        raise BrandingBroken(f"{shipped.path} is not the file that was shipped")
    return path
