"""What holds in a product from its first start, because it came with it: which apps it takes, and whose rules it is under.

Nothing here allows an app anything. What a product brings is read from beside the program, known by its hash; what is
gone or another keeps the product from opening, so that nobody works without the rules of their organisation.
"""

from dataclasses import dataclass
from pathlib import Path

from lime_desktop.host.app_center.catalog.shipped import PromisedPackage, ShippedPackages
from lime_desktop.host.app_center.governance.organisation import Organisation, parse_organisation
from lime_desktop.product import BrandingBroken, Product, ShippedApp, shipped_bytes
from lime_desktop.protocol.errors import AppError


@dataclass(frozen=True, slots=True)
class ProductRules:
    """Of Lime Desktop itself there are none."""

    apps: frozenset[str] | None = None
    """The apps that the product is made for; None where it takes any."""
    packages: ShippedPackages | None = None
    """Those of an organisation's product, on offer."""
    organisation: Organisation | None = None
    """Whose product it is: nobody joins another, or leaves this one."""

    def admits(self, app_id: str, source: str | None) -> bool:
        """Whether an app may be here: one that came along, or one that the organisation named, itself or by its catalog."""
        if self.apps is None or app_id in self.apps:
            return True
        found = self.organisation
        return found is not None and (
            app_id in (found.allowed or ()) or (source is not None and source in found.catalogs)
        )

    @property
    def takes_packages(self) -> bool:
        """Whether a package from anywhere may be one to install."""
        if self.apps is None:
            return True
        named = self.organisation.allowed if self.organisation else None
        return bool((named or frozenset()) - self.apps)


UNBOUND = ProductRules()


def product_rules(product: Product, folder: Path | None) -> ProductRules:
    """The rules of a product that lies in a folder. Blocks.

    Raises:
        BrandingBroken: what it brings is gone, or another than was shipped.
    """
    if product.app is not None:
        return ProductRules(frozenset({product.app.id}))
    if product.organisation is None or folder is None:
        return UNBOUND
    try:
        text = shipped_bytes(folder, product.organisation).decode("utf-8")
        organisation = parse_organisation(text, product.name)
    except (UnicodeDecodeError, AppError) as error:
        raise BrandingBroken(f"{product.organisation.path} cannot be read: {error}") from error
    packages = tuple(_promised(each, folder) for each in product.apps)
    return ProductRules(
        frozenset(each.id for each in product.apps),
        ShippedPackages(product.id, packages),
        organisation,
    )


def _promised(app: ShippedApp, folder: Path) -> PromisedPackage:
    return PromisedPackage(app.package.below(folder), f"sha256:{app.package.sha256}")
