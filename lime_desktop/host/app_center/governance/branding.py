"""What the product calls itself and which accent it wears: a small file that a vendor may replace, and over it an organisation's word."""

from pathlib import Path

from pydantic import Field

from lime_desktop.host.app_center.governance.organisation import Organisation
from lime_desktop.protocol.wire import WireModel


class Branding(WireModel):
    """The brand that is worn."""

    brand_name: str = Field(default="Lime", min_length=1, max_length=60)
    product_name: str = Field(default="Lime Desktop", min_length=1, max_length=60)
    accent: str | None = None
    """A colour as `#rrggbb`; worn where it can be read, see `theme`."""
    support_url: str | None = None
    organisation: str | None = None
    """Whose brand it is, if not the vendor's."""

    @property
    def is_own(self) -> bool:
        """Whether nobody has changed what the product calls itself."""
        own = Branding()
        return (self.brand_name, self.product_name) == (own.brand_name, own.product_name)


def read_branding(resources: Path) -> Branding:
    """Read the brand. A broken file is a broken build: it fails loudly, at start."""
    return Branding.model_validate_json((resources / "branding/brand.json").read_bytes())


def brand_in_force(shipped: Branding, organisation: Organisation | None) -> Branding:
    """The brand that ships, with what the organisation says instead."""
    if organisation is None:
        return shipped
    said = organisation.branding
    return Branding(
        brand_name=said.brand_name or said.product_name or shipped.brand_name,
        product_name=said.product_name or shipped.product_name,
        accent=said.accent or shipped.accent,
        support_url=said.support_url or shipped.support_url,
        organisation=organisation.name,
    )
