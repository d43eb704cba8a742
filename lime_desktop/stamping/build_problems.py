"""What can be wrong with the file of an organisation's build. Codes are stable; each has its file and line."""

from lime_desktop.app_package.problems import ProblemKind, Severity

FILE_UNREADABLE = ProblemKind(
    "BUILD_FILE_UNREADABLE",
    Severity.ERROR,
    "A file that the build needs cannot be read.",
    "Name a file that is there, by its path from the build file.",
)
TOO_LARGE = ProblemKind(
    "BUILD_TOO_LARGE",
    Severity.ERROR,
    "The build is larger than a product may be.",
    "Leave apps out, or take large files out of them.",
)
KEY_UNKNOWN = ProblemKind(
    "BUILD_KEY_UNKNOWN",
    Severity.ERROR,
    "A key is none that a build has: misspelt, it would silently not hold.",
    "Write it as the guide on branded shells says, or take it out.",
)
APPS_MISSING = ProblemKind(
    "BUILD_APPS_MISSING",
    Severity.ERROR,
    "The build names no apps, or too many.",
    "List them under apps: folders, or .lapp files.",
)
APP_UNREADABLE = ProblemKind(
    "BUILD_APP_UNREADABLE",
    Severity.ERROR,
    "An app of the build is none that could be installed.",
    "Name a package folder or a .lapp file; `lime-desktop validate` says what is wrong with it.",
)
APP_TWICE = ProblemKind(
    "BUILD_APP_TWICE",
    Severity.ERROR,
    "An app is in the build twice.",
    "Keep one of them: a product brings one version of each app.",
)
APP_MODE = ProblemKind(
    "BUILD_APP_MODE",
    Severity.ERROR,
    "An app does not say that it may be installed beside others.",
    "Add `in_lime` to its install.modes, or ship it alone.",
)
APP_BLOCKED = ProblemKind(
    "BUILD_APP_BLOCKED",
    Severity.ERROR,
    "The organization's own file does not allow an app of the build.",
    "Allow it under apps in the organization's file, or leave it out of the build.",
)
ORGANISATION_MISSING = ProblemKind(
    "BUILD_ORGANIZATION_MISSING",
    Severity.ERROR,
    "The build names no organization file.",
    "Write `organization: organisation.yaml`: whose rules hold in the product.",
)
ORGANISATION_INVALID = ProblemKind(
    "BUILD_ORGANIZATION_INVALID",
    Severity.ERROR,
    "The organization's file says something that it cannot say.",
    "Repair it; `lime-desktop organisation join` reads the same file.",
)
CATALOG_LOCAL = ProblemKind(
    "BUILD_CATALOG_LOCAL",
    Severity.ERROR,
    "A catalog of the organization is a file of this computer, which people will not have.",
    "Name its https:// address, or list its apps in the build.",
)
SECRET = ProblemKind(
    "BUILD_SECRET",
    Severity.ERROR,
    "A key stands in what everybody gets who gets the product.",
    "Take it out, and have it revoked if it is real; each person enters their own key.",
)
PROVIDER_INVALID = ProblemKind(
    "BUILD_PROVIDER_INVALID",
    Severity.ERROR,
    "A model provider is not described well enough to set it up.",
    "Write id, name, protocol and baseUrl; or the id alone of one that Lime Desktop knows.",
)
PROVIDER_TWICE = ProblemKind(
    "BUILD_PROVIDER_TWICE",
    Severity.ERROR,
    "Two model providers have one id.",
    "Give each an id of its own.",
)
PROVIDER_TAKEN = ProblemKind(
    "BUILD_PROVIDER_TAKEN",
    Severity.ERROR,
    "A provider that Lime Desktop knows under this id is given another address or name.",
    "Give yours an id of its own; of a known one only the models can be chosen.",
)
PROVIDER_UNENCRYPTED = ProblemKind(
    "BUILD_PROVIDER_UNENCRYPTED",
    Severity.ERROR,
    "Keys and questions would travel unencrypted to a server that is not in the own network.",
    "Use its https:// address.",
)
