"""lime.branding: how this product calls itself and looks."""

from pydantic import BaseModel

from lime_desktop.host.branding import Branding, read_branding
from lime_desktop.host.capabilities.handler import Handlers, HandlerServices
from lime_desktop.protocol.capability_calls.branding import BrandingSnapshot
from lime_desktop.protocol.wire import Empty
from lime_desktop.resources import resources_folder


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""

    def get_snapshot(_: Empty) -> BaseModel:
        brand, around = read_branding(resources_folder()), services.snapshot()
        own = Branding()
        is_own = (brand.brand_name, brand.product_name) == (own.brand_name, own.product_name)
        return BrandingSnapshot(
            state="unbranded" if is_own else "branded",
            brand_name=brand.brand_name,
            product_name=brand.product_name,
            channel="stable",
            theme=around.theme.effective_theme_mode,
            primary_color=brand.accent or around.theme.tokens.get("--lime-accent", ""),
            logo_text=brand.brand_name,
            updated_at=around.host.sent_at,
        )

    return {"lime.branding.getSnapshot": get_snapshot}
