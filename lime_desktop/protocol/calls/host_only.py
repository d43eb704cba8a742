"""Calls that are the host's own business. Knows no call in particular."""

from lime_desktop.protocol.wire import WireModel


class HostOnlyParams(WireModel):
    """Only the host may say this: a connection that is bound to an app is refused."""
