"""What a source says now: a folder, a list on this machine, a list at an address, or one whose signature is checked. Blocks.

Who signs a list at an address is fixed when it is first read: by the root that lies beside it, or by the hash of that root
at the end of the address (``…/catalog.json#root=sha256:…``). From then on nothing else is believed of that address.
"""

import hashlib
from pathlib import Path

from lime_desktop.host.app_center.catalog.catalog_file import ReadCatalog, parse_catalog
from lime_desktop.host.app_center.catalog.folders import offers_in
from lime_desktop.host.app_center.packages.fetching import (
    MAX_TEXT_BYTES,
    beside,
    fetch_bytes,
    fetch_text,
    is_url,
)
from lime_desktop.host.app_center.records.records import CatalogSource
from lime_desktop.protocol.errors import InvalidInput, SourceUnverified, UpstreamFailed

_PIN = "#root="
_ELSEWHERE = {"UPDATE_UNREACHABLE", "UPDATE_TOO_SLOW"}


def look_at(source: CatalogSource, memory: Path) -> CatalogSource:
    """The source with what it offers now; `memory` is the folder that remembers signatures.

    Raises:
        AppError: nothing can be read there, or nothing that is to be believed.
    """
    location = source.location
    if not is_url(location):
        return _as_read(source, _read_here(location), None)
    root = source.root or _first_root(location)
    text = fetch_text(location) if root is None else _read_signed(location, root, memory)
    return _as_read(source, parse_catalog(text, location, may_revoke=root is not None), root)


def _as_read(source: CatalogSource, read: ReadCatalog, root: str | None) -> CatalogSource:
    return source.model_copy(update={"offers": read.offers, "recalls": read.recalls, "root": root})


def _first_root(location: str) -> str | None:
    """Whose signature the catalog needs from now on; None where it has none and its address asks for none."""
    from lime_desktop.shipping.catalogs import FIRST_ROOT, MAX_ROOT_BYTES  # noqa: PLC0415 - what checks signatures is heavy

    address, _, pin = location.partition(_PIN)
    try:
        body = fetch_bytes(beside(address, FIRST_ROOT), MAX_ROOT_BYTES)
        root = body.decode("utf-8")
    except (UpstreamFailed, UnicodeDecodeError):
        body, root = b"", None
    if pin and pin != f"sha256:{hashlib.sha256(body).hexdigest()}":
        raise SourceUnverified("The catalog is not signed by the key that its address names")
    return root


def _read_signed(location: str, root: str, memory: Path) -> str:
    from lime_desktop.shipping.catalogs import read_catalog  # noqa: PLC0415 - likewise
    from lime_desktop.shipping.refusals import UpdateRefused  # noqa: PLC0415 - likewise

    own = memory / hashlib.sha256(location.encode()).hexdigest()[:32]
    try:
        return read_catalog(location, root.encode(), own).decode("utf-8")
    except UpdateRefused as refused:
        if refused.code in _ELSEWHERE:
            raise UpstreamFailed(f"The catalog can't be reached: {refused.code}") from refused
        raise SourceUnverified(
            f"The catalog's signature does not hold: {refused.code}. What it offered before stays"
        ) from refused


def _read_here(location: str) -> ReadCatalog:
    path = Path(location)
    if path.is_dir():
        return ReadCatalog(offers_in(path))
    try:
        with path.open("rb") as file:
            text = file.read(MAX_TEXT_BYTES).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        raise InvalidInput(
            "There is no catalog at this address. Use a folder of apps, a list of apps, or the address of a list"
        ) from None
    return parse_catalog(text, location)
