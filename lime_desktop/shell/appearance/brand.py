"""Whose name and colours the shell wears: the product's own, a vendor's, or those of the organisation it belongs to."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QPixmap

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.governance.branding import Branding, brand_in_force, read_branding
from lime_desktop.host.app_center.governance.organisation import Organisation
from lime_desktop.product import LIME, Product


class Brand(QObject):
    """The brand in force; says when another organisation's word holds here, or its word changes."""

    changed = Signal()

    def __init__(self, resources: Path, product: Product = LIME, icon: Path | None = None) -> None:
        """`icon` is the picture of a product that an app was made into: pixels, drawn when it was."""
        super().__init__()
        self._shipped = _branding_of(product) if product.is_branded else read_branding(resources)
        self.product = product
        """Which it is, whatever organisation it belongs to."""
        self._icon = icon
        self.branding: Branding = self._shipped
        self._organisation: Organisation | None = None
        self.picture: bytes | None = None
        """The organisation's logo, where it has one."""

    def own_picture(self) -> QPixmap | None:
        """The product's picture, where it is not the one that ships."""
        return None if self._icon is None else QPixmap(str(self._icon))

    @property
    def has_own_logo(self) -> bool:
        """Whether an organisation's logo stands in the place of the product's."""
        return self.picture is not None

    def follow(self, center: AppCenter) -> None:
        """Wear the brand of the organisation that an app center knows of, from now on as it changes."""

        def take() -> None:
            membership = center.membership
            # An organisation's own product was given its name and colours when it was made.
            worn = None if membership.is_products else membership.organisation
            found = (worn, membership.logo)
            if found != (self._organisation, self.picture):
                self._organisation, self.picture = found
                self.branding = brand_in_force(self._shipped, self._organisation)
                self.changed.emit()

        center.watch(take)
        take()


def _branding_of(product: Product) -> Branding:
    return Branding(
        brand_name=product.brand_name,
        product_name=product.name,
        accent=product.accent,
        support_url=product.support_url,
    )
