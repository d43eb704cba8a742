"""Problems of workflows: what keeps one from being carried out, and what its author may not have meant."""

from lime_desktop.app_package.problems import ProblemKind, Severity

WORKFLOW_RECOVERY_MISSING = ProblemKind(
    "WORKFLOW_RECOVERY_MISSING",
    Severity.ERROR,
    "A workflow must say how it recovers; a warning where its states stand in the manifest itself.",
    "Add `recovery` with `onTimeout`, `onError` and `maxRetries`.",
)
WORKFLOW_NOT_EXECUTABLE = ProblemKind(
    "WORKFLOW_NOT_EXECUTABLE",
    Severity.WARNING,
    "A workflow is described, but a host could not run it from what is written.",
    "Add `states` with `key`, `kind`, `next` and what each kind needs, as YAML.",
)
STATE_KIND_UNKNOWN = ProblemKind(
    "STATE_KIND_UNKNOWN",
    Severity.WARNING,
    "A host is not bound to know this kind of state and may not run it.",
    "Use a kind that the guide for authors names.",
)
# No error: the specification's own workflows lead to states that they do not list.
STATE_UNKNOWN = ProblemKind(
    "STATE_UNKNOWN",
    Severity.WARNING,
    "A state leads to one that does not exist; a run that comes to it fails there.",
    "Add the state, or correct `next`.",
)
STATE_UNREACHABLE = ProblemKind(
    "STATE_UNREACHABLE",
    Severity.WARNING,
    "No path leads from the first state to this one.",
    "Let another state name it in `next`, or remove it.",
)
STATE_INCOMPLETE = ProblemKind(
    "STATE_INCOMPLETE",
    Severity.WARNING,
    "A state lacks what its kind needs, so the workflow is described and not executable.",
    "Add the field; the guide for authors says what each kind needs.",
)
WORKFLOW_FIELD_UNFIT = ProblemKind(
    "WORKFLOW_FIELD_UNFIT",
    Severity.WARNING,
    "A field of a workflow has a value that no host could act on, so it is not executable.",
    "Write the value as the guide for authors says.",
)
TRANSITION_AMBIGUOUS = ProblemKind(
    "TRANSITION_AMBIGUOUS",
    Severity.WARNING,
    "A state leads to several others and does not say when to which.",
    "Use a `branch` with `cases`, a `parallel` with `branches`, or one `next`.",
)
WORKFLOW_ENDLESS = ProblemKind(
    "WORKFLOW_ENDLESS",
    Severity.WARNING,
    "States lead in a circle in which nothing waits for time, an event or a person.",
    "Put a `wait`, a `human-review` or a `user-input` into the circle, or give the workflow `maxDuration`.",
)
RECOVERY_UNKNOWN = ProblemKind(
    "RECOVERY_UNKNOWN",
    Severity.WARNING,
    "What shall happen after an error, a time-out or a deadline is a word that nobody knows.",
    "Use one of the known words, or the key of a state.",
)
EXPRESSION_INVALID = ProblemKind(
    "EXPRESSION_INVALID",
    Severity.ERROR,
    "An expression of a workflow cannot be read.",
    "Correct it at the column that is named; a dollar sign that means itself is written `$$`.",
)
READ_UNANSWERED = ProblemKind(
    "READ_UNANSWERED",
    Severity.ERROR,
    "An expression reads the output of a state that cannot have run before.",
    "Read a state that leads here, or correct its key.",
)
WORKFLOW_SCHEMA_INVALID = ProblemKind(
    "WORKFLOW_SCHEMA_INVALID",
    Severity.ERROR,
    "A form, an input or an output of a workflow is described by what is no JSON Schema.",
    "Write a JSON Schema that stands alone.",
)
OUTPUT_UNWRITTEN = ProblemKind(
    "OUTPUT_UNWRITTEN",
    Severity.WARNING,
    "A workflow promises an output that none of its states writes.",
    "Let the output read a state, such as `$.states.KEY.output`, or remove it.",
)
