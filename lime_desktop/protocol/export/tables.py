"""What there is to export, gathered from the protocol's tables. Knows no output format."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from lime_desktop.protocol.agent_tasks import StartTaskParams, TaskRecord
from lime_desktop.protocol.approvals import RuntimeApprovalDecision, RuntimeApprovalRequest
from lime_desktop.protocol.bridge.envelope import Envelope
from lime_desktop.protocol.bridge.from_app import APP_MESSAGES
from lime_desktop.protocol.bridge.from_host import HOST_MESSAGES
from lime_desktop.protocol.bridge.snapshot import HostSnapshot
from lime_desktop.protocol.capability_calls.files import OpenedFiles
from lime_desktop.protocol.capability_calls.table import CALLS
from lime_desktop.protocol.errors import ErrorData
from lime_desktop.protocol.methods import METHODS, NOTIFICATIONS
from lime_desktop.protocol.provenance import Provenance
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.task_events import AgentTaskEvent, AgentTaskResult

Mode: TypeAlias = Literal["validation", "serialization"]

READ: Mode = "validation"
"""Types that the host reads: what it accepts."""

WRITTEN: Mode = "serialization"
"""Types that the host writes: what it promises."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A type of the protocol, seen from one side."""

    type: type
    mode: Mode

    @property
    def name(self) -> str:
        """The type's name, which is also its key among the definitions."""
        return self.type.__name__


def _shapes(types: tuple[type, ...], mode: Mode) -> tuple[Shape, ...]:
    return tuple(Shape(each, mode) for each in dict.fromkeys(types))


BRIDGE_SHAPES = (
    *_shapes((Envelope, *APP_MESSAGES), READ),
    *_shapes((*HOST_MESSAGES, HostSnapshot), WRITTEN),
)
CALL_SHAPES = (
    *_shapes(tuple(call.params for call in CALLS), READ),
    *_shapes((*(call.result for call in CALLS), OpenedFiles), WRITTEN),
)
TASK_SHAPES = (
    *_shapes((StartTaskParams, RuntimeApprovalDecision), READ),
    *_shapes(
        (AgentTaskEvent, AgentTaskResult, TaskRecord, RuntimeApprovalRequest, Provenance), WRITTEN
    ),
)
METHOD_SHAPES = (
    *_shapes(tuple(method.params for method in METHODS), READ),
    *_shapes(tuple(method.result for method in METHODS), WRITTEN),
    *_shapes(tuple(notification.params for notification in NOTIFICATIONS), WRITTEN),
)
EVENT_SHAPES = _shapes((RuntimeEvent,), WRITTEN)
ERROR_SHAPES = _shapes((ErrorData,), WRITTEN)
