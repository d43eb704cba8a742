"""States that keep or find something of the app's own: storage, artifacts, knowledge, evidence, evals.

Each is a call that a page could make too: judged by policy, and asked about where policy wants a person.
"""

from abc import abstractmethod
from typing import Any, TypeVar

from pydantic import BaseModel, JsonValue, ValidationError

from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.quality.service import QualityGates
from lime_desktop.app_server.storage.app_tables import read_tables
from lime_desktop.app_server.workflows.calls import RunCalls, WantedCall, params_of
from lime_desktop.app_server.workflows.detail import Failure
from lime_desktop.app_server.workflows.names import session_in
from lime_desktop.app_server.workflows.outcomes import Done, Failed, Outcome, Waits, failed
from lime_desktop.app_server.workflows.steps.step_kind import AtStep, Scope, StepKind
from lime_desktop.app_server.workflows.steps.titles import StepTitles
from lime_desktop.app_server.workflows.steps.turns import StepTurns
from lime_desktop.policy.decision import Allowed, Denied
from lime_desktop.protocol.acceptance import GateOutcome
from lime_desktop.protocol.capability_calls.artifacts import (
    CREATE_ARTIFACT,
    LIST_ARTIFACTS,
    CreateArtifactParams,
)
from lime_desktop.protocol.capability_calls.call import Call
from lime_desktop.protocol.capability_calls.evidence import (
    LIST_EVIDENCE,
    RECORD_EVIDENCE,
    RecordEvidenceParams,
)
from lime_desktop.protocol.capability_calls.knowledge import SEARCH_KNOWLEDGE, KnowledgeSearchParams
from lime_desktop.protocol.capability_calls.storage import (
    DELETE_VALUE,
    SET_VALUE,
    StorageKeyParams,
    StorageSetParams,
)
from lime_desktop.protocol.capability_calls.storage_tables import (
    DELETE_ROW,
    GET_ROW,
    INSERT_ROW,
    UPSERT_ROW,
    InsertRowParams,
    RowParams,
)
from lime_desktop.protocol.errors import AppError, Conflict, InvalidInput
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.workflow_model.expressions.templates import fill_template, text_of
from lime_desktop.workflow_model.states import (
    ArtifactCreateState,
    EvalState,
    EvidenceRecordState,
    KnowledgeSearchState,
    StorageWriteState,
)

StateT = TypeVar("StateT", bound=Any)


class CallingKind(StepKind[StateT]):
    """A state that makes one call of the app's."""

    def __init__(self, calls: RunCalls, turns: StepTurns) -> None:
        self._calls = calls
        self._turns = turns

    @abstractmethod
    def wanted(self, at: AtStep[StateT]) -> tuple[Call[Any, Any], BaseModel]:
        """The call, with its params.

        Raises:
            AppError: they do not fit.
        """

    async def begin(self, at: AtStep[StateT]) -> Outcome:
        """Have it judged, then make it or ask."""
        try:
            wanted = self._wanted(at)
            match self._calls.judge(at.run.app_id, wanted, at.run.session_id):
                case Allowed():
                    return await self._make(at, wanted)
                case Denied() as denied:
                    return failed("APP_E306", refusal(denied), is_final=True)
                case _:
                    place = await self._turns.begin(at, wanted.to_json(), wanted.name)
                    return Waits("approval", at.due_ms, "timeout", notes=place)
        except AppError as error:
            return failure_of(error)

    async def look(self, at: AtStep[StateT]) -> Outcome:
        """Did the person say yes?"""
        ended = await self._turns.ended(at)
        if ended is None:
            return Waits("approval")
        if isinstance(ended, Failed):
            return ended
        try:
            wanted = self._wanted(at)
            # A yes is no yes to what a rule has come to forbid meanwhile.
            decision = self._calls.judge(at.run.app_id, wanted, at.run.session_id)
            if isinstance(decision, Denied):
                return failed("APP_E306", refusal(decision), is_final=True)
            return await self._make(at, wanted)
        except AppError as error:
            return failure_of(error)

    async def stop(self, at: AtStep[StateT]) -> None:
        """Take the question back."""
        await self._turns.cancel(at)

    def _wanted(self, at: AtStep[StateT]) -> WantedCall:
        try:
            call, params = self.wanted(at)
        except ValidationError as error:
            raise InvalidInput.from_validation(error) from None
        return WantedCall(call, params_of(params), at.step.step_id, at.run.run_id)

    async def _make(self, at: AtStep[StateT], wanted: WantedCall) -> Outcome:
        return Done(await self._calls.make(wanted, at.caller))

    async def _made_before(
        self, at: AtStep[StateT], listing: Call[Any, Any], only: JsonObject
    ) -> JsonValue:
        """What this very step made, where it is begun again; None where it made nothing yet."""
        if not at.is_repeated:
            return None
        asked = WantedCall(listing, {**only, "limit": 1_000}, at.step.step_id, at.run.run_id)
        listed = await self._calls.make(asked, at.caller)
        records = listed if isinstance(listed, list) else []
        return next((each for each in records if _step_of(each) == at.step.step_id), None)


