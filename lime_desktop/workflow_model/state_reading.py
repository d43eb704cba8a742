"""One state of a definition, from plain JSON: which kind needs which fields. What is wrong becomes flaws."""

from collections.abc import Callable, Mapping
from typing import Literal, cast

from lime_desktop.workflow_model.expressions.syntax import Constant
from lime_desktop.workflow_model.expressions.templates import Fixed
from lime_desktop.workflow_model.fields import Fields
from lime_desktop.workflow_model.flaws import FlawKind
from lime_desktop.workflow_model.kinds import StateKind
from lime_desktop.workflow_model.state_fields import StateFields
from lime_desktop.workflow_model.states import (
    AgentTaskState,
    ArtifactCreateState,
    BranchState,
    Case,
    EndState,
    EvalState,
    EvidenceRecordState,
    ForEach,
    HumanReviewState,
    KnowledgeSearchState,
    ParallelState,
    StartState,
    State,
    StorageWriteState,
    SubWorkflowState,
    ToolCallState,
    UserInputState,
    WaitState,
)

_DECISIONS = ("approve", "modify", "reject")


def read_state(kind: StateKind, fields: Fields, keys: frozenset[str]) -> State:
    """The state; where something of it is wrong, a flaw was noted and this must not be used."""
    return _READERS[kind](StateFields(fields, keys))


def _start(state: StateFields) -> State:
    following = state.next()
    if not following:
        state.of.missing("`next`")
    return StartState(**state.words(), next=following or "")


def _end(state: StateFields) -> State:
    status = state.of.one_of("status", ("succeeded", "failed", "cancelled")) or "succeeded"
    if state.of.has("next"):
        state.of.flaw(FlawKind.FIELD_UNFIT, "Nothing comes after an `end`.", "next")
    return EndState(
        **state.words(),
        status=cast('Literal["succeeded", "failed", "cancelled"]', status),
        output=state.of.template("output"),
    )


def _agent_task(state: StateFields) -> State:
    of = state.of
    if not (of.has("entry") or of.has("prompt")):
        of.missing("`entry` or `prompt`")
    tools, knowledge = of.texts("tools"), of.texts("knowledge")
    entry = of.text("entry")
    of.uses("entry", entry or "", "entry")
    for name in tools:
        of.uses("tool", name, "tools")
    for name in knowledge:
        of.uses("knowledge", name, "knowledge")
    return AgentTaskState(
        **state.work("expectedSchema" if of.has("expectedSchema") else "output"),
        entry=entry,
        agent=of.text("agent"),
        prompt=of.template("prompt"),
        input=of.template("input"),
        tools=tools,
        knowledge=knowledge,
        model=of.text("model"),
    )


def _tool_call(state: StateFields) -> State:
    return ToolCallState(
        **state.work(),
        tool=state.tool(),
        action=state.of.text("action"),
        input=state.of.template("input") or Fixed(None),
        idempotency_key=state.of.template("idempotencyKey"),
    )


def _human_review(state: StateFields) -> State:
    of = state.of
    deadline_s, on_deadline = state.deadline()
    ways = _decisions(state)
    return HumanReviewState(
        **state.words(),
        content=of.needed_template("content"),
        schema=of.schema("schema"),
        approve=ways.get("approve"),
        modify=ways.get("modify"),
        reject=ways.get("reject"),
        deadline_s=deadline_s,
        on_deadline=on_deadline,
    )


def _decisions(state: StateFields) -> Mapping[str, str]:
    written = state.of.written.get("next")
    if not isinstance(written, dict):
        one = state.next()
        return {"approve": one, "modify": one} if one else {}
    inner = state.of.inner(cast("Mapping[str, object]", written), "next")
    for name in inner.written:
        if name not in _DECISIONS:
            inner.flaw(
                FlawKind.FIELD_UNFIT,
                f"A person can approve, modify or reject, not {name[:40]!r}.",
                name,
            )
    inner.needed_text("approve")
    found = {name: inner.text(name) for name in _DECISIONS}
    return {name: target for name, target in found.items() if target}


def _user_input(state: StateFields) -> State:
    deadline_s, on_deadline = state.deadline()
    if not state.of.has("form"):
        state.of.missing("`form`")
    return UserInputState(
        **state.words(),
        next=state.next(),
        form=state.of.schema("form") or {},
        deadline_s=deadline_s,
        on_deadline=on_deadline,
    )


