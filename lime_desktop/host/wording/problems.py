"""What a person is told when something failed, and the report behind it. Plain words first; no secret in either."""

import platform
import re
from dataclasses import dataclass
from typing import cast

from lime_desktop import __version__
from lime_desktop.app_package.problems import Problem
from lime_desktop.host.wording.joining import sentences
from lime_desktop.host.wording.lifecycle_hooks import hook_advice
from lime_desktop.host.wording.models import obstacle_words, settings_section
from lime_desktop.host.wording.texts import DEFAULT_LOCALE, Texts
from lime_desktop.protocol.errors import (
    AppError,
    AppNotInstalled,
    ApprovalDeclined,
    ApprovalRequired,
    AppServerUnavailable,
    CapabilityNotAvailable,
    DatabaseBusy,
    DatabaseDamaged,
    DatabaseTooNew,
    DataNotPermitted,
    DataReadOnly,
    DiskFull,
    EngineUnavailable,
    InstallationBroken,
    LifecycleHookFailed,
    PackageInvalid,
    PermissionDenied,
    PolicyDenied,
    ProviderNotReady,
    RateLimited,
    ReadinessBlocked,
    ServerOverloaded,
    SettingLocked,
    ShuttingDown,
    SourceUnverified,
    TimedOut,
    UpstreamFailed,
)
from lime_desktop.protocol.errors.storage import StorageError
from lime_desktop.protocol.errors.tasks import (
    ArtifactNotFound,
    EvidenceNotFound,
    RunNotFound,
    TaskError,
)

_FAMILIES: tuple[tuple[str, tuple[type[AppError], ...]], ...] = (
    ("server", (AppServerUnavailable, ShuttingDown)),
    ("slow", (TimedOut,)),
    ("busy", (ServerOverloaded, RateLimited)),
    ("declined", (ApprovalDeclined,)),
    ("refused", (PermissionDenied, PolicyDenied)),
    ("approval", (ApprovalRequired,)),
    ("missing", (CapabilityNotAvailable,)),
    ("setup", (ReadinessBlocked,)),
    ("hook", (LifecycleHookFailed,)),
    ("full", (DiskFull,)),
    ("read-only", (DataReadOnly,)),
    ("not-permitted", (DataNotPermitted,)),
    ("too-new", (DatabaseTooNew,)),
    ("damaged", (DatabaseDamaged,)),
    ("in-use", (DatabaseBusy,)),
    ("installation", (InstallationBroken,)),
    ("storage", (StorageError,)),
    ("model", (ProviderNotReady, EngineUnavailable)),
    ("gone", (ArtifactNotFound, EvidenceNotFound, RunNotFound)),
    ("task", (TaskError,)),
    ("package", (PackageInvalid,)),
    ("unverified", (SourceUnverified,)),
    ("not-installed", (AppNotInstalled,)),
    ("locked", (SettingLocked,)),
    ("upstream", (UpstreamFailed,)),
)
"""What a failure is to a person; the first family that fits. Each has a title and advice among the texts."""

_PACKAGES = {
    "ARCHIVE_NOT_ZIP": "package.other-file",
    "APP_MD_MISSING": "package.other-folder",
    "ARCHIVE_TRUNCATED": "package.cut-short",
    "ARCHIVE_CONTENTS_DAMAGED": "package.cut-short",
    "ARCHIVE_CHECKSUM_WRONG": "package.cut-short",
    "ARCHIVE_DATA_DAMAGED": "package.cut-short",
}
"""Packages that a person chose by mistake or got in part: by the code of the first problem."""

_IN_TITLE = frozenset({"weights_missing", "engine_unavailable"})
"""Obstacles that say no more than that there is no model, which the title has said."""

_FACTS = ("database", "pid")
"""What of a failure's details helps whoever helps, and tells nothing of the person."""

