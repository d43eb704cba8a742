"""How it stands with an update: what an answer may be, and how far a download is. Loads nothing of what fetches or checks one."""

from collections.abc import Callable
from dataclasses import dataclass

from lime_desktop.shipping.refusals import UpdateCode
from lime_desktop.shipping.release import Release


@dataclass(frozen=True, slots=True)
class UpToDate:
    """There is nothing newer."""

    version: str


@dataclass(frozen=True, slots=True)
class Available:
    """A newer version can be had."""

    release: Release
    download_bytes: int
    was_left: bool = False
    """It did not come up here, or the person went back from it: had only if asked for."""


@dataclass(frozen=True, slots=True)
class Paused:
    """There is a newer version, and its vendor holds it back."""

    version: str


@dataclass(frozen=True, slots=True)
class NotYet:
    """There is a newer version, and it is not this installation's turn."""

    version: str
    rollout: int


@dataclass(frozen=True, slots=True)
class Ready:
    """A version is complete and waits for a restart."""

    version: str


@dataclass(frozen=True, slots=True)
class Refused:
    """It could not be found out, or is not to be believed."""

    code: UpdateCode
    reason: str


CheckResult = UpToDate | Available | Paused | NotYet | Ready | Refused


@dataclass(frozen=True, slots=True)
class UpdateStatus:
    """How an installation stands, without asking anybody."""

    version: str
    channel: str
    previous: str | None
    pending: str | None
    """Waits for a restart."""
    on_trial: bool
    """The current version was started and has not yet shown that it works."""
    returned: str | None
    """A version that did not come up, so that the launcher went back."""
    versions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a download is."""

    done_bytes: int
    total_bytes: int


Notify = Callable[[Progress], None]
IsCancelled = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Idle:
    """Nobody has asked yet."""


@dataclass(frozen=True, slots=True)
class Checking:
    """The source is being asked."""


@dataclass(frozen=True, slots=True)
class Downloading:
    """A version is on its way."""

    version: str
    progress: Progress


UpdateState = Idle | Checking | Downloading | CheckResult
