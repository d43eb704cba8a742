"""Every expected failure, one class per code; the ranges are the standard's.

::

    AppError
    ├── CallError                     0xx  SDK, permission, configuration
    │   ├── CapabilityNotAvailable    001
    │   ├── PermissionDenied          002
    │   ├── KnowledgeNotBound         003
    │   ├── SdkVersionMismatch        004
    │   ├── CapabilityNotDeclared     005
    │   ├── CapabilityMethodUnknown   006
    │   ├── ReadinessBlocked          007
    │   ├── EntryNotFound             008
    │   ├── PolicyDenied              009
    │   ├── ApprovalRequired          010
    │   ├── UntrustedUrl              011
    │   ├── SourceUnverified          012
    │   ├── SecretRequired            013
    │   ├── InvalidInput              014
    │   ├── InvalidMessage            015
    │   ├── MessageTooLarge           016
    │   ├── UnsupportedProtocol       017
    │   ├── UnknownMessage            018
    │   ├── RateLimited               019
    │   ├── WritebackNotDeclared      020
    │   ├── FileReferenceUnknown      021
    │   ├── ToolUnknown               022
    │   ├── WorkspaceUnknown          023
    │   ├── SubscriptionUnknown       024
    │   ├── SubscriptionLimitReached  025
    │   ├── SettingLocked             026
    │   ├── ApprovalDeclined          027
    │   ├── PackageInvalid            030
    │   ├── AppNotInstalled           031
    │   ├── AppDisabled               032
    │   ├── InstallRefused            033
    │   ├── LifecycleHookFailed       034
    │   ├── NotInitialized            040
    │   ├── AlreadyInitialized        041
    │   ├── NotAuthenticated          042
    │   └── SignInRequired            043
    ├── TaskError                     1xx  agent task
    │   ├── TaskFailed                101
    │   ├── TaskTimedOut              102
    │   ├── TaskCancelled             103
    │   ├── CostLimitExceeded         104
    │   ├── TaskNotFound              105
    │   ├── TaskFinished              106
    │   ├── StructuredOutputInvalid   107
    │   ├── TurnLimitReached          108
    │   ├── AnswerWithheld            109
    │   ├── SessionNotFound           110
    │   ├── SessionExists             111
    │   ├── SessionDamaged            112
    │   ├── SessionClosed             113
    │   ├── TurnNotActive             115
    │   ├── TurnAlreadyActive         116
    │   ├── TurnQueueFull             117
    │   ├── ActionNotFound            120
    │   ├── ActionClosed              121
    │   ├── RetriesExhausted          122
    │   ├── TaskInterrupted           123
    │   ├── ProviderNotReady          130
    │   ├── EngineUnavailable         131
    │   ├── ProviderFailed            132
    │   ├── ContextTooLong            133
    │   ├── ToolCallFailed            134
    │   ├── EventRejected             140
    │   ├── ArtifactNotFound          150
    │   ├── EvidenceNotFound          151
    │   └── RunNotFound               153
    ├── StorageError                  2xx  storage
    │   ├── StorageQuotaExceeded      201
    │   ├── StorageMigrationRequired  202
    │   ├── StorageSchemaMismatch     203
    │   ├── StorageKeyNotFound        204
    │   ├── StorageConflict           205
    │   ├── StorageTableUnknown       206
    │   ├── StorageMigrationFailed    207
    │   ├── CredentialRefused         208
    │   ├── DiskFull                  220
    │   ├── DataReadOnly              221
    │   ├── DatabaseTooNew            222
    │   ├── DatabaseDamaged           223
    │   ├── DatabaseBusy              224
    │   └── DataNotPermitted          225
    ├── WorkflowError                 3xx  workflow
    │   ├── WorkflowInvalidState      301
    │   ├── WorkflowReviewTimedOut    302
    │   ├── WorkflowNotFound          303
    │   ├── WorkflowRunNotFound       304
    │   ├── WorkflowRuntimeDisabled   305
    │   ├── WorkflowPolicyViolation   306
    │   ├── WorkflowStepFailed        307
    │   └── WorkflowNotDeveloped      308
    └── HostError                     9xx  other
        ├── InternalError             900
        ├── AppServerUnavailable      901
        ├── ServerOverloaded          902
        ├── TimedOut                  903
        ├── Cancelled                 904
        ├── Conflict                  905
        ├── UpstreamFailed            906
        ├── HostActionFailed          907
        ├── ShuttingDown              908
        ├── InstallationBroken        909
        └── UnknownError              999

A retired code stays as a comment in its module and is never given again.
"""

