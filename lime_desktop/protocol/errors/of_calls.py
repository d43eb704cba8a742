"""The codes that calls answer: those that any call may, and those of several calls that do the same thing.

What one call alone may answer stands in its declaration. A code that is declared in neither place is logged as a fault
where it leaves for the app, and fails the test in which it does.
"""

from typing import TypeAlias

from lime_desktop.protocol.errors import (
    AppError,
    AppNotInstalled,
    ApprovalDeclined,
    ApprovalRequired,
    AppServerUnavailable,
    ArtifactNotFound,
    Cancelled,
    CapabilityNotAvailable,
    CapabilityNotDeclared,
    Conflict,
    CostLimitExceeded,
    CredentialRefused,
    DatabaseBusy,
    DatabaseDamaged,
    DatabaseTooNew,
    DataNotPermitted,
    DataReadOnly,
    DiskFull,
    EngineUnavailable,
    FileReferenceUnknown,
    InternalError,
    InvalidInput,
    MessageTooLarge,
    PermissionDenied,
    PolicyDenied,
    ProviderNotReady,
    RateLimited,
    ReadinessBlocked,
    SecretRequired,
    ServerOverloaded,
    SessionClosed,
    SessionDamaged,
    SessionNotFound,
    ShuttingDown,
    StorageMigrationFailed,
    StorageMigrationRequired,
    StorageQuotaExceeded,
    StorageSchemaMismatch,
    StorageTableUnknown,
    TaskNotFound,
    TimedOut,
    ToolUnknown,
    TurnAlreadyActive,
    TurnQueueFull,
    UntrustedUrl,
    UpstreamFailed,
    WritebackNotDeclared,
)

Errors: TypeAlias = tuple[type[AppError], ...]

EVERY_CALL: Errors = (
    CapabilityNotAvailable,
    PermissionDenied,
    CapabilityNotDeclared,
    ReadinessBlocked,
    PolicyDenied,
    ApprovalRequired,
    InvalidInput,
    MessageTooLarge,
    RateLimited,
    ApprovalDeclined,
    AppNotInstalled,
    DiskFull,
    DataReadOnly,
    DatabaseTooNew,
    DatabaseDamaged,
    DatabaseBusy,
    DataNotPermitted,
    InternalError,
    AppServerUnavailable,
    ServerOverloaded,
    TimedOut,
    Cancelled,
    Conflict,
    ShuttingDown,
)
"""Refused before it was carried out, given up on the way, or stopped by the disk: its evidence is written there too.
`Conflict` is an idempotency key that was used with other arguments."""

TABLES: Errors = (
    StorageMigrationRequired,
    StorageSchemaMismatch,
    StorageTableUnknown,
    StorageMigrationFailed,
)
"""Whoever reads or writes rows: the tables are made as the package declares them first."""

KEPT_VALUES: Errors = (StorageQuotaExceeded, CredentialRefused)
"""Whoever keeps a value or a row."""

DOCUMENTS: Errors = (FileReferenceUnknown, UpstreamFailed)
"""Whoever has a document read: that happens in a process of its own, which may end by it."""

RECORDED_TASKS: Errors = (SessionDamaged, ArtifactNotFound)
"""Whoever reads what a task was asked and has done: the log of its session, and what the log refers to."""

NAMED_TASK: Errors = (TaskNotFound, *RECORDED_TASKS)
"""Whoever names one task."""

STARTED_TASK: Errors = (
    WritebackNotDeclared,
    CostLimitExceeded,
    SessionNotFound,
    SessionClosed,
    TurnAlreadyActive,
    TurnQueueFull,
    ProviderNotReady,
    EngineUnavailable,
    *RECORDED_TASKS,
)
"""Whoever has an agent begin to work."""

EXPORTED_ARTIFACT: Errors = (WritebackNotDeclared, ArtifactNotFound, StorageQuotaExceeded)
"""Whoever has a deliverable written to a file."""

TOOLS: Errors = (ToolUnknown,)
"""Whoever names a tool, a run of one, or what leads to one."""

RUN_TOOL: Errors = (UntrustedUrl, ToolUnknown, SecretRequired)
"""Whoever has a tool run: policy reads the places that its input names, and a tool may be shown a secret."""


def declared_codes(errors: Errors) -> tuple[str, ...]:
    """Their codes in order, each once."""
    return tuple(sorted({error.code for error in errors}))
