"""Changes of apps' data, from the App Server to the views that asked to hear of them. An app hears of its own alone."""

from collections.abc import Callable

from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.protocol.calls.storage_tables import (
    STORAGE_CHANGED,
    StorageChange,
    StorageChangedNotification,
)
from lime_desktop.protocol.ids import AppId

Listener = Callable[[tuple[StorageChange, ...]], None]


class StorageNews:
    """Who listens to which app's data, whatever server tells of it."""

    def __init__(self) -> None:
        self._listeners: dict[AppId, list[Listener]] = {}

    def introduce(self, connection: AppServerConnection) -> None:
        """Hear a server that has just started."""
        connection.listen(STORAGE_CHANGED, self._publish)

    def listen(self, app_id: AppId, listener: Listener) -> Callable[[], None]:
        """Hear of an app's changes from now on; the returned function ends it."""
        listeners = self._listeners.setdefault(app_id, [])
        listeners.append(listener)
        return lambda: listeners.remove(listener)

    def _publish(self, told: StorageChangedNotification) -> None:
        for listener in tuple(self._listeners.get(told.app_id, ())):
            listener(told.changes)
