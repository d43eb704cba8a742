"""Output that must have a form: asked for as the call of a tool that takes it, or in words where a model has no tools."""

import json
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue
from pydantic_ai.messages import ModelRequestPart, ModelResponse, ToolCallPart, ToolReturnPart
from pydantic_ai.messages import UserPromptPart as UserPart
from pydantic_ai.tools import ToolDefinition

from lime_desktop.app_server.answer_guards.output_demand import (
    Fits,
    OutputDemand,
    Unfit,
    complaints_in,
)
from lime_desktop.app_server.execution.model_engine.conversation import read_arguments
from lime_desktop.app_server.execution.model_engine.rounds import text_of
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.task_request import task_request_in
from lime_desktop.protocol.calls.models import ModelDescription
from lime_desktop.protocol.calls.turns import StructuredOutput
from lime_desktop.protocol.ids import JsonObject

OUTPUT_TOOL = "deliver_result"
_WRAPPED = "result"
"""A tool takes an object; any other value travels in one under this name."""


@dataclass(frozen=True, slots=True)
class OutputForm:
    """The form that the last answer must have."""

    demand: OutputDemand
    way: Literal["tool", "words"]

    @classmethod
    def of(cls, request: TurnRequest, model: ModelDescription) -> "OutputForm | None":
        """What a turn demands of this model, if it demands a form at all."""
        options = request.options
        output = options.structured_output
        if output is None and options.output_schema is not None:
            output = StructuredOutput.model_validate({"schema": options.output_schema})
        asked = task_request_in(options)
        demand = OutputDemand.of(output, (asked and asked.request.prompt) or "")
        if demand is None:
            return None
        return cls(demand, "tool" if "tools" in model.capabilities else "words")

    def tool(self) -> ToolDefinition:
        """The tool that takes the output."""
        return ToolDefinition(
            name=OUTPUT_TOOL,
            description="Deliver the final result of the task. Call it once, when the work is done.",
            parameters_json_schema=self._tool_schema(),
            kind="output",
        )

    def words(self) -> str:
        """The demand in words."""
        if self.way == "tool":
            return f"Finish by calling the tool {OUTPUT_TOOL} with the result."
        schema = json.dumps(self.demand.schema_object, ensure_ascii=False)
        return f"Answer with one JSON value that fits this JSON Schema, and nothing else:\n{schema}"

    def check(self, response: ModelResponse) -> Fits | Unfit:
        """Does this answer have the form?"""
        part = output_call(response)
        if part is None:
            return self.demand.check({}, text_of(response))
        arguments = read_arguments(part)
        if arguments is None:
            return self.demand.check({}, "")
        return self.demand.check({"structuredOutput": self._unwrapped(arguments)}, "")

    def correction(self, response: ModelResponse, unfit: Unfit) -> list[ModelRequestPart]:
        """What to say about an answer that has it not."""
        wrong = complaints_in(unfit)
        said = (
            f"This does not fit the JSON Schema of the task:\n{wrong}\nDeliver it again, corrected."
        )
        part = output_call(response)
        if part is None:
            return [UserPart(said)]
        return [
            ToolReturnPart(
                tool_name=part.tool_name,
                content=said,
                tool_call_id=part.tool_call_id,
                outcome="failed",
            )
        ]

    @property
    def _is_object(self) -> bool:
        return self.demand.schema_object.get("type") == "object"

    def _tool_schema(self) -> JsonObject:
        schema = dict(self.demand.schema_object)
        if self._is_object:
            return schema
        # References in a schema start at its root, and the root is ours now.
        shared = {name: schema.pop(name) for name in ("$defs", "definitions") if name in schema}
        return {
            "type": "object",
            "properties": {_WRAPPED: schema},
            "required": [_WRAPPED],
            **shared,
        }

    def _unwrapped(self, arguments: JsonObject) -> JsonValue:
        return arguments if self._is_object else arguments.get(_WRAPPED)


def output_call(response: ModelResponse) -> ToolCallPart | None:
    """The call that delivers the output, if the answer holds one."""
    calls = (part for part in response.parts if isinstance(part, ToolCallPart))
    return next((part for part in calls if part.tool_name == OUTPUT_TOOL), None)
