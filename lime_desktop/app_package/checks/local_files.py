"""Files that a manifest names: they exist, and they lie inside the package."""

from collections.abc import Iterator

from lime_desktop.app_package.checks.facts import PackageFacts
from lime_desktop.app_package.files.path_rules import (
    is_url,
    leaves_package,
    looks_like_path,
    normalised,
)
from lime_desktop.app_package.problem_kinds.files import PATH_ESCAPES_PACKAGE
from lime_desktop.app_package.problem_kinds.rules import FILE_NOT_FOUND, LOCALE_MISSING
from lime_desktop.app_package.problems import Place, Problem, Severity
from lime_desktop.app_package.text.located import ValuePath, key_path, walk

_PATH_FIELDS = frozenset(
    {
        "runtimePackage.ui.path",
        "runtimePackage.worker.path",
        "runtimePackage.tools.path",
        "runtimePackage.storage.schema",
        "runtimePackage.storage.migrations",
        "runtimePackage.lockfile",
        "storage.schema",
        "storage.migrations",
        "services[].path",
        "services[].binary",
        "workflows[].path",
        "knowledgeTemplates[].path",
        "skills.bundled[].path",
        "skillRefs[].path",
        "artifactTypes[].schema",
        "integrations[].adapter.document",
        "evals[].path",
        "events[].schema",
        "overlayTemplates[].schema",
        "i18n.translations.*",
        "changelog",
        "presentation.icon",
        "install.branding.icon",
        "agentRuntime.agentTask.structuredOutput.schemaRef",
    }
)
"""Fields that hold a path, however it is written. Elsewhere `./` and `../` mark one."""
_PATH_OR_KEY = frozenset({"entries[].workflow", "entries[].persona"})
_COSMETIC = frozenset({"changelog", "presentation.icon", "install.branding.icon"})
_NOT_PATHS = frozenset(
    {
        "ui.routes[].path",
        "entries[].route",
        "requires.sdk",
        # Files of a shell that is built around the app: they lie beside its program, not in the package.
        "install.runtime.releaseManifest.path",
        "install.standalone.releaseManifest.path",
    }
)
_TRANSLATIONS = "i18n.translations.*"
_MAPS_OF_PATHS = frozenset({"i18n.translations"})


def check(facts: PackageFacts) -> Iterator[Problem]:
    """Check every path that the manifest names."""
    known = _folders(facts) | facts.reader.tree.files.keys()
    for path, value, origin in walk(facts.effective):
        if not isinstance(value, str):
            continue
        field = _field(path)
        if not _names_a_file(field, value):
            continue
        place = Place(origin.file, origin.line, key_path(path))
        if leaves_package(value):
            yield PATH_ESCAPES_PACKAGE.found("The path leads out of the package.", place)
        elif normalised(value) not in known:
            spoken = _spoken_instead(facts, path, known) if field == _TRANSLATIONS else None
            yield _missing(field, place) if spoken is None else _untranslated(spoken, place)


def _missing(field: str, place: Place) -> Problem:
    is_essential = field in _PATH_FIELDS | _PATH_OR_KEY and field not in _COSMETIC
    severity = Severity.ERROR if is_essential else Severity.WARNING
    message = "The package has no file or folder of this path."
    return FILE_NOT_FOUND.found(message, place, severity=severity)


def _spoken_instead(facts: PackageFacts, path: ValuePath, known: set[str]) -> str | None:
    """The language that the author puts in the place of one whose file is missing, where that one's is there."""
    *_, locale = path
    wanted = facts.text("i18n", "fallback", locale)
    written = facts.text("i18n", "translations", wanted) if wanted else None
    return wanted if written and normalised(written) in known else None


def _untranslated(spoken: str, place: Place) -> Problem:
    message = f"The package has no such translation file; the texts are shown in {spoken}."
    return LOCALE_MISSING.found(message, place, fix="Add the file, or take the locale out.")


def _names_a_file(field: str, value: str) -> bool:
    if is_url(value) or field in _NOT_PATHS or not value:
        return False
    if field in _PATH_FIELDS:
        return True
    if field in _PATH_OR_KEY:
        return looks_like_path(value)
    return value.startswith(("./", "../")) and "\n" not in value


def _field(path: ValuePath) -> str:
    """The path with `[]` for any index and `*` for any name in a map of paths."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += "[]"
        elif text in _MAPS_OF_PATHS:
            text += ".*"
        else:
            text += f".{part}" if text else part
    return text


def _folders(facts: PackageFacts) -> set[str]:
    folders = {""}
    for path in facts.reader.tree.files:
        while (path := path.rpartition("/")[0]) and path not in folders:
            folders.add(path)
    return folders
