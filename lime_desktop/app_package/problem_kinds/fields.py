"""Problems of single fields: not there, of the wrong type, outside what the standard allows."""

from lime_desktop.app_package.problems import ProblemKind, Severity

FIELD_MISSING = ProblemKind(
    "FIELD_MISSING",
    Severity.ERROR,
    "A required field is not there.",
    "Add the field.",
)
FIELD_WRONG_TYPE = ProblemKind(
    "FIELD_WRONG_TYPE",
    Severity.ERROR,
    "A field holds another type of value than the standard says.",
    "Write a value of the right type; text that looks like a number needs quotes.",
)
FIELD_NOT_ALLOWED = ProblemKind(
    "FIELD_NOT_ALLOWED",
    Severity.WARNING,
    "The standard allows no further fields in this object; the field was ignored.",
    "Remove the field, or move it to `metadata`.",
)
FIELD_MISSPELT = ProblemKind(
    "FIELD_MISSPELT",
    Severity.WARNING,
    "A field is no field of the standard, and its name is nearly that of one that is; it was ignored.",
    "Correct the name.",
)
FIELD_IGNORED = ProblemKind(
    "FIELD_IGNORED",
    Severity.NOTE,
    "The standard has this field, and this host makes nothing of it.",
    "Nothing has to change; do not rely on it here.",
)
CAPABILITY_MISSPELT = ProblemKind(
    "CAPABILITY_MISSPELT",
    Severity.WARNING,
    "A capability is none that this host knows, and its name is nearly that of one.",
    "Correct the name.",
)
VALUE_NOT_ALLOWED = ProblemKind(
    "VALUE_NOT_ALLOWED",
    Severity.ERROR,
    "The standard has a fixed list of values for this field, and this is none of them.",
    "Use one of the allowed values.",
)
VALUE_UNKNOWN = ProblemKind(
    "VALUE_UNKNOWN",
    Severity.WARNING,
    "The standard does not list this value. What it says was ignored: a permission of an unknown scope grants nothing.",
    "Use one of the listed values.",
)
VALUE_MALFORMED = ProblemKind(
    "VALUE_MALFORMED",
    Severity.ERROR,
    "A value does not have the form that the standard asks for.",
    "Write the value in the form that is asked for.",
)
VALUE_TOO_LONG = ProblemKind(
    "VALUE_TOO_LONG",
    Severity.ERROR,
    "A text or a list is longer than the standard allows.",
    "Shorten it.",
)
VALUE_TOO_SHORT = ProblemKind(
    "VALUE_TOO_SHORT",
    Severity.ERROR,
    "A text or a list is shorter than the standard allows.",
    "Fill it in.",
)
NUMBER_OUT_OF_BOUNDS = ProblemKind(
    "NUMBER_OUT_OF_BOUNDS",
    Severity.ERROR,
    "A number lies outside the bounds that the standard gives.",
    "Use a number within the bounds.",
)
ITEMS_NOT_UNIQUE = ProblemKind(
    "ITEMS_NOT_UNIQUE",
    Severity.ERROR,
    "A list that must hold each item once holds one of them twice.",
    "Remove the repeated item.",
)
TIME_INVALID = ProblemKind(
    "TIME_INVALID",
    Severity.ERROR,
    "A time is not written in ISO 8601.",
    "Write it like 2026-05-16T08:00:00Z.",
)
URL_INVALID = ProblemKind(
    "URL_INVALID",
    Severity.ERROR,
    "A link is not an absolute URL.",
    "Write the whole address, such as https://example.com/help.",
)
EMAIL_INVALID = ProblemKind(
    "EMAIL_INVALID",
    Severity.ERROR,
    "An e-mail address has no valid form.",
    "Write it like help@example.com.",
)
MANIFEST_VERSION_UNSUPPORTED = ProblemKind(
    "MANIFEST_VERSION_UNSUPPORTED",
    Severity.ERROR,
    "The manifest is of a version that this host does not know.",
    "Use a published version of the standard; the current one is 0.10.0.",
)
TOO_MANY_PROBLEMS = ProblemKind(
    "TOO_MANY_PROBLEMS",
    Severity.ERROR,
    "There are more problems than are worth listing; the rest was left out.",
    "Correct the ones listed, then check again.",
)
