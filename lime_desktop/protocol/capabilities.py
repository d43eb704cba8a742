"""The one catalogue of `lime.*` capabilities: who serves each, by which methods, or why none does.

Knows names only; params and results are in `capability_calls`. Imports nothing heavy: host profiles are built
from it by every command.
"""

from dataclasses import dataclass
from enum import StrEnum

from lime_desktop.unique_names import unique_table

CONTRACT_VERSIONS = tuple(f"0.{minor}.0" for minor in range(3, 11))
"""Contract versions that this host satisfies; the standard's minors only ever added to the first."""


class Stage(StrEnum):
    """How settled a capability's contract is."""

    CURRENT = "current"
    PREVIEW = "preview"


class Owner(StrEnum):
    """Which part of the product answers."""

    SHELL = "shell"
    """The windows of the desktop process."""
    HOST = "host"
    """The desktop process, without its windows."""
    APP_SERVER = "app-server"
    """The sidecar; with no App Server the capability is unavailable."""


class Group(StrEnum):
    """What a capability is about, for lists that people read."""

    INTERFACE = "interface"
    DATA = "data"
    AGENT = "agent"
    GOVERNANCE = "governance"
    PLATFORM = "platform"


@dataclass(frozen=True, slots=True, kw_only=True)
class Capability:
    """A host service that an app may declare and call."""

    name: str
    owner: Owner
    group: Group
    summary: str
    methods: tuple[str, ...]
    stage: Stage = Stage.PREVIEW
    versions: tuple[str, ...] = CONTRACT_VERSIONS
    unavailable_reason: str | None = None
    """Why this host refuses every call; None where it offers the capability."""
    is_declaration_needed: bool = True
    """Whether an app must name it in its manifest before it can reach it."""

    @property
    def version(self) -> str:
        """The newest contract version, which is what a declared `current` means."""
        return self.versions[-1]

    @property
    def is_offered(self) -> bool:
        """Whether calls can succeed here at all."""
        return self.unavailable_reason is None


