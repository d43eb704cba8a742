"""The three answers, and what each carries. Values, never exceptions: a refusal is an ordinary outcome."""

from dataclasses import dataclass
from typing import Literal

from lime_desktop.app_package.manifest.operations import SideEffect
from lime_desktop.policy.rules import RuleRef
from lime_desktop.policy.vocabulary import RememberLimit, RememberScope, RiskLevel
from lime_desktop.protocol.approvals import ApprovalKind

DenialCause = Literal[
    "malformed",
    "undeclared",
    "not-ready",
    "policy",
    "rule",
    "budget",
    "demand-unmet",
    "nobody-to-ask",
]
"""Coarse, for picking an error code: what kind of thing stood in the way."""


@dataclass(frozen=True, slots=True)
class Denial:
    """One reason to refuse."""

    rule: RuleRef
    cause: DenialCause
    would_change: str


@dataclass(frozen=True, slots=True)
class Demand:
    """One reason to ask a person."""

    rule: RuleRef
    kind: ApprovalKind
    remember: RememberLimit = "workspace"
    """How long a yes may be kept for this reason."""
    if_refused: str = ""
    """What the author says the app does without it."""
    can_be_waived: bool = False
    """An organisation's, workspace's or person's standing rule may answer it."""
    can_be_own_act: bool = False
    """What the person has just pressed for themselves may answer it."""


@dataclass(frozen=True, slots=True)
class Risk:
    """How much could go wrong, and why we think so."""

    level: RiskLevel
    reasons: tuple[RuleRef, ...] = ()


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A safer way that a person may choose instead."""

    label: str
    kind: Literal["dry-run", "operation"]
    operation: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What to put to a person, in full."""

    kind: ApprovalKind
    title: str
    subject: str
    """What a kept answer will hold for; store it in the `Approval`."""
    reasons: tuple[RuleRef, ...]
    """The rules that ask; an `Approval` answers exactly these."""
    risk: Risk
    leaves_machine: tuple[str, ...]
    effects: tuple[SideEffect, ...] = ()
    """What it does to the world, as the host and the manifest know it."""
    arguments_summary: str
    program: tuple[str, ...] = ()
    """The program that would run and its words, where one would: its own name, not the app's for it."""
    exactly: str = ""
    """What a kept answer holds for besides its subject's names, in words for whoever takes it back."""
    suggestions: tuple[Suggestion, ...]
    if_refused: tuple[str, ...]
    """What the app does without it, in its author's words."""
    remember_scopes: tuple[RememberScope, ...]
    """How long the answer may be kept, shortest first; empty: this call only."""
    can_change: bool = True
    """Whether a yes may change what is done, by the app's own contract."""
    can_wait: bool = True
    """Whether the answer may be put off, likewise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowed:
    """The call may happen."""

    rule: RuleRef
    outcome: Literal["allow", "audit-only"] = "allow"
    evidence_required: bool = False
    audited_by: tuple[RuleRef, ...] = ()
    degraded_by: tuple[str, ...] = ()
    """What the app does without meanwhile, whatever this call is."""
    answered_by: tuple[RuleRef, ...] = ()
    """The grants, rules and approvals that stood in for a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedsApproval:
    """The call may happen if a person says yes."""

    rule: RuleRef
    question: Question
    would_change: str
    outcome: Literal["ask"] = "ask"

    @property
    def rule_ids(self) -> frozenset[str]:
        """The rules that ask: a yes answers these."""
        return frozenset(rule.id for rule in self.question.reasons)


@dataclass(frozen=True, slots=True, kw_only=True)
class Denied:
    """The call may not happen."""

    rule: RuleRef
    cause: DenialCause
    would_change: str
    outcome: Literal["deny", "blocked"] = "deny"
    also: tuple[RuleRef, ...] = ()
    """Further rules of the same step that refuse it too: changing one is not enough."""


Decision = Allowed | NeedsApproval | Denied

StepName = Literal["manifest", "readiness", "policy", "deny-rules", "risk", "approval"]
StepVerdict = Literal["pass", "ask", "deny", "not-reached"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What one step of the standard's order found."""

    name: StepName
    denials: tuple[Denial, ...] = ()
    demands: tuple[Demand, ...] = ()
    notes: tuple[RuleRef, ...] = ()
    """Rules that let the call pass, or only watch it."""
    is_reached: bool = True

    @property
    def verdict(self) -> StepVerdict:
        """Sum the step up; a refusal outweighs everything."""
        if not self.is_reached:
            return "not-reached"
        if self.denials:
            return "deny"
        return "ask" if self.demands else "pass"


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """A decision together with the way to it."""

    decision: Decision
    steps: tuple[Step, ...]
