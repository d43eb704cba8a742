"""Calls about one app's own data. Knows no call in particular."""

from lime_desktop.protocol.ids import AppId, NonEmpty
from lime_desktop.protocol.wire import WireModel


class OwnDataParams(WireModel):
    """Whose data a call is about. A connection bound to an app may name that app only."""

    app_id: NonEmpty[AppId]
