"""The SDK's type declarations: one interface per capability over the generated types.

What cannot be derived from the tables (streams, handles, the entry point) is written out below.
"""

from lime_desktop.protocol.bridge.from_app import APP_MESSAGES
from lime_desktop.protocol.bridge.from_host import HOST_MESSAGES
from lime_desktop.protocol.capabilities import CAPABILITIES, Capability
from lime_desktop.protocol.capability_calls.call import NoResult
from lime_desktop.protocol.capability_calls.table import CALLS, AnyCall
from lime_desktop.protocol.errors import ALL_ERRORS
from lime_desktop.protocol.errors.of_calls import EVERY_CALL, declared_codes
from lime_desktop.protocol.export.schemas import Schema, definitions
from lime_desktop.protocol.export.tables import BRIDGE_SHAPES, CALL_SHAPES, READ, TASK_SHAPES
from lime_desktop.protocol.export.typescript import TypeScript, comment, declarations
from lime_desktop.protocol.wire import Empty

_JSON = """\
/** Anything that JSON can say. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };"""

_ANY_CALL = "What any call may fail with. What one may fail with beyond these is said at it."

_RUNTIME = """\
/** How one call is made. */
export interface CallOptions {
  /** Gives the call up; it then fails with `cancelled`. */
  signal?: AbortSignal;
  /** Gives the call up after this time; it then fails with `timeout`. */
  timeoutMs?: number;
  /** The same key and arguments have an effect once, however often they are sent. */
  idempotencyKey?: string;
  /** The declared operation that the call carries out. */
  operation?: string;
  /** Judges the call and says what it would do, without doing it. */
  dryRun?: boolean;
  /** The most that the call may cost. */
  costLimit?: Cost;
  /** Called once where a person has to answer first; the call then goes on waiting for them. */
  onPending?: () => void;
}

/** A call that failed or was refused. */
export declare class LimeError extends Error {
  /** What went wrong, for a program to decide by. */
  readonly code: StableCode;
  /** The host's own cause behind the code. */
  readonly causeCode: string;
  /** The fine code of the catalogue, where the host sent one. */
  readonly appErrorCode?: AppErrorCode;
  /** Whether the identical call may succeed later. */
  readonly retryable: boolean;
  readonly userAction?: string;
  readonly recovery?: string;
  readonly traceId?: string;
  readonly details: Record<string, JsonValue>;
}

/** A table of the app's own database; its columns are those of storage/schema.json. */
export interface StorageTable<Row extends object = Record<string, JsonValue>> {
  get(id: string | number): Promise<Row | null>;
  insert(row: Row): Promise<Row>;
  update(id: string | number, changes: Partial<Row>): Promise<Row>;
  upsert(row: Row): Promise<Row>;
  delete(id: string | number): Promise<boolean>;
  query(query?: Omit<QueryRowsParams, "table">): Promise<{ rows: Row[]; nextCursor?: string }>;
}

/** An event of a topic. */
export interface TopicEvent<Payload = JsonValue> {
  topic: string;
  payload: Payload;
  emittedAt: string;
}

/** A run of a workflow has moved. */
export interface WorkflowRunChange {
  workflowRunId: string;
  status: WorkflowRun["status"];
}

/** Where and as whom the app runs; all of it is found from the page itself. */
export interface LimeRuntimeOptions {
  appId?: string;
  entryKey?: string;
  /** How long to wait for the host's first snapshot, in milliseconds. */
  timeoutMs?: number;
  /** How messages travel, where it is not the window around this one: a mock host's, for tests. */
  transport?: Transport;
}

/** Carries messages to the host and back. */
export interface Transport {
  send(message: object): void;
  /** Calls back with every message of the host; returns what ends it. */
  listen(hear: (message: unknown) => void): () => void;
  /** Fetches a path of the app's own origin; left out where nothing serves one. */
  fetch?(path: string, options?: { signal?: AbortSignal }): Promise<Response>;
}

/** How an invoker of earlier SDKs is made. */
export interface InvokerOptions {
  appId: string;
  entryKey?: string;
  transport?: Transport;
  onSnapshot?: (snapshot: HostSnapshot) => void;
  onTheme?: (theme: Theme) => void;
  onVisibility?: (visibility: VisibilityPayload) => void;
  onCapabilityEvent?: (event: CapabilityEventPayload) => void;
}

/** An answer that never rejects. */
export type InvokerResult =
  | { ok: true; value: any; traceId?: string; evidenceId?: string }
  | { ok: false; error: Pick<LimeError, "code" | "causeCode" | "message" | "retryable" | "traceId" | "details"> };

/** The bridge under the names of earlier SDKs; new code uses `getLimeRuntime`. */
export interface CapabilityInvoker {
  send(type: string, payload?: unknown): void;
  request(type: string, payload?: unknown): Promise<InvokerResult>;
  ready(): void;
  getSnapshot(): Promise<InvokerResult>;
  invoke(call: Invoke["payload"]): Promise<InvokerResult>;
  invoke(capability: string, method: string, input?: unknown): Promise<InvokerResult>;
  subscribe(wish: Subscribe["payload"]): Promise<InvokerResult>;
  unsubscribe(wish: Unsubscribe["payload"]): Promise<InvokerResult>;
  download(file: Download["payload"]): Promise<InvokerResult>;
  getCallLog(): { type: string; at: string }[];
  dispose(): void;
}

export declare function createLimeHostBridgeCapabilityInvoker(options: InvokerOptions): CapabilityInvoker;

/** Every capability over one invoker; the calls reject with a `LimeError`. */
export declare function createLimeCoreCapabilityAdapters(options: { invoker: CapabilityInvoker }): CapabilityAdapters;

/** Connects to the host that shows this page. Fails with `capability_unavailable` without one. */
export declare function getLimeRuntime(options?: LimeRuntimeOptions): Promise<LimeRuntime>;

/** Applies the host's theme tokens to the document, now and whenever they change. */
export declare function syncTheme(lime: LimeRuntime, root?: HTMLElement): () => void;"""

