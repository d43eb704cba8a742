"""Problems of making an archive."""

from lime_desktop.app_package.problems import ProblemKind, Severity

PACKING_FAILED = ProblemKind(
    "PACKING_FAILED",
    Severity.ERROR,
    "The system refused to read a file or to write the archive. No archive was left behind.",
    "Check the permissions and the room on the disk.",
)
CHANGED_WHILE_PACKING = ProblemKind(
    "CHANGED_WHILE_PACKING",
    Severity.ERROR,
    "A file changed while the archive was made. No archive was left behind.",
    "Stop what writes to the folder, and pack again.",
)
PACKED_SIGNATURE_STALE = ProblemKind(
    "PACKED_SIGNATURE_STALE",
    Severity.WARNING,
    "The package carries a signature that does not cover the files as they were packed.",
    "Sign the archive: `lime-desktop sign FILE.lapp --key KEY`.",
)
