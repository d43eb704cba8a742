"""The providers that this product offers: those we know, or those that an organisation chose for its own product.

An organisation's list came with the program and is known by its hash. It has addresses and models, and no field for a key.
"""

from functools import cache

from pydantic import ConfigDict, ValidationError

from lime_desktop.app_server.providers.presets import PRESETS
from lime_desktop.product import BrandingBroken, product_folder, shipped_bytes, this_product
from lime_desktop.protocol.calls.model_providers import ProviderPreset
from lime_desktop.protocol.wire import WireModel


class PresetFile(WireModel):
    """What lies beside an organisation's product."""

    model_config = ConfigDict(extra="forbid")

    presets: tuple[ProviderPreset, ...]


@cache
def offered_presets() -> tuple[ProviderPreset, ...]:
    """What can be set up by choosing it. Blocks.

    Raises:
        BrandingBroken: the organisation's list is gone, or another than was shipped.
    """
    listed, folder = this_product().providers, product_folder()
    if listed is None or folder is None:
        return PRESETS
    try:
        return PresetFile.model_validate_json(shipped_bytes(folder, listed)).presets
    except ValidationError:
        raise BrandingBroken(f"{listed.path} cannot be read") from None
