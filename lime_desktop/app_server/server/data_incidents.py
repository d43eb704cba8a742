"""Tells the host what was found damaged or missing in stored data, from the first file that was opened on."""

import asyncio

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.server.fan_out import FanOut
from lime_desktop.database.incidents import Incident, incidents
from lime_desktop.protocol.calls.data_incidents import (
    DATA_INCIDENT_FOUND,
    DataIncident,
    DataIncidentNotification,
    ListDataIncidentsResult,
)
from lime_desktop.protocol.wire import HostOnlyParams

_MOST_KEPT = 50


class DataIncidents:
    """Listens from its making to `close`. Files are opened and written on threads of their own."""

    def __init__(self, fan_out: FanOut) -> None:
        self._fan_out = fan_out
        self._loop = asyncio.get_running_loop()
        self._found: list[DataIncident] = []
        _, self._leave = incidents.subscribe(self._on_incident)

    async def list(self, params: HostOnlyParams, context: CallContext) -> ListDataIncidentsResult:
        """Tell what was found so far."""
        del params, context
        return ListDataIncidentsResult(incidents=tuple(self._found))

    def close(self) -> None:
        """Listen no more."""
        self._leave()

    def _on_incident(self, incident: Incident) -> None:
        self._loop.call_soon_threadsafe(self._announce, incident)

    def _announce(self, incident: Incident) -> None:
        found = DataIncident(
            kind=incident.kind,
            database=incident.database,
            count=incident.count,
            kept_as=incident.kept_as,
        )
        self._found = [*self._found, found][-_MOST_KEPT:]
        self._fan_out.announce(DATA_INCIDENT_FOUND, DataIncidentNotification(incident=found))
