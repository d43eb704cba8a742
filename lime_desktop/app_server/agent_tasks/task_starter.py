"""How a request becomes a turn: its session by the mode it names, its input, and the form its output must have."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, cast

import msgspec

from lime_desktop.app_package.manifest.agent_runtime import StructuredOutput as ManifestOutput
from lime_desktop.app_server.agent_tasks.output_rows import is_stored, table_of
from lime_desktop.app_server.answer_guards.output_demand import OutputSchema
from lime_desktop.app_server.apps.registered import RegisteredApp, RegisteredApps
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.runtime_core.core import RuntimeCore
from lime_desktop.app_server.task_request import TaskRequest
from lime_desktop.protocol.agent_tasks import (
    ExpectedOutput,
    Materializer,
    OutputFormat,
    StartTaskParams,
)
from lime_desktop.protocol.calls.sessions import SessionPolicy, StartSessionParams, ToolDescription
from lime_desktop.protocol.calls.turns import (
    RuntimeOptions,
    StartTurnParams,
    StructuredOutput,
    TurnInput,
)
from lime_desktop.protocol.calls.workflow_runs import WORKFLOW_STEP
from lime_desktop.protocol.errors import InvalidInput, SessionExists, WritebackNotDeclared
from lime_desktop.protocol.ids import AppId, JsonObject, SessionId
from lime_desktop.protocol.runtime.sessions import BusinessObjectRef

if TYPE_CHECKING:
    from lime_desktop.app_package.package import AppPackage

InventoryOf = Callable[[str, str], Awaitable[tuple[ToolDescription, ...]]]
"""The tools that a session of an app could have."""
FilesOf = Callable[[AppId], Awaitable[frozenset[str]]]
"""The references to files that were opened to an app."""
TablesOf = Callable[[AppId], Awaitable[frozenset[str]]]
"""The tables of an app's own storage."""

_SCHEMA_REF = "expectedOutput.outputFormat.schemaRef"


class TaskResources:
    """Looks for what a task names: in the manifest, among the tools, among the files of its app."""

    def __init__(self, inventory_of: InventoryOf, files_of: FilesOf, tables_of: TablesOf) -> None:
        self._inventory_of = inventory_of
        self._files_of = files_of
        self._tables_of = tables_of

    async def require(self, asked: TaskRequest, app: RegisteredApp) -> None:
        """Refuse a task that names what is not there; knowledge and tools that it can do without may be missing.

        Raises:
            InvalidInput: by field, for everything that is missing.
        """
        missing = [
            *_undeclared(asked, app),
            *[each async for each in self._unknown_tools(asked, app)],
            *[each async for each in self._unknown_files(asked)],
        ]
        if missing:
            raise InvalidInput.at_fields(missing)

    async def require_tables(
        self, asked: TaskRequest, app: RegisteredApp, output: StructuredOutput | None
    ) -> None:
        """Refuse now what could not be written into tables when the work is done.

        Raises:
            WritebackNotDeclared: the app declares no storage, or no such table.
            InvalidInput: it is to become an artifact as well: the two cannot be written together or not at all.
        """
        written = output.materializer if output else None
        materializer = Materializer.model_validate(written) if written else None
        if materializer is None or not is_stored(materializer):
            return
        expected = asked.request.expected_output
        if expected is not None and expected.artifact_kind is not None:
            raise InvalidInput.at_fields([("expectedOutput.artifactKind", "stored_as_rows")])
        if not app.declared.has_capability("lime.storage", asked.request.entry):
            raise WritebackNotDeclared("The manifest does not declare lime.storage")
        table = table_of(materializer)
        if table is not None and table not in await self._tables_of(asked.app_id):
            raise WritebackNotDeclared("The app's schema declares no table of this name")

    async def _unknown_tools(
        self, asked: TaskRequest, app: RegisteredApp
    ) -> AsyncIterator[tuple[str, str]]:
        declared = app.declared.tools | {each.key for each in app.declared.integrations}
        unsure = {
            f"tools[{index}]": tool.key
            for index, tool in enumerate(asked.request.tools)
            if tool.required and tool.key not in declared
        }
        if not unsure:
            # Gathering tools wakes tool servers: only where the manifest does not answer.
            return
        rows = await self._inventory_of(asked.app_id, asked.new_session_id)
        known = {name for row in rows for name in (row.tool_name, *row.keywords)}
        for field, key in unsure.items():
            if key not in known:
                yield field, "unknown_tool"

    async def _unknown_files(self, asked: TaskRequest) -> AsyncIterator[tuple[str, str]]:
        # What brings its own bytes is there.
        named = {
            f"files[{index}]": ref
            for index, ref in enumerate(asked.request.files)
            if not ref.startswith("data:")
        }
        opened = await self._files_of(asked.app_id) if named else frozenset[str]()
        for field, ref in named.items():
            if ref not in opened:
                yield field, "unknown_file"


