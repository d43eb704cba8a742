"""Demands that the package's own checks already answer: which problems speak against each, and what it is about."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from lime_desktop.app_package.manifest import Manifest
from lime_desktop.app_package.package import AppPackage
from lime_desktop.app_package.problem_kinds import credentials, files, layers, rules, workflows
from lime_desktop.app_package.problems import Problem, ProblemKind, Severity
from lime_desktop.developer.conformance.report import Finding, does_not_apply, fails, holds
from lime_desktop.developer.events import place_of


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a package has to declare, and how a lapse is known."""

    kinds: tuple[ProblemKind, ...]
    """Problems that break the demand."""
    subjects: Callable[[AppPackage], Iterable[str]]
    """What the demand is about; without any, it does not apply."""
    absent: str = ""

    def judge(self, package: AppPackage, problems: Iterable[Problem]) -> Finding:
        """Say whether the demand is met."""
        codes = {kind.code for kind in self.kinds}
        broken = [
            told(each)
            for each in problems
            if each.code in codes and each.severity is not Severity.NOTE
        ]
        if broken:
            return fails("The package breaks it.", *broken)
        subjects = tuple(self.subjects(package))
        if not subjects:
            return does_not_apply(self.absent)
        return holds("None of the package's checks speaks against it.", *subjects)


def told(problem: Problem) -> str:
    """A problem in one line: where, which, what."""
    return " ".join(each for each in (place_of(problem), problem.code, problem.message) if each)


def _of_manifest(read: Callable[[Manifest], Iterable[str]]) -> Callable[[AppPackage], list[str]]:
    return lambda package: list(read(package.manifest))


def _guide(package: AppPackage) -> list[str]:
    return [f"APP.md:{each.line} {each.title}" for each in package.sections.values()] or ["APP.md"]


def _searched(package: AppPackage) -> list[str]:
    return [f"{len(package.tree.files)} files searched"]


def _storage(package: AppPackage) -> list[str]:
    storage = package.manifest.storage
    return [f"namespace {storage.namespace}"] if storage else []


def _effects(manifest: Manifest) -> Iterable[str]:
    yield from (f"operation {each.key}" for each in manifest.operations)
    yield from (f"integration {each.key}" for each in manifest.integrations)


def _services(manifest: Manifest) -> Iterable[str]:
    return (f"service {each.key}: {each.execution_plane}" for each in manifest.services)


_NO_SERVICE = "The app has no back end."
_SERVICE_KINDS = (
    rules.SERVICE_ADDRESS_PUBLIC,
    rules.SERVICE_INCOMPLETE,
    rules.SERVICE_PLANE_MISSING,
    rules.SERVICE_PROTOCOL_MISMATCH,
    rules.SERVICE_TERMS_MISSING,
)

DECLARATIONS: Mapping[str, Declaration] = {
    "PKG-02": Declaration(
        (rules.LOCALE_MISSING, rules.LOCALE_FILE_INVALID),
        _of_manifest(lambda manifest: manifest.i18n.supported_locales if manifest.i18n else ()),
        "The app names no languages.",
    ),
    "PKG-03": Declaration(
        (rules.ERROR_CODE_INVALID,),
        _of_manifest(lambda manifest: manifest.errors),
        "The app declares no errors of its own.",
    ),
    "APP-01": Declaration((files.APP_MD_MISSING,), lambda _: ["APP.md"]),
    "APP-02": Declaration((layers.FRONTMATTER_MISSING, layers.GUIDE_MISSING), _guide),
    "APP-19": Declaration(_SERVICE_KINDS, _of_manifest(_services), _NO_SERVICE),
    "APP-41": Declaration(
        (workflows.WORKFLOW_RECOVERY_MISSING,),
        lambda package: [f"workflow {each.key}" for each in package.workflows],
        "The app has no workflow.",
    ),
    "APP-44": Declaration(
        (rules.STORAGE_SCHEMA_INVALID, rules.STORAGE_NAMESPACE_DIFFERS),
        _storage,
        "The app keeps no data.",
    ),
    "APP-55": Declaration((rules.PERMISSIONS_BYPASSED,), _searched),
    "APP-56": Declaration(
        (rules.INTEGRATION_READ_ONLY,),
        _of_manifest(_effects),
        "The app has no effect outside and no connection.",
    ),
    "APP-57": Declaration(
        (credentials.PLAINTEXT_CREDENTIAL, credentials.CREDENTIAL_FILE), _searched
    ),
    "APP-59": Declaration(
        (rules.OPERATION_AUTOMATIC,),
        _of_manifest(lambda manifest: [f"operation {each.key}" for each in manifest.operations]),
        "The app declares no operation.",
    ),
    "APP-62": Declaration(_SERVICE_KINDS, _of_manifest(_services), _NO_SERVICE),
    "APP-63": Declaration(
        (rules.SKILL_FILE_MISSING, rules.SKILL_INVALID),
        lambda package: [f"{each.folder}: {each.description}" for each in package.skills],
        "The app bundles no skill.",
    ),
}
