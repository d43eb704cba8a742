"""APP_E0xx: the call itself is wrong, not permitted here, or not set up.

Knows codes and their meaning, not who raises them.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from lime_desktop.protocol.errors.root import AppError

if TYPE_CHECKING:
    from pydantic import ValidationError


class CallError(AppError):
    """The SDK, a permission or the configuration stands in the way of a call."""


class CapabilityNotAvailable(CallError):
    """This host does not offer the capability, or has it switched off."""

    code = "APP_E001"
    stable_code = "capability_unavailable"
    sdk_code = "CAPABILITY_BLOCKED"
    user_action = "Use the app without this feature, or update Lime Desktop"
    recovery = "Check the capability list before calling, and offer the feature without it"
    rpc_code = -32020


class PermissionDenied(CallError):
    """The person refused this call, or never granted what it needs."""

    code = "APP_E002"
    stable_code = "permission_denied"
    sdk_code = "PERMISSION_DENIED"
    user_action = (
        "Allow it in Settings, under Permissions, or try again and choose Allow if you are asked"
    )
    recovery = "Explain why the permission is needed, then request it"
    rpc_code = -32020


class KnowledgeNotBound(CallError):
    """The knowledge template that the call needs is not bound to any source."""

    code = "APP_E003"
    stable_code = "readiness_blocked"
    sdk_code = "READINESS_BLOCKED"
    user_action = "Choose knowledge for the app in its setup"
    recovery = "Ask for the binding, then call again"


class SdkVersionMismatch(CallError):
    """The app needs another version of the host, the SDK or a capability."""

    code = "APP_E004"
    stable_code = "capability_unavailable"
    sdk_code = "APP_RUNTIME_UNSUPPORTED"
    user_action = "Update Lime Desktop or the app"
    recovery = "Widen the declared version range, or release for this host"


class CapabilityNotDeclared(CallError):
    """The app's manifest does not declare the capability, so it cannot be reached."""

    code = "APP_E005"
    stable_code = "capability_unavailable"
    sdk_code = "CAPABILITY_NOT_DECLARED"
    user_action = "Ask the app's author for an update"
    recovery = "Declare the capability in the manifest"
    rpc_code = -32020


class CapabilityMethodUnknown(CallError):
    """The capability exists and has no method of this name."""

    code = "APP_E006"
    stable_code = "capability_unavailable"
    sdk_code = "UNSUPPORTED_CAPABILITY_METHOD"
    user_action = "Update the app"
    recovery = "Call a method that the capability list names"


class ReadinessBlocked(CallError):
    """The app or this entry is not ready to run; the setup screen says what is missing."""

    code = "APP_E007"
    stable_code = "readiness_blocked"
    sdk_code = "READINESS_BLOCKED"
    user_action = "Finish the app's setup"
    recovery = "Show the findings of the snapshot and wait for the next one"


class EntryNotFound(CallError):
    """The app has no entry of this key, or the entry is hidden here."""

    code = "APP_E008"
    stable_code = "readiness_blocked"
    sdk_code = "ENTRY_NOT_FOUND"
    user_action = "Open the app from its start page"
    recovery = "Use an entry key that the manifest declares"


class PolicyDenied(CallError):
    """A rule of the organisation, the workspace or the host refuses the call."""

    code = "APP_E009"
    stable_code = "policy_denied"
    sdk_code = "POLICY_DENIED"
    user_action = "Ask the people who manage the rules of your organization or workspace"
    recovery = "Do without the call; asking again changes nothing"
    rpc_code = -32020


class ApprovalRequired(CallError):
    """A person has been asked and has not answered yet; the same call succeeds once they agree."""

    code = "APP_E010"
    stable_code = "permission_denied"
    sdk_code = "PERMISSION_DENIED"
    user_action = "Answer the open approval in Lime Desktop"
    recovery = "Repeat the identical call after the decision"
    retryable = True
    rpc_code = -32020


class UntrustedUrl(CallError):
    """The address has a scheme or an origin that the host does not open for this app."""

    code = "APP_E011"
    stable_code = "policy_denied"
    sdk_code = "UNTRUSTED_URL"
    user_action = "Open the address in your browser if you trust it"
    recovery = "Use http or https for external pages, and the app's own origin for downloads"


class SourceUnverified(CallError):
    """The package is not what its publisher signed, or nobody vouches for it."""

    code = "APP_E012"
    stable_code = "source_unverified"
    sdk_code = "SOURCE_UNVERIFIED"
    user_action = "Get the app from a catalog or publisher you trust"
    recovery = "Publish a signed package"