def _step_of(record: JsonValue) -> str | None:
    """Which step a record says that it comes from."""
    told = record.get("provenance") if isinstance(record, dict) else None
    return str(told.get("runId")) if isinstance(told, dict) else None


def refusal(denied: Denied) -> str:
    """Why policy said no, and what would change that."""
    return f"{denied.rule.text} {denied.would_change}".strip()


def failure_of(error: AppError) -> Failed:
    """A refusal or failure of a service as the end of a step."""
    is_final = isinstance(error, InvalidInput)
    return Failed(Failure(error.code, error.message, error.retryable), is_final=is_final)


class StorageWriteKind(CallingKind[StorageWriteState]):
    """Writes into the app's storage."""

    def __init__(self, calls: RunCalls, turns: StepTurns, apps: RegisteredApps) -> None:
        super().__init__(calls, turns)
        self._apps = apps

    def given(self, state: StorageWriteState, scope: Scope) -> JsonValue:
        """The key and the value."""
        return {
            "key": None if state.storage_key is None else fill_template(state.storage_key, scope),
            "value": None if state.value is None else fill_template(state.value, scope),
        }

    def wanted(self, at: AtStep[StorageWriteState]) -> tuple[Call[Any, Any], BaseModel]:
        """A value, or a row: a new row has its id from the step, so that it is written once."""
        state, given = at.state, at.given if isinstance(at.given, dict) else {}
        key, value = given.get("key"), given.get("value")
        if state.table is not None:
            return self._row(at, state.table, key, value)
        name = _text(key, "storageKey")
        if state.mode == "delete":
            return DELETE_VALUE, StorageKeyParams(key=name)
        return SET_VALUE, StorageSetParams(key=name, value=value)

    def _row(
        self, at: AtStep[StorageWriteState], table: str, key: JsonValue, value: JsonValue
    ) -> tuple[Call[Any, Any], BaseModel]:
        if at.state.mode == "delete":
            return DELETE_ROW, RowParams(table=table, id=_row_id(key))
        if not isinstance(value, dict):
            raise InvalidInput.at_fields([("value", "not_an_object")])
        primary = self._primary_key(at, table)
        row = dict(value)
        named = row.setdefault(primary, key if key is not None else row_id_of(at.step.step_id))
        is_named = value.get(primary) is not None or key is not None
        if at.state.mode == "insert" and is_named and named is not None:
            return INSERT_ROW, InsertRowParams(table=table, row=row)
        # Under the step's own name: made again after a crash, it is the same row.
        return UPSERT_ROW, InsertRowParams(table=table, row=row)

    async def _make(self, at: AtStep[StorageWriteState], wanted: WantedCall) -> Outcome:
        try:
            return await super()._make(at, wanted)
        except Conflict:
            # The row of this very name and content may be our own, written by a process that died before it said so.
            if wanted.call is not INSERT_ROW:
                raise
            there = await self._there(at, wanted)
            if there is None:
                raise
            return Done(there)

    def _primary_key(self, at: AtStep[StorageWriteState], table: str) -> str:
        package = self._apps.get(at.run.app_id).package
        return read_tables(package.storage_schema).named(table).primary_key

    async def _there(self, at: AtStep[StorageWriteState], wanted: WantedCall) -> JsonValue:
        row = wanted.params["row"]
        assert isinstance(row, dict)  # noqa: S101 - made above
        primary = self._primary_key(at, str(wanted.params["table"]))
        reading = WantedCall(
            GET_ROW,
            {"table": wanted.params["table"], "id": row[primary]},
            wanted.step_id,
            wanted.run_id,
        )
        found = await self._calls.make(reading, at.caller)
        kept = found.get("row") if isinstance(found, dict) else None
        return found if kept == row else None


