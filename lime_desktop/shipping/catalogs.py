"""A signed catalog of apps: only what its keys signed, newer than all that was seen, and not too old. Blocks."""

from pathlib import Path

from lime_desktop.shipping.refusals import UpdateCode, UpdateRefused
from lime_desktop.shipping.sources import HttpSource
from lime_desktop.shipping.trusted import TrustedSource

CATALOG = "catalog.json"
FIRST_ROOT = "metadata/1.root.json"
MAX_CATALOG_BYTES = 4 * 1024 * 1024
MAX_ROOT_BYTES = 64 * 1024


def read_catalog(address: str, first_root: bytes, memory: Path) -> bytes:
    """The list of the catalog at an address; `memory` is the folder that remembers what was seen of it.

    Raises:
        UpdateRefused: it cannot be had, or is not to be believed.
    """
    source = HttpSource(address.partition("#")[0].rpartition("/")[0])
    try:
        found = TrustedSource(source, memory, first_root).read(CATALOG, MAX_CATALOG_BYTES)
    finally:
        source.close()
    if found is None:
        raise UpdateRefused(UpdateCode.MALFORMED, "its keys signed no catalog")
    return found