class SecretRequired(CallError):
    """A secret slot that the call needs is empty."""

    code = "APP_E013"
    stable_code = "secret_required"
    sdk_code = "SECRET_REQUIRED"
    user_action = "Enter the secret in the app's settings"
    recovery = "Request the binding, then call again"


class UnfitValue(ValueError):
    """Why a model refuses a value, in words that a person may read: they never hold the value."""


class InvalidInput(CallError):
    """The arguments do not fit the call; the details name the fields."""

    code = "APP_E014"
    stable_code = "schema_invalid"
    sdk_code = "INVALID_CAPABILITY_INPUT"
    user_action = "Report the problem to the app's author"
    recovery = "Correct the named fields"
    rpc_code = -32602

    max_fields: ClassVar[int] = 20
    max_path: ClassVar[int] = 200

    @classmethod
    def at_fields(
        cls, fields: Iterable[tuple[str, str]], *, message: str | None = None
    ) -> "InvalidInput":
        """Name what is wrong by field path and problem kind; values stay out, they may be secrets."""
        named = [{"path": path[: cls.max_path], "problem": problem} for path, problem in fields]
        paths = ", ".join(sorted({field["path"] or "(the whole input)" for field in named})[:5])
        message = message or f"The input is not valid: {paths}"
        return cls(message, details={"fields": named[: cls.max_fields]})

    @classmethod
    def from_validation(cls, error: "ValidationError") -> "InvalidInput":
        """The same, from a model's refusal, without its prose and without the input; our own reasons are told."""
        found = error.errors(include_url=False, include_input=False)
        # Each alternative of a union complains on its own; one complaint a field is enough.
        invalid = cls.at_fields(
            dict.fromkeys((_field_path(item["loc"]), item["type"]) for item in found)
        )
        causes = (item.get("ctx", {}).get("error") for item in found)
        reasons = dict.fromkeys(str(cause) for cause in causes if isinstance(cause, UnfitValue))
        if reasons:
            invalid.message = f"{invalid.message} ({'; '.join(reasons)})"
        return invalid


def _field_path(location: tuple[int | str, ...]) -> str:
    # Between field names stand the alternatives of a union, written out: "literal['a','b',…]".
    return ".".join(part for part in map(str, location) if "[" not in part)


class InvalidMessage(CallError):
    """The text is not JSON, or not a message of this protocol."""

    code = "APP_E015"
    stable_code = "schema_invalid"
    sdk_code = "INVALID_PAYLOAD"
    user_action = "Report the problem to the app's author"
    recovery = "Send one well-formed message"
    rpc_code = -32600


class MessageTooLarge(CallError):
    """The message is longer than the boundary takes."""

    code = "APP_E016"
    stable_code = "schema_invalid"
    sdk_code = "INVALID_PAYLOAD"
    user_action = "Use a smaller file or less text"
    recovery = "Send large content by reference"
    rpc_code = -32600


class UnsupportedProtocol(CallError):
    """The message names a protocol or a version that this host does not speak."""

    code = "APP_E017"
    stable_code = "capability_unavailable"
    sdk_code = "APP_RUNTIME_UNSUPPORTED"
    user_action = "Update Lime Desktop or the app"
    recovery = "Speak the protocol and version of the reference"
    rpc_code = -32600


class UnknownMessage(CallError):
    """The message is well formed and of a type that this host does not know."""

    code = "APP_E018"
    stable_code = "schema_invalid"
    sdk_code = "UNKNOWN_MESSAGE"
    user_action = "Update Lime Desktop or the app"
    recovery = "Send one of the types of the reference"
    rpc_code = -32601


class RateLimited(CallError):
    """The app sends more calls than the host takes; this one was not executed."""

    code = "APP_E019"
    stable_code = "upstream_failed"
    sdk_code = "HOST_ACTION_FAILED"
    user_action = "Wait a moment and try again"
    recovery = "Back off with jitter, then repeat"
    retryable = True
    rpc_code = -32001


class WritebackNotDeclared(CallError):
    """The app writes a kind of artifact, evidence or data that its manifest does not declare."""

    code = "APP_E020"
    stable_code = "policy_denied"
    sdk_code = "POLICY_DENIED"
    user_action = "Ask the app's author for an update"
    recovery = "Declare the storage namespace, artifact type or event in the manifest"


class FileReferenceUnknown(CallError):
    """The file reference was never given to this app, or its grant has ended."""

    code = "APP_E021"
    stable_code = "permission_denied"
    sdk_code = "PERMISSION_DENIED"
    user_action = "Choose the file again"
    recovery = "Ask for the file with lime.files.pick"


