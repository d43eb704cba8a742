"""How far a run had come at one moment: enough for another one to go on from there."""

import msgspec

from lime_desktop.app_server.workflows.names import Place


class Standing(msgspec.Struct, frozen=True, rename="camel"):
    """A run as it stood."""

    run_id: str
    place: str
    """The first of the runs that took one another's places: these are one thing to whoever goes back."""
    title: str
    state: str
    """The state that it was in, as people know it."""
    is_paused: bool
    done: list[tuple[str, int]]
    """Where the steps were that it had come through."""
    meeting: list[tuple[str, int]]
    """Where those were whose ways were under way."""
    digest: str

    @property
    def places_done(self) -> frozenset[Place]:
        """The first of these."""
        return frozenset(Place(*each) for each in self.done)

    @property
    def places_meeting(self) -> frozenset[Place]:
        """The second of these."""
        return frozenset(Place(*each) for each in self.meeting)
