"""What a developer may have acted for one view: another language, a refused permission, an App Server that is gone.

Nothing here refuses or answers anything itself. The facts that policy, the bridge and the page go by are changed, and
what follows is what would follow in earnest.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from lime_desktop.app_package.manifest.permissions import Permission
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.app_server_client.connection import CALL_S
from lime_desktop.policy.facts import PolicyFacts
from lime_desktop.policy.rules import Criterion, Match, Rule, RuleRef
from lime_desktop.protocol.app_call import AppCallParams
from lime_desktop.protocol.bridge.snapshot import HostSnapshot, ModelSummary
from lime_desktop.protocol.capability_calls.agent import RETRY_TASK, START_TASK
from lime_desktop.protocol.errors import AppServerUnavailable, ProviderNotReady
from lime_desktop.protocol.wire import Method, ParamsT, ResultT

SLOW_S = 4.0
"""Long enough to be noticed, short enough for every client to wait for."""
ServerHealth = Literal["as-is", "slow", "dead"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulation:
    """Everything that is acted; each part stands for itself."""

    denied: tuple[Permission, ...] = ()
    """Permissions that somebody refused for good."""
    absent: frozenset[str] = frozenset()
    """Capabilities that the host does not offer."""
    server: ServerHealth = "as-is"
    has_no_model: bool = False
    """Nobody would answer a task."""
    is_offline: bool = False
    locale: str | None = None
    theme_mode: Literal["light", "dark"] | None = None
    text_scale: float | None = None
    is_small: bool = False


REALITY = Simulation()
_NO_MODEL = ModelSummary(
    status="none", reason_code="engine_unavailable", message="Simulated: no model is set up."
)
_TASK_STARTS = frozenset({START_TASK.name, RETRY_TASK.name})


def facts_under(simulation: Simulation, facts: PolicyFacts) -> PolicyFacts:
    """The facts with a person's refusal of each denied permission among them."""
    if not simulation.denied:
        return facts
    keys = {permission.key for permission in simulation.denied}
    return replace(
        facts,
        rules=(*facts.rules, *map(_refusal, simulation.denied)),
        grants=tuple(grant for grant in facts.grants if grant.permission not in keys),
    )


def snapshot_under(simulation: Simulation, snapshot: HostSnapshot) -> HostSnapshot:
    """The snapshot of a host that lacks what is absent."""
    if simulation.has_no_model and snapshot.models is not None:
        snapshot = snapshot.model_copy(update={"models": _NO_MODEL})
    if not simulation.absent:
        return snapshot
    told = snapshot.capabilities
    gone = [name for name in told.available if name in simulation.absent]
    capabilities = told.model_copy(
        update={
            "available": tuple(name for name in told.available if name not in simulation.absent),
            "blocked": (*told.blocked, *gone),
            "reasons": {**told.reasons, **dict.fromkeys(gone, "Simulated: this host lacks it.")},
        }
    )
    return snapshot.model_copy(update={"capabilities": capabilities})


class SimulatedServer:
    """The App Server as one view meets it."""

    def __init__(self, call: CallServer, simulation: Callable[[], Simulation]) -> None:
        self._call = call
        self._simulation = simulation

    async def __call__(
        self, method: Method[ParamsT, ResultT], params: ParamsT, *, timeout_s: float = CALL_S
    ) -> ResultT:
        """Ask it; late, or in vain, where that is acted."""
        match self._simulation().server:
            case "dead":
                raise AppServerUnavailable("The App Server is not running: simulated")
            case "slow":
                await asyncio.sleep(SLOW_S)
            case "as-is":
                pass
        is_start = isinstance(params, AppCallParams) and params.call in _TASK_STARTS
        if self._simulation().has_no_model and is_start:
            raise ProviderNotReady(
                "No model is set up: simulated", details={"reasonCode": _NO_MODEL.reason_code}
            )
        return await self._call(method, params, timeout_s=timeout_s)


def _refusal(permission: Permission) -> Rule:
    criteria = [Criterion("scopes", (permission.scope,))]
    if permission.scope == "network" and permission.domains:
        criteria.append(Criterion("domains", tuple(permission.domains)))
    text = f"The permission {permission.key} is refused while that is simulated."
    ref = RuleRef(f"simulated.{permission.key}", "user", "Inspector", text)
    return Rule(ref, "deny", Match(tuple(criteria)))