_EXTRA_MEMBERS = {
    "lime.storage": """\
  /** A table that storage/schema.json declares. */
  table<Row extends object = Record<string, JsonValue>>(name: string): StorageTable<Row>;
  /** Changes of the app's own data, as they happen. */
  changes(options?: { signal?: AbortSignal }): AsyncIterable<CapabilityEventPayload>;""",
    "lime.workflow": """\
  /** That runs of the app's workflows have moved, or one that is named, as it happens. `get` tells how it stands. */
  changes(options?: { workflowRunId?: string; signal?: AbortSignal }): AsyncIterable<WorkflowRunChange>;""",
    "lime.files": """\
  /** Files that the person opens with the app from outside: those that wait already, then more as they come. */
  opened(options?: { persist?: boolean; signal?: AbortSignal }): AsyncIterable<OpenedFiles>;""",
    "lime.agent": """\
  /** A task's events from the first to its result, without gaps, as they happen. */
  events(taskId: string, options?: { afterSequence?: number; signal?: AbortSignal }): AsyncIterable<AgentTaskEvent>;
  /** Waits for a task's result. */
  result(taskId: string, options?: { signal?: AbortSignal }): Promise<AgentTaskResult>;""",
    "lime.events": """\
  /** Events of a topic, as they happen. */
  on<Payload = JsonValue>(topic: string, options?: { signal?: AbortSignal }): AsyncIterable<TopicEvent<Payload>>;""",
}

_RUNTIME_MEMBERS = """\
  readonly appId: string;
  /** The newest snapshot. */
  readonly snapshot: HostSnapshot;
  /** Calls back with every new snapshot; returns what ends it. */
  onSnapshot(listener: (snapshot: HostSnapshot) => void): () => void;
  onTheme(listener: (theme: Theme) => void): () => void;
  onVisibility(listener: (visibility: VisibilityPayload) => void): () => void;
  /** A call by name, for capabilities newer than these types. */
  invoke(capability: string, method: string, input?: unknown, options?: CallOptions): Promise<JsonValue>;
  /** Ends every subscription and gives up every open call. */
  close(): void;"""


