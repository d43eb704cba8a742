"""What was asked of a task, as it travels with its turn: in the turn's own input, so that every process can read it."""

import hashlib

import msgspec
from pydantic import JsonValue, ValidationError

from lime_desktop.protocol.agent_tasks import StartTaskParams
from lime_desktop.protocol.calls.turns import (
    MAX_INPUT_CHARACTERS,
    Attachment,
    RuntimeOptions,
    StructuredOutput,
    TaskProfile,
    TurnInput,
)
from lime_desktop.protocol.errors import InvalidInput
from lime_desktop.protocol.ids import (
    AppId,
    JsonObject,
    NonEmpty,
    SessionId,
    TaskId,
    TraceId,
    TurnId,
)
from lime_desktop.protocol.provenance import Provenance
from lime_desktop.protocol.wire import Maybe, WireModel

_METADATA = "agentTask"
_RETRY = ":retry:"
_SECRETS, _TOOLS, _KNOWLEDGE = "allowedSecrets", "allowedTools", "allowedKnowledge"
"""Under these the limits of a turn reach whoever works for it."""


class TaskRequest(WireModel):
    """A request and who made it."""

    request: StartTaskParams
    provenance: Provenance
    idempotency_key: NonEmpty[str]
    """The caller's, or one that was made for it."""
    retry_of_task_id: Maybe[TaskId] = None
    retry_attempt: int = 0
    trace_id: TraceId = TraceId("")
    locale: Maybe[str] = None
    """The language of whoever asked, for what they are told of it."""

    @property
    def app_id(self) -> AppId:
        """Whose task it is."""
        return self.provenance.app_id

    @property
    def turn_id(self) -> TurnId:
        """The turn of this key: the same for the same app and key, so that a repetition finds it."""
        named = self.request.turn_id
        return named or TurnId(f"turn_{_digest(self.app_id, self.idempotency_key)}")

    @property
    def new_session_id(self) -> SessionId:
        """The session of this key, where the task begins one."""
        return SessionId(f"session_{_digest(self.app_id, self.idempotency_key)}")

    @property
    def wants_its_words(self) -> bool:
        """Whether something is done with the answer, whatever its form: it is kept, or a person reads it first."""
        expected = self.request.expected_output
        keeps = expected is not None and expected.artifact_kind is not None
        return keeps or self.wants_review

    @property
    def wants_review(self) -> bool:
        """Whether a person accepts the result before it is written back: any word about a review but a plain no."""
        return self.request.human_review is not False

    def is_same_request(self, other: "TaskRequest") -> bool:
        """Whether both ask for the same, whoever of one app asked when."""
        return (self.request, self.idempotency_key) == (other.request, other.idempotency_key)

    def again(self, task_id: TaskId, provenance: Provenance, trace_id: TraceId) -> "TaskRequest":
        """The same request once more; asked twice, it is still one more."""
        attempt = self.retry_attempt + 1
        key = f"{self.idempotency_key.partition(_RETRY)[0]}{_RETRY}{attempt}"
        request = self.request.model_copy(update={"idempotency_key": key, "turn_id": None})
        return TaskRequest(
            request=request,
            provenance=provenance,
            idempotency_key=key,
            retry_of_task_id=task_id,
            retry_attempt=attempt,
            trace_id=trace_id,
            locale=self.locale,
        )

    def turn_input(self) -> TurnInput:
        """What the agent is told: the prompt, then the app's input as data."""
        request = self.request
        text = request.prompt or request.title or request.task_kind or request.entry or ""
        if request.input is not None:
            data = msgspec.json.encode(request.input).decode()
            text = f"{text}\n\nInput, as data:\n```json\n{data}\n```"
        if len(text) > MAX_INPUT_CHARACTERS:
            raise InvalidInput.at_fields([("input", "too_long")])
        attachments = tuple(Attachment(kind="file", uri=ref) for ref in request.files)
        return TurnInput(text=text, attachments=attachments)

    def options(self, output: StructuredOutput | None) -> RuntimeOptions:
        """How the turn is to run."""
        return RuntimeOptions(
            stream=True,
            provider_preference=self.request.provider_preference,
            model_preference=self.request.model_preference,
            structured_output=output,
            task_profile=self._profile(),
            # As text: the names of an app's own fields are its business.
            metadata={_METADATA: self.model_dump_json(by_alias=True, exclude_unset=True)},
        )

    def _profile(self) -> TaskProfile:
        """What kind of work it is, for whoever chooses a model."""
        request = self.request
        # Capabilities of the host were checked by policy; what is left is asked of the model.
        of_model = [name for name in request.required_capabilities if not name.startswith("lime.")]
        needs_tools = any(tool.required for tool in request.tools)
        return TaskProfile(
            kind=request.task_kind or "task",
            required_capabilities=tuple(
                dict.fromkeys([*of_model, *(["tools"] if needs_tools else [])])
            ),
            cost_limit=request.cost_limit,
            timeout_ms=request.timeout_ms,
            max_output_tokens=request.max_output_tokens,
        )


