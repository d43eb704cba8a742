"""dataIncident/*: what happened to stored facts that a person should know: mended, damaged or missing."""

from typing import Literal

from lime_desktop.protocol.wire import HostOnlyParams, Method, Notification, WireModel


class DataIncident(WireModel):
    """One thing that was found in a database, and mended as far as it can be."""

    kind: Literal["commits_lost", "read_models_mended", "names_mended", "events_damaged"]
    """``commits_lost``: a log was damaged or gone. ``…_mended``: derived from the log again, nothing is lost.
    ``events_damaged``: they are shown as damaged in their places."""
    database: str
    """The name of the file."""
    count: int
    kept_as: str | None = None
    """Where the damaged file was kept, within the data folder; absent where it was not."""


class ListDataIncidentsResult(WireModel):
    """What was found since this server began, oldest first."""

    incidents: tuple[DataIncident, ...]


class DataIncidentNotification(WireModel):
    """Something was found just now."""

    incident: DataIncident


LIST_DATA_INCIDENTS = Method(
    "dataIncident/list",
    HostOnlyParams,
    ListDataIncidentsResult,
    "List what was found damaged or missing in stored data since the server began.",
)
DATA_INCIDENT_FOUND = Notification("dataIncident/found", DataIncidentNotification)