def sdk_text() -> str:
    """The whole declaration file, without its first line."""
    shapes = (*BRIDGE_SHAPES, *CALL_SHAPES, *TASK_SHAPES)
    read = definitions(shape for shape in shapes if shape.mode == READ)
    written = definitions(shape for shape in shapes if shape.mode != READ)
    written.pop(NoResult.__name__)
    read.pop(Empty.__name__)
    source, types = declarations(read, written)
    parts = (
        _JSON,
        _error_unions(),
        _RUNTIME,
        *(_capability(each, source, read) for each in CAPABILITIES if each.methods),
        _runtime_interface(),
        _message_unions(),
        types,
    )
    return "\n\n".join(parts) + "\n"


def _error_unions() -> str:
    stable = sorted({error.stable_code for error in ALL_ERRORS})
    codes = [error.code for error in ALL_ERRORS]
    return "\n\n".join(
        [
            _union("StableCode", stable, "What a program decides by."),
            _union("AppErrorCode", codes, "Every code of the catalogue; see errors.md."),
            _union("AnyCallErrorCode", list(declared_codes(EVERY_CALL)), _ANY_CALL),
        ]
    )


def _union(name: str, values: list[str], meaning: str) -> str:
    lines = "".join(f'\n  | "{value}"' for value in values)
    return "\n".join([*comment(meaning, indent=""), f"export type {name} ={lines};"])


def _interface_name(capability: str) -> str:
    short = capability.removeprefix("lime.")
    return f"Lime{short[0].upper()}{short[1:]}"


def _capability(capability: Capability, source: TypeScript, read: dict[str, Schema]) -> str:
    about = f"{capability.name}: {capability.summary}"
    if capability.unavailable_reason:
        about += (
            f"\nEvery call fails with `capability_unavailable`. {capability.unavailable_reason}"
        )
    lines = [*comment(about, indent=""), f"export interface {_interface_name(capability.name)} {{"]
    for call in CALLS:
        if call.capability == capability.name:
            lines += [*comment(_about(call), indent="  "), f"  {_signature(call, source, read)};"]
    if capability.name in _EXTRA_MEMBERS:
        lines.append(_EXTRA_MEMBERS[capability.name])
    return "\n".join([*lines, "}"])


def _about(call: AnyCall) -> str:
    codes = declared_codes(call.errors)
    return f"{call.summary}\nMay also fail with {', '.join(codes)}." if codes else call.summary


def _signature(call: AnyCall, source: TypeScript, read: dict[str, Schema]) -> str:
    result = "never" if call.result is NoResult else call.result.__name__
    return f"{call.method}({_params(call, source, read)}options?: CallOptions): Promise<{result}>"


def _params(call: AnyCall, source: TypeScript, read: dict[str, Schema]) -> str:
    name = call.params.__name__
    if name not in read:
        return ""
    is_needed = "allOf" in read[name] or read[name].get("required")
    return f"params{'' if is_needed else '?'}: {source.name(name)}, "


def _runtime_interface() -> str:
    members = [
        f"  readonly {each.name.removeprefix('lime.')}: {_interface_name(each.name)};"
        for each in CAPABILITIES
        if each.methods
    ]
    every = [*comment("Every capability under its short name.", indent="")]
    every += ["export interface CapabilityAdapters {", *members, "}", ""]
    about = "The host, as an app sees it: every capability, and what the host tells of itself."
    head = [*comment(about, indent=""), "export interface LimeRuntime extends CapabilityAdapters {"]
    return "\n".join([*every, *head, _RUNTIME_MEMBERS, "}"])


def _message_unions() -> str:
    app = " | ".join(message.__name__ for message in APP_MESSAGES)
    host = " | ".join(message.__name__ for message in HOST_MESSAGES)
    return "\n".join(
        [
            "/** Every bridge message that an app may send. */",
            f"export type AppMessage = {app};",
            "",
            "/** Every bridge message that a host may send. */",
            f"export type HostMessage = {host};",
        ]
    )
