"""agentSession/turn and agentSession/queuedTurn: give the agent work, stop it, reorder what waits."""

from typing import Literal

from pydantic import Field

from lime_desktop.protocol.ids import JsonObject, NonEmpty, SessionId, TurnId
from lime_desktop.protocol.runtime.sessions import AgentTurn
from lime_desktop.protocol.task_events import Cost
from lime_desktop.protocol.wire import Empty, Maybe, Method, WireModel

MAX_INPUT_CHARACTERS = 1_000_000
MAX_PICTURE_BYTES = 5_000_000
PICTURE_TYPES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
"""What a model that sees is given to look at."""


class Attachment(WireModel):
    """Something given along with the text, by reference."""

    kind: NonEmpty[str]
    uri: str | None = None
    metadata: JsonObject | None = None


class TurnInput(WireModel):
    """What the person or the app says."""

    text: str = Field(max_length=MAX_INPUT_CHARACTERS)
    attachments: tuple[Attachment, ...] = Field(default=(), max_length=100)


class StructuredOutput(WireModel):
    """The form the answer must have. Prose never passes for it."""

    type: Literal["json_schema"] = "json_schema"
    schema_: JsonObject | None = Field(
        default=None, validation_alias="schema", serialization_alias="schema"
    )
    schema_ref: str | None = None
    max_validation_retries: int = Field(default=2, ge=0, le=10)
    failure_subtype: str | None = None
    materializer: JsonObject | None = None
    metadata: JsonObject | None = None


class RuntimeRequest(WireModel):
    """Wishes about the run. Keys are not among them: the provider store alone holds those."""

    provider_preference: str | None = None
    model_preference: str | None = None
    approval_policy: str | None = None
    sandbox_policy: str | None = None
    reasoning_effort: str | None = None
    working_dir: str | None = None
    workspace_root: str | None = None
    system_prompt: str | None = None
    web_search: bool | None = None
    search_mode: Literal["auto", "disabled", "required"] | None = None
    collaboration_mode: str | None = None


class TaskProfile(WireModel):
    """What kind of work a turn is: decides which models may do it, and how far it may go."""

    kind: str = "turn"
    """The app's own name for this kind of work."""
    required_capabilities: tuple[NonEmpty[str], ...] = ()
    """Of a model, e.g. `tools`. One that no model has is a gap, and never ignored."""
    latency_target: Literal["interactive", "batch"] = "interactive"
    budget_class: Literal["free", "low", "standard", "high"] = "standard"
    """`free` leaves only models that cost nothing."""
    fallback_policy: Literal["allowed", "never"] = "allowed"
    """Whether another model may step in while nothing has been said yet."""
    cost_limit: Maybe[Cost] = None
    """The most that this turn may cost; beyond it, it ends with `error_max_budget`."""
    max_rounds: Maybe[int] = Field(default=None, ge=1)
    """How often the model may be asked before the turn ends with `error_max_turns`."""
    max_output_tokens: Maybe[int] = Field(default=None, ge=1)
    """How long one answer may get, in tokens; less where the model's own limit is lower."""
    timeout_ms: Maybe[int] = Field(default=None, ge=1)
    reasoning_effort: Maybe[str] = Field(default=None, max_length=32)
    """How hard a model is to think: `minimal`, `low`, `medium` or `high`. One that cannot be told so is a fact."""


class RuntimeOptions(WireModel):
    """How to run the turn."""

    capability_id: NonEmpty[str] | None = None
    """A capability that ``capability/list`` names for this session, or the turn is refused."""
    stream: bool = False
    event_name: str | None = None
    queued_turn_id: NonEmpty[TurnId] | None = None
    provider_preference: str | None = None
    model_preference: str | None = None
    expected_output: JsonObject | None = None
    output_schema: JsonObject | None = None
    structured_output: StructuredOutput | None = None
    runtime_request: RuntimeRequest | None = None
    task_profile: TaskProfile | None = None
    metadata: JsonObject | None = None
    """May carry ``traceparent`` to join the caller's trace."""
    host_options: JsonObject | None = None


class StartTurnParams(WireModel):
    """Give the agent an input. Repeating a ``turnId`` never starts a second turn."""

    session_id: NonEmpty[SessionId]
    input: TurnInput
    turn_id: NonEmpty[TurnId] | None = None
    queue_if_busy: bool = False
    """Wait behind the running turn instead of being refused."""
    skip_pre_submit_resume: bool = False
    replaces_turn_id: NonEmpty[TurnId] | None = None
    """An earlier turn that this one is asked instead of. It and what followed it stay in the log, and the agent no longer
    reads them."""
    runtime_options: RuntimeOptions = Field(default_factory=RuntimeOptions)


class StartTurnResult(WireModel):
    """The turn, accepted or queued; what happens next comes as events."""

    turn: AgentTurn


class CancelTurnParams(WireModel):
    """Stop a turn. What is queued behind it stays, and waits for ``thread/resume``."""

    session_id: NonEmpty[SessionId]
    turn_id: NonEmpty[TurnId]


START_TURN = Method("agentSession/turn/start", StartTurnParams, StartTurnResult)
CANCEL_TURN = Method("agentSession/turn/cancel", CancelTurnParams, Empty)