def _storage_write(state: StateFields) -> State:
    of = state.of
    # `key` is the state's own name, as everywhere: the place in the storage is `storageKey`.
    mode = of.one_of("mode", ("set", "insert", "upsert", "delete")) or "set"
    if not (of.has("table") or of.has("storageKey")):
        of.missing("`table` or `storageKey`")
    if mode != "delete" and not of.has("value"):
        of.missing("`value`")
    return StorageWriteState(
        **state.work(),
        table=of.text("table"),
        storage_key=of.template("storageKey"),
        value=of.template("value"),
        mode=cast('Literal["set", "insert", "upsert", "delete"]', mode),
    )


def _artifact_create(state: StateFields) -> State:
    of = state.of
    title = of.template("artifactTitle") or of.template("title")
    if title is None:
        of.missing("`artifactTitle` or `title`")
    return ArtifactCreateState(
        **state.work(),
        artifact_kind=of.needed_text("artifactKind"),
        artifact_title=title or Fixed(""),
        content=of.needed_template("content"),
    )


def _knowledge_search(state: StateFields) -> State:
    of = state.of
    of.uses("knowledge", of.text("template") or "", "template")
    return KnowledgeSearchState(
        **state.work(),
        query=of.needed_template("query"),
        template=of.text("template"),
        top_k=of.count("topK", least=1),
    )


def _eval(state: StateFields) -> State:
    named = state.of.needed_text("eval")
    state.of.uses("eval", named, "eval")
    return EvalState(**state.work(), eval=named, subject=state.of.needed_template("subject"))


def _evidence_record(state: StateFields) -> State:
    event, data = state.of.needed_text("event"), state.of.template("data")
    return EvidenceRecordState(**state.work(), event=event, data=data)


def _branch(state: StateFields) -> State:
    of = state.of
    cases: list[Case] = []
    otherwise: str | None = None
    for each in of.objects("cases"):
        if each.has("else"):
            otherwise = each.text("else")
        else:
            each.needed_text("when")
            when = each.expression("when") or Constant(value=False)
            cases.append(Case(when, each.needed_text("next")))
    default = state.next() or otherwise
    if not cases and len(of.texts("next")) < 2:
        of.missing("`cases`")
    if default is None:
        of.missing("`next` for when no case holds")
    return BranchState(**state.words(), cases=tuple(cases), otherwise=default or "")


def _parallel(state: StateFields) -> State:
    of = state.of
    ways: tuple[str, ...] | ForEach = of.texts("branches")
    if of.has("over"):
        over = of.expression("over") or Constant(None)
        ways = ForEach(over, of.needed_text("do"), of.count("limit", least=1))
    elif not ways:
        of.missing("`branches`, or `over` and `do`")
    join = of.one_of("join", ("all", "any", "first-error")) or "all"
    return ParallelState(
        **state.words(),
        next=state.next(),
        ways=ways,
        join=cast('Literal["all", "any", "first-error"]', join),
    )


def _wait(state: StateFields) -> State:
    of = state.of
    said = [name for name in ("for", "until", "event") if of.has(name)]
    if not said:
        of.missing("`for`, `until` or `event`")
    elif len(said) > 1:
        of.flaw(FlawKind.FIELD_UNFIT, f"A state waits for one of {', '.join(said)}.", said[1])
    return WaitState(
        **state.words(),
        next=state.next(),
        for_s=of.duration("for"),
        until=of.template("until"),
        event=of.text("event"),
    )


def _sub_workflow(state: StateFields) -> State:
    named = state.of.needed_text("workflow")
    state.of.uses("workflow", named, "workflow")
    return SubWorkflowState(**state.work(), workflow=named, input=state.of.template("input"))


_READERS: Mapping[StateKind, Callable[[StateFields], State]] = {
    StateKind.START: _start,
    StateKind.AGENT_TASK: _agent_task,
    StateKind.TOOL_CALL: _tool_call,
    StateKind.HUMAN_REVIEW: _human_review,
    StateKind.USER_INPUT: _user_input,
    StateKind.STORAGE_WRITE: _storage_write,
    StateKind.ARTIFACT_CREATE: _artifact_create,
    StateKind.KNOWLEDGE_SEARCH: _knowledge_search,
    StateKind.EVAL: _eval,
    StateKind.EVIDENCE_RECORD: _evidence_record,
    StateKind.BRANCH: _branch,
    StateKind.PARALLEL: _parallel,
    StateKind.WAIT: _wait,
    StateKind.SUB_WORKFLOW: _sub_workflow,
    StateKind.END: _end,
}
