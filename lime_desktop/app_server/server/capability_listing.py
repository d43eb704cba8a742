"""capability/list: what can be called here, read off the routes, what apps may use, and what the runtime supports.

What would be refused is listed with the reason alone, and no path, prompt or module is ever named.
"""

from collections.abc import Callable
from itertools import groupby

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.routes import Routes
from lime_desktop.app_server.runtime_core.backend import EngineDescription
from lime_desktop.protocol.calls.capabilities import (
    ListCapabilitiesParams,
    ListCapabilitiesResult,
    ListedCapability,
    RuntimeCapability,
    RuntimeCapabilityManifest,
)
from lime_desktop.protocol.capabilities import CAPABILITIES, Capability
from lime_desktop.protocol.errors import CapabilityNotAvailable, InvalidInput
from lime_desktop.protocol.ids import RuntimeId

RESOURCE_TITLES = {
    "agentSession": "Agent sessions",
    "agentTask": "Agent tasks of apps",
    "agentTraffic": "What apps' agents sent",
    "app": "Registered apps and their calls",
    "appArtifact": "Deliverables of apps",
    "appData": "Copies and removal of an app's data",
    "approval": "What people agreed to for agents",
    "artifact": "Artifacts",
    "browser": "Steps of agents in web pages",
    "capability": "Capability discovery",
    "connector": "Sign-ins to systems that apps use",
    "developedRun": "Runs that a developer leads by hand",
    "dataIncident": "What was found damaged or missing in stored data",
    "eval": "Evals of apps' own cases",
    "evidence": "Evidence",
    "file": "Files opened to apps",
    "externalAgent": "Agents of other makers on this machine",
    "given": "What people gave to apps",
    "knowledge": "Knowledge of apps",
    "localModel": "Models on this machine",
    "model": "Models",
    "modelProvider": "Model providers",
    "modelProviderKey": "Keys of model providers",
    "review": "What apps ask people to decide",
    "scheduledApp": "Apps with schedules or triggers that a person allowed",
    "secret": "Secrets of apps",
    "mcpServer": "Tool servers",
    "skill": "Skills of apps and people",
    "storage": "Data of apps",
    "tool": "Tools run for pages of apps",
    "webhook": "Receivers of messages for apps",
    "workflowRun": "Runs of apps' workflows",
    "workflowSchedule": "What starts apps' workflows by time",
    "workflowTrigger": "What starts apps' workflows when something happens",
}


class CapabilityListing:
    """Answers for one server and its engine."""

    def __init__(
        self,
        routes: Routes,
        runtime_id: RuntimeId,
        describe_engine: Callable[[], EngineDescription],
        now: Callable[[], str],
    ) -> None:
        self._routes = routes
        self._runtime_id = runtime_id
        self._describe_engine = describe_engine
        self._now = now

    async def list_capabilities(
        self, params: ListCapabilitiesParams, context: CallContext
    ) -> ListCapabilitiesResult:
        """Give one page; the cursor is the last id of the page before."""
        del context
        listed = self._capabilities()
        ids = [capability.id for capability in listed]
        if params.cursor is not None and params.cursor not in ids:
            raise InvalidInput.at_fields([("cursor", "unknown_cursor")])
        start = 0 if params.cursor is None else ids.index(params.cursor) + 1
        page = listed[start : start + params.limit]
        has_more = start + params.limit < len(listed)
        return ListCapabilitiesResult(
            capabilities=tuple(page),
            next_cursor=page[-1].id if has_more else None,
            runtime_capability_manifest=self._manifest(params),
        )

    def require(self, capability_id: str | None) -> None:
        """Refuse a turn for a capability that would not have been listed.

        Raises:
            CapabilityNotAvailable: it is not offered here.
        """
        if capability_id is None:
            return
        offered = {each.id for each in self._capabilities() if each.unavailable_reason is None}
        if capability_id not in offered:
            raise CapabilityNotAvailable("The capability of this turn is not offered here")

    def _capabilities(self) -> list[ListedCapability]:
        calls = sorted(name for name in self._routes.served() if "/" in name)
        by_resource = groupby(calls, key=lambda name: name.split("/")[0])
        served = (
            ListedCapability(id=resource, title=RESOURCE_TITLES[resource], methods=tuple(names))
            for resource, names in by_resource
        )
        return [*served, *map(_of_apps, CAPABILITIES)]

    def _manifest(self, params: ListCapabilitiesParams) -> RuntimeCapabilityManifest:
        engine = self._describe_engine()
        return RuntimeCapabilityManifest(
            runtime_id=self._runtime_id,
            provider_id=engine.name,
            session_id=params.session_id,
            generated_at=self._now(),
            capabilities=self._abilities(engine),
        )

    def _abilities(self, engine: EngineDescription) -> tuple[RuntimeCapability, ...]:
        has_evidence = "evidence/export" in self._routes.served()
        return (
            RuntimeCapability(id="transport.jsonrpc", status="supported", title="JSON-RPC lines"),
            RuntimeCapability(
                id="tools.native",
                status="unsupported" if engine.unavailable_reason else "supported",
                scope="provider",
                title="Tools of the engine",
                detail=engine.unavailable_reason,
            ),
            RuntimeCapability(id="state.snapshot", status="supported", title="Read models"),
            RuntimeCapability(
                id="state.delta",
                status="unsupported",
                title="Patches of read models",
                detail="Read the snapshot again; events say what changed",
            ),
            RuntimeCapability(id="hitl.actions", status="supported", title="Questions to people"),
            RuntimeCapability(
                id="subagents.handoff", status="experimental", title="Subagents as facts"
            ),
            RuntimeCapability(
                id="evidence.export",
                status="supported" if has_evidence else "unsupported",
                title="Evidence packs",
            ),
        )


def _of_apps(capability: Capability) -> ListedCapability:
    """What apps call through the host, by its own names; what is refused names no methods."""
    names = capability.methods if capability.is_offered else ()
    return ListedCapability(
        id=capability.name,
        title=capability.name,
        description=capability.summary,
        methods=tuple(f"{capability.name}.{name}" for name in names),
        unavailable_reason=capability.unavailable_reason,
    )
