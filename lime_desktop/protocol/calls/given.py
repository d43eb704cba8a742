"""given/*: what a person gave an app of their own, for them to look through. Taken back by the calls of each kind."""

from typing import Literal

from lime_desktop.protocol.calls.host_only import HostOnlyParams
from lime_desktop.protocol.ids import AppId, NonEmpty
from lime_desktop.protocol.wire import Method, WireModel


class GivenThing(WireModel):
    """A filled secret, a bound source of knowledge, or an opened file or folder."""

    kind: Literal["secret", "knowledge", "file"]
    key: str
    """The secret's slot, the template's key, or the file's reference."""
    places: tuple[str, ...] = ()
    """The paths that were chosen; no app ever learns them. A secret has none."""
    is_lasting: bool = True
    """Whether it outlives this process."""


class ListGivenParams(HostOnlyParams):
    """What does an app hold of its person's?"""

    app_id: NonEmpty[AppId]


class ListGivenResult(WireModel):
    """Everything, by kind; of a secret its name alone."""

    things: tuple[GivenThing, ...]


LIST_GIVEN = Method("given/list", ListGivenParams, ListGivenResult)
