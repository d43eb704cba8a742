"""Problems of secrets that were left in a package."""

from lime_desktop.app_package.problems import ProblemKind, Severity

_USE_A_SLOT = "Remove it, revoke it where it was issued, and let the user give it through a slot in `secrets`."

PLAINTEXT_CREDENTIAL = ProblemKind(
    "PLAINTEXT_CREDENTIAL",
    Severity.ERROR,
    "A file of the package holds a key, a token or a password that anyone who has the package can read.",
    _USE_A_SLOT,
)
POSSIBLE_CREDENTIAL = ProblemKind(
    "POSSIBLE_CREDENTIAL",
    Severity.WARNING,
    "A setting named like a secret has a value that looks like one.",
    "If it is real: " + _USE_A_SLOT[0].lower() + _USE_A_SLOT[1:],
)
CREDENTIAL_FILE = ProblemKind(
    "CREDENTIAL_FILE",
    Severity.ERROR,
    "A file of this name exists to hold credentials; it has no place in a package.",
    "Remove the file from the package.",
)
