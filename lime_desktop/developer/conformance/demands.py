"""What the Agent App standard and the Lime runtime profile demand, one row per demand.

Ids ``APP-nn`` follow the standard's list for hosts and apps, ``RT-nn`` the runtime's; ``PKG-nn`` and ``RUN-nn`` are
what a host asks of a package and of an open page beyond them. A demand on apps is met by the host with the check,
refusal or isolation by which it holds an app to it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from pydantic import TypeAdapter

Source: TypeAlias = Literal["specification", "published standard", "runtime profile", "this host"]
_REASONS: Mapping[str, tuple[str, ...]] = {
    "It takes an installation, an update or a removal, and a report changes nothing that is installed.": (
        *("APP-06", "APP-13", "APP-45", "APP-47", "APP-51"),
    ),
    "It takes an organisation's policy, overlays or a rule of the person's own, and a report brings none.": (
        *("APP-15", "APP-16", "APP-18", "RT-52"),
    ),
    "It takes a real model or an external agent, and a report comes out the same without one.": (
        *("APP-33", "APP-49", "RT-08", "RT-17", "RT-19", "RT-43", "RT-47"),
    ),
    "It takes a key of a provider or a tool that needs one, and a report asks nobody for one.": (
        *("APP-40", "RT-46"),
    ),
    "It takes work that the scripted agent does not do: large output, processes, hooks, benchmarks, effects outside.": (
        *("APP-38", "RT-18", "RT-38", "RT-50", "RT-56"),
    ),
    "It takes the loss of the App Server in the middle of what is examined.": ("RT-30", "RT-33"),
    "It takes a connection that was not introduced yet, and the window's has been.": ("RT-35",),
    "It takes a collector of telemetry, and none is set up.": ("APP-39", "RT-58"),
    "It is about how the product is built; nothing that it does would show it.": (
        *("APP-50", "RT-01", "RT-04", "RT-05", "RT-07", "RT-09"),
        *("RT-13", "RT-34", "RT-59", "RT-60"),
    ),
    "Nobody has written a way to try it from outside.": (
        *("APP-37", "APP-43", "RT-12", "RT-21", "RT-32"),
        *("RT-41", "RT-42", "RT-45", "RT-51"),
    ),
}

UNTRIED: Mapping[str, str] = {
    demand_id: reason for reason, demand_ids in _REASONS.items() for demand_id in demand_ids
}
"""Demand → why a report does not try it. The product's own tests show it where it is built."""
SHOWN_BY = "conformance/shown_by.json"
_TESTS: TypeAdapter[dict[str, tuple[str, ...]]] = TypeAdapter(dict[str, tuple[str, ...]])


@dataclass(frozen=True, slots=True)
class Demand:
    """One demand, in one sentence."""

    id: str
    source: Source
    sentence: str


def _spec(number: int, sentence: str) -> Demand:
    return Demand(f"APP-{number:02}", "specification", sentence)


def _published(number: int, sentence: str) -> Demand:
    return Demand(f"APP-{number:02}", "published standard", sentence)


def _runtime(number: int, sentence: str) -> Demand:
    return Demand(f"RT-{number:02}", "runtime profile", sentence)


