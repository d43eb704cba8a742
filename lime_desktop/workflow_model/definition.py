"""A whole workflow from plain JSON: its outline for the picture, what is wrong with it, and the definition if nothing is."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from lime_desktop.workflow_model.checking import check_whole
from lime_desktop.workflow_model.expressions.templates import Template
from lime_desktop.workflow_model.fields import Declared, Fields, Findings, IsSchema
from lime_desktop.workflow_model.flaws import Flaw, FlawKind
from lime_desktop.workflow_model.kinds import KNOWN_STATE_KINDS, StateKind
from lime_desktop.workflow_model.outline import MOST_STATES, Outline, outline_of
from lime_desktop.workflow_model.recovery import ON_ERROR, ON_TIMEOUT, Do, Recovery, Retry
from lime_desktop.workflow_model.state_fields import read_retry
from lime_desktop.workflow_model.state_reading import read_state
from lime_desktop.workflow_model.states import Schema, State

_SCHEMA_WORDS = frozenset({"type", "properties", "$ref", "$schema", "anyOf", "oneOf", "allOf"})


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run may take at most."""

    duration_s: float | None = None
    cost_usd: float | None = None
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class WorkflowDefinition:
    """A workflow that a host can carry out."""

    key: str
    title: str | None
    first: str
    states: Mapping[str, State]
    recovery: Recovery
    retry: Retry | None
    inputs: Schema | None
    outputs: Mapping[str, Template]
    limits: Limits
    artifact_outputs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DescribedWorkflow:
    """What was made of what an author wrote."""

    outline: Outline
    flaws: tuple[Flaw, ...]
    definition: WorkflowDefinition | None
    """None where a flaw prevents running it."""

    @property
    def missing(self) -> tuple[str, ...]:
        """What keeps it from being executable, in sentences."""
        return tuple(dict.fromkeys(flaw.message for flaw in self.flaws if flaw.prevents_running))


def definition_from(
    written: Mapping[str, object], *, key: str, is_schema: IsSchema, declared: Declared
) -> DescribedWorkflow:
    """Read a workflow. Takes any JSON and never raises."""
    findings = Findings(is_schema, declared)
    top = Fields(findings, written, ())
    outline = outline_of(written)
    states = dict(_states(findings, written, outline.keys))
    made = WorkflowDefinition(
        key=key,
        title=top.text("title"),
        first=outline.first or "",
        states=states,
        recovery=_recovery(top, outline.keys),
        retry=_retry_policy(top),
        inputs=_inputs(top),
        outputs=dict(_outputs(top)),
        limits=_limits(top),
        artifact_outputs=top.texts("artifactOutputs"),
    )
    check_whole(findings, outline, written, is_bounded=made.limits.duration_s is not None)
    is_fit = not any(flaw.prevents_running for flaw in findings.flaws)
    flaws = tuple(dict.fromkeys(findings.flaws))
    return DescribedWorkflow(outline, flaws, made if is_fit else None)


def _states(
    findings: Findings, written: Mapping[str, object], keys: frozenset[str]
) -> Iterator[tuple[str, State]]:
    listed = written.get("states")
    items = cast("list[object]", listed) if isinstance(listed, list) else []
    if not items:
        message = "The workflow has no states that a host could run."
        findings.flaws.append(Flaw(FlawKind.STATES_MISSING, (), message))
    if len(items) > MOST_STATES:
        message = f"A workflow has at most {MOST_STATES} states."
        findings.flaws.append(Flaw(FlawKind.FIELD_UNFIT, ("states", MOST_STATES), message))
    seen: set[str] = set()
    for at, item in enumerate(items[:MOST_STATES]):
        found = _state(findings, item, at, keys)
        if found is None:
            continue
        if found.key in seen:
            message = f"Two states are called `{found.key[:64]}`."
            findings.flaws.append(Flaw(FlawKind.KEY_TWICE, ("states", at), message, found.key))
        seen.add(found.key)
        yield found.key, found


def _state(findings: Findings, item: object, at: int, keys: frozenset[str]) -> State | None:
    written = cast("Mapping[str, object]", item if isinstance(item, dict) else {})
    key, kind = written.get("key"), written.get("kind")
    if not (isinstance(key, str) and key and isinstance(kind, str) and kind):
        message = "The state has no `key` and `kind`, or a field of the wrong type."
        findings.flaws.append(Flaw(FlawKind.STATE_MALFORMED, ("states", at), message))
        return None
    fields = Fields(findings, written, ("states", at), key)
    if kind not in KNOWN_STATE_KINDS:
        fields.flaw(FlawKind.KIND_UNKNOWN, f"No kind of state is called {kind[:40]!r}.")
        return None
    return read_state(StateKind(kind), fields, keys)


def _recovery(top: Fields, keys: frozenset[str]) -> Recovery:
    if not isinstance(top.written.get("recovery"), dict):
        top.flaw(FlawKind.RECOVERY_MISSING, "The workflow does not say how it recovers.", "states")
    fields = top.inner(top.mapping("recovery") or {}, "recovery")
    return Recovery(
        on_error=fields.reaction("onError", ON_ERROR, keys) or Do("fail"),
        on_timeout=fields.reaction("onTimeout", ON_TIMEOUT, keys) or Do("fail"),
        most_retries=fields.count("maxRetries") or 0,
        saves_checkpoint=fields.written.get("saveCheckpoint") is not False,
    )


def _retry_policy(top: Fields) -> Retry | None:
    """The standard leaves the policy's fields open: ours are read, and `maxRetries` for `max`."""
    written = top.mapping("retryPolicy")
    if written is None:
        return None
    named = {"max": written.get("max", written.get("maxRetries")), **written}
    return read_retry(Fields(top.findings, {"retryPolicy": named}, ()), "retryPolicy")


def _inputs(top: Fields) -> Schema | None:
    """A JSON Schema; what has no word of one is the standard's free object, and demands nothing."""
    written = top.mapping("inputs")
    is_schema = written is not None and not _SCHEMA_WORDS.isdisjoint(written)
    return top.schema("inputs") if is_schema else None


def _outputs(top: Fields) -> Iterator[tuple[str, Template]]:
    outputs = top.inner(top.mapping("outputs") or {}, "outputs")
    for name in outputs.written:
        if (found := outputs.template(name)) is not None:
            yield name, found


def _limits(top: Fields) -> Limits:
    cost = top.inner(top.mapping("costLimit") or {}, "costLimit")
    milliseconds = top.count("timeoutMs", least=1)
    longest = top.duration("maxDuration")
    bounds = [each for each in (longest, milliseconds and milliseconds / 1_000) if each]
    return Limits(
        duration_s=min(bounds, default=None),
        cost_usd=cost.number("usd"),
        tokens=cost.count("tokens"),
    )
