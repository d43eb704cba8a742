"""app/runHook: what an app wants run when it is installed, activated, updated, disabled or removed.

The host says which moment it is and who the app is. What is run is read from the package's own manifest, and judged as
any call of the app's tools is.
"""

from lime_desktop.protocol.calls.apps import RegisterAppParams
from lime_desktop.protocol.hook_points import HookPoint
from lime_desktop.protocol.ids import NonEmpty, SessionId
from lime_desktop.protocol.wire import HostOnlyParams, Method, WireModel

LONGEST_HOOK_S = 120.0
"""How long a hook may work."""
LONGEST_ANSWER_S = 300.0
"""How long it may wait for a person's answer, beside that."""


class RunHookParams(HostOnlyParams):
    """Run the app's hook of one moment, and wait for its end."""

    registration: RegisterAppParams
    """The app as it stands for this run alone: an app that is off, or not on yet, is made known to nobody else by it."""
    point: HookPoint
    session_id: NonEmpty[SessionId]
    """A new session, whose facts tell of the run; whoever names it hears its questions."""
    is_attended: bool
    """Whether somebody is there to be asked. Without them, what would ask is refused."""


class HookOutcome(WireModel):
    """What came of a hook."""

    point: HookPoint
    session_id: SessionId
    """Where its facts are."""
    is_done: bool
    category: str | None = None
    """Of a failure: what kind of thing went wrong, such as `nobody_to_ask`, `permission_denied`, `timeout` or `exit_code`."""
    message: str | None = None
    """Of a failure: what happened."""


class RunHookResult(WireModel):
    """How it ended."""

    outcome: HookOutcome


RUN_HOOK = Method("app/runHook", RunHookParams, RunHookResult)
