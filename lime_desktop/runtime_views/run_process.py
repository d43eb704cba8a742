"""A task's run folded for display, as published SDKs show it: text, steps, model, usage. Bounded, however long the run."""

from collections import deque
from dataclasses import dataclass, field

from lime_desktop.protocol.agent_tasks import ProcessCost, ProcessModel, ProcessStep, RuntimeProcess
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.event_types import TURN_TERMINALS
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.payload_fields import text
from lime_desktop.runtime_views.costs import Costs
from lime_desktop.runtime_views.payload import mapping, preview
from lime_desktop.runtime_views.task_results import stated_usage

KEPT_STEPS = 200
KEPT_CHARACTERS = 20_000
"""The end of a text is what is being written; its whole is in the events."""

_STATUS = {
    "tool.started": "running",
    "tool.result": "completed",
    "tool.failed": "failed",
    "action.required": "waiting",
    "action.resolved": "answered",
    "artifact.changed": "created",
    "evidence.changed": "recorded",
}


@dataclass(slots=True)
class RunProcess:
    """What the events of a run add up to on a screen."""

    _steps: deque[ProcessStep] = field(
        default_factory=lambda: deque[ProcessStep](maxlen=KEPT_STEPS)
    )
    _words: str = ""
    _thoughts: str = ""
    _work: str = ""
    _model: ProcessModel | None = None
    _usage: JsonObject | None = None
    _costs: Costs = field(default_factory=Costs)
    _is_over: bool = False
    _counts: dict[str, int] = field(default_factory=dict[str, int])

    def note(self, event: RuntimeEvent) -> None:
        """Take one event of the run."""
        family = event.type.partition(".")[0]
        self._counts[family] = self._counts.get(family, 0) + 1
        if event.subagent_id is None:  # A part of the run tells of its own tokens, not of all.
            self._usage = mapping(event, "usage") or self._usage
        match event.type:
            case "model.delta":
                self._words = _end(self._words + (text(event, "delta", "text") or ""))
            case "reasoning.summary":
                self._thoughts = _end(self._thoughts + (text(event, "summary", "delta") or ""))
            case "model.requested":
                self._model = _model(event) or self._model
            case "cost.recorded" | "cost.estimated":
                self._costs.note(event)
            case _ if event.type in _STATUS:
                self._add(event, family)
            case _ if event.type in TURN_TERMINALS:
                self._is_over = True
            case _:
                pass

    def view(self) -> RuntimeProcess:
        """The run as it stands."""
        return RuntimeProcess(
            timeline=tuple(self._steps),
            stream_text=self._words,
            thinking_text=self._thoughts,
            execution_text=self._work,
            model=self._model,
            usage=stated_usage(self._usage),
            cost=_cost(self._costs),
            terminal=self._is_over,
            collapsed_by_default=self._is_over,
            routing_count=self._counts.get("routing", 0),
            execution_count=self._counts.get("tool", 0),
            artifact_count=self._counts.get("artifact", 0),
        )

    def _add(self, event: RuntimeEvent, family: str) -> None:
        title = preview(event, "title", "toolName", "prompt") or family
        message = preview(event, "displayPreview", "preview", "message") or ""
        step = ProcessStep(
            kind=family,
            title=title,
            status_text=_STATUS[event.type],
            message=message,
            collapse_key=event.tool_call_id or event.action_id or event.artifact_id,
            tool_name=preview(event, "toolName"),
            tool_call_id=event.tool_call_id,
        )
        self._steps.append(step)
        if family == "tool":
            self._work = _end(f"{self._work}{title}: {step.status_text}\n")


def _cost(costs: Costs) -> ProcessCost | None:
    total = costs.total()
    return ProcessCost(**total.model_dump(), total_cost=total.amount) if total else None


def _model(event: RuntimeEvent) -> ProcessModel | None:
    name = text(event, "model")
    if name is None:
        return None
    provider = text(event, "provider") or ""
    return ProcessModel(provider=provider, model=name, label=f"{provider} {name}".strip())


def _end(written: str) -> str:
    return written[-KEPT_CHARACTERS:]