APP_DEMANDS = (
    # Package, installation, projection
    _spec(1, "Apps are discovered through APP.md, which is read before the rest of the package."),
    _spec(2, "APP.md must have YAML frontmatter and a Markdown guide."),
    _spec(3, "Where frontmatter and a separate file disagree, the separate file wins."),
    _spec(4, "Package hash, signature, manifest and capability versions are verified."),
    _spec(
        5,
        "Hashes, signature, revocation, publisher and domain are verified in this order; a failure stops it and blocks installation.",
    ),
    _spec(6, "Nothing is installed or activated without consent."),
    _spec(7, "The projection of the manifest names everything the host would register."),
    _spec(8, "Projecting runs nothing of the package, calls nobody and touches no customer data."),
    _spec(9, "A self-declared publisher verification is ignored; nobody can claim a publisher id."),
    _spec(10, "Past its end of life an app is blocked, its successor named; deprecation warns."),
    _spec(
        11,
        "Tasks, tool calls, artifacts, evals, migrations and evidence keep the app's provenance.",
    ),
    # Readiness, policy
    _spec(
        12,
        "Readiness looks at capabilities, permissions, knowledge, secrets, migrations, tools and policy, and comes before execution.",
    ),
    _spec(13, "Capabilities are negotiated at installation, activation and before each run."),
    _spec(14, "People see the result of each check with what they can do about it."),
    _spec(15, "Permission is evaluated in the fixed order, and a deny beats every allow."),
    _spec(16, "Manifest, organisation policy, readiness and the person's grants all have a say."),
    _spec(17, "A declared permission is of no use until it is granted; the bridge enforces it."),
    _spec(
        18,
        "Overlays change no package, hold no plain secret and get past neither readiness nor policy.",
    ),
    _spec(19, "Targets on a server are explicit and under policy."),
    # Bridge and capabilities
    _spec(20, "The host alone decides; an app can only ask."),
    _spec(21, "Answers carry the request's id; refusals add a stable code and a readable message."),
    _spec(
        22,
        "External links are checked for protocol and source, downloads for address and permission.",
    ),
    _spec(23, "The theme reaches apps through the bridge: in the snapshot and as updates."),
    _published(24, "Messages of a wrong protocol, version, app or source never execute."),
    _published(25, "An unavailable capability is refused with a stable code, never answered."),
    _spec(26, "Capabilities are handed to an app at run time."),
    _spec(
        27,
        "Calls have stable errors, cancellation, retry, time-out, refusal, cost limits, trace ids and a mock.",
    ),
    _spec(28, "No token, key, secret, ledger, database handle or internal path reaches an app."),
    _spec(
        29, "A cloud session's snapshot has no token; the host proxies no business call of the app."
    ),
    _spec(30, "Pages run in containers of the host; workers and backends in runtimes of the host."),
    # Agent tasks
    _spec(31, "Agent facts come by initialize, initialized, start, turn/start, event, read."),
    _spec(32, "Deltas, tools, approvals, artifacts, evidence and ends derive from runtime facts."),
    _spec(33, "Without a real engine a task fails closed; scripted engines are for tests only."),
    _spec(34, "The last event of a task is a result with a stable subtype."),
    _spec(35, "Runs can be streamed, recovered, retried, audited and joined to what they made."),
    _spec(36, "Structured output is validated before use; prose never passes for it."),
    _spec(37, "Session, business state and checkpoints have scopes of their own, declared."),
    _spec(38, "Effects outside are recorded and never rolled back by themselves."),
    _spec(39, "Content goes to telemetry only on explicit request."),
    _spec(40, "The host owns tools, credentials, their policy and their evidence."),
    _spec(
        41,
        "Long workflows can be interrupted, resumed and retried, and must declare their recovery.",
    ),
    _spec(42, "What failed retryably says so and can be retried."),
    _spec(43, "Health checks run no business logic of the app."),
    # Storage, services, cloud
    _spec(44, "An app reaches the data of its own namespace only, unless a person grants more."),
    _spec(45, "Migrations of apps cannot write the host's state."),
    _spec(46, "Shared engines give each app a namespace of its own."),
    _spec(47, "Upgrades overwrite neither overlays nor people's data."),
    _spec(48, "Migrations can be replayed or reversed, or declare their risk."),
    _spec(49, "The cloud is not the default agent runtime."),
    _spec(50, "No vendor's adapter is part of the host."),
    _published(51, "People can remove an app's code and its data."),
    # What apps may not do
    _spec(52, "Apps get at the host by declared capabilities only, never at its internals."),
    _spec(53, "Apps declare the capabilities and the version ranges they need."),
    _spec(54, "Apps have no way to the sidecar, its transport or the desktop's own commands."),
    _spec(55, "bypassPermissions is refused wherever it stands."),
    _spec(
        56,
        "Effects outside, required connections, acceptance and non-goals are declared beforehand.",
    ),
    _spec(57, "Apps keep no plain credential, neither in the package nor in storage."),
    _spec(58, "Apps start no MCP server, no command and no tool runtime."),
    _spec(59, "Publishing, deleting and bulk changes never happen by themselves."),
    _spec(60, "Apps have no direct access to files, network, databases or credentials."),
    _spec(61, "A page can neither get past nor imitate the host's questions."),
    _spec(62, "A backend declares its plane; one in the cloud its target, endpoint and terms."),
    _spec(63, "A bundled skill has a SKILL.md as the skills standard asks."),
    _spec(64, "APP.md is no system prompt: nothing its guide says changes a decision."),
    _spec(65, "Requirements are mapped to app, host, cloud, connector, external system, person."),
    _published(66, "Apps persist no session token and copy no settings of the platform."),
)

