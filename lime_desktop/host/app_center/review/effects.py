"""What would the app do to the world outside, and who does which part of the work?"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from lime_desktop.app_package.manifest import Manifest, Operation
from lime_desktop.projection.prompts import ALWAYS_ASKED
from lime_desktop.readiness.naming import plain_words, title_in

Party = Literal["app", "host", "cloud", "connector", "external", "human"]
PARTIES: tuple[Party, ...] = ("app", "host", "cloud", "connector", "external", "human")

PurposeKind = Literal["does", "later", "never", "risk"]
_PRIORITIES: dict[str, PurposeKind] = {"later": "later", "out_of_scope": "never"}

_OUTSIDE = ALWAYS_ASKED | {"external_write"}


@dataclass(frozen=True, slots=True)
class DeclaredEffect:
    """One operation of `app.operations.yaml` that changes something."""

    operation: Operation

    def called(self, locale: str) -> str:
        """What a person calls it: the author's title in their language, else plain words."""
        name = title_in(self.operation, locale) or plain_words(self.operation.key)
        return name[:1].upper() + name[1:]

    @property
    def is_outside(self) -> bool:
        """Whether it leaves this machine."""
        return self.operation.side_effect in _OUTSIDE

    @property
    def is_asked_each_time(self) -> bool:
        """Whether a person approves every single run."""
        return bool(self.operation.approval_required) or self.operation.side_effect in ALWAYS_ASKED


@dataclass(frozen=True, slots=True)
class Purpose:
    """One thing that the app is meant to do, or is not; `kind` finds the words for it."""

    kind: PurposeKind
    text: str
    details: tuple[str, ...] = ()
    """How to tell that it is met."""


@dataclass(frozen=True, slots=True)
class Share:
    """What one party does for one requirement."""

    requirement: str
    party: Party
    owns: tuple[str, ...]
    requires: tuple[str, ...]


def declared_effects(manifest: Manifest) -> tuple[DeclaredEffect, ...]:
    """The operations with a side effect, those that leave the machine first."""
    effects = [
        DeclaredEffect(operation)
        for operation in manifest.operations
        if operation.side_effect != "none"
    ]
    return tuple(sorted(effects, key=lambda effect: not effect.is_outside))


def purposes(manifest: Manifest) -> tuple[Purpose, ...]:
    """What the app is for, how a person can tell, what it is not for and what may go wrong, as its author says."""
    return tuple(_purposes(manifest))


def _purposes(manifest: Manifest) -> Iterator[Purpose]:
    declared = manifest.requirements
    for each in declared.requirements:
        yield Purpose(_PRIORITIES.get(each.priority or "", "does"), each.text, each.acceptance)
    for each in declared.requirements:
        yield from (Purpose("risk", text) for text in each.risks)
    without = (text for each in declared.requirements for text in each.non_goals)
    yield from (Purpose("never", text) for text in (*declared.non_goals, *without))
    yield from (Purpose("later", text) for text in declared.later)


def shares_of_work(manifest: Manifest) -> tuple[Share, ...]:
    """Who does what, requirement by requirement, as `app.boundary.yaml` says."""
    return tuple(_shares(manifest))


def _shares(manifest: Manifest) -> Iterator[Share]:
    texts = {each.id: each.text for each in manifest.requirements.requirements}
    for boundary in manifest.boundary.boundaries:
        requirement = texts.get(boundary.requirement_id, boundary.requirement_id)
        for party in PARTIES:
            plane = getattr(boundary.planes, party)
            if plane is not None and (plane.owns or plane.requires):
                yield Share(requirement, party, plane.owns, plane.requires)
