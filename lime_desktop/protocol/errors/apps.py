"""APP_E03x: the package, or how its app is installed here, stands in the way."""

from lime_desktop.protocol.errors.calling import CallError


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
