"""Capabilities that the standard names and this version refuses: said the same way in lists, to calls and by readiness."""

from collections.abc import Mapping
from dataclasses import dataclass

from lime_desktop.protocol.errors import AppError, CapabilityNotAvailable, WorkflowRuntimeDisabled


@dataclass(frozen=True, slots=True)
class Refused:
    """Why every call of a capability is refused, and by which code."""

    reason: str
    error: type[AppError] = CapabilityNotAvailable


REFUSED: Mapping[str, Refused] = {
    "lime.workflow": Refused(
        "This version of Lime Desktop has no workflow engine yet", WorkflowRuntimeDisabled
    ),
}
