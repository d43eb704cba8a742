"""What was found damaged or missing in stored data, here and in the App Server, to whoever shows it to the person."""

import asyncio
from collections.abc import Callable

from lime_desktop.database.incidents import Incident, incidents
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.protocol.calls.data_incidents import (
    DATA_INCIDENT_FOUND,
    LIST_DATA_INCIDENTS,
    DataIncident,
    DataIncidentNotification,
)
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.wire import HostOnlyParams


class DataIncidentFeed:
    """Passes each on once, on the loop, from its making to `close`."""

    def __init__(self, show: Callable[[Incident], None]) -> None:
        self._show = show
        self._loop = asyncio.get_running_loop()
        before, self._leave = incidents.subscribe(self._on_incident)
        for incident in before:
            show(incident)

    def introduce(self, connection: AppServerConnection) -> None:
        """Hear a server that has just started."""
        connection.listen(DATA_INCIDENT_FOUND, self._told)

    async def catch_up(self, call: CallServer) -> None:
        """Read what a server found before anybody listened; one that cannot say is not asked again."""
        try:
            found = await call(LIST_DATA_INCIDENTS, HostOnlyParams())
        except AppError:
            return
        for incident in found.incidents:
            self._show(_of(incident))

    def close(self) -> None:
        """Hear no more."""
        self._leave()

    def _on_incident(self, incident: Incident) -> None:
        self._loop.call_soon_threadsafe(self._show, incident)

    def _told(self, told: DataIncidentNotification) -> None:
        self._show(_of(told.incident))


def _of(told: DataIncident) -> Incident:
    return Incident(told.kind, told.database, told.count, told.kept_as)