_SECRETS = (
    (re.compile(r"(?i)\b(bearer|basic)\s+\S+"), r"\1 ***"),
    (
        re.compile(r"(?i)\b([\w-]*(?:key|token|secret|password|credential)[\w-]*)\s*[=:]\s*\S+"),
        r"\1=***",
    ),
    (re.compile(r"\b(?:sk|pk|ghp|gho|xox[a-z]|AKIA)[-_A-Za-z0-9]{12,}"), "***"),
    (re.compile(r"\beyJ[\w-]+\.[\w-]+\.[\w-]+"), "***"),
    (re.compile(r"://[^/\s:@]+:[^/\s@]+@"), "://***@"),
    (re.compile(r"(?:/home|/Users)/[^/\s]+|[A-Za-z]:\\Users\\[^\\\s]+"), "~"),
)
"""What never belongs in a report: credentials, and the name of the person's own folder."""


@dataclass(frozen=True, slots=True)
class ToldProblem:
    """A failure in words for the person, and for whoever helps them."""

    title: str
    advice: str
    report: str
    section: str | None = None
    """The part of the settings where it can be mended."""


def tell(error: AppError, texts: Texts) -> ToldProblem:
    """Word a failure: what it means to the person, what they can do, and the technical report."""
    family = _family(error)
    lines = [f"{error.code} {error.stable_code}", error.message, f"recovery: {error.recovery}"]
    lines.extend(f"{name}: {error.details[name]}" for name in _FACTS if name in error.details)
    if error.trace_id:
        lines.append(f"trace: {error.trace_id}")
    advice, report = texts(f"problem.{family}.advice"), make_report(*lines)
    if isinstance(error, LifecycleHookFailed) and "reasonCode" in error.details:
        advice = hook_advice(error, texts)
    if family != "model":
        return ToldProblem(texts(f"problem.{family}.title"), advice, report)
    reason = str(error.details.get("reasonCode", ""))
    why = "" if reason in _IN_TITLE else obstacle_words(texts, reason, "")
    told = sentences(texts, why, advice)
    return ToldProblem(texts("problem.model.title"), told, report, settings_section(reason))


def _family(error: AppError) -> str:
    family = next((name for name, kinds in _FAMILIES if isinstance(error, kinds)), "other")
    if family != "package":
        return family
    problems = cast("list[dict[str, object]]", error.details.get("problems") or [{}])
    return _PACKAGES.get(str(problems[0].get("code")), family)


def make_report(*lines: str) -> str:
    """A text to copy into a message to whoever helps: which program, which system, what happened."""
    about = f"Lime Desktop {__version__}, Python {platform.python_version()}, {platform.system()}"
    return "\n".join([about, *(without_secrets(line) for line in lines)])


def without_secrets(text: str) -> str:
    """A text with everything that looks like a credential or names the person taken out."""
    for pattern, replacement in _SECRETS:
        text = pattern.sub(replacement, text)
    return text


@dataclass(frozen=True, slots=True)
class ToldPackageProblem:
    """What is wrong, where, and what to do."""

    what: str
    where: str
    fix: str
    exactly: str
    """What the check found, in its own words; empty where `what` says it."""


def tell_package_problem(problem: Problem, texts: Texts) -> ToldPackageProblem:
    """Word one problem.

    In English a check says exactly what it found. In another language the catalogue's own sentence for the code stands
    in, with the place; what was found stays one step away, word for word.
    """
    what = words_for_code(problem.code, problem.message, texts)
    fix = problem.fix or ""
    if what != problem.message:
        fix = _translated(f"package-problem.{problem.code}.fix", texts) or fix
    exactly = "" if what == problem.message else problem.message
    return ToldPackageProblem(what, _where(problem), fix, exactly)


def words_for_code(code: str | None, message: str, texts: Texts) -> str:
    """What a code means in the person's language, or the message itself where that is English."""
    return (_translated(f"package-problem.{code}", texts) if code else None) or message


def _translated(key: str, texts: Texts) -> str | None:
    return None if texts.locale == DEFAULT_LOCALE else texts.find_own(key)


def _where(problem: Problem) -> str:
    place = f"{problem.file or ''}{f':{problem.line}' if problem.line else ''}"
    return "  ".join(filter(None, (place, problem.key_path)))
