"""APP_E1xx: agent tasks, and the sessions, turns, actions and facts they run on.

Knows codes and their meaning, not who raises them.
"""

from lime_desktop.protocol.errors.root import AppError


class TaskError(AppError):
    """An agent task, or what it runs on, did not go as asked."""


class TaskFailed(TaskError):
    """The agent task ended without a result."""

    code = "APP_E101"
    stable_code = "upstream_failed"
    sdk_code = "HOST_ACTION_FAILED"
    user_action = "Try again, or change the input"
    recovery = "Check the input and that a model is available, then retry the task"
    retryable = True
    max_retries = 3


class TaskTimedOut(TaskError):
    """The agent task took longer than it may."""

    code = "APP_E102"
    stable_code = "timeout"
    sdk_code = "TIMEOUT"
    user_action = "Try again with a smaller task"
    recovery = "Split the task, or allow more time"
    retryable = True
    max_retries = 3


class TaskCancelled(TaskError):
    """The agent task was cancelled by a person or the host."""

    code = "APP_E103"
    stable_code = "cancelled"
    sdk_code = "CANCELLED"
    user_action = "Start the task again if you still need it"
    recovery = "Treat the task as ended; nothing more will come"


class CostLimitExceeded(TaskError):
    """The task reached its budget, or the app's for this period."""

    code = "APP_E104"
    stable_code = "policy_denied"
    sdk_code = "POLICY_DENIED"
    user_action = "Raise the limit in Settings"
    recovery = "Use a cheaper model or a smaller task"


class TaskNotFound(TaskError):
    """No task of this id belongs to the app."""

    code = "APP_E105"
    stable_code = "conflict"
    sdk_code = "TASK_NOT_FOUND"
    user_action = "Reload the app"
    recovery = "Use an id from the task list"


class TaskFinished(TaskError):
    """The task has ended, so it cannot be changed any more."""

    code = "APP_E106"
    stable_code = "conflict"
    sdk_code = "CONFLICT"
    user_action = "Reload the app"
    recovery = "Read the task's result, or retry it as a new one"


class StructuredOutputInvalid(TaskError):
    """The model's output did not fit the expected schema within the allowed retries."""

    code = "APP_E107"
    stable_code = "schema_invalid"
    sdk_code = "INVALID_PAYLOAD"
    user_action = "Try again, or choose another model"
    recovery = "Simplify the schema, or allow more validation retries"
    retryable = True
    max_retries = 1


class TurnLimitReached(TaskError):
    """The task used all the model turns it may."""

    code = "APP_E108"
    stable_code = "policy_denied"
    sdk_code = "POLICY_DENIED"
    user_action = "Continue the task, or make it smaller"
    recovery = "Continue the session, or raise the limit"


class AnswerWithheld(TaskError):
    """The model's answer repeats itself, is empty, or has nothing to do with its sources, so it is not given."""

    code = "APP_E109"
    stable_code = "upstream_failed"
    sdk_code = "HOST_ACTION_FAILED"
    user_action = "Ask in other words, or choose a larger model"
    recovery = "Show what was found without a model; the details name the reason"
    retryable = True
    max_retries = 1


class SessionNotFound(TaskError):
    """No session of this id is visible to the caller."""

    code = "APP_E110"
    stable_code = "conflict"
    sdk_code = "TASK_NOT_FOUND"
    user_action = "Start a new conversation"
    recovery = "Confirm cached ids with the server, or start a session"
    rpc_code = -32010


class SessionExists(TaskError):
    """A session of this id exists with other settings; it is never overwritten."""

    code = "APP_E111"
    stable_code = "conflict"
    sdk_code = "CONFLICT"
    user_action = "Reload the app"
    recovery = "Read the session, or choose another id"
    rpc_code = -32013


class SessionDamaged(TaskError):
    """The session's stored facts are damaged, so it is closed to new ones."""

    code = "APP_E112"
    stable_code = "conflict"
    sdk_code = "CONFLICT"
    user_action = "Export what is left, and start a new session"
    recovery = "Read what is left; do not append"


class SessionClosed(TaskError):
    """The session was ended or archived and takes no more turns."""

    code = "APP_E113"
    stable_code = "conflict"
    sdk_code = "CONFLICT"
    user_action = "Start a new conversation"
    recovery = "Resume or fork the session"


# APP_E114 is retired: nothing names a thread by itself.


class TurnNotActive(TaskError):
    """The turn has ended or never started."""

    code = "APP_E115"
    stable_code = "conflict"
    sdk_code = "CONFLICT"
    user_action = "Reload the app"
    recovery = "Read the session for the current turn"
    rpc_code = -32011


class TurnAlreadyActive(TaskError):
    """The session is busy with another turn."""

    code = "APP_E116"
    stable_code = "conflict"
    sdk_code = "CONFLICT"
    user_action = "Wait for the running turn, or cancel it"
    recovery = "Queue the turn, or repeat after the running one ends"
    retryable = True
    rpc_code = -32012