from typing import cast

from lime_desktop.protocol.errors.calling import (
    AlreadyInitialized,
    AppDisabled,
    AppNotInstalled,
    ApprovalDeclined,
    ApprovalRequired,
    CallError,
    CapabilityMethodUnknown,
    CapabilityNotAvailable,
    CapabilityNotDeclared,
    EntryNotFound,
    FileReferenceUnknown,
    InstallRefused,
    InvalidInput,
    InvalidMessage,
    KnowledgeNotBound,
    LifecycleHookFailed,
    MessageTooLarge,
    NotAuthenticated,
    NotInitialized,
    PackageInvalid,
    PermissionDenied,
    PolicyDenied,
    RateLimited,
    ReadinessBlocked,
    SdkVersionMismatch,
    SecretRequired,
    SettingLocked,
    SignInRequired,
    SourceUnverified,
    SubscriptionLimitReached,
    SubscriptionUnknown,
    ToolUnknown,
    UnknownMessage,
    UnsupportedProtocol,
    UntrustedUrl,
    WorkspaceUnknown,
    WritebackNotDeclared,
)
from lime_desktop.protocol.errors.calling import UnfitValue as UnfitValue
from lime_desktop.protocol.errors.host import (
    AppServerUnavailable,
    Cancelled,
    Conflict,
    HostActionFailed,
    HostError,
    InstallationBroken,
    InternalError,
    ServerOverloaded,
    ShuttingDown,
    TimedOut,
    UnknownError,
    UpstreamFailed,
)
from lime_desktop.protocol.errors.root import AppError
from lime_desktop.protocol.errors.root import ErrorData as ErrorData
from lime_desktop.protocol.errors.storage import (
    CredentialRefused,
    DatabaseBusy,
    DatabaseDamaged,
    DatabaseTooNew,
    DataNotPermitted,
    DataReadOnly,
    DiskFull,
    StorageConflict,
    StorageError,
    StorageKeyNotFound,
    StorageMigrationFailed,
    StorageMigrationRequired,
    StorageQuotaExceeded,
    StorageSchemaMismatch,
    StorageTableUnknown,
)
from lime_desktop.protocol.errors.tasks import (
    ActionClosed,
    ActionNotFound,
    AnswerWithheld,
    ArtifactNotFound,
    ContextTooLong,
    CostLimitExceeded,
    EngineUnavailable,
    EventRejected,
    EvidenceNotFound,
    ProviderFailed,
    ProviderNotReady,
    RetriesExhausted,
    RunNotFound,
    SessionClosed,
    SessionDamaged,
    SessionExists,
    SessionNotFound,
    StructuredOutputInvalid,
    TaskCancelled,
    TaskError,
    TaskFailed,
    TaskFinished,
    TaskInterrupted,
    TaskNotFound,
    TaskTimedOut,
    ToolCallFailed,
    TurnAlreadyActive,
    TurnLimitReached,
    TurnNotActive,
    TurnQueueFull,
)
from lime_desktop.protocol.errors.workflows import (
    WorkflowError,
    WorkflowInvalidState,
    WorkflowNotDeveloped,
    WorkflowNotFound,
    WorkflowPolicyViolation,
    WorkflowReviewTimedOut,
    WorkflowRunNotFound,
    WorkflowRuntimeDisabled,
    WorkflowStepFailed,
)
from lime_desktop.unique_names import unique_table

