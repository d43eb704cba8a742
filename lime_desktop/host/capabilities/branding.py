"""lime.branding: how this product calls itself and looks."""

from pydantic import BaseModel

from lime_desktop.host.capabilities.handler import Handlers, HandlerServices
from lime_desktop.protocol.capability_calls.ui import BrandingSnapshot
from lime_desktop.protocol.wire import Empty


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""

    def get_snapshot(_: Empty) -> BaseModel:
        brand, around = services.branding(), services.snapshot()
        vendor_or_nobody = "unbranded" if brand.is_own else "branded"
        return BrandingSnapshot(
            state="customized" if brand.organisation else vendor_or_nobody,
            brand_name=brand.brand_name,
            product_name=brand.product_name,
            channel="stable",
            theme=around.theme.effective_theme_mode,
            primary_color=around.theme.tokens.get("--lime-accent", ""),
            logo_text=brand.brand_name,
            updated_at=around.host.sent_at,
        )

    return {"lime.branding.getSnapshot": get_snapshot}
