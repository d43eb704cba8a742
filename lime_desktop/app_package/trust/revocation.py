"""Was this package withdrawn? Asks the publisher's service, and remembers its answers.

The standard names an address and how long an answer holds, and leaves the rest open. The rest, for this host:

**Question.** ``GET checkUrl?name=…&packageHash=sha256:…&publisherId=…&version=…`` (added to what the address
already has), over HTTPS, with redirects only within the same host.

**Answer.** Status 200 and a JSON object of at most 64 KiB::

    {"packageHash": "sha256:…", "status": "good" | "revoked", "reason": "optional, for people"}

It must repeat the hash that was asked for; anything else is no answer.

**Memory.** A good answer holds for ``cacheSeconds``, at most a week. «Revoked» holds for ever: no later
answer, and no clock, makes a withdrawn package good again.

**Offline.** A good answer that still holds is enough. With an older one or none, and no new one to be had,
the package's state is unknown, and unknown is not installed.
"""

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

import platformdirs
from pydantic import Field, StrictStr, ValidationError

from lime_desktop.app_package.trust.statement import Revocation, Statement
from lime_desktop.durable_files.changing import locked_names
from lime_desktop.durable_files.writing import write_durably
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.wire import WireModel

MAX_CACHE_SECONDS = 7 * 24 * 3600


@dataclass(frozen=True, slots=True)
class NotRevoked:
    """Not withdrawn, as of an answer that still holds."""

    was_remembered: bool


@dataclass(frozen=True, slots=True)
class Revoked:
    """Withdrawn by its publisher."""

    reason: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """No answer that holds, and why."""

    reason: str


RevocationState: TypeAlias = NotRevoked | Revoked | Unknown


class RememberedAnswer(WireModel):
    """One answer on disk."""

    package_hash: StrictStr
    status: Literal["good", "revoked"]
    reason: StrictStr = ""
    asked_at_ms: int = Field(ge=0)


def default_cache_folder() -> Path:
    """Where answers are remembered for this user."""
    return platformdirs.user_cache_path("lime-desktop", appauthor=False) / "revocation"


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


@dataclass(frozen=True)
class RevocationChecks:
    """Asks and remembers."""

    cache_folder: Path = field(default_factory=default_cache_folder)
    is_offline: bool = False
    now_ms: Callable[[], int] = _now_ms
    allows_plain_loopback: bool = False
    """HTTP to this very machine, for tests alone; no command sets it."""

    def state_of(self, statement: Statement, revocation: Revocation) -> RevocationState:
        """Find out whether the package of a statement was withdrawn."""
        remembered = self._remembered(statement, revocation)
        if remembered is not None and remembered.status == "revoked":
            return Revoked(remembered.reason)
        if remembered is not None and self._still_holds(remembered, revocation):
            return NotRevoked(was_remembered=True)
        if self.is_offline:
            return Unknown("Offline, and no answer that still holds is remembered.")
        return self._ask(statement, revocation)

    def _ask(self, statement: Statement, revocation: Revocation) -> RevocationState:
        # Loading a network client costs more than most commands: only who asks pays for it.
        from lime_desktop.app_package.trust.revocation_service import ask_service  # noqa: PLC0415

        answer = ask_service(
            revocation.check_url, statement, allows_plain_loopback=self.allows_plain_loopback
        )
        if isinstance(answer, str):
            return Unknown(answer)
        self._remember(statement, revocation, answer.status, answer.reason)
        if answer.status == "revoked":
            return Revoked(answer.reason)
        return NotRevoked(was_remembered=False)

    def _still_holds(self, answer: RememberedAnswer, revocation: Revocation) -> bool:
        age_ms = self.now_ms() - answer.asked_at_ms
        # An answer from the future means that the clock was set back: its age is not known.
        return 0 <= age_ms <= min(revocation.cache_seconds, MAX_CACHE_SECONDS) * 1000

    def _file(self, statement: Statement, revocation: Revocation) -> Path:
        key = f"{revocation.check_url}\0{statement.package_hash}"
        return self.cache_folder / f"{hashlib.sha256(key.encode()).hexdigest()}.json"

    def _remembered(self, statement: Statement, revocation: Revocation) -> RememberedAnswer | None:
        try:
            data = self._file(statement, revocation).read_bytes()
            answer = RememberedAnswer.model_validate_json(data)
        except (OSError, ValidationError):
            return None
        return answer if answer.package_hash == statement.package_hash else None

    def _remember(
        self,
        statement: Statement,
        revocation: Revocation,
        status: Literal["good", "revoked"],
        reason: str,
    ) -> None:
        answer = RememberedAnswer(
            package_hash=statement.package_hash,
            status=status,
            reason=reason,
            asked_at_ms=self.now_ms(),
        )
        file = self._file(statement, revocation)
        try:
            self.cache_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with locked_names(self.cache_folder):
                earlier = self._remembered(statement, revocation)
                # Another process may have heard otherwise meanwhile: withdrawn is withdrawn for ever.
                if earlier is None or earlier.status != "revoked":
                    write_durably(file, answer.to_json().encode(), is_private=True)
        except (OSError, AppError):
            # A full disk costs the memory, not the answer.
            return
