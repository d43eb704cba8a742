"""What the app center remembers, one model per kind of row. Holds names, hashes and times; never a secret."""

import time
from typing import Literal

from pydantic import Field, JsonValue

from lime_desktop.app_package.trust.verdict import Verdict
from lime_desktop.host.app_center.records.offers import Offer
from lime_desktop.host.app_center.records.recalls import VersionRecall
from lime_desktop.host.appearance.package_face import in_language
from lime_desktop.policy.facts import Approval, Grant
from lime_desktop.policy.personal_rules import never
from lime_desktop.policy.rules import Rule
from lime_desktop.protocol.calls.app_data import RetentionTerms
from lime_desktop.protocol.calls.evals import EvalOutcome
from lime_desktop.protocol.calls.lifecycle_hooks import HookOutcome
from lime_desktop.protocol.hook_points import HookPoint
from lime_desktop.protocol.ids import AppId, EvidenceId
from lime_desktop.protocol.plain_text import plain_name
from lime_desktop.protocol.wire import WireModel
from lime_desktop.readiness.facts import PackageTrust


class TitledRecord(WireModel):
    """What an app was called when it was installed: said without reading its package, which may be gone."""

    app_id: AppId
    title: str
    titles: dict[str, str] = Field(default_factory=dict[str, str])
    """Its title in other languages."""

    def title_in(self, locale: str) -> str:
        """The name to show."""
        return plain_name(in_language(self.titles, locale) or self.title)


class InstalledApp(TitledRecord):
    """One app as it is installed."""

    version: str
    package_hash: str
    manifest_hash: str
    source: str
    """Where the package came from, for people."""
    offered_by: str | None = None
    """The source that its updates come from and no other's; None while there is none."""
    install_mode: str = "in_lime"
    verdict: Verdict
    """What verification said of these bytes; whatever it was, a person agreed to them."""
    publisher_id: str | None = None
    signer: str | None = None
    installed_at_ms: int
    updated_at_ms: int
    is_enabled: bool = True
    due_hooks: tuple[HookPoint, ...] = ()
    """What of it must run before it is on: it is off while anything is due."""
    failed_hook: HookOutcome | None = None
    """Which of its lifecycle hooks failed last, and why; None once one ran well."""
    unconfined_since_ms: int | None = None
    """Since when a person lets its programs run where no sandbox is. It holds for these bytes: a new version asks again."""

    agreed_retention: RetentionTerms | None = None
    """How long its data stay, as a person agreed to it. Other terms of a new version are none that anybody agreed to."""
    retention_told_at_ms: int | None = None
    """When a person was told how much goes by these terms for the first time; before that nothing goes."""

    @property
    def runs_unconfined(self) -> bool:
        """Whether its programs may run where no sandbox is."""
        return self.unconfined_since_ms is not None

    @property
    def trust(self) -> PackageTrust:
        """How readiness sees it: signed by someone trusted, or accepted by its hash."""
        return "verified" if self.verdict is Verdict.VERIFIED else "pinned"


class StoredGrant(WireModel):
    """A permission that a person gave."""

    app_id: AppId
    permission: str
    granted_at_ms: int
    given_at: Literal["install", "update", "later"] = "later"
    expires_at_ms: int | None = None

    def as_fact(self) -> Grant:
        """The grant as policy reads it."""
        return Grant(permission=self.permission, expires_at_ms=self.expires_at_ms)


class StoredApproval(WireModel):
    """A yes that a person wants to hold for as long as they do not take it back."""

    approval_id: str
    app_id: AppId
    subject: str
    answers: tuple[str, ...]
    """The rules that were put to them."""
    workspace_id: str
    action: str
    """What they said yes to, for them to read."""
    given_at_ms: int

    def as_fact(self) -> Approval:
        """The yes as policy reads it."""
        return Approval(
            id=self.approval_id,
            subject=self.subject,
            answers=frozenset(self.answers),
            scope="workspace",
            scope_id=self.workspace_id,
        )


class StoredRefusal(WireModel):
    """A never that a person said, which holds until they take it back."""

    refusal_id: str
    app_id: AppId
    permission: str | None = None
    """The permission that is refused; None where it is a call."""
    action: str
    """What they said never to, for them to read."""
    when: dict[str, tuple[str, ...]]
    """The calls that are meant, as a rule has them."""
    said_at_ms: int

    def as_rule(self) -> Rule:
        """The never as policy reads it."""
        return never(self.refusal_id, self.action, self.when)


class GrantUse(WireModel):
    """What an app did by something it was allowed."""

    app_id: AppId
    rule_id: str
    """The permission's key, or the id of a kept yes."""
    action: str
    count: int
    last_at_ms: int


class StoredEvalOutcome(WireModel):
    """What came of one of an app's evals, and of which bytes of it."""

    app_id: AppId
    version: str
    package_hash: str
    outcome: EvalOutcome


class DoneCall(WireModel):
    """A call that an app made under a key of its own."""

    digest: str
    """Of its arguments: with others the key means nothing."""
    is_ended: bool = False
    answer: str | None = None
    """The value as it was sent, JSON; None where it has not ended, or was too long to be kept."""
    evidence_id: EvidenceId | None = None


class RollbackPoint(WireModel):
    """An app as it was before an update: its code is still in the store, its data lie beside it."""

    point_id: str
    app: InstalledApp
    grants: tuple[StoredGrant, ...]
    made_at_ms: int
    has_view_data: bool
    """Whether its view had kept anything; what the App Server kept lies there, under this point's id."""
    is_undone: bool = False
    """Going back left this behind: only who names it gets it again."""


class KeptData(TitledRecord):
    """Data that outlived its app, because a person chose so."""

    kept_at_ms: int
    offered_by: str | None = None
    """The source that the app came from: its data are for no other's app of the same name."""


class CatalogSource(WireModel):
    """A place that offers apps, and what it offered when it was last looked at."""

    location: str
    offers: tuple[Offer, ...] = ()
    recalls: tuple[VersionRecall, ...] = ()
    """What it offers no more, and why."""
    is_given: bool = False
    """The organisation named it: it stays for as long as this machine belongs to it."""
    root: str | None = None
    """Whose signature it needs, as of its first reading; None where it is not signed."""


class StoredOverlay(WireModel):
    """What the person set for an app, everywhere or in one workspace."""

    app_id: AppId
    layer: Literal["user", "workspace"]
    workspace_id: str | None = None
    """The open folder that a layer of a workspace is for; None where none was open."""
    values: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])

    @property
    def place(self) -> str:
        """What tells it from the other layers of the app."""
        return self.layer if self.workspace_id is None else f"{self.layer} {self.workspace_id}"


class StoredWorkspace(WireModel):
    """The folder that is open, and the files with rules that were found there."""

    folder: str
    files: tuple[str, ...] = ()


class StoredOrganisation(WireModel):
    """The organisation's document as it was last read well."""

    source: str
    text: str
    read_at_ms: int
    logo: str | None = None
    """The bytes of its logo as base64."""


def now_ms() -> int:
    """The time, as records have it."""
    return time.time_ns() // 1_000_000
