"""Problems of schedules. None is an error: the standard leaves open what a schedule says, and an author may be ahead of us."""

from lime_desktop.app_package.problems import ProblemKind, Severity

SCHEDULE_UNREADABLE = ProblemKind(
    "SCHEDULE_UNREADABLE",
    Severity.WARNING,
    "A schedule says no times that this host can read, so nothing is started by it.",
    "Write a cron line of five fields, such as `0 9 * * 1-5`, or a time, such as `every 6h`.",
)
SCHEDULE_ZONE_UNKNOWN = ProblemKind(
    "SCHEDULE_ZONE_UNKNOWN",
    Severity.WARNING,
    "The time zone of a schedule is unknown, so nothing is started by it.",
    "Write a name such as `Europe/Berlin`, or leave it out to mean wherever the computer is.",
)
SCHEDULE_STARTS_NOTHING = ProblemKind(
    "SCHEDULE_STARTS_NOTHING",
    Severity.WARNING,
    "A schedule starts nothing: it has no workflow that a host could run.",
    "Name an executable workflow by `workflow`, in the service or in the background task that names it.",
)
SCHEDULE_FIELD_UNFIT = ProblemKind(
    "SCHEDULE_FIELD_UNFIT",
    Severity.WARNING,
    "A field of a schedule has a value that no host could act on, so nothing is started by it.",
    "Write the value as the guide for authors says.",
)