def _undeclared(asked: TaskRequest, app: RegisteredApp) -> Iterator[tuple[str, str]]:
    request, declared = asked.request, app.declared
    entries = {entry.key for entry in app.package.manifest.entries}
    if request.entry is not None and request.entry not in entries:
        yield "entry", "unknown_entry"
    for index, binding in enumerate(request.knowledge):
        if binding.required and binding.key not in declared.knowledge:
            yield f"knowledge[{index}]", "unknown_knowledge"
    for index, key in enumerate(request.secrets):
        if key not in declared.secrets:
            yield f"secrets[{index}]", "unknown_secret"


def structured_output(
    expected: ExpectedOutput | None, package: "AppPackage"
) -> StructuredOutput | None:
    """What the turn is held to; None where words are enough. Reads the package.

    Raises:
        InvalidInput: the schema cannot be used, or is not where the request says.
    """
    wanted = expected.output_format if expected else None
    if expected is None or wanted is None or wanted.type == "none":
        return None
    usual = _usual(package)
    schema = _schema(wanted, usual, package)
    OutputSchema(schema)  # refused now rather than when the agent has worked
    return StructuredOutput.model_validate(
        {
            "schema": schema,
            "max_validation_retries": _retries(wanted, usual),
            "failure_subtype": usual.failure_subtype if usual else None,
            "materializer": _materializer(expected, usual),
        }
    )


def _usual(package: "AppPackage") -> ManifestOutput | None:
    runtime = package.manifest.agent_runtime
    task = runtime.agent_task if runtime else None
    return task.structured_output if task else None


def _materializer(expected: ExpectedOutput, usual: ManifestOutput | None) -> JsonObject | None:
    if expected.materializer is not None:
        return expected.materializer.to_wire()
    by_app = usual.materializer if usual else None
    if by_app is None or by_app.kind is None:
        return None
    return Materializer(kind=by_app.kind, accepted_keys=tuple(by_app.accepted_keys)).to_wire()


def _retries(wanted: OutputFormat, usual: ManifestOutput | None) -> int:
    stated = "max_validation_retries" in wanted.model_fields_set
    by_app = usual.max_validation_retries if usual else None
    return wanted.max_validation_retries if stated or by_app is None else by_app


def _schema(
    wanted: OutputFormat, usual: ManifestOutput | None, package: "AppPackage"
) -> JsonObject:
    if wanted.schema_ is not None:
        return wanted.schema_
    if wanted.schema_ref is not None:
        return _read(wanted.schema_ref, package)
    if usual and usual.inline_schema is not None:
        return cast("JsonObject", dict(usual.inline_schema))
    if usual and usual.schema_ref is not None:
        return _read(usual.schema_ref, package)
    raise InvalidInput.at_fields([("expectedOutput.outputFormat.schema", "missing")])


def _read(ref: str, package: "AppPackage") -> JsonObject:
    path = ref.removeprefix("./")
    # Only what the package lists: a path that leads elsewhere is not among its files.
    if path not in package.tree.files:
        raise InvalidInput.at_fields([(_SCHEMA_REF, "not_in_package")])
    try:
        return cast("JsonObject", msgspec.json.decode(package.tree.read(path), type=dict))
    except (OSError, msgspec.DecodeError):
        raise InvalidInput.at_fields([(_SCHEMA_REF, "not_a_schema")]) from None


