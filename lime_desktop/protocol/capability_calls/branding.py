"""lime.branding: how the hosting product looks and calls itself."""

from typing import Literal

from lime_desktop.protocol.capability_calls.call import Call, Effect
from lime_desktop.protocol.ids import Timestamp
from lime_desktop.protocol.wire import Empty, WireModel

NAME = "lime.branding"


class BrandingSnapshot(WireModel):
    """The brand in force."""

    state: Literal["unbranded", "branded", "customized"]
    brand_name: str
    product_name: str
    channel: str
    theme: str
    primary_color: str
    logo_text: str
    updated_at: Timestamp


CALLS = (
    Call(NAME, "getSnapshot", Empty, BrandingSnapshot, Effect.READ, "The brand in force."),
)  # fmt: skip