def row_id_of(step_id: str) -> str:
    """The name of a row that the author left to the host."""
    return f"row_{session_in(step_id, 0).removeprefix('session_')}"


class ArtifactCreateKind(CallingKind[ArtifactCreateState]):
    """Makes a deliverable."""

    def __init__(self, calls: RunCalls, turns: StepTurns, titles: StepTitles) -> None:
        super().__init__(calls, turns)
        self._titles = titles

    def given(self, state: ArtifactCreateState, scope: Scope) -> JsonValue:
        """Its title and content."""
        return {
            "title": fill_template(state.artifact_title, scope),
            "content": fill_template(state.content, scope),
        }

    async def _make(self, at: AtStep[ArtifactCreateState], wanted: WantedCall) -> Outcome:
        """Find the one that this step made before its process died, or make it."""
        made = await self._made_before(at, LIST_ARTIFACTS, {"kind": at.state.artifact_kind})
        return Done(made) if made is not None else await super()._make(at, wanted)

    def wanted(self, at: AtStep[ArtifactCreateState]) -> tuple[Call[Any, Any], BaseModel]:
        """A deliverable of the declared kind."""
        given = at.given if isinstance(at.given, dict) else {}
        return CREATE_ARTIFACT, CreateArtifactParams(
            kind=at.state.artifact_kind,
            title=self._titles.of_document(at, str(given.get("title") or "")),
            content=given.get("content"),
        )


class KnowledgeSearchKind(CallingKind[KnowledgeSearchState]):
    """Looks for passages."""

    def given(self, state: KnowledgeSearchState, scope: Scope) -> JsonValue:
        """What is looked for."""
        return fill_template(state.query, scope)

    def wanted(self, at: AtStep[KnowledgeSearchState]) -> tuple[Call[Any, Any], BaseModel]:
        """A search in the app's sources."""
        query = at.given if isinstance(at.given, str) else ""
        if not query:
            raise InvalidInput.at_fields([("query", "missing")])
        top_k = {} if at.state.top_k is None else {"top_k": at.state.top_k}
        return SEARCH_KNOWLEDGE, KnowledgeSearchParams.model_validate(
            {"query": query[:4_000], "template": at.state.template, **top_k}
        )


class EvidenceRecordKind(CallingKind[EvidenceRecordState]):
    """Puts something on record."""

    def given(self, state: EvidenceRecordState, scope: Scope) -> JsonValue:
        """What."""
        return None if state.data is None else fill_template(state.data, scope)

    async def _make(self, at: AtStep[EvidenceRecordState], wanted: WantedCall) -> Outcome:
        """Likewise: what was put on record by a process that died is there."""
        made = await self._made_before(at, LIST_EVIDENCE, {"kind": at.state.event})
        return Done(made) if made is not None else await super()._make(at, wanted)

    def wanted(self, at: AtStep[EvidenceRecordState]) -> tuple[Call[Any, Any], BaseModel]:
        """A piece of evidence about this run."""
        given = at.given
        message = None if isinstance(given, dict | list) else text_of(given) or None
        return RECORD_EVIDENCE, RecordEvidenceParams(
            kind=at.state.event,
            message=message,
            subject=at.run.run_id,
            refs=(at.step.step_id,),
            sources=() if message is not None or given is None else (given,),
        )


class EvalKind(StepKind[EvalState]):
    """Has a gate judge something: one that is not passed is no failure, but what it came to."""

    def __init__(self, gates: QualityGates) -> None:
        self._gates = gates

    def given(self, state: EvalState, scope: Scope) -> JsonValue:
        """What is judged."""
        return fill_template(state.subject, scope)

    async def begin(self, at: AtStep[EvalState]) -> Outcome:
        """Run the gate."""
        try:
            outcome: GateOutcome = await self._gates.judge_content(
                at.run.app_id, at.state.eval, at.given, at.caller
            )
        except AppError as error:
            return failure_of(error)
        told = outcome.model_dump(mode="json", by_alias=True)
        return Done({**told, "passed": outcome.status == "passed"})


def _text(value: JsonValue, field: str) -> str:
    if isinstance(value, str) and value:
        return value
    raise InvalidInput.at_fields([(field, "missing")])


def _row_id(value: JsonValue) -> str | int:
    if isinstance(value, str | int) and not isinstance(value, bool):
        return value
    raise InvalidInput.at_fields([("storageKey", "missing")])
