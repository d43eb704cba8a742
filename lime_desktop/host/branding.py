"""What the product calls itself and which accent it wears: one small file that a vendor may replace."""

from pathlib import Path

from pydantic import Field

from lime_desktop.protocol.wire import WireModel


class Branding(WireModel):
    """The brand that ships with this copy of the program."""

    brand_name: str = Field(default="Lime", min_length=1, max_length=60)
    product_name: str = Field(default="Lime Desktop", min_length=1, max_length=60)
    accent: str | None = None
    """A colour as `#rrggbb`; worn where it can be read, see `theme`."""
    support_url: str | None = None


def read_branding(resources: Path) -> Branding:
    """Read the brand. A broken file is a broken build: it fails loudly, at start."""
    return Branding.model_validate_json((resources / "branding/brand.json").read_bytes())
