"""APP_E9xx: everything that belongs to no other range. Knows codes and their meaning only."""

from lime_desktop.protocol.errors.root import AppError


class HostError(AppError):
    """The host or something behind it failed."""


class InternalError(HostError):
    """A fault of the product itself; the trace id finds it in the logs."""

    code = "APP_E900"
    stable_code = "upstream_failed"
    sdk_code = "HOST_ACTION_FAILED"
    user_action = "Report the problem with its trace id"
    recovery = "Give up this call"
    rpc_code = -32603


class AppServerUnavailable(HostError):
    """The App Server is not running, so agents, storage and workflows are not there."""

    code = "APP_E901"
    stable_code = "capability_unavailable"
    sdk_code = "CAPABILITY_BLOCKED"
    user_action = "Wait a moment, or restart Lime Desktop"
    recovery = "Repeat with back-off"
    retryable = True


class ServerOverloaded(HostError):
    """More work waits than the server keeps; this call was not executed."""

    code = "APP_E902"
    stable_code = "upstream_failed"
    sdk_code = "HOST_ACTION_FAILED"
    user_action = "Wait a moment and try again"
    recovery = "Back off with jitter, then repeat"
    retryable = True
    rpc_code = -32001


class TimedOut(HostError):
    """The call took longer than it may."""

    code = "APP_E903"
    stable_code = "timeout"
    sdk_code = "TIMEOUT"
    user_action = "Try again"
    recovery = "Repeat with the same idempotency key"
    retryable = True
    max_retries = 3


class Cancelled(HostError):
    """The caller cancelled the call, or its view was closed."""

    code = "APP_E904"
    stable_code = "cancelled"
    sdk_code = "CANCELLED"
    user_action = "Start again if you still need it"
    recovery = "Treat the call as ended"
    rpc_code = -32800


class Conflict(HostError):
    """The call contradicts the current state, or reuses a key for other content."""

    code = "APP_E905"
    stable_code = "conflict"
    sdk_code = "CONFLICT"
    user_action = "Reload the app"
    recovery = "Read the current state, then decide again"


class UpstreamFailed(HostError):
    """Something outside the product answered with an error."""

    code = "APP_E906"
    stable_code = "upstream_failed"
    sdk_code = "HOST_ACTION_FAILED"
    user_action = "Try again later"
    recovery = "Repeat with back-off"
    retryable = True
    max_retries = 3


class HostActionFailed(HostError):
    """The desktop could not do what was asked: no window, no browser, no printer."""

    code = "APP_E907"
    stable_code = "upstream_failed"
    sdk_code = "HOST_ACTION_FAILED"
    user_action = "Check the system's settings and try again"
    recovery = "Offer another way"


class ShuttingDown(HostError):
    """The program is closing and starts nothing new."""

    code = "APP_E908"
    stable_code = "cancelled"
    sdk_code = "CANCELLED"
    user_action = "Start Lime Desktop again"
    recovery = "Repeat after reconnecting"
    retryable = True


class InstallationBroken(HostError):
    """A part of the program cannot be loaded: the installation is incomplete or damaged."""

    code = "APP_E909"
    stable_code = "capability_unavailable"
    sdk_code = "CAPABILITY_BLOCKED"
    user_action = "Reinstall Lime Desktop. `lime-desktop doctor` shows what is missing"
    recovery = "Wait for the repair"


class UnknownError(HostError):
    """A failure that this program has no name for, as when the other side is newer."""

    code = "APP_E999"
    stable_code = "upstream_failed"
    sdk_code = "HOST_ACTION_FAILED"
    user_action = "Update Lime Desktop, or try again"
    recovery = "Treat the call as failed"
