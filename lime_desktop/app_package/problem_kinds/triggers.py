"""Problems of triggers. None is an error: the standard knows no triggers of this kind, and another host may."""

from lime_desktop.app_package.problems import ProblemKind, Severity

TRIGGER_INCOMPLETE = ProblemKind(
    "TRIGGER_INCOMPLETE",
    Severity.WARNING,
    "A trigger doesn't say what has to happen, so nothing is started by it.",
    "Write what the guide for authors says for its kind, such as `table` or `prefix` for `on: storage`.",
)
TRIGGER_FIELD_UNFIT = ProblemKind(
    "TRIGGER_FIELD_UNFIT",
    Severity.WARNING,
    "A field of a trigger has a value that no host could act on, so nothing is started by it.",
    "Write the value as the guide for authors says.",
)
TRIGGER_STARTS_NOTHING = ProblemKind(
    "TRIGGER_STARTS_NOTHING",
    Severity.WARNING,
    "A trigger starts nothing: no host could run its workflow.",
    "Make the workflow executable first, or take the trigger out.",
)
TRIGGER_SOURCE_UNKNOWN = ProblemKind(
    "TRIGGER_SOURCE_UNKNOWN",
    Severity.WARNING,
    "A trigger waits for something that the app doesn't declare, so nothing is started by it.",
    "Name a key of `artifactTypes`, of `events` that the app publishes, or of an integration whose adapter is a `webhook`.",
)
