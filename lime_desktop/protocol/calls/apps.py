"""app/*: the host tells which apps there are, where their files lie, and what people and policies said of them.

The App Server gives nothing to an app it was not told of.
"""

from typing import Literal

from pydantic import Field, JsonValue

from lime_desktop.protocol.approvals import RememberPolicy, Risk
from lime_desktop.protocol.ids import AppId, NonEmpty
from lime_desktop.protocol.wire import Empty, HostOnlyParams, Method, SecretText, WireModel

RuleLayer = Literal["organisation", "workspace", "overlay", "user"]
"""Who may write a line of policy that is not in a package."""


class RegisteredGrant(WireModel):
    """A permission that somebody gave."""

    permission: NonEmpty[str]
    """The key of a permission that the manifest declares."""
    expires_at_ms: int | None = None


class RegisteredLine(WireModel):
    """How a line of policy from outside the package is named."""

    id: NonEmpty[str]
    layer: RuleLayer
    source: str
    """Where it is written, for whoever wants to change it."""
    text: str
    """One sentence for a person."""


class RegisteredRule(RegisteredLine):
    """A rule for some calls."""

    effect: Literal["deny", "ask", "audit", "allow"] = "deny"
    when: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Facets of a call and their patterns, as in a policy file; empty means every call."""
    remember: RememberPolicy = "workspace"
    expires_at_ms: int | None = None


class RegisteredRiskRule(RegisteredLine):
    """How risky some calls are; it only ever raises what is known otherwise."""

    level: Risk
    when: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """As in a rule."""


class RegisteredDefault(RegisteredLine):
    """What becomes of every call that no rule of the same layer allows."""

    effect: Literal["deny", "ask"]


class RegisteredBudget(RegisteredLine):
    """How much the app's agents may spend."""

    window: Literal["task", "month"]
    limit_usd: float = Field(ge=0, allow_inf_nan=False)
    is_hard: bool = True
    """A soft limit on a task gives way to what the app asked for and a person agreed to."""
    scope: Literal["app", "everything"] = "app"
    """Whether a month counts what this app spent, or what all apps together did."""
    who: str = ""
    """Whose limit it is, by a name that a person knows."""


class RegisteredSetting(WireModel):
    """A value that somebody set for the app: its agents' model, how they write, what they know, which secret a tool is shown, what documents are held to."""

    key: NonEmpty[str]
    """A key of an overlay: `model.…`, `content.…`, `industry.…`, `knowledge.…`, `tools.…`, `evals.…`, `workflows.…` or `export.…`."""
    value: JsonValue
    source: Literal["workspace", "user", "tenant", "app", "host"]
    """The layer that says it."""
    is_locked: bool = False
    """Whether whoever governs locked it: no wish of the app goes before it."""


class RegisteredNetwork(WireModel):
    """The way out for an app's agents: the host's proxy on this machine, and what they show there."""

    proxy_port: int = Field(ge=1, le=65_535)
    user: NonEmpty[str]
    proof: SecretText
    """Good for this app and this run of the host; kept in memory alone."""


class RegisterAppParams(HostOnlyParams):
    """Make an app known, or replace what is known of it. The package is read and checked against its hash."""

    app_id: NonEmpty[AppId]
    package_path: str = Field(min_length=1)
    """A folder or an archive on this machine."""
    package_hash: str = Field(min_length=1)
    readiness_state: Literal[
        "ready", "ready-degraded", "needs-setup", "blocked", "failed", "unknown", "disabled"
    ]
    grants: tuple[RegisteredGrant, ...] = ()
    rules: tuple[RegisteredRule, ...] = ()
    risk_rules: tuple[RegisteredRiskRule, ...] = ()
    defaults: tuple[RegisteredDefault, ...] = ()
    ask_from: Risk = "medium"
    """The lowest risk that a person is asked about."""
    budgets: tuple[RegisteredBudget, ...] = ()
    settings: tuple[RegisteredSetting, ...] = ()
    """What applies to its agents, one value for each key."""
    workspace_id: NonEmpty[str] | None = None
    installed_at_ms: int | None = None
    """When it was installed, through all its updates: what a person agreed to before does not hold for it."""
    keeps_schedules: bool = False
    """What the app wants started by itself is kept, as far as a person allowed it: said by a host that stays, not by a command."""
    is_developed: bool = False
    """Its folder was opened to work on it or to test it: its runs may be led by hand."""
    network: RegisteredNetwork | None = None
    """Without it, the app's agents reach nothing: no connection is made past the host's ledger."""
    command_network: RegisteredNetwork | None = None
    """The way out for programs that run for the app: to the sites that a person granted, and no others."""
    runs_unconfined: bool = False
    """A person allowed its programs to run where no sandbox is; where there is one, they run in it all the same."""


class RegisterAppResult(WireModel):
    """The app as it is now known."""

    app_id: AppId
    version: str
    package_hash: str


class UnregisterAppParams(HostOnlyParams):
    """Forget an app; what it stored stays."""

    app_id: NonEmpty[AppId]


REGISTER_APP = Method("app/register", RegisterAppParams, RegisterAppResult)
UNREGISTER_APP = Method("app/unregister", UnregisterAppParams, Empty)