CAPABILITIES: tuple[Capability, ...] = (
    Capability(
        name="lime.ui",
        owner=Owner.SHELL,
        group=Group.INTERFACE,
        stage=Stage.CURRENT,
        summary="Routes, notices, navigation, locale, downloads and the host's own run drawer.",
        methods=(
            "registerRoute",
            "getLocale",
            "openArtifact",
            "toast",
            "navigate",
            "openExternal",
            "download",
            "selectDirectory",
            "getSnapshot",
            "openAgentRun",
            "updateAgentRun",
            "closeAgentRun",
        ),
        is_declaration_needed=False,
    ),
    Capability(
        name="lime.storage",
        owner=Owner.APP_SERVER,
        group=Group.DATA,
        stage=Stage.CURRENT,
        summary="The app's own database: keys and values, tables, transactions, export.",
        methods=(
            "get",
            "set",
            "list",
            "delete",
            "tableGet",
            "tableInsert",
            "tableUpdate",
            "tableUpsert",
            "tableDelete",
            "tableQuery",
            "transaction",
            "getUsage",
            "exportData",
            "importData",
        ),
    ),
    Capability(
        name="lime.files",
        owner=Owner.HOST,
        group=Group.DATA,
        stage=Stage.CURRENT,
        summary="Files that a person chose, by reference; choosing is the grant.",
        methods=(
            "pick",
            "takeDropped",
            "readRef",
            "parse",
            "listRefs",
            "listFolder",
            "releaseRef",
        ),
    ),
    Capability(
        name="lime.agent",
        owner=Owner.APP_SERVER,
        group=Group.AGENT,
        stage=Stage.CURRENT,
        summary="Agent tasks: start, follow, cancel, retry, answer what the agent asks.",
        methods=(
            "startTask",
            "streamTask",
            "getTask",
            "cancelTask",
            "retryTask",
            "submitHostResponse",
            "respondAction",
            "listTasks",
        ),
    ),
    Capability(
        name="lime.knowledge",
        owner=Owner.APP_SERVER,
        group=Group.DATA,
        stage=Stage.CURRENT,
        summary="Search in the sources bound to the app's knowledge templates, with citations.",
        methods=("search", "bindStatus", "bind", "unbind", "export"),
    ),
    Capability(
        name="lime.tools",
        owner=Owner.APP_SERVER,
        group=Group.AGENT,
        stage=Stage.CURRENT,
        summary="Tools that the host runs for the app, under policy and with progress.",
        methods=("invoke", "getProgress"),
    ),
    Capability(
        name="lime.artifacts",
        owner=Owner.APP_SERVER,
        group=Group.DATA,
        stage=Stage.CURRENT,
        summary="Lasting deliverables of declared kinds: versions, viewers, exporters.",
        methods=("create", "open", "export", "list"),
    ),
    Capability(
        name="lime.workflow",
        owner=Owner.APP_SERVER,
        group=Group.AGENT,
        stage=Stage.CURRENT,
        summary="Recoverable business processes with checkpoints and human review.",
        methods=(
            "start",
            "checkpoint",
            "awaitHuman",
            "get",
            "list",
            "pause",
            "resume",
            "cancel",
            "retry",
            "signal",
            "fork",
            "listSchedules",
        ),
    ),
    Capability(
        name="lime.policy",
        owner=Owner.HOST,
        group=Group.GOVERNANCE,
        stage=Stage.CURRENT,
        summary="Ask whether a call would be allowed, and request what is missing.",
        methods=("requestPermission", "check"),
    ),
    Capability(
        name="lime.secrets",
        owner=Owner.APP_SERVER,
        group=Group.GOVERNANCE,
        stage=Stage.CURRENT,
        summary="References to credentials that the host keeps; never the credentials.",
        methods=("getRef", "requestBinding"),
    ),
    Capability(
        name="lime.evidence",
        owner=Owner.APP_SERVER,
        group=Group.GOVERNANCE,
        stage=Stage.CURRENT,
        summary="What was done, from which sources, for later proof.",
        methods=("record", "linkArtifact", "list"),
    ),
    Capability(
        name="lime.events",
        owner=Owner.HOST,
        group=Group.PLATFORM,
        summary="Topics between an app's parts and other apps, where both sides declare them.",
        methods=("emit", "subscribe", "unsubscribe", "listSubscriptions"),
    ),
    Capability(
        name="lime.cloudSession",
        owner=Owner.HOST,
        group=Group.PLATFORM,
        summary="The host's account session; tokens only on request and just in time.",
        methods=("getSnapshot", "getAccessToken", "requestLogin"),
        # The published SDK's catalogue lists this one capability as 0.1.0.
        versions=("0.1.0", *CONTRACT_VERSIONS),
    ),
    Capability(
        name="lime.modelSettings",
        owner=Owner.APP_SERVER,
        group=Group.PLATFORM,
        summary="Which model providers are set up, without their keys.",
        methods=("getSnapshot",),
    ),
    Capability(
        name="lime.branding",
        owner=Owner.HOST,
        group=Group.PLATFORM,
        summary="Name, colours and wording of the product that hosts the app.",
        methods=("getSnapshot",),
    ),
    Capability(
        name="lime.billing",
        owner=Owner.HOST,
        group=Group.PLATFORM,
        summary="Plan and payment state, without the ledger.",
        methods=("getSnapshot",),
    ),
    Capability(
        name="lime.appUpdates",
        owner=Owner.HOST,
        group=Group.PLATFORM,
        summary="Newer releases of the calling app: check, download, apply, roll back.",
        methods=("getSnapshot", "check", "download", "apply", "rollback"),
    ),
    Capability(
        name="lime.capabilities",
        owner=Owner.HOST,
        group=Group.PLATFORM,
        summary="What this host offers, and why not where it does not.",
        methods=("list", "get", "getProfile"),
        is_declaration_needed=False,
    ),
    Capability(
        name="lime.connectors",
        owner=Owner.APP_SERVER,
        group=Group.AGENT,
        summary="Outside systems that the host is connected to.",
        methods=("list", "requestAuth", "getStatus", "invoke"),
    ),
    Capability(
        name="lime.terminal",
        owner=Owner.APP_SERVER,
        group=Group.AGENT,
        summary="Commands that the host runs, each one approved.",
        methods=("run", "getRun", "write", "cancel"),
    ),
    Capability(
        name="lime.workspace",
        owner=Owner.HOST,
        group=Group.PLATFORM,
        summary="The workspace the app runs in, and references into it.",
        methods=("getCurrent", "list", "open", "getPathRef"),
    ),
    Capability(
        name="lime.settings",
        owner=Owner.HOST,
        group=Group.PLATFORM,
        summary="The app's settings, resolved through every overlay.",
        methods=("get", "set", "list"),
    ),
    Capability(
        name="lime.models",
        owner=Owner.APP_SERVER,
        group=Group.AGENT,
        summary="Models that a task could use, how they are routed, what they would cost.",
        methods=("list", "select", "getRouting", "estimateCost"),
    ),
    Capability(
        name="lime.usage",
        owner=Owner.APP_SERVER,
        group=Group.GOVERNANCE,
        summary="Tokens and money that the app's tasks used.",
        methods=("getTokenUsage", "getCostSummary", "getBudget"),
    ),
    Capability(
        name="lime.skills",
        owner=Owner.APP_SERVER,
        group=Group.AGENT,
        summary="Agent skills of the app and the host; run only through the agent.",
        methods=("list", "resolve", "bind", "invoke", "getInvocation"),
    ),
    Capability(
        name="lime.tasks",
        owner=Owner.APP_SERVER,
        group=Group.AGENT,
        summary="Everything that runs for the app in the background.",
        methods=("list", "get", "cancel", "subscribe"),
    ),
    Capability(
        name="lime.mcp",
        owner=Owner.APP_SERVER,
        group=Group.AGENT,
        summary="Tools of the MCP servers that the host runs.",
        methods=("listServers", "listTools", "invoke"),
    ),
    Capability(
        name="lime.search",
        owner=Owner.APP_SERVER,
        group=Group.DATA,
        summary="Search across what the app may read: its data, files, knowledge and artifacts.",
        methods=("query", "deepResearch", "getRun"),
    ),
    Capability(
        name="lime.documents",
        owner=Owner.APP_SERVER,
        group=Group.DATA,
        summary="Documents in common formats: parse, export, transform, summarise.",
        methods=("parse", "export", "transform", "summarize"),
    ),
    Capability(
        name="lime.review",
        owner=Owner.HOST,
        group=Group.GOVERNANCE,
        summary="Decisions that a person takes on the app's request.",
        methods=("requestDecision", "submitDecision", "listPending"),
    ),
    Capability(
        name="lime.browser",
        owner=Owner.SHELL,
        group=Group.AGENT,
        summary="A browser that an app drives.",
        methods=("open", "navigate", "extract", "screenshot", "close"),
        unavailable_reason="Pages drive no browser here: declare an integration of the kind browser, or open pages with lime.ui.openExternal.",
    ),
    Capability(
        name="lime.media",
        owner=Owner.APP_SERVER,
        group=Group.AGENT,
        summary="Images and voice made or read by models.",
        methods=("generateImage", "editImage", "transcribe", "synthesizeVoice"),
        unavailable_reason="This host has no media models; use a tool or a connector that has.",
    ),
    Capability(
        name="lime.memory",
        owner=Owner.APP_SERVER,
        group=Group.AGENT,
        summary="What an agent remembers between sessions.",
        methods=("query", "write", "compact", "getStatus"),
        unavailable_reason="This host keeps no agent memory; keep facts in lime.storage or lime.knowledge.",
    ),
    Capability(
        name="lime.context",
        owner=Owner.APP_SERVER,
        group=Group.AGENT,
        summary="What is attached to an agent's context.",
        methods=("getSnapshot", "attach", "detach"),
        unavailable_reason="This host gives context per task; name files and knowledge in startTask.",
    ),
    Capability(
        name="lime.automation",
        owner=Owner.APP_SERVER,
        group=Group.AGENT,
        summary="Jobs that run on their own.",
        methods=("startJob", "getJob", "cancelJob"),
        unavailable_reason="This host runs nothing unattended; start a task of lime.agent while the app is open.",
    ),
    Capability(
        name="lime.oauth",
        owner=Owner.HOST,
        group=Group.PLATFORM,
        summary="A cloud broker for third-party sign-ins.",
        methods=(),
        unavailable_reason="This host brokers no sign-ins for apps; connect through lime.connectors.",
    ),
)
"""Every capability that the standard or its published SDK names."""

_BY_NAME = unique_table(((each.name, each) for each in CAPABILITIES), of="capability")


def capability_named(name: str) -> Capability | None:
    """The capability of this name; None where no standard and no SDK knows it."""
    return _BY_NAME.get(name)
