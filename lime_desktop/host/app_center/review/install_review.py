"""The review as a whole: everything a person needs to know before they decide, and what they decided."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from lime_desktop.app_package.package import AppPackage
from lime_desktop.app_package.trust.verdict import Verdict, Verification
from lime_desktop.host.app_center.catalog.choosing import SourceChoice
from lime_desktop.host.app_center.packages.staging import StagedPackage
from lime_desktop.host.app_center.records.recalls import VersionRecall
from lime_desktop.host.app_center.records.records import InstalledApp
from lime_desktop.host.app_center.review.asked_permissions import AskedPermission, asked_permissions
from lime_desktop.host.app_center.review.changes import UpdateDiff, diff
from lime_desktop.host.app_center.review.connections import (
    DeclaredConnection,
    declared_connections,
)
from lime_desktop.host.app_center.review.contents import (
    Addition,
    additions,
    data_boundaries,
    network_domains,
)
from lime_desktop.host.app_center.review.declared_hooks import DeclaredHook, declared_hooks
from lime_desktop.host.app_center.review.deferred_text import DeferredText
from lime_desktop.host.app_center.review.effects import (
    DeclaredEffect,
    Purpose,
    Share,
    declared_effects,
    purposes,
    shares_of_work,
)
from lime_desktop.host.app_center.review.notes import VersionNotes, release_notes
from lime_desktop.host.app_center.review.programs import DeclaredProgram, declared_programs
from lime_desktop.host.app_center.review.refusing import Candidate, Refusal, refusals
from lime_desktop.host.app_center.review.risk import RiskRating, rate
from lime_desktop.host.app_center.review.secret_uses import (
    DeclaredSecretUse,
    declared_secret_uses,
)
from lime_desktop.overlay.layers import OverlayLayer
from lime_desktop.projection.host_profile import THIS_HOST
from lime_desktop.projection.projection import Projection, project
from lime_desktop.readiness.naming import plain_words

NoteKind = Literal["setup", "check", "suited", "unsuited", "warning"]

_SECTIONS: dict[str, NoteKind] = {
    "when_to_use": "suited",
    "not_suitable_for": "unsuited",
    "red_flags": "warning",
}
_MOST_LINES = 8
_LIST_MARK = re.compile(r"\s*(?:[-*+>]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?|\s*#+\s+")


@dataclass(frozen=True, slots=True)
class FirstRunNote:
    """One line for the first run."""

    kind: NoteKind
    text: str


def first_run_notes(package: AppPackage) -> tuple[FirstRunNote, ...]:
    """The author's checklist and advice, setup steps first."""
    return tuple(_notes(package))


def _notes(package: AppPackage) -> Iterator[FirstRunNote]:
    quickstart = package.manifest.quickstart
    for step in quickstart.setup_steps if quickstart else ():
        if words := step_in_plain_words(step):
            yield FirstRunNote("setup", words)
    checklist = package.sections.get("verification_checklist")
    for item in checklist.checklist if checklist else ():
        yield FirstRunNote("check", item.text)
    for key, kind in _SECTIONS.items():
        section = package.sections.get(key)
        lines = [_without_marks(line) for line in section.text.splitlines()] if section else []
        for line in [line for line in lines if line][:_MOST_LINES]:
            yield FirstRunNote(kind, line)


def step_in_plain_words(step: Mapping[str, object]) -> str:
    """A step in words: what the author calls it, else what is to be done with what, `bind_knowledge: brand`."""
    named = (step.get(name) for name in ("title", "description", "key", "type"))
    called = next((each for each in named if isinstance(each, str) and each), None)
    doing = (f"{plain_words(verb)}: {plain_words(str(thing))}" for verb, thing in step.items())
    return called or next(doing, "")


