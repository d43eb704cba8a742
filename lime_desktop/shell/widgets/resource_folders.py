"""Where things lie on this machine, and whose they are. Imports nothing of weight: the first frame needs it."""

from dataclasses import dataclass
from pathlib import Path

from lime_desktop.product import LIME, BrandingBroken, Product, ShippedFile, shipped_path


@dataclass(frozen=True, slots=True)
class Folders:
    """Where things lie on this machine. Nothing of it ever reaches an app."""

    resources: Path
    data: Path
    settings_file: Path
    product: Product = LIME
    product_folder: Path | None = None
    """What came with a product that an app was made into."""

    @property
    def views(self) -> Path:
        """What the pages of apps store, one folder per app."""
        return self.data / "views"

    @property
    def crashes(self) -> Path:
        """What a crash leaves for the next start."""
        return self.data / "crashes"

    @property
    def icon_file(self) -> Path | None:
        """The picture of a product that an app was made into. Whoever can write there can replace the program as well."""
        if self.product_folder is None or self.product.icon is None:
            return None
        return self.product_folder / self.product.icon.path

    def shipped(self, file: ShippedFile) -> Path:
        """A file that came with the product, known to be the one. Blocks.

        Raises:
            BrandingBroken: it is gone, or another.
        """
        if self.product_folder is None:
            raise BrandingBroken("nothing came with this product")
        return shipped_path(self.product_folder, file)
