"""What is being asked: one capability call, as the host saw it. Nothing here is taken from the app on trust."""

import json
import shlex
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from typing import Literal

from lime_desktop.app_package.manifest.operations import SideEffect
from lime_desktop.network.hosts import parse_host
from lime_desktop.policy.patterns import parse_path
from lime_desktop.policy.vocabulary import Access, TargetKind


class DryRun(StrEnum):
    """Whether the call was tried without effect before."""

    NOT_DONE = "not-done"
    THIS_CALL = "this-call"
    """This call is the dry run; the host guarantees that it changes nothing."""
    DONE = "done"
    """The same call was dry-run, and the host holds the outcome."""


@dataclass(frozen=True, slots=True)
class Target:
    """What a call reaches for: a domain, a path, a tool, a secret and so on."""

    kind: TargetKind
    value: str

    def __str__(self) -> str:
        return f"{self.kind} {self.value}"

    def in_plain_form(self) -> "Target | None":
        """Spell it the one way that rules are compared with, or None where it is open to doubt."""
        match self.kind:
            case "domain":
                plain = parse_host(self.value)
            case "path":
                plain = parse_path(self.value)
            case _:
                plain = self.value
        return replace(self, value=plain) if plain else None


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyCall:
    """One capability call, in the host's own words."""

    app_id: str
    capability: str
    """What it is, as the host knows it: a program is `lime.terminal`, a tool server `lime.mcp`, whatever a manifest says."""
    method: str
    also_as: tuple[str, ...] = ()
    """What a manifest calls it besides. A rule that refuses or asks holds for either name, one that allows needs both."""
    entry: str | None = None
    operation: str | None = None
    """The key of the declared operation that this call carries out."""
    targets: tuple[Target, ...] = ()
    access: Access = "read"
    """What is done to the target, as the host knows the method."""
    side_effect: SideEffect = "none"
    """What the host knows the method or tool to do; the operation's own word is added to it."""
    arguments_summary: str = ""
    """For a person to read, already without secrets."""
    arguments_digest: str = ""
    """Of the exact arguments: an approval of this very call holds for these only."""
    bound_to: str = ""
    """Of the arguments as well, where no target tells what they reach for: a kept yes then holds for these alone."""
    program: tuple[str, ...] = ()
    """The program that would run, by its own name, and every word that it is given."""
    has_idempotency_key: bool = False
    dry_run: DryRun = DryRun.NOT_DONE
    estimated_cost: Decimal | None = None
    """In the currency of the limits; None for a call that costs nothing."""
    runs_remotely: bool = False
    """It is carried out by a server of the app's maker, not on this machine."""
    is_unconfined: bool = False
    """It runs a program with no wall around it: with everything that the person themselves can reach."""
    is_interactive: bool = True
    """Somebody is there to be asked."""
    task_id: str | None = None
    session_id: str | None = None
    workspace_id: str | None = None
    is_own_act: bool = False
    """The host saw the person press in this very view a moment ago, and can take the call back for them."""
    event_direction: Literal["publish", "subscribe"] = "publish"
    """For events: whether the app sends (``publish``) or listens (``subscribe``)."""

    @property
    def subject(self) -> str:
        """What a remembered answer holds for: what is done and to what, in one stable text."""
        targets = sorted((target.kind, target.value) for target in self.targets)
        parts = [self.app_id, self.capability, self.method, self.operation, self.side_effect]
        # JSON keeps the parts apart whatever characters are in them.
        more = [
            self.access,
            self.runs_remotely,
            sorted(self.also_as),
            self.bound_to,
            self.is_unconfined,
        ]
        return json.dumps([*parts, *more, targets])

    @property
    def capabilities(self) -> tuple[str, ...]:
        """Every name it is judged by, what it is first."""
        return tuple(dict.fromkeys((self.capability, *self.also_as)))

    @property
    def exactly(self) -> str:
        """What a kept yes holds for, in words: the program with its words, or the arguments. Empty: whatever they are."""
        return shlex.join(self.program) or (self.arguments_summary if self.bound_to else "")

    @property
    def name(self) -> str:
        """Name the call as the standard writes it, such as ``lime.storage.set``."""
        return f"{self.capability}.{self.method}"