def _without_marks(line: str) -> str:
    """A line of Markdown as it is read aloud: no bullet, no emphasis."""
    return re.sub(r"\*\*|__|`", "", _LIST_MARK.sub("", line, count=1)).strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewContext:
    """What is already there and bears on a review."""

    installed: InstalledApp | None = None
    installed_package: AppPackage | None = None
    granted: frozenset[str] = frozenset()
    overlays: tuple[OverlayLayer, ...] = ()
    has_kept_data: bool = False
    is_blocked_by_organisation: bool = False
    is_of_another_product: bool = False
    revocation: VersionRecall | None = None
    """Why it must not run, as the catalog says that may say so."""
    notes: tuple[VersionNotes, ...] = ()
    """What the catalog says is new, for every version since the installed one, the newest first."""
    source: str = ""
    """Where the package came from, for people."""
    choice: SourceChoice
    signed_twin: Path | None = None
    """A signed package of the same app beside an unsigned one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallReview:
    """What a person reads, about one staged copy of a package."""

    staged: StagedPackage
    source: str
    choice: SourceChoice
    projection: Projection
    verification: Verification
    installed: InstalledApp | None
    refusals: tuple[Refusal, ...]
    asks: tuple[AskedPermission, ...]
    adds: tuple[Addition, ...]
    data: tuple[DeferredText, ...]
    domains: tuple[str, ...]
    programs: tuple[DeclaredProgram, ...]
    secrets: tuple[DeclaredSecretUse, ...]
    """Where each secret goes that a person enters."""
    hooks: tuple[DeclaredHook, ...]
    connections: tuple[DeclaredConnection, ...]
    effects: tuple[DeclaredEffect, ...]
    purposes: tuple[Purpose, ...]
    shares: tuple[Share, ...]
    risk: RiskRating
    notes: tuple[FirstRunNote, ...]
    changes: UpdateDiff | None
    release_notes: tuple[VersionNotes, ...]
    """What its publisher says is new, the newest version first."""
    install_mode: str
    has_kept_data: bool
    signed_twin: Path | None = None
    """A signed package of the same app that lies beside this one, which is not."""

    @property
    def package(self) -> AppPackage:
        """The package as it was staged."""
        return self.staged.package

    @property
    def app_id(self) -> str:
        """The app's id."""
        return self.package.manifest.name

    @property
    def is_update(self) -> bool:
        """Whether it would take the place of an installed version."""
        return self.installed is not None

    @property
    def can_install(self) -> bool:
        """Whether a person's consent is all that is missing."""
        return not self.refusals

    @property
    def needs_acceptance(self) -> bool:
        """Whether the person must say that they accept a package whose publisher is not verified."""
        return self.verification.verdict is not Verdict.VERIFIED

    @property
    def open_asks(self) -> tuple[AskedPermission, ...]:
        """The permissions that need an answer now."""
        return tuple(ask for ask in self.asks if ask.is_open)

    @property
    def suggested(self) -> frozenset[str]:
        """The permissions that start ticked."""
        return frozenset(ask.key for ask in self.asks if ask.is_suggested)


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """What a person agreed to, about exactly the bytes they saw."""

    package_hash: str
    granted: frozenset[str] = frozenset()
    accepts_unverified: bool = False
    accepts_source: bool = False
    """That updates come from another source from now on."""


def make_review(
    staged: StagedPackage, verification: Verification, around: ReviewContext
) -> InstallReview:
    """Put everything together."""
    package = staged.package
    manifest = package.manifest
    projection = project(package, THIS_HOST)
    old = around.installed_package
    candidate = Candidate(
        package,
        staged.package_hash,
        verification,
        around.installed,
        around.is_blocked_by_organisation,
        around.is_of_another_product,
        around.revocation,
    )
    return InstallReview(
        staged=staged,
        source=around.source,
        choice=around.choice,
        projection=projection,
        verification=verification,
        installed=around.installed,
        refusals=refusals(candidate, THIS_HOST),
        asks=asked_permissions(manifest, old.manifest if old else None, around.granted),
        adds=additions(projection, package.translations),
        data=data_boundaries(manifest),
        domains=network_domains(manifest),
        programs=declared_programs(manifest),
        secrets=declared_secret_uses(package),
        hooks=declared_hooks(manifest),
        connections=declared_connections(manifest),
        effects=declared_effects(manifest),
        purposes=purposes(manifest),
        shares=shares_of_work(manifest),
        risk=rate(manifest, verification.verdict),
        notes=first_run_notes(package),
        changes=diff(old, package, around.overlays) if old else None,
        release_notes=release_notes(package, old.manifest.version if old else None, around.notes),
        install_mode=_mode(manifest.install.modes if manifest.install else ()),
        has_kept_data=around.has_kept_data,
        signed_twin=around.signed_twin,
    )


def _mode(modes: Iterable[str]) -> str:
    """The way it is installed here: the first that this host knows."""
    return next((mode for mode in modes if mode in THIS_HOST.install_modes), "in_lime")


def source_lines(review: InstallReview) -> Iterator[DeferredText]:
    """That updates would come from elsewhere than before; which source is taken where several offer the name."""
    choice = review.choice
    if choice.source is None:
        return
    if choice.is_change:
        before = choice.before
        key = "source.changes" if before else "source.begins"
        yield DeferredText(key, {"source": choice.source, **({"before": before} if before else {})})
    elif choice.others:
        yield DeferredText("source.taken", {"source": choice.source})
    for other in choice.others:
        if other != choice.before:
            yield DeferredText("source.other", {"source": other})
