"""What a state comes to when it is carried out, or looked at again."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from pydantic import JsonValue

from lime_desktop.app_server.workflows.detail import Failure, WaitsFor


@dataclass(frozen=True, slots=True)
class Done:
    """It is done."""

    output: JsonValue = None
    next: tuple[str, ...] | None = None
    """Where it leads; None where its own `next` says so."""
    notes: dict[str, object] = field(default_factory=dict[str, object])
    """Fields of the step's detail."""


@dataclass(frozen=True, slots=True)
class Waits:
    """Something has to happen first; whoever notices leads the way on."""

    waits_for: WaitsFor
    due_ms: int | None = None
    due_means: Literal["timeout", "deadline", "over", "retry"] | None = None
    notes: dict[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True)
class Failed:
    """It failed."""

    error: Failure
    is_timeout: bool = False
    is_final: bool = False
    """Trying again by itself is of no use, or not safe: a rule forbids it, the definition is wrong, or an effect may have been had."""
    is_cut_off: bool = False
    """A process died in it: it is made again at once, and that is no retry."""
    notes: dict[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True)
class Ends:
    """The whole run ends here."""

    status: Literal["succeeded", "failed", "cancelled"]
    output: JsonValue = None
    error: Failure | None = None
    notes: dict[str, object] = field(default_factory=dict[str, object])


Outcome: TypeAlias = Done | Waits | Failed | Ends


def failed(code: str, message: str, *, retryable: bool = False, is_final: bool = False) -> Failed:
    """A failure in one line."""
    return Failed(Failure(code, message[:2_000], retryable), is_final=is_final)
