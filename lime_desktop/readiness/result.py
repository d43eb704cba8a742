"""The answer in the standard's own shape, with each entry's answer beside the app's."""

from collections.abc import Iterable, Mapping
from typing import Literal, Self

from lime_desktop.protocol.wire import WireModel
from lime_desktop.readiness.codes import Code, SetupKind
from lime_desktop.readiness.findings import Outcome, Tier
from lime_desktop.readiness.flow_chart import Status

Severity = Literal["info", "warning", "error"]


class SetupAction(WireModel):
    """A step that a person can take, and what the shell opens for it."""

    key: str
    title: str
    description: str
    kind: SetupKind
    target: str


class Check(WireModel):
    """One finding as it is shown."""

    severity: Severity
    kind: str
    key: str
    required: bool
    version: str | None = None
    code: Code | None = None
    blocking: bool
    tier: Tier | None = None
    message: str
    remediation: str | None = None
    outcome: Outcome
    source: str


class Tiers(WireModel):
    """The checks of each tier."""

    required: tuple[Check, ...] = ()
    recommended: tuple[Check, ...] = ()
    performance: tuple[Check, ...] = ()

    @classmethod
    def of(cls, checks: Iterable[Check]) -> Self:
        """Sort checks into their tiers; what is optional has none."""
        listed = tuple(checks)
        return cls(**{tier: tuple(c for c in listed if c.tier is tier) for tier in Tier})


class EntryReadiness(WireModel):
    """The answer for one entry: only what that entry needs."""

    entry_key: str
    ok: bool
    status: Status
    missing: tuple[str, ...]
    checks: tuple[Check, ...]
    blockers: tuple[str, ...]
    warnings: tuple[str, ...]
    setup_actions: tuple[SetupAction, ...]


class Readiness(WireModel):
    """The answer for the whole app."""

    ok: bool
    """Whether it may start, with or without warnings."""
    status: Status
    command: Literal["readiness"] = "readiness"
    app: str
    workspace: str | None = None
    checks: tuple[Check, ...]
    tiers: Tiers
    blockers: tuple[str, ...]
    warnings: tuple[str, ...]
    setup_actions: tuple[SetupAction, ...]
    entries: tuple[EntryReadiness, ...]
    provenance: Mapping[str, str]

    def entry(self, key: str) -> EntryReadiness | None:
        """The answer for the entry of this key."""
        return next((entry for entry in self.entries if entry.entry_key == key), None)