RUNTIME_DEMANDS = (
    # Spine and ownership
    _runtime(1, "The core of the Lime profile is met before anything wider is claimed."),
    _runtime(2, "All work runs along one spine: session, thread, turn, step."),
    _runtime(3, "Whoever shows state restores it from read models, not from a user interface."),
    _runtime(4, "Only RuntimeCore writes facts; everybody else reads or asks."),
    _runtime(5, "The bridge starts the sidecar and forwards; it copies no runtime logic."),
    _runtime(6, "Clients use the versioned protocol and import nothing of the product."),
    _runtime(7, "Extensions stay in typed payloads, refs and an enumeration of their own."),
    _runtime(8, "Objects of foreign protocols are mapped to Lime facts, never passed on."),
    _runtime(9, "Published schemas and fixtures outrank prose."),
    # Events
    _runtime(10, "Every event carries the eight fields of the envelope."),
    _runtime(11, "An event of a scope carries the ids of its scope."),
    _runtime(12, "Missing correlation is said to be missing and never made up."),
    _runtime(13, "All event families of the profile are supported."),
    _runtime(14, "An event that joins nothing is refused."),
    _runtime(15, "Events can be replayed, and state is hydrated from them."),
    _runtime(16, "Events have typed payloads, a schema version, an id and a sequence."),
    _runtime(17, "What a provider said raw leaks no secret."),
    _runtime(18, "Large output goes by reference and is not copied into events."),
    _runtime(19, "Permission, sandbox, routing, quota, cost and retries are facts."),
    _runtime(20, "Failures have a category and a hint how to recover."),
    _runtime(21, "Absent facts are said to be absent."),
    _runtime(22, "Tools leave tool facts; escalations leave action and permission facts."),
    _runtime(23, "Reconnects and duplicates do no harm; no snapshot drops an open action."),
    _runtime(24, "Appends pass the gates, as a whole batch or not at all."),
    _runtime(25, "An event id has one payload; a completed message adds no text again."),
    _runtime(26, "A tool gives nothing while its action is open, nor after a refusal."),
    # Control plane
    _runtime(27, "Commands that change something leave facts."),
    _runtime(28, "A turn's input is recorded and turn.submitted told before long work."),
    _runtime(29, "An interruption records the intent, cleans up and keeps queued work."),
    _runtime(30, "Resuming rehydrates, repairs and says so before it goes on."),
    _runtime(31, "An action is answered by its id; an unanswered one never counts as approved."),
    _runtime(32, "Tasks leave attempts and edges; a retry overwrites nothing."),
    _runtime(33, "Reads come from durable read models."),
    _runtime(34, "One event surface, one read model, and no mock behind the product."),
    _runtime(35, "initialize and initialized come before every business method."),
    _runtime(36, "Secrets and the sidecar's internals do not cross to apps."),
    _runtime(37, "A session has one active turn, enforced by RuntimeCore."),
    _runtime(38, "Input and termination of a process name a known process."),
    _runtime(39, "Submitting the same turn again makes no second turn."),
    # Read models and projections
    _runtime(40, "The seven read models come from the same facts."),
    _runtime(41, "Signals that do not apply are left out; there are no generic gaps."),
    _runtime(42, "Message parts own no truth of tools, actions, artifacts, evidence."),
    _runtime(43, "Hand-offs become task, subagent and channel facts, edges and evidence refs."),
    _runtime(44, "Compaction is a fact that can be recovered from."),
    _runtime(45, "Projections hold no secret and write nothing back."),
    # Provider, permission, environment
    _runtime(46, "The provider store is the only home of provider keys."),
    _runtime(47, "Several agents in one turn are told apart by facts that keep their ids."),
    _runtime(48, "Status comes from facts and is never read out of prose."),
    _runtime(49, "Nothing is shown as sandboxed without the facts of a sandbox."),
    _runtime(50, "Hooks see no secret and are no second way to act."),
    _runtime(51, "Compaction drops neither open actions nor incidents."),
    _runtime(52, "A deny beats an allow, and no manifest bypasses permissions."),
    _runtime(53, "Structured output is validated and retried within bounds."),
    # Evidence
    _runtime(54, "Exports carry the correlation that applies."),
    _runtime(55, "Replay, review, analysis and diagnostics read the same facts."),
    _runtime(56, "Evidence of a benchmark names its ten references."),
    _runtime(57, "A pack keeps ids stable and never marks missing as passed."),
    _runtime(58, "Prompts, content and artifacts do not go to telemetry by default."),
    _runtime(59, "The seven provider fixtures show schema, first screen and clean replay."),
    _runtime(60, "A profile redefines no owner; normal event types stay beside a vendor's."),
)

PACKAGE_DEMANDS = (
    Demand("PKG-01", "published standard", "The package follows the standard's schemas and rules."),
    Demand("PKG-02", "published standard", "Every language that the app names is there in full."),
    Demand(
        "PKG-03", "published standard", "The app's own error codes keep to the standard's ranges."
    ),
)

RUN_DEMANDS = (
    Demand("RUN-01", "published standard", "The page opens and says app:ready."),
    Demand(
        "RUN-02", "this host", "No script of the page fails, and no file it asks for is missing."
    ),
    Demand(
        "RUN-03",
        "specification",
        "The page keeps to its content policy and leaves its origin alone.",
    ),
    Demand("RUN-04", "specification", "The page calls only what the manifest declares."),
    Demand(
        "RUN-05",
        "this host",
        "With every declared permission granted, no call of the page is refused.",
    ),
    Demand("RUN-06", "this host", "The app's own tests of its page pass."),
)
"""What an open page shows, in the real host."""

ALL_DEMANDS = (*PACKAGE_DEMANDS, *APP_DEMANDS, *RUN_DEMANDS, *RUNTIME_DEMANDS)


def read_shown_by(resources: Path) -> Mapping[str, tuple[str, ...]]:
    """Demand → the product's tests that show it, as pytest names them. The list ships; the tests do not."""
    return _TESTS.validate_json((resources / SHOWN_BY).read_bytes())
