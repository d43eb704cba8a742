"""APP_E2xx: an app's storage, and the databases and disks under everything.

Knows codes and their meaning, not who raises them.
"""

from lime_desktop.protocol.errors.root import AppError


class StorageError(AppError):
    """Stored data could not be read or written as asked."""


class StorageQuotaExceeded(StorageError):
    """The app reached the space it may use."""

    code = "APP_E201"
    stable_code = "policy_denied"
    sdk_code = "POLICY_DENIED"
    user_action = "Delete some of the app's data, or raise its limit"
    recovery = "Delete what is no longer needed"


class StorageMigrationRequired(StorageError):
    """The app's data must be migrated before it can be used."""

    code = "APP_E202"
    stable_code = "readiness_blocked"
    sdk_code = "READINESS_BLOCKED"
    user_action = "Update the app's data in its setup"
    recovery = "Wait until the app is ready"


class StorageSchemaMismatch(StorageError):
    """The data does not fit the declared schema."""

    code = "APP_E203"
    stable_code = "schema_invalid"
    sdk_code = "INVALID_CAPABILITY_INPUT"
    user_action = "Report the problem to the app's author"
    recovery = "Correct the named fields"


class StorageKeyNotFound(StorageError):
    """No value or row of this key is stored."""

    code = "APP_E204"
    stable_code = "conflict"
    sdk_code = "STORAGE_KEY_NOT_FOUND"
    user_action = "Reload the app"
    recovery = "Read before writing, or insert"


class StorageConflict(StorageError):
    """The value or row exists already, or changed since it was read."""

    code = "APP_E205"
    stable_code = "conflict"
    sdk_code = "CONFLICT"
    user_action = "Reload the app"
    recovery = "Read again, apply the change, write again"
    retryable = True


class StorageTableUnknown(StorageError):
    """The app's schema declares no table, field or index of this name."""

    code = "APP_E206"
    stable_code = "schema_invalid"
    sdk_code = "INVALID_CAPABILITY_INPUT"
    user_action = "Report the problem to the app's author"
    recovery = "Declare it in storage/schema.json"


class StorageMigrationFailed(StorageError):
    """The migration stopped; the data is as it was before."""

    code = "APP_E207"
    stable_code = "upstream_failed"
    sdk_code = "HOST_ACTION_FAILED"
    user_action = "Roll back to the earlier version of the app"
    recovery = "Correct the migration and release again"


class CredentialRefused(StorageError):
    """The key or value looks like a credential; those belong in lime.secrets."""

    code = "APP_E208"
    stable_code = "policy_denied"
    sdk_code = "POLICY_DENIED"
    user_action = "Enter the secret in the app's settings"
    recovery = "Keep a secret reference, never the secret"


class DiskFull(StorageError):
    """The disk has no room; nothing was half-written."""

    code = "APP_E220"
    stable_code = "upstream_failed"
    sdk_code = "HOST_ACTION_FAILED"
    user_action = "Free up some disk space"
    recovery = "Repeat after space was freed"
    retryable = True


class DataReadOnly(StorageError):
    """The data folder cannot be written."""

    code = "APP_E221"
    stable_code = "upstream_failed"
    sdk_code = "HOST_ACTION_FAILED"
    user_action = "Make the data folder writable"
    recovery = "Offer reading only"


class DatabaseTooNew(StorageError):
    """The database was written by a newer program; this one leaves it untouched."""

    code = "APP_E222"
    stable_code = "capability_unavailable"
    sdk_code = "APP_RUNTIME_UNSUPPORTED"
    user_action = "Update Lime Desktop"
    recovery = "Wait for the update"


class DatabaseDamaged(StorageError):
    """The database file is damaged beyond automatic repair."""

    code = "APP_E223"
    stable_code = "upstream_failed"
    sdk_code = "HOST_ACTION_FAILED"
    user_action = "Restore a backup"
    recovery = "Stop writing, and show what can still be read"


class DatabaseBusy(StorageError):
    """Another process holds the database."""

    code = "APP_E224"
    stable_code = "conflict"
    sdk_code = "CONFLICT"
    user_action = "Close the other Lime Desktop window or command, then try again"
    recovery = "Repeat with back-off"
    retryable = True
    max_retries = 5


class DataNotPermitted(StorageError):
    """The data folder or a file in it may not be opened by this user."""

    code = "APP_E225"
    stable_code = "upstream_failed"
    sdk_code = "HOST_ACTION_FAILED"
    user_action = "Give your user access to the data folder"
    recovery = "Repeat after the permissions were put right"
