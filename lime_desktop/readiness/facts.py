"""What is true here and now: everything readiness knows beside the package itself."""

from collections.abc import Mapping
from typing import Literal

from pydantic import AwareDatetime, ConfigDict

from lime_desktop.projection.host_profile import THIS_HOST, HostProfile
from lime_desktop.protocol.calls.evals import EvalOutcome
from lime_desktop.protocol.wire import WireModel

PackageTrust = Literal["verified", "pinned", "unsigned", "unchecked", "mismatched", "revoked"]
"""How the package stands: signed and checked, accepted by its hash, or worse."""


UNLIMITED = "unlimited"


class ReadinessFacts(WireModel):
    """The state of one app in one workspace of one host. Holds names and versions, never a secret."""

    # A misspelt fact would silently count as absent.
    model_config = ConfigDict(extra="forbid")

    now: AwareDatetime
    host: HostProfile = THIS_HOST
    locale: str = "en"
    """The language of the answer; anything that begins with `zh` is Simplified Chinese."""
    workspace: str | None = None
    install_mode: str = "in_lime"
    package_trust: PackageTrust = "unchecked"
    revocation_reason: str = ""
    """Why the package was revoked, in the language of the answer, where somebody said."""
    granted_permissions: frozenset[str] = frozenset()
    denied_permissions: frozenset[str] = frozenset()
    """What a policy denies; a denial outweighs a grant."""
    bound_knowledge: Mapping[str, str | None] = {}
    """Knowledge template → type of the pack bound to it, where that is known."""
    configured_secrets: frozenset[str] = frozenset()
    configured_overlays: frozenset[str] = frozenset()
    available_tools: frozenset[str] = frozenset()
    available_skills: Mapping[str, str | None] = {}
    """Skill → its version, where it has one."""
    available_artifact_viewers: frozenset[str] = frozenset()
    available_evals: frozenset[str] = frozenset()
    triable_evals: frozenset[str] = frozenset()
    """Those of them that bring something to be run on before anything is delivered."""
    eval_outcomes: Mapping[str, EvalOutcome] = {}
    """Eval → what came of it on these very bytes, held to what it is held to now; nothing is said of the others."""
    available_integrations: frozenset[str] = frozenset()
    available_services: frozenset[str] = frozenset()
    """The app's own backends whose program is on this machine."""
    command_sandbox_absence: str | None = None
    """Why nothing walls programs off here, with what would; None where something does."""
    runs_unconfined: bool = False
    """A person lets the app's programs run all the same."""
    unavailable_capabilities: Mapping[str, str] = {}
    """Capabilities this host has but cannot serve right now, each with the reason."""
    described_workflows: frozenset[str] = frozenset()
    """Workflows that are only described and cannot be run, by their keys and the paths of their files."""
    tried_startup_checks: frozenset[str] = frozenset()
    """Checks of `health.startup` that the host ran at the last start; nothing is said of the others."""
    failed_startup_checks: frozenset[str] = frozenset()
    """Those that it saw fail."""
    tried_runtime_checks: frozenset[str] = frozenset()
    """Checks of `health.runtime` that the host ran on their schedule."""
    failed_runtime_checks: frozenset[str] = frozenset()
    """Those that failed when they were last run."""
    applied_migrations: frozenset[str] = frozenset()
    storage_quota_bytes: int | None = None
    """Room left for the app's data; None where nobody has looked."""
    cost_budget: str | None = None
    """Money the app may spend, such as `25 USD`, or `unlimited`; None where nobody knows."""
    disabled_entries: frozenset[str] = frozenset()
    is_app_disabled: bool = False
