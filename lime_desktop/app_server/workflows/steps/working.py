"""States in which somebody works: an agent, a tool, another workflow."""

from collections.abc import Awaitable, Callable
from typing import cast

from pydantic import JsonValue, ValidationError

from lime_desktop.app_server.agent_tasks.service import AgentTasks
from lime_desktop.app_server.workflows.calls import RunCalls, WantedCall, params_of
from lime_desktop.app_server.workflows.detail import Failure
from lime_desktop.app_server.workflows.outcomes import Done, Failed, Outcome, Waits, failed
from lime_desktop.app_server.workflows.run import OpenRun, Step
from lime_desktop.app_server.workflows.steps.data import failure_of, refusal
from lime_desktop.app_server.workflows.steps.step_kind import AtStep, Scope, StepKind
from lime_desktop.app_server.workflows.steps.turns import StepTurns
from lime_desktop.policy.decision import Denied, NeedsApproval
from lime_desktop.protocol.agent_tasks import StartTaskParams
from lime_desktop.protocol.capability_calls.agent import START_TASK
from lime_desktop.protocol.capability_calls.workflow import WorkflowRun
from lime_desktop.protocol.errors import AppError, InvalidInput
from lime_desktop.protocol.ids import JsonObject, TaskId
from lime_desktop.workflow_model.expressions.templates import fill_template, text_of
from lime_desktop.workflow_model.states import AgentTaskState, SubWorkflowState, ToolCallState


class AgentTaskKind(StepKind[AgentTaskState]):
    """Gives an agent a task, and waits for what it delivers."""

    def __init__(self, tasks: AgentTasks, calls: RunCalls, turns: StepTurns) -> None:
        self._tasks = tasks
        self._calls = calls
        self._turns = turns

    def given(self, state: AgentTaskState, scope: Scope) -> JsonValue:
        """The prompt and the input."""
        filled = None if state.prompt is None else text_of(fill_template(state.prompt, scope))
        return {
            "prompt": filled,
            "input": None if state.input is None else fill_template(state.input, scope),
        }

    async def begin(self, at: AtStep[AgentTaskState]) -> Outcome:
        """Start the task; the same attempt finds the one that it started."""
        try:
            params = self._params(at)
            wanted = WantedCall(START_TASK, params_of(params), at.step.step_id, at.run.run_id)
            decision = self._calls.judge(at.run.app_id, wanted, at.run.session_id)
            if isinstance(decision, Denied):
                return failed("APP_E306", refusal(decision), is_final=True)
            if isinstance(decision, NeedsApproval):
                return failed("APP_E010", decision.rule.text, retryable=True)
            task = await self._tasks.start(params, at.caller)
        except AppError as error:
            return failure_of(error)
        notes: dict[str, object] = {
            "session_id": task.session_id,
            "turn_id": task.turn_id,
            "task_id": task.task_id,
        }
        return Waits("agent", at.due_ms, "timeout", notes=notes)

    async def look(self, at: AtStep[AgentTaskState]) -> Outcome:
        """Has the agent delivered?"""
        task_id = at.step.detail.task_id
        if task_id is None:
            return await self.begin(at)
        stands = await self._tasks.stands(at.run.app_id, TaskId(task_id))
        task = stands.task
        if task is None:
            return failed("APP_E304", "The agent's task is not on record any more.")
        if task.status == "running" or (task.status == "succeeded" and task.result is None):
            return Waits("agent", None)
        result = task.result
        cost = result.cost.amount if result and result.cost else 0.0
        notes: dict[str, object] = {"cost_usd": float(cost)} if cost else {}
        if result and result.usage:
            used = result.usage
            notes["tokens"] = used.total_tokens or used.input_tokens + used.output_tokens
        if task.status != "succeeded" or result is None:
            error = result.error if result else None
            code = error.code if error else "APP_E307"
            message = error.message if error else "The agent was stopped."
            is_retryable = bool(error and error.retryable)
            return Failed(Failure(code, message, is_retryable), notes=notes)
        output = result.text if result.output is None else result.output
        return Done(output, notes=notes)

    async def stop(self, at: AtStep[AgentTaskState]) -> None:
        """Stop the agent."""
        await self._turns.cancel(at)

    def _params(self, at: AtStep[AgentTaskState]) -> StartTaskParams:
        state, given = at.state, at.given if isinstance(at.given, dict) else {}
        wanted: JsonObject = {
            "entry": state.entry,
            "taskKind": f"workflow.{at.run.detail.key}",
            "title": (state.title or state.key)[:500],
            "prompt": given.get("prompt"),
            "input": given.get("input"),
            "tools": list[JsonValue](state.tools),
            "knowledge": list[JsonValue](state.knowledge),
            "modelPreference": at.run.detail.model or state.model,
            "idempotencyKey": at.attempt_key,
            "expectedOutput": _expected(state),
        }
        try:
            return StartTaskParams.model_validate(
                {name: value for name, value in wanted.items() if value is not None}
            )
        except ValidationError as error:
            raise InvalidInput.from_validation(error) from None


