"""APP_E04x: the conversation with the App Server, or a sign-in elsewhere, has not begun as it must."""

from lime_desktop.protocol.errors.calling import CallError


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
