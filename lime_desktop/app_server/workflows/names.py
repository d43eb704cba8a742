"""The names of runs, of their steps, and of what works for them. They sort by time, and are the same in every process."""

import hashlib
from typing import NamedTuple

from lime_desktop.app_server.runtime_core.identities import new_id
from lime_desktop.protocol.ids import SessionId, TurnId

MAIN = "0"
"""The way that a run begins on. What branches off it has a name that continues its own."""


class Place(NamedTuple):
    """Where in a run: the how-manieth step of which way."""

    way: str
    position: int


def runs_of(app_id: str) -> str:
    """How the names of an app's runs begin."""
    return f"workflow_{_digest(app_id)[:12]}_"


def new_run_id(app_id: str) -> str:
    """A name for a run that begins now."""
    return new_id(runs_of(app_id).removesuffix("_"))


def session_of(run_id: str) -> SessionId:
    """Where the facts of a run are, that was asked for without a key."""
    return SessionId(f"session_{run_id}")


def session_of_key(app_id: str, key: str) -> SessionId:
    """Where the facts of a run are, that was asked for with a key: the same for the same app and key."""
    return SessionId(f"session_workflow_{_digest(app_id, key)}")


def starters_of(word: str, app_id: str) -> str:
    """How the names of an app's schedules, or of its triggers, begin."""
    return f"{word}_{_digest(app_id)[:12]}_"


def starter_id(word: str, app_id: str, key: str) -> str:
    """The name of a schedule or of a trigger."""
    return f"{starters_of(word, app_id)}{_digest(key)[:16]}"


def session_of_starter(starter: str) -> SessionId:
    """Where the facts of a schedule or of a trigger are."""
    return SessionId(f"session_{starter}")


def name_of_event(event_id: str) -> str:
    """A short name for an event: the same in every process."""
    return _digest(event_id)[:24]


def session_of_start(start: str) -> SessionId:
    """Where the facts of a run are, that a schedule or a trigger began: no key of an app's leads there."""
    return SessionId(f"session_scheduled_{_digest(start)}")


def step_id(run_id: str, place: Place) -> str:
    """The name of a step."""
    return f"{run_id}:{place.way}:{place.position:04d}"


def place_of(step: str) -> Place:
    """Where a step is in its run."""
    _, way, position = step.rsplit(":", 2)
    return Place(way, int(position))


def run_of(step: str) -> str:
    """The run that a step is of."""
    return step.rsplit(":", 2)[0]


def way_into(place: Place, number: int) -> str:
    """The way that a step of several at once opens."""
    return f"{place.way}.{place.position}-{number}"


def number_of(way: str) -> int:
    """The how-manieth of the ways that its step opened."""
    return int(way.rpartition("-")[2])


def way_around(way: str) -> str | None:
    """The way that this one branched off from."""
    return way.rpartition(".")[0] or None


def opener_of(way: str) -> Place | None:
    """The step that opened this way."""
    around, _, last = way.rpartition(".")
    return Place(around, int(last.partition("-")[0])) if around else None


def turn_of(step: str, attempt: int) -> TurnId:
    """The turn that works in a step."""
    return TurnId(f"turn_{_digest(step, str(attempt))}")


def session_in(step: str, attempt: int) -> SessionId:
    """The session of what works in a step."""
    return SessionId(f"session_{_digest(step, str(attempt))}")


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]
