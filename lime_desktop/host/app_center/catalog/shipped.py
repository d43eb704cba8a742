"""The packages that came with a product, as offers: each is known by its hash before anything in it is read. Blocks."""

from dataclasses import dataclass
from pathlib import Path

from lime_desktop.app_package.files.hashes import file_hash
from lime_desktop.host.app_center.catalog.folders import offer_of
from lime_desktop.host.app_center.records.offers import Offer
from lime_desktop.protocol.errors import SourceUnverified


@dataclass(frozen=True, slots=True)
class PromisedPackage:
    """One of them, and the hash of the file that was shipped."""

    path: Path
    archive_hash: str

    @property
    def is_kept(self) -> bool:
        """Whether the file is the one that was shipped."""
        try:
            return file_hash(self.path) == self.archive_hash
        except OSError:
            return False


@dataclass(frozen=True, slots=True)
class ShippedPackages:
    """All of them."""

    name: str
    """What the source is called. A version of the program may lie in another folder than the one before; this stays."""
    packages: tuple[PromisedPackage, ...]

    def offers(self) -> tuple[Offer, ...]:
        """What is on offer; a file that is another than was shipped is not read and left out."""
        found = (_offer(each, self.name) for each in self.packages if each.is_kept)
        return tuple(each for each in found if each is not None)

    def damage(self) -> SourceUnverified | None:
        """What is to be told of files that are gone, or other ones."""
        damaged = [each.path.name for each in self.packages if not each.is_kept]
        if not damaged:
            return None
        return SourceUnverified(
            f"Not the files that came with this program: {', '.join(damaged)}. Install it again"
        )


def _offer(package: PromisedPackage, source: str) -> Offer | None:
    found = offer_of(package.path, source)
    return found and found.model_copy(update={"archive_hash": package.archive_hash})