def task_request_in(options: RuntimeOptions) -> TaskRequest | None:
    """The task that a turn belongs to; None for a turn that no app asked for this way."""
    text = (options.metadata or {}).get(_METADATA)
    if not isinstance(text, str):
        return None
    try:
        return TaskRequest.model_validate_json(text)
    except ValidationError:
        return None


def capability_hints(options: RuntimeOptions) -> tuple[str, ...]:
    """What a model had better be able to do for a turn: what its task hinted at."""
    asked = task_request_in(options)
    return asked.request.capability_hints if asked else ()


def allowed_secrets(options: RuntimeOptions) -> frozenset[str] | None:
    """The slots that the tools of a turn may use: those that its task named; None where nobody limited them."""
    if (handed_on := _handed_on(options, _SECRETS)) is not None:
        return handed_on
    asked = task_request_in(options)
    if asked is None or "secrets" not in asked.request.model_fields_set:
        return None
    return frozenset(asked.request.secrets)


def allowed_tools(options: RuntimeOptions) -> frozenset[str] | None:
    """The tools that a turn is about, by name or keyword: those that its task named; None where it named none."""
    if (handed_on := _handed_on(options, _TOOLS)) is not None:
        return handed_on
    asked = task_request_in(options)
    if asked is None or not asked.request.tools:
        return None
    return frozenset(tool.key for tool in asked.request.tools)


def allowed_knowledge(options: RuntimeOptions) -> frozenset[str] | None:
    """The knowledge that a turn may read, likewise; an empty list is a wish too: nothing is to be looked up."""
    if (handed_on := _handed_on(options, _KNOWLEDGE)) is not None:
        return handed_on
    asked = task_request_in(options)
    if asked is None or "knowledge" not in asked.request.model_fields_set:
        return None
    return frozenset(binding.key for binding in asked.request.knowledge)


def limits_of_subagents(options: RuntimeOptions) -> JsonObject:
    """What a turn's limits are to whoever works for it, as host options: a subagent gets no more than its parent."""
    limits = {
        _SECRETS: allowed_secrets(options),
        _TOOLS: allowed_tools(options),
        _KNOWLEDGE: allowed_knowledge(options),
    }
    return {
        name: list[JsonValue](sorted(allowed))
        for name, allowed in limits.items()
        if allowed is not None
    }


def _handed_on(options: RuntimeOptions, limit: str) -> frozenset[str] | None:
    """What was handed on by the turn that this one works for."""
    handed_on = (options.host_options or {}).get(limit)
    return frozenset(map(str, handed_on)) if isinstance(handed_on, list) else None


def _digest(app_id: AppId, key: str) -> str:
    # Parts apart, whatever characters are in them.
    return hashlib.sha256(msgspec.json.encode([app_id, key])).hexdigest()[:32]