ALL_ERRORS: tuple[type[AppError], ...] = (
    CapabilityNotAvailable,
    PermissionDenied,
    KnowledgeNotBound,
    SdkVersionMismatch,
    CapabilityNotDeclared,
    CapabilityMethodUnknown,
    ReadinessBlocked,
    EntryNotFound,
    PolicyDenied,
    ApprovalRequired,
    UntrustedUrl,
    SourceUnverified,
    SecretRequired,
    InvalidInput,
    InvalidMessage,
    MessageTooLarge,
    UnsupportedProtocol,
    UnknownMessage,
    RateLimited,
    WritebackNotDeclared,
    FileReferenceUnknown,
    ToolUnknown,
    WorkspaceUnknown,
    SubscriptionUnknown,
    SubscriptionLimitReached,
    SettingLocked,
    ApprovalDeclined,
    PackageInvalid,
    AppNotInstalled,
    AppDisabled,
    InstallRefused,
    LifecycleHookFailed,
    NotInitialized,
    AlreadyInitialized,
    NotAuthenticated,
    SignInRequired,
    TaskFailed,
    TaskTimedOut,
    TaskCancelled,
    CostLimitExceeded,
    TaskNotFound,
    TaskFinished,
    StructuredOutputInvalid,
    TurnLimitReached,
    AnswerWithheld,
    SessionNotFound,
    SessionExists,
    SessionDamaged,
    SessionClosed,
    TurnNotActive,
    TurnAlreadyActive,
    TurnQueueFull,
    ActionNotFound,
    ActionClosed,
    RetriesExhausted,
    TaskInterrupted,
    ProviderNotReady,
    EngineUnavailable,
    ProviderFailed,
    ContextTooLong,
    ToolCallFailed,
    EventRejected,
    ArtifactNotFound,
    EvidenceNotFound,
    RunNotFound,
    StorageQuotaExceeded,
    StorageMigrationRequired,
    StorageSchemaMismatch,
    StorageKeyNotFound,
    StorageConflict,
    StorageTableUnknown,
    StorageMigrationFailed,
    CredentialRefused,
    DiskFull,
    DataReadOnly,
    DatabaseTooNew,
    DatabaseDamaged,
    DatabaseBusy,
    DataNotPermitted,
    WorkflowInvalidState,
    WorkflowReviewTimedOut,
    WorkflowNotFound,
    WorkflowRunNotFound,
    WorkflowRuntimeDisabled,
    WorkflowPolicyViolation,
    WorkflowStepFailed,
    WorkflowNotDeveloped,
    InternalError,
    AppServerUnavailable,
    ServerOverloaded,
    TimedOut,
    Cancelled,
    Conflict,
    UpstreamFailed,
    HostActionFailed,
    ShuttingDown,
    InstallationBroken,
    UnknownError,
)
"""Every code, in order. The reference page, the schemas and the SDK's union come from it."""

RANGES: tuple[type[AppError], ...] = (CallError, TaskError, StorageError, WorkflowError, HostError)
"""The branches of the tree, one per range of the standard; none has a code of its own."""

_BY_CODE = unique_table(((error.code, error) for error in ALL_ERRORS), of="error code")


def error_for_code(code: str) -> type[AppError]:
    """The class of a code; a code that only a newer program knows gives `UnknownError`."""
    return _BY_CODE.get(code, UnknownError)


def error_from_data(data: object) -> AppError:
    """Rebuild a failure that another process sent, so that `except TaskFailed` works across it."""
    if not isinstance(data, dict):
        return UnknownError("The other side failed without saying how")
    fields = cast("dict[object, object]", data)
    code, message = fields.get("code"), fields.get("message")
    details, trace_id = fields.get("details"), fields.get("traceId")
    return error_for_code(code if isinstance(code, str) else "")(
        message if isinstance(message, str) else "The other side failed without a message",
        details=cast("dict[str, object]", details) if isinstance(details, dict) else None,
        trace_id=trace_id if isinstance(trace_id, str) else None,
    )