class ToolUnknown(CallError):
    """No tool, connector, skill or server of this name is available to the app."""

    code = "APP_E022"
    stable_code = "capability_unavailable"
    sdk_code = "CAPABILITY_BLOCKED"
    user_action = "Install or connect the tool"
    recovery = "List what is available, and offer the feature without it"


class WorkspaceUnknown(CallError):
    """The workspace does not exist, or the caller may not see it."""

    code = "APP_E023"
    stable_code = "conflict"
    sdk_code = "CONFLICT"
    user_action = "Choose another workspace"
    recovery = "Use an id from the workspace list"


class SubscriptionUnknown(CallError):
    """No subscription of this id is open, or the topic does not exist."""

    code = "APP_E024"
    stable_code = "conflict"
    sdk_code = "CONFLICT"
    user_action = "Reload the app"
    recovery = "Subscribe again and use the id of the answer"


class SubscriptionLimitReached(CallError):
    """The app holds as many open subscriptions as the host keeps for one view."""

    code = "APP_E025"
    stable_code = "conflict"
    sdk_code = "CONFLICT"
    user_action = "Reload the app"
    recovery = "Unsubscribe what is no longer read"


class SettingLocked(CallError):
    """Whoever governs here locked this setting; `details.lockedBy` names the layer."""

    code = "APP_E026"
    stable_code = "policy_denied"
    sdk_code = "POLICY_DENIED"
    user_action = "Ask the people who manage your organization's settings"
    recovery = "Go on with the value that applies"


class ApprovalDeclined(CallError):
    """A person was asked about this call and did not allow it, this time; nothing was done."""

    code = "APP_E027"
    stable_code = "permission_denied"
    sdk_code = "PERMISSION_DENIED"
    user_action = "Do it again, and allow it, if you change your mind"
    recovery = "Go on without it; ask again only where the person does the same again"
    rpc_code = -32020


class PackageInvalid(CallError):
    """The package breaks the standard; validation lists every problem with file and line."""

    code = "APP_E030"
    stable_code = "schema_invalid"
    sdk_code = "INVALID_PAYLOAD"
    user_action = "Ask the app's author for a corrected package"
    recovery = "Run the validator and correct what it lists"


class AppNotInstalled(CallError):
    """No app of this id is installed here."""

    code = "APP_E031"
    stable_code = "readiness_blocked"
    sdk_code = "READINESS_BLOCKED"
    user_action = "Install the app"
    recovery = "Use an id from the list of installed apps"


class AppDisabled(CallError):
    """The app is installed and switched off, by a person or a policy."""

    code = "APP_E032"
    stable_code = "readiness_blocked"
    sdk_code = "READINESS_BLOCKED"
    user_action = "Enable the app on its page"
    recovery = "Wait until the app is enabled"


class InstallRefused(CallError):
    """The package would replace newer or different bytes of the same app."""

    code = "APP_E033"
    stable_code = "conflict"
    sdk_code = "CONFLICT"
    user_action = "Keep the version that is installed, or uninstall it first"
    recovery = "Release under a higher version"


class LifecycleHookFailed(CallError):
    """What the app wants run at this moment of its life failed, so it was not switched on or not updated."""

    code = "APP_E034"
    stable_code = "readiness_blocked"
    sdk_code = "READINESS_BLOCKED"
    user_action = "See the reason, then enable the app again on its page"
    recovery = "Correct what the hook needs, and try again"


class NotInitialized(CallError):
    """The connection has not finished initialize and initialized."""

    code = "APP_E040"
    stable_code = "conflict"
    sdk_code = "CONFLICT"
    user_action = "Restart Lime Desktop"
    recovery = "Send initialize, wait for the answer, send initialized"
    rpc_code = -32002


class AlreadyInitialized(CallError):
    """The connection was initialized before; once is all it takes."""

    code = "APP_E041"
    stable_code = "conflict"
    sdk_code = "CONFLICT"
    user_action = "Restart Lime Desktop"
    recovery = "Keep one connection per client, or open another"
    rpc_code = -32003


class NotAuthenticated(CallError):
    """The connection did not show the token of this server."""

    code = "APP_E042"
    stable_code = "permission_denied"
    sdk_code = "PERMISSION_DENIED"
    user_action = "Restart Lime Desktop"
    recovery = "Read the token file of the running server"
    rpc_code = -32020


class SignInRequired(CallError):
    """The call needs the host's account session, and nobody is signed in."""

    code = "APP_E043"
    stable_code = "permission_denied"
    sdk_code = "PERMISSION_DENIED"
    user_action = "Sign in"
    recovery = "Request the sign-in, then call once more"
    retryable = True
    max_retries = 1
