"""Problems of writing a package to disk."""

from lime_desktop.app_package.problems import ProblemKind, Severity

TARGET_EXISTS = ProblemKind(
    "TARGET_EXISTS",
    Severity.ERROR,
    "The folder that the package would be written to is already there.",
    "Remove the folder, or name another one.",
)
EXTRACTION_CHANGED = ProblemKind(
    "EXTRACTION_CHANGED",
    Severity.ERROR,
    "The files on disk are not the files that were verified. Nothing was kept.",
    "Download the package again; if it happens again, check the disk.",
)
EXTRACTION_FAILED = ProblemKind(
    "EXTRACTION_FAILED",
    Severity.ERROR,
    "The system refused to write the package. Nothing was kept.",
    "Make room on the disk, or choose a folder you may write to.",
)