def _expected(state: AgentTaskState) -> JsonValue:
    if state.output is None:
        return None
    schema = cast("JsonObject", dict(state.output))
    return {"outputFormat": {"type": "json_schema", "schema": schema}}


class ToolCallKind(StepKind[ToolCallState]):
    """Calls a tool once, judged and asked about as in an agent's turn."""

    def __init__(self, turns: StepTurns) -> None:
        self._turns = turns

    def given(self, state: ToolCallState, scope: Scope) -> JsonValue:
        """The tool's input, and the key under which it has its effect once."""
        named = state.idempotency_key
        return {
            "input": fill_template(state.input, scope),
            "key": None if named is None else text_of(fill_template(named, scope)),
        }

    async def begin(self, at: AtStep[ToolCallState]) -> Outcome:
        """Begin its turn."""
        state, given = at.state, at.given if isinstance(at.given, dict) else {}
        tool_input = given.get("input")
        if tool_input is not None and not isinstance(tool_input, dict):
            return failed("APP_E014", "The input of a tool must be an object.", is_final=True)
        work: JsonObject = {
            "tool": state.tool,
            "action": state.action,
            "input": tool_input,
            "key": given.get("key") or at.step.step_id,
        }
        try:
            place = await self._turns.begin(at, work, state.tool)
        except AppError as error:
            return failure_of(error)
        return Waits("tool", at.due_ms, "timeout", notes=place)

    async def look(self, at: AtStep[ToolCallState]) -> Outcome:
        """Has it ended?"""
        ended = await self._turns.ended(at)
        if ended is None:
            return Waits("tool", None) if at.step.detail.turn_id else await self.begin(at)
        if isinstance(ended, Failed):
            return self._failed(at, ended)
        return Done(ended.value)

    def _failed(self, at: AtStep[ToolCallState], ended: Failed) -> Outcome:
        """Cut off in the middle, it is made again only where the author said by which key its effect is had once."""
        if ended.error.code != "interrupted":
            return ended
        if at.state.idempotency_key is not None:
            return Failed(ended.error, is_cut_off=True)
        message = (
            "Lime was restarted while the tool ran: it may or may not have had its effect. "
            "Look there before you try again."
        )
        return Failed(Failure("interrupted", message, retryable=True), is_final=True)

    async def stop(self, at: AtStep[ToolCallState]) -> None:
        """Stop the tool, or take its question back."""
        await self._turns.cancel(at)


StartRun = Callable[[OpenRun, Step, str, JsonValue], Awaitable[str]]
ReadRun = Callable[[str], Awaitable[WorkflowRun]]
StopRun = Callable[[str], Awaitable[None]]


class SubWorkflowKind(StepKind[SubWorkflowState]):
    """Runs another workflow of the app."""

    def __init__(self, start: StartRun, read: ReadRun, stop: StopRun) -> None:
        self._start = start
        self._read = read
        self._stop = stop

    def given(self, state: SubWorkflowState, scope: Scope) -> JsonValue:
        """Its input."""
        return None if state.input is None else fill_template(state.input, scope)

    async def begin(self, at: AtStep[SubWorkflowState]) -> Outcome:
        """Start it; the same attempt finds the one that it started."""
        try:
            run_id = await self._start(at.run, at.step, at.state.workflow, at.given)
        except AppError as error:
            return failure_of(error)
        return Waits("workflow", at.due_ms, "timeout", notes={"task_id": run_id})

    async def look(self, at: AtStep[SubWorkflowState]) -> Outcome:
        """Has it come to its end?"""
        run_id = at.step.detail.task_id
        if run_id is None:
            return await self.begin(at)
        run = await self._read(run_id)
        if run.finished_at is None:
            return Waits("workflow", None)
        notes: dict[str, object] = {"cost_usd": run.cost_usd}
        if run.status == "succeeded":
            return Done(run.output, notes=notes)
        error = run.error
        message = error.message if error else "The other workflow was stopped."
        return Failed(Failure(error.code if error else "APP_E307", message), notes=notes)

    async def stop(self, at: AtStep[SubWorkflowState]) -> None:
        """Stop it too."""
        if (run_id := at.step.detail.task_id) is not None:
            await self._stop(run_id)
