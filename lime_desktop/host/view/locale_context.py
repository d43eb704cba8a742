"""Where a person is, as far as an app is told: their language and their time zone."""

from typing import NamedTuple

from lime_desktop.protocol.bridge.snapshot import HostSnapshot


class Place(NamedTuple):
    """What texts and times are shown by."""

    locale: str
    timezone: str


def place_in(snapshot: HostSnapshot) -> Place:
    """The place that a snapshot tells of."""
    return Place(snapshot.host.locale, snapshot.host.timezone)
