"""What can be wrong with a brand. Codes are stable; each has its place in the package where it has one."""

from lime_desktop.app_package.problems import ProblemKind, Severity

MODE_MISSING = ProblemKind(
    "BRAND_MODE_MISSING",
    Severity.ERROR,
    "The package does not say that it may be a product of its own.",
    "Add `standalone` to install.modes, and install.standalone with a bundleId; for --runtime-backed, "
    "`runtime_backed` and install.runtimeBacked.",
)
BUNDLE_ID_INVALID = ProblemKind(
    "BRAND_BUNDLE_ID_INVALID",
    Severity.ERROR,
    "The product has no id of its own that is safe everywhere.",
    "Write one such as com.example.notes: at least two parts of letters, digits and dashes.",
)
ID_TAKEN = ProblemKind(
    "BRAND_ID_TAKEN",
    Severity.ERROR,
    "The product's id is Lime Desktop's, or a name that the program uses itself.",
    "Choose an id of your own; data, keyring entries and sockets are kept apart by it.",
)
NAME_UNSAFE = ProblemKind(
    "BRAND_NAME_UNSAFE",
    Severity.ERROR,
    "A name has characters that menus, installers or terminals read as something else, or is too long.",
    "Use up to 60 letters, digits, spaces and . - _ & ' ( ) + ! , in it.",
)
NAME_TAKEN = ProblemKind(
    "BRAND_NAME_TAKEN",
    Severity.ERROR,
    "The product is called like the program that it runs on.",
    "Choose a name of your own; the about box names Lime Desktop.",
)
ICON_MISSING = ProblemKind(
    "BRAND_ICON_MISSING",
    Severity.ERROR,
    "There is no picture to make the icons from.",
    "Name an SVG or a PNG of 1024 pixels as the icon of the branding.",
)
ICON_UNUSABLE = ProblemKind(
    "BRAND_ICON_UNUSABLE",
    Severity.ERROR,
    "The picture cannot be drawn.",
    "Use a plain SVG without filters or scripts, or a square PNG of 1024 pixels.",
)
ICON_TOO_LARGE = ProblemKind(
    "BRAND_ICON_TOO_LARGE",
    Severity.ERROR,
    "The picture's file is too large for an icon.",
    "Keep it below 2 MB: an SVG without embedded pictures, or a PNG of 1024 pixels.",
)
ICON_SMALL = ProblemKind(
    "BRAND_ICON_SMALL",
    Severity.WARNING,
    "The picture is smaller than the largest icon and will look blurred.",
    "Use an SVG, or a PNG of at least 512 pixels.",
)
COLOUR_INVALID = ProblemKind(
    "BRAND_COLOUR_INVALID",
    Severity.ERROR,
    "The accent is not a colour.",
    'Write it as six hex digits, in quotes: "#3b7a57".',
)
SCHEME_TAKEN = ProblemKind(
    "BRAND_SCHEME_TAKEN",
    Severity.ERROR,
    "The link scheme belongs to somebody else, or is none.",
    "Use lower-case letters, digits and dashes, such as example-notes.",
)
URL_INVALID = ProblemKind(
    "BRAND_URL_INVALID",
    Severity.ERROR,
    "The address is not an https address.",
    "Write it whole, beginning with https://.",
)
FILE_TYPE_INVALID = ProblemKind(
    "BRAND_FILE_TYPE_INVALID",
    Severity.ERROR,
    "A file type has no extension and name of its own.",
    "Write `extension: examplenote` and `name: Example note`; common types belong to other programs.",
)
VALUE_INVALID = ProblemKind(
    "BRAND_VALUE_INVALID",
    Severity.ERROR,
    "A value of the brand is not of the kind that it must be.",
    "Write it as the guide on branded shells says.",
)
VERSION_INVALID = ProblemKind(
    "BRAND_VERSION_INVALID",
    Severity.ERROR,
    "The app's version is none that installers can order.",
    "Use three numbers, such as 1.2.0.",
)
PLATFORM_EXCLUDED = ProblemKind(
    "BRAND_PLATFORM_EXCLUDED",
    Severity.ERROR,
    "The package leaves out a system that a product was asked for.",
    "Add it to install.standalone.platforms, or ask for other formats.",
)
UPDATES_UNTRUSTED = ProblemKind(
    "BRAND_UPDATES_UNTRUSTED",
    Severity.ERROR,
    "The product names a place for updates, and no keys that they must be signed with.",
    "Give the folder of your keys with --keys; `lime-desktop publish keys new` makes them.",
)
RUNTIME_UNKNOWN = ProblemKind(
    "BRAND_RUNTIME_UNKNOWN",
    Severity.ERROR,
    "The product asks for a runtime, or a part of one, that Lime Desktop is not.",
    "Write `requires: lime-runtime`, and `binary: lime-app-server` where a sidecar is named.",
)
RUNTIME_RANGE_INVALID = ProblemKind(
    "BRAND_RUNTIME_RANGE_INVALID",
    Severity.ERROR,
    "The range of versions of Lime Desktop cannot be understood, or no version lies in it.",
    "Write minVersion as `current` or three numbers, and maxVersion as one to three numbers.",
)
RUNTIME_LINK_MISSING = ProblemKind(
    "BRAND_RUNTIME_LINK_MISSING",
    Severity.ERROR,
    "People without Lime Desktop would not learn where to get it.",
    "Name an https address in install.runtimeBacked.downloadUrl, or in releaseManifest.url.",
)
RELEASES_UNREADABLE = ProblemKind(
    "BRAND_RELEASES_UNREADABLE",
    Severity.ERROR,
    "The releases of Lime Desktop that the product accepts cannot be read.",
    "Name the lime-runtime.json of a release in releaseManifest.path, as a file of the package.",
)
BASE_MISSING = ProblemKind(
    "BASE_MISSING",
    Severity.ERROR,
    "There is no frozen Lime Desktop to stamp the product on.",
    "Make one with: python3 packaging/release.py --only tree. Or name one with --base.",
)
BASE_UNUSABLE = ProblemKind(
    "BASE_UNUSABLE",
    Severity.ERROR,
    "The base is not a whole, unbranded tree of Lime Desktop.",
    "Name the folder that holds lime-desktop, lime-app-server and _internal.",
)
OUT_TAKEN = ProblemKind(
    "OUT_TAKEN",
    Severity.ERROR,
    "Something else lies where the product would be written.",
    "Name another folder with --out, or move it away.",
)
FORMAT_UNAVAILABLE = ProblemKind(
    "FORMAT_UNAVAILABLE",
    Severity.ERROR,
    "A format cannot be made here.",
    "Leave it out, or get what it needs.",
)
