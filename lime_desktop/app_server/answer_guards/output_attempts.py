"""How often may an output be tried, and what is told of each attempt? The one owner of retries of structured output.

Two go by it: an engine that corrects its model within the conversation, and the middleware, which runs the turn of any
other engine once more. Neither counts beside it, so that a task is tried as often as it says, whoever runs it.
"""

from dataclasses import dataclass

from lime_desktop.app_server.answer_guards.output_demand import OutputDemand, Unfit
from lime_desktop.protocol.errors import AppError, StructuredOutputInvalid, TaskFailed
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent


@dataclass(frozen=True, slots=True)
class OutputAttempts:
    """The attempts that one turn has made."""

    demand: OutputDemand
    made: int = 0

    def after(self, more: int = 1) -> "OutputAttempts":
        """The same after some more."""
        return OutputAttempts(self.demand, self.made + more)

    @property
    def are_spent(self) -> bool:
        """Whether the output was tried as often as it may be."""
        return self.made > self.demand.max_retries

    @property
    def failure(self) -> AppError:
        """How a turn ends whose attempts are spent: as the task wants it told."""
        message = f"The output did not fit its schema in {self.made} attempts."
        return TaskFailed(message) if self.fails_plainly else StructuredOutputInvalid(message)

    @property
    def fails_plainly(self) -> bool:
        """Whether the task wants a failure like any other."""
        return self.demand.failure_subtype == "error_during_execution"

    def retrying(self, unfit: Unfit) -> ProposedEvent:
        """That the output does not fit yet."""
        detail = "The output does not fit its schema; the agent tries again."
        payload: JsonObject = {"phase": "verifying", "detail": detail, **self.facts(unfit)}
        return ProposedEvent(type="run.status", phase="verifying", payload=payload)

    def facts(self, unfit: Unfit) -> JsonObject:
        """What is told of an attempt that does not fit: names places, and repeats nothing of it."""
        return {
            "outputAttempts": self.made,
            "unfitPaths": [complaint.path for complaint in unfit.complaints],
        }


def complaints_in(unfit: Unfit) -> str:
    """What was wrong, one line each, for whoever is to do it better."""
    return "\n".join(f"- {each.path or '/'}: {each.text}" for each in unfit.complaints)
