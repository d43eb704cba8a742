"""APP_E3xx: workflows. Knows codes and their meaning, not who raises them."""

from lime_desktop.protocol.errors.root import AppError


class WorkflowError(AppError):
    """A workflow could not be started or did not go as described."""


class WorkflowInvalidState(WorkflowError):
    """The run is not in a state that allows this step."""

    code = "APP_E301"
    stable_code = "conflict"
    sdk_code = "CONFLICT"
    user_action = "Reload the workflow"
    recovery = "Read the run for its current state"


class WorkflowReviewTimedOut(WorkflowError):
    """Nobody answered the review in time; the run waits at its checkpoint."""

    code = "APP_E302"
    stable_code = "timeout"
    sdk_code = "TIMEOUT"
    user_action = "Resume the workflow and review it"
    recovery = "Resume the run from its checkpoint"
    retryable = True


class WorkflowNotFound(WorkflowError):
    """The app declares no workflow of this key, or only describes it in prose."""

    code = "APP_E303"
    stable_code = "conflict"
    sdk_code = "CONFLICT"
    user_action = "Update the app"
    recovery = "Use a key that the manifest declares with machine-readable states"


class WorkflowRunNotFound(WorkflowError):
    """No run of this id belongs to the app."""

    code = "APP_E304"
    stable_code = "conflict"
    sdk_code = "CONFLICT"
    user_action = "Reload the app"
    recovery = "Use the id that start returned"


class WorkflowRuntimeDisabled(WorkflowError):
    """This host runs no workflows, or they are switched off."""

    code = "APP_E305"
    stable_code = "capability_unavailable"
    sdk_code = "WORKFLOW_RUNTIME_DISABLED"
    user_action = "Do the steps one by one in the app"
    recovery = "Offer the steps one by one"


class WorkflowPolicyViolation(WorkflowError):
    """A step would do what a rule forbids, so the run stopped before it."""

    code = "APP_E306"
    stable_code = "policy_denied"
    sdk_code = "WORKFLOW_POLICY_VIOLATION"
    user_action = "Ask the people who manage the rules of your organization or workspace"
    recovery = "Change the workflow"


class WorkflowStepFailed(WorkflowError):
    """A step failed and its recovery is used up; the run waits at its checkpoint."""

    code = "APP_E307"
    stable_code = "upstream_failed"
    sdk_code = "HOST_ACTION_FAILED"
    user_action = "Resume the workflow, or cancel it"
    recovery = "Resume the run from its checkpoint"
    retryable = True


class WorkflowNotDeveloped(WorkflowError):
    """Only runs of an app whose folder was opened to work on it can be led step by step or made to go another way."""

    code = "APP_E308"
    stable_code = "permission_denied"
    sdk_code = "PERMISSION_DENIED"
    user_action = "Open the app's folder with `lime-desktop dev`, or use `lime-desktop test`"
    recovery = "Leave the run to the host"
