"""Problems between fields and files: references, rules of the specification, things that do not fit."""

from lime_desktop.app_package.problems import ProblemKind, Severity

MANIFEST_VERSION_MISSING = ProblemKind(
    "MANIFEST_VERSION_MISSING",
    Severity.WARNING,
    "The manifest does not say which version of the standard it follows; it was read as 0.10.0.",
    "Add `manifestVersion: 0.10.0`.",
)
NAME_NOT_FOLDER = ProblemKind(
    "NAME_NOT_FOLDER",
    Severity.WARNING,
    "The app's name differs from the name of its folder or archive.",
    "Rename one of the two.",
)
VERSION_NOT_SEMVER = ProblemKind(
    "VERSION_NOT_SEMVER",
    Severity.WARNING,
    "The version is not a semantic version, so updates cannot be ordered.",
    "Use three numbers, such as 1.2.0.",
)
RANGE_INVALID = ProblemKind(
    "RANGE_INVALID",
    Severity.WARNING,
    "A version range is neither a SemVer range nor `current`, so no host can satisfy it.",
    "Write a range such as ^0.3.0, or `current`.",
)
TIME_WITHOUT_ZONE = ProblemKind(
    "TIME_WITHOUT_ZONE",
    Severity.NOTE,
    "A time has no zone; it was read as UTC.",
    "Write it like 2026-05-16T08:00:00Z.",
)
TIMES_OUT_OF_ORDER = ProblemKind(
    "TIMES_OUT_OF_ORDER",
    Severity.WARNING,
    "The app's dates contradict each other.",
    "An app is created, then released, then deprecated, then ends.",
)
LICENSE_UNKNOWN = ProblemKind(
    "LICENSE_UNKNOWN",
    Severity.WARNING,
    "The licence does not read like an SPDX expression.",
    "Use an SPDX identifier such as Apache-2.0, or `UNLICENSED` or `proprietary`.",
)
SUPPORT_UNREACHABLE = ProblemKind(
    "SUPPORT_UNREACHABLE",
    Severity.WARNING,
    "`support` needs at least an e-mail address or a URL.",
    "Add `support.email` or `support.url`.",
)
PUBLISHER_SELF_VERIFIED = ProblemKind(
    "PUBLISHER_SELF_VERIFIED",
    Severity.NOTE,
    "Only the registry decides whether a publisher is verified; the claim was ignored.",
    "Remove `publisher.verified`.",
)
PERMISSIONS_BYPASSED = ProblemKind(
    "PERMISSIONS_BYPASSED",
    Severity.ERROR,
    "A package must not ask to bypass permissions.",
    "Remove `bypassPermissions` and declare the permissions that the app needs.",
)
KEY_NOT_UNIQUE = ProblemKind(
    "KEY_NOT_UNIQUE",
    Severity.ERROR,
    "Two items of one list have the same key.",
    "Give each item a key of its own.",
)
KEY_NOT_A_NAME = ProblemKind(
    "KEY_NOT_A_NAME",
    Severity.ERROR,
    "A key or id is a path, or has characters that are not seen.",
    "Use a short name of letters, digits, dots, dashes and underscores.",
)
NAME_NOT_PORTABLE = ProblemKind(
    "NAME_NOT_PORTABLE",
    Severity.ERROR,
    "The app's name cannot be the name of a folder on every system.",
    "Choose a name that does not end in a dot and is no device of Windows, such as `con` or `nul`.",
)
ENTRY_FIELD_MISSING = ProblemKind(
    "ENTRY_FIELD_MISSING",
    Severity.ERROR,
    "An entry lacks the field that its kind needs.",
    "Add the field.",
)
ENTRY_KIND_LEGACY = ProblemKind(
    "ENTRY_KIND_LEGACY",
    Severity.WARNING,
    "`scene` and `home` are entry kinds of before 0.3; an error in a 0.3 manifest.",
    "Use page, command, workflow, artifact, background-task or settings.",
)
ENTRY_ROUTE_EXTERNAL = ProblemKind(
    "ENTRY_ROUTE_EXTERNAL",
    Severity.ERROR,
    "A route must lead to a page of the app itself.",
    "Use a path such as /dashboard.",
)
REFERENCE_UNKNOWN = ProblemKind(
    "REFERENCE_UNKNOWN",
    Severity.ERROR,
    "A field names something that the package does not declare.",
    "Declare it, or correct the name.",
)
SECRET_USE_UNFIT = ProblemKind(
    "SECRET_USE_UNFIT",
    Severity.ERROR,
    "A secret can't be given in this way.",
    "Name an integration or domains, and one of `variable`, `header` and `placeholder`, as the guide says.",
)
HOOK_UNFIT = ProblemKind(
    "HOOK_UNFIT",
    Severity.ERROR,
    "A lifecycle hook can't be run as it is written.",
    "Give it `tool`, the key of an integration or a tool reference, and `input` as a small object.",
)
API_UNREADABLE = ProblemKind(
    "API_UNREADABLE",
    Severity.WARNING,
    "The description of an interface can't be used, so its operations are no tools.",
    "Give an OpenAPI 3 document in `adapter.document`, and an address in it or in `adapter.baseUrl`.",
)
SIGN_IN_UNFIT = ProblemKind(
    "SIGN_IN_UNFIT",
    Severity.ERROR,
    "A sign-in can't be made in this way.",
    "Give `adapter.oauth` of an `api` integration addresses that begin with https.",
)
CAPABILITY_UNDECLARED = ProblemKind(
    "CAPABILITY_UNDECLARED",
    Severity.WARNING,
    "A capability is used but not declared at the top, so the host will not offer it.",
    "Add it to `requires.capabilities` or `capabilities`.",
)
FILE_NOT_FOUND = ProblemKind(
    "FILE_NOT_FOUND",
    Severity.ERROR,
    "A field names a file or folder that the package does not have.",
    "Add the file, or correct the path.",
)
SERVICE_ADDRESS_PUBLIC = ProblemKind(
    "SERVICE_ADDRESS_PUBLIC",
    Severity.ERROR,
    "A local service may be reached from this computer alone.",
    "Leave the address out, since the host chooses it, or name one of loopback such as `http://127.0.0.1`. A service elsewhere is `executionPlane: cloud-remote`.",
)
SERVICE_INCOMPLETE = ProblemKind(
    "SERVICE_INCOMPLETE",
    Severity.ERROR,
    "A service lacks what its execution plane needs.",
    "See the specification on app back ends.",
)
SERVICE_NOT_STARTED = ProblemKind(
    "SERVICE_NOT_STARTED",
    Severity.NOTE,
    "The standard has this kind of service, and this host starts none of it.",
    "Here a service of the kind app-backend, tool-adapter or worker is started that is `executionPlane: client-local` and speaks `protocol: stdio-jsonrpc`; a scheduler or background-task that names a `workflow` has it started.",
)
SERVICE_PLANE_MISSING = ProblemKind(
    "SERVICE_PLANE_MISSING",
    Severity.ERROR,
    "A back end must say where it runs.",
    "Add `executionPlane: client-local` or `executionPlane: cloud-remote`.",
)
SERVICE_PROTOCOL_MISMATCH = ProblemKind(
    "SERVICE_PROTOCOL_MISMATCH",
    Severity.ERROR,
    "A service's protocol does not belong to the plane it runs on.",
    "Local: stdio-jsonrpc, local-http, local-socket or wasm. Remote: remote-http.",
)
SERVICE_TERMS_MISSING = ProblemKind(
    "SERVICE_TERMS_MISSING",
    Severity.ERROR,
    "A remote back end must state how it authenticates, audits and treats data.",
    "Add `auth`, `tenantPolicy`, `audit`, `dataPolicy` and `fallback` to the service.",
)
STORAGE_SCHEMA_INVALID = ProblemKind(
    "STORAGE_SCHEMA_INVALID",
    Severity.ERROR,
    "The storage schema does not describe tables with unique names.",
    "Write `tables` as a list of objects with a `name` each.",
)
STORAGE_NAMESPACE_DIFFERS = ProblemKind(
    "STORAGE_NAMESPACE_DIFFERS",
    Severity.WARNING,
    "The storage schema and the manifest name different namespaces; the manifest's is used.",
    "Use the same namespace in both.",
)
RETENTION_UNFIT = ProblemKind(
    "RETENTION_UNFIT",
    Severity.ERROR,
    "This says no number of days.",
    "Write `30d`: `values`, or by name under `tables` and `artifacts`.",
)
RETENTION_IGNORED = ProblemKind(
    "RETENTION_IGNORED",
    Severity.NOTE,
    "This host makes nothing of this part of `storage.retention`.",
    "Use `values`, `tables` and `artifacts`, or remove it.",
)
MIGRATION_UNORDERED = ProblemKind(
    "MIGRATION_UNORDERED",
    Severity.ERROR,
    "Migrations cannot be put in one certain order.",
    "Begin each file name with its own number, such as 0002_add_index.sql.",
)
SKILL_FILE_MISSING = ProblemKind(
    "SKILL_FILE_MISSING",
    Severity.ERROR,
    "A bundled skill has no SKILL.md.",
    "Add SKILL.md to the skill's folder.",
)
SKILL_INVALID = ProblemKind(
    "SKILL_INVALID",
    Severity.ERROR,
    "A SKILL.md does not follow the Agent Skills standard.",
    "Begin it with frontmatter that has `name` and `description`.",
)
SKILL_NAME_NOT_FOLDER = ProblemKind(
    "SKILL_NAME_NOT_FOLDER",
    Severity.WARNING,
    "A skill's name differs from the name of its folder.",
    "Rename one of the two.",
)
ERROR_CODE_INVALID = ProblemKind(
    "ERROR_CODE_INVALID",
    Severity.ERROR,
    "An error code is outside the ranges of the standard.",
    "Use APP_E0xx (SDK, permission, configuration), 1xx (agent task), 2xx (storage), "
    "3xx (workflow) or 9xx (other).",
)
LOCALE_MISSING = ProblemKind(
    "LOCALE_MISSING",
    Severity.WARNING,
    "The app's languages do not add up: a locale is named but not supported or not translated.",
    "Add it to `i18n.supportedLocales` and `i18n.translations`.",
)
LOCALE_FILE_INVALID = ProblemKind(
    "LOCALE_FILE_INVALID",
    Severity.ERROR,
    "A translation file must be a JSON object of texts, flat or nested.",
    "Correct the file.",
)
OPERATION_AUTOMATIC = ProblemKind(
    "OPERATION_AUTOMATIC",
    Severity.ERROR,
    "An app must not publish, delete, change in bulk or write outside without being asked.",
    "Set `autoExecute: false` and `approvalRequired: true`.",
)
OPERATION_UNGUARDED = ProblemKind(
    "OPERATION_UNGUARDED",
    Severity.WARNING,
    "An operation with an effect outside asks for no approval; the host will ask all the same.",
    "Set `approvalRequired: true` and `evidenceRequired: true`.",
)
INTEGRATION_READ_ONLY = ProblemKind(
    "INTEGRATION_READ_ONLY",
    Severity.WARNING,
    "An operation writes through an integration that declares no write access.",
    "Set `access.write: true` on the integration, or correct the operation.",
)
INSTALL_MODE_INCOMPLETE = ProblemKind(
    "INSTALL_MODE_INCOMPLETE",
    Severity.WARNING,
    "An install mode is listed without the section that describes it, or the other way round.",
    "Add the section, or remove the mode.",
)
REVOCATION_URL_INSECURE = ProblemKind(
    "REVOCATION_URL_INSECURE",
    Severity.ERROR,
    "Revocation must be asked over https, or anyone on the way could answer.",
    "Use an https address.",
)
HASH_MALFORMED = ProblemKind(
    "HASH_MALFORMED",
    Severity.ERROR,
    "A declared hash is not 64 hexadecimal digits, with or without `sha256:`.",
    "Sign the package again.",
)
CREDENTIALS_NOT_SOUGHT = ProblemKind(
    "CREDENTIALS_NOT_SOUGHT",
    Severity.NOTE,
    "The package has more text than is searched for credentials; the largest files were left out.",
    "Look through the largest text files yourself.",
)