class TaskStarter:
    """Starts turns for tasks. Whether a task was started before is not its business."""

    def __init__(self, core: RuntimeCore, apps: RegisteredApps, things: TaskResources) -> None:
        self._core = core
        self._apps = apps
        self._things = things

    async def start(self, asked: TaskRequest) -> None:
        """Begin the turn, or queue it where its session is busy."""
        app = self._apps.get(asked.app_id)
        _require_mode(asked, app)
        _require_kind(asked, app)
        await self._things.require(asked, app)
        expected = asked.request.expected_output
        output = await asyncio.to_thread(structured_output, expected, app.package)
        await self._things.require_tables(asked, app, output)
        turn_input, options = asked.turn_input(), asked.options(output)
        # Before the session: a task that cannot even begin leaves none behind.
        choice = await self._core.engine.preflight(_request(asked, turn_input, options))
        context = CallContext(trace_id=asked.trace_id)
        session_id = await self._session(asked, app, context)
        await self._core.turns.start(
            StartTurnParams(
                session_id=session_id,
                input=turn_input,
                turn_id=asked.turn_id,
                queue_if_busy=asked.request.queue_if_busy,
                skip_pre_submit_resume=asked.request.skip_pre_submit_resume,
                runtime_options=options,
            ),
            context,
            choice,
        )

    async def _session(
        self, asked: TaskRequest, app: RegisteredApp, context: CallContext
    ) -> SessionId:
        request = asked.request
        is_old = request.session_mode in {"resume", "continue"}
        session_id = request.session_id if is_old else asked.new_session_id
        params = StartSessionParams(
            app_id=asked.app_id,
            session_id=session_id,
            workspace_id=app.registration.workspace_id,
            business_object_ref=_about(asked),
            title=request.title,
            session_policy=_opening(request),
        )
        # It exists where an earlier start of this key got no further.
        with suppress(SessionExists):
            return (await self._core.sessions.start(params, context)).session.session_id
        return asked.new_session_id


def _opening(request: StartTaskParams) -> SessionPolicy:
    """How its session is opened. To continue one is to let what waits there go on first, unless the task says not to."""
    leaves_waiting = request.session_mode == "continue" and request.skip_pre_submit_resume
    return SessionPolicy(
        mode="resume" if leaves_waiting else request.session_mode,
        source_session_id=None if request.session_mode == "new" else request.session_id,
    )


def _about(asked: TaskRequest) -> BusinessObjectRef | None:
    """The step of a run that the task is for, if it is for one."""
    told = asked.provenance
    if told.workflow_run_id is None or told.run_id is None:
        return None
    return BusinessObjectRef(kind=WORKFLOW_STEP, id=told.run_id)


def _require_mode(asked: TaskRequest, app: RegisteredApp) -> None:
    request = asked.request
    if request.session_mode != "new" and request.session_id is None:
        raise InvalidInput.at_fields([("sessionId", "missing")])
    runtime = app.package.manifest.agent_runtime
    policy = runtime.agent_task.session_policy if runtime and runtime.agent_task else None
    if policy and policy.modes and request.session_mode not in policy.modes:
        raise InvalidInput.at_fields([("sessionMode", "not_declared")])


def _require_kind(asked: TaskRequest, app: RegisteredApp) -> None:
    """Refuse now what could not be written back when the work is done."""
    expected = asked.request.expected_output
    kind = expected.artifact_kind if expected else None
    declared = {each.key for each in app.package.manifest.artifact_types}
    if kind is not None and kind not in declared:
        raise WritebackNotDeclared("The manifest declares no artifact of this kind")


def _request(asked: TaskRequest, turn_input: TurnInput, options: RuntimeOptions) -> TurnRequest:
    """The turn as far as it is known before anything is stored."""
    return TurnRequest(
        app_id=asked.app_id,
        workspace_id=None,
        session_id=asked.request.session_id or asked.new_session_id,
        thread_id="",
        turn_id=asked.turn_id,
        task_id="",
        run_id="",
        trace_id=asked.trace_id,
        input=turn_input,
        options=options,
    )
