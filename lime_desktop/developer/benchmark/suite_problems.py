"""What can be wrong with the file of a benchmark's suite. Codes are stable; each has its file and line."""

from lime_desktop.app_package.problems import ProblemKind, Severity

NOT_A_SUITE = ProblemKind(
    "SUITE_UNREADABLE",
    Severity.ERROR,
    "The file is no suite: it cannot be read, or holds no keys and values.",
    "Write YAML or JSON with `name` and `tasks`.",
)
KEY_UNKNOWN = ProblemKind(
    "SUITE_KEY_UNKNOWN",
    Severity.ERROR,
    "A key is none that a suite has: misspelt, it would silently not hold.",
    "Write it as the guide on writing apps says, or take it out.",
)
VALUE_MISSING = ProblemKind(
    "SUITE_VALUE_MISSING",
    Severity.ERROR,
    "Something that every suite or task says is not there.",
    "Add it.",
)
VALUE_INVALID = ProblemKind(
    "SUITE_VALUE_INVALID",
    Severity.ERROR,
    "A value has another form than it must have.",
    "Write a value of the form that is named.",
)
TASK_TWICE = ProblemKind(
    "SUITE_TASK_TWICE",
    Severity.ERROR,
    "Two tasks have the same key, and nobody could tell their scores apart.",
    "Give each task a key of its own.",
)
NAME_UNKNOWN = ProblemKind(
    "SUITE_NAME_UNKNOWN",
    Severity.ERROR,
    "The installed app has nothing of this name.",
    "Name what the app's manifest declares, or update the app.",
)
GATE_NOT_RUNNABLE = ProblemKind(
    "SUITE_GATE_NOT_RUNNABLE",
    Severity.ERROR,
    "The app declares this quality gate, and nobody can run it.",
    "`lime-desktop eval` says what is wrong with it.",
)
