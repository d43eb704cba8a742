"""Problems of the file tree itself, before any file is read."""

from lime_desktop.app_package.problems import ProblemKind, Severity

APP_MD_MISSING = ProblemKind(
    "APP_MD_MISSING",
    Severity.ERROR,
    "There is no APP.md at the top of the package, so it is not an Agent App.",
    "Add APP.md with a YAML frontmatter and a guide.",
)
FILE_UNREADABLE = ProblemKind(
    "FILE_UNREADABLE",
    Severity.ERROR,
    "The system refused to read a file or folder of the package.",
    "Check the permissions of the file, and that it still exists.",
)
FILE_TOO_LARGE = ProblemKind(
    "FILE_TOO_LARGE",
    Severity.ERROR,
    "A file is larger than a package file may be.",
    "Make the file smaller, or let the app fetch it after it is installed.",
)
PACKAGE_TOO_LARGE = ProblemKind(
    "PACKAGE_TOO_LARGE",
    Severity.ERROR,
    "All files together are larger than a package may be.",
    "Remove what the app does not need at run time.",
)
TOO_MANY_FILES = ProblemKind(
    "TOO_MANY_FILES",
    Severity.ERROR,
    "The package has more files than a package may have; the rest was not read.",
    "Bundle the files, or remove what the app does not need at run time.",
)
FOLDERS_TOO_DEEP = ProblemKind(
    "FOLDERS_TOO_DEEP",
    Severity.ERROR,
    "Folders are nested deeper than some systems can store; what lies below was not read.",
    "Flatten the folders.",
)
FOLDER_LEFT_OUT = ProblemKind(
    "FOLDER_LEFT_OUT",
    Severity.NOTE,
    "A `.git` or `node_modules` entry is never part of a package: not read, hashed or packed.",
    "Nothing to do.",
)
LINK_IN_PACKAGE = ProblemKind(
    "LINK_IN_PACKAGE",
    Severity.ERROR,
    "A package must not hold symbolic links: they could point outside of it. It was not followed.",
    "Replace the link by the file it points to.",
)
SPECIAL_FILE_IN_PACKAGE = ProblemKind(
    "SPECIAL_FILE_IN_PACKAGE",
    Severity.ERROR,
    "A package may hold only ordinary files and folders: no devices, pipes or sockets.",
    "Remove it from the package.",
)
PATH_ESCAPES_PACKAGE = ProblemKind(
    "PATH_ESCAPES_PACKAGE",
    Severity.ERROR,
    "A path leads out of the package.",
    "Use a path relative to the package's top folder, with no `..` leading out of it.",
)
PATH_NOT_PORTABLE = ProblemKind(
    "PATH_NOT_PORTABLE",
    Severity.ERROR,
    "A file name cannot exist on every system that runs the app.",
    "Rename the file.",
)
PATH_NOT_UNICODE = ProblemKind(
    "PATH_NOT_UNICODE",
    Severity.ERROR,
    "A file name is not valid UTF-8, so it has no agreed spelling to hash. It was not read.",
    "Rename the file.",
)
PATH_TOO_LONG = ProblemKind(
    "PATH_TOO_LONG",
    Severity.ERROR,
    "A path is longer than some systems can store.",
    "Use shorter names or fewer folders.",
)
PATHS_COLLIDE = ProblemKind(
    "PATHS_COLLIDE",
    Severity.ERROR,
    "Two paths differ only in case or Unicode form: one would overwrite the other on some systems.",
    "Rename one of the two.",
)
