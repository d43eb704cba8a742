"""How the rest of the product hears that an app's data changed: which keys and rows, never their values."""

from collections.abc import Callable

from lime_desktop.protocol.calls.storage_tables import StorageChange
from lime_desktop.protocol.ids import AppId

Announce = Callable[[AppId, tuple[StorageChange, ...]], None]
"""Called on the loop, in the order of the commits."""
