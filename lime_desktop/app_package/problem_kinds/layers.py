"""Problems of the manifest's layout: APP.md's two halves, and files that disagree."""

from lime_desktop.app_package.problems import ProblemKind, Severity

FRONTMATTER_MISSING = ProblemKind(
    "FRONTMATTER_MISSING",
    Severity.ERROR,
    "APP.md must begin with YAML frontmatter between two `---` lines.",
    "Put `---`, the app's fields and another `---` at the top of APP.md.",
)
GUIDE_MISSING = ProblemKind(
    "GUIDE_MISSING",
    Severity.ERROR,
    "APP.md must hold a Markdown guide after its frontmatter.",
    "Write what the app does, how to set it up, and how to tell that it works.",
)
LAYERS_DISAGREE = ProblemKind(
    "LAYERS_DISAGREE",
    Severity.WARNING,
    "Two files give different values; the separate file wins over APP.md.",
    "Keep the value in one file only.",
)
LAYER_KEY_IGNORED = ProblemKind(
    "LAYER_KEY_IGNORED",
    Severity.WARNING,
    "A layered file has a top-level key that does not belong in it; it was ignored.",
    "Move the value to the file it belongs in, or to APP.md's frontmatter.",
)
LAYER_EMPTY = ProblemKind(
    "LAYER_EMPTY",
    Severity.WARNING,
    "A layered file has none of the keys that a host looks for in it.",
    "Begin the file with its own key, or remove the file.",
)
FIELD_EMPTY = ProblemKind(
    "FIELD_EMPTY",
    Severity.WARNING,
    "A field has no value; it was read as if it were not there.",
    "Give it a value or remove it.",
)
