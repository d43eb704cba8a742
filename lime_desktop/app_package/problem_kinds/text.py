"""Problems of a file as text, YAML or JSON, before anybody asks what it means."""

from lime_desktop.app_package.problems import ProblemKind, Severity

TEXT_NOT_UTF8 = ProblemKind(
    "TEXT_NOT_UTF8",
    Severity.ERROR,
    "A text file of the package is not UTF-8.",
    "Save the file as UTF-8.",
)
TEXT_TOO_LARGE = ProblemKind(
    "TEXT_TOO_LARGE",
    Severity.ERROR,
    "The package's text files are larger than a host will read; the rest was left out.",
    "Make the file smaller: move long text into files that the app reads at run time.",
)
SYNTAX_INVALID = ProblemKind(
    "SYNTAX_INVALID",
    Severity.ERROR,
    "A file is not valid YAML or JSON from here on; what came before it was read.",
    "Correct the syntax at this line.",
)
NESTED_TOO_DEEP = ProblemKind(
    "NESTED_TOO_DEEP",
    Severity.ERROR,
    "Values are nested deeper than a host will read.",
    "Flatten the structure.",
)
ALIASES_TOO_LARGE = ProblemKind(
    "ALIASES_TOO_LARGE",
    Severity.ERROR,
    "A YAML alias refers to itself, or aliases multiply to more than a host will read.",
    "Write the values out, or use fewer aliases.",
)
KEY_TWICE = ProblemKind(
    "KEY_TWICE",
    Severity.ERROR,
    "The same key is written twice in one object; the last one was read.",
    "Remove one of the two.",
)
KEY_NOT_TEXT = ProblemKind(
    "KEY_NOT_TEXT",
    Severity.WARNING,
    "A key is not text. A number or a word is read as it is spelled; anything else is left out.",
    "Put the key in quotes.",
)
TAG_REFUSED = ProblemKind(
    "TAG_REFUSED",
    Severity.ERROR,
    "A package's YAML must not carry tags; the value was read as if there were none.",
    "Remove the tag.",
)
SEVERAL_DOCUMENTS = ProblemKind(
    "SEVERAL_DOCUMENTS",
    Severity.ERROR,
    "A YAML file of a package holds exactly one document; what follows the first was left out.",
    "Remove the `---` line and what follows it.",
)
NUMBER_OUT_OF_RANGE = ProblemKind(
    "NUMBER_OUT_OF_RANGE",
    Severity.ERROR,
    "A number is not finite, or so large that programs would round it. It was read as text.",
    "Use a smaller number, or put it in quotes if it is meant as text.",
)
CHARACTER_INVALID = ProblemKind(
    "CHARACTER_INVALID",
    Severity.ERROR,
    "An escape stands for half a character; it was replaced.",
    "Write the character itself, or both halves of the pair.",
)
NOT_AN_OBJECT = ProblemKind(
    "NOT_AN_OBJECT",
    Severity.ERROR,
    "A file must hold an object with named fields at its top.",
    "Begin the file with `name: value` lines, or with `{` in JSON.",
)
