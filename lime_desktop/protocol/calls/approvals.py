"""approval/* and given/*: what people agreed to for the tools of an app's agents for longer than one call, and what they gave an app of their own.

What was given is taken back by the calls of each kind.
"""

from typing import Literal

from lime_desktop.protocol.ids import AppId, NonEmpty, Timestamp
from lime_desktop.protocol.wire import HostOnlyParams, Method, WireModel

APPROVAL_NOT_KEPT = "approval_not_kept"
"""The code of a session's `runtime.warning`: a yes for longer than one call could not be written, and held for that one."""


class AgentApproval(WireModel):
    """A yes that still holds."""

    approval_id: str
    call: str
    """What it allows: the capability call that the tool makes."""
    targets: tuple[str, ...] = ()
    """What the call may reach for."""
    exactly: str = ""
    """The program with its words, or the arguments, where it holds for these alone."""
    scope: Literal["task", "session", "workspace"]
    """How long it holds."""
    given_at: Timestamp


class ListApprovalsParams(HostOnlyParams):
    """What may the agents of an app do without asking again?"""

    app_id: NonEmpty[AppId]


class ListApprovalsResult(WireModel):
    """Every yes, the oldest first."""

    approvals: tuple[AgentApproval, ...]


class ForgetApprovalParams(HostOnlyParams):
    """Take a yes back; the next call asks again."""

    app_id: NonEmpty[AppId]
    approval_id: NonEmpty[str]


class ForgetApprovalResult(WireModel):
    """Whether it was held."""

    was_held: bool


LIST_APPROVALS = Method("approval/list", ListApprovalsParams, ListApprovalsResult)
FORGET_APPROVAL = Method("approval/forget", ForgetApprovalParams, ForgetApprovalResult)


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