class TurnQueueFull(TaskError):
    """As many turns wait in this session as the server keeps."""

    code = "APP_E117"
    stable_code = "conflict"
    sdk_code = "CONFLICT"
    user_action = "Wait for the queued turns, or remove some"
    recovery = "Repeat after a queued turn starts"
    retryable = True
    rpc_code = -32001


# APP_E118 is retired: nothing names a queued turn by itself.


class ActionNotFound(TaskError):
    """No question of this id was asked in the session."""

    code = "APP_E120"
    stable_code = "conflict"
    sdk_code = "TASK_NOT_FOUND"
    user_action = "Reload the app"
    recovery = "Read the session for its open actions"
    rpc_code = -32014


class ActionClosed(TaskError):
    """The question was answered, cancelled or has expired; the first answer stands."""

    code = "APP_E121"
    stable_code = "conflict"
    sdk_code = "CONFLICT"
    user_action = "Nothing to do: the approval is already answered"
    recovery = "Read the session for the decision"
    rpc_code = -32014


class RetriesExhausted(TaskError):
    """The task was tried again as often as its app's own catalogue of errors allows."""

    code = "APP_E122"
    stable_code = "conflict"
    sdk_code = "CONFLICT"
    user_action = "Change the input, and start the task anew"
    recovery = "Offer no more retries of this task; start another one"


class TaskInterrupted(TaskError):
    """The App Server ended while the agent task ran. Nothing is wrong with the task or its model."""

    code = "APP_E123"
    stable_code = "upstream_failed"
    sdk_code = "HOST_ACTION_FAILED"
    user_action = "Try again"
    recovery = "Start the task again; check outside effects first"
    retryable = True
    max_retries = 1


class ProviderNotReady(TaskError):
    """No model provider can serve the turn: none is set up, or its key is missing."""

    code = "APP_E130"
    stable_code = "readiness_blocked"
    sdk_code = "READINESS_BLOCKED"
    user_action = "Set up a model provider in Settings"
    recovery = "Wait until a provider is ready; the details name the reason"
    rpc_code = -32030


class EngineUnavailable(TaskError):
    """The engine that should run the turn is not there, and nothing stands in for it."""

    code = "APP_E131"
    stable_code = "capability_unavailable"
    sdk_code = "CAPABILITY_BLOCKED"
    user_action = "Set up a model in Settings"
    recovery = "Offer the feature without an agent"
    rpc_code = -32030


class ProviderFailed(TaskError):
    """The model provider answered with an error."""

    code = "APP_E132"
    stable_code = "upstream_failed"
    sdk_code = "HOST_ACTION_FAILED"
    user_action = "Try again later"
    recovery = "Repeat with back-off"
    retryable = True
    max_retries = 3


class ContextTooLong(TaskError):
    """The conversation does not fit the model's window, even compacted."""

    code = "APP_E133"
    stable_code = "conflict"
    sdk_code = "CONFLICT"
    user_action = "Start a new conversation, or choose a larger model"
    recovery = "Send less context"


class ToolCallFailed(TaskError):
    """The tool was found and allowed, and its run ended with an error."""

    code = "APP_E134"
    stable_code = "upstream_failed"
    sdk_code = "HOST_ACTION_FAILED"
    user_action = "Try again, or check the tool's settings"
    recovery = "Correct the tool's input, or do without it"
    retryable = True
    max_retries = 3


class EventRejected(TaskError):
    """The event breaks a rule of the log, so nothing of its batch was stored."""

    code = "APP_E140"
    stable_code = "schema_invalid"
    sdk_code = "INVALID_PAYLOAD"
    user_action = "Report the problem"
    recovery = "Correct the event that the details name and send the whole batch again"
    rpc_code = -32040


class ArtifactNotFound(TaskError):
    """No artifact of this reference is visible to the caller."""

    code = "APP_E150"
    stable_code = "conflict"
    sdk_code = "TASK_NOT_FOUND"
    user_action = "Reload the app"
    recovery = "Use a reference from the artifact list"


class EvidenceNotFound(TaskError):
    """No evidence of this id is visible to the caller."""

    code = "APP_E151"
    stable_code = "conflict"
    sdk_code = "TASK_NOT_FOUND"
    user_action = "Reload the app"
    recovery = "Use an id from the evidence list"


# APP_E152 is retired: nothing names a checkpoint by itself.


class RunNotFound(TaskError):
    """No run, job, invocation or subagent of this id is visible to the caller."""

    code = "APP_E153"
    stable_code = "conflict"
    sdk_code = "TASK_NOT_FOUND"
    user_action = "Reload the app"
    recovery = "Use an id that a start call returned"
