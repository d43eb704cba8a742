"""What must an answer rest on? The passages that were found for a task, and what it brought along if it says so. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from lime_desktop.app_server.answer_guards.grounding import texts_in
from lime_desktop.app_server.answer_guards.withheld import withheld
from lime_desktop.app_server.context.attachments import Attached
from lime_desktop.app_server.runtime_core.backend import Source, TurnRequest
from lime_desktop.app_server.task_request import TaskRequest, task_request_in
from lime_desktop.protocol.capability_calls.knowledge import KnowledgeRecord


def with_sources(
    request: TurnRequest, passages: Sequence[KnowledgeRecord], attached: Attached
) -> TurnRequest:
    """The turn with what its answer must rest on; the same where nothing was said of that.

    Raises:
        AnswerWithheld: its answer must rest on something, and there is nothing.
    """
    asked = task_request_in(request.options)
    if asked is None:
        return request
    found = tuple(Source(each.title, each.snippet) for each in passages)
    if not _demands(asked):
        # Who names where to look wants an answer from there.
        return replace(request, sources=found) if asked.request.knowledge else request
    sources = (*found, *_brought(asked, attached))
    if not sources:
        raise withheld("nothing_found")
    return replace(request, sources=sources, demands_grounding=True)


def _demands(asked: TaskRequest) -> bool:
    expected = asked.request.expected_output
    return expected is not None and bool(expected.grounded)


def _brought(asked: TaskRequest, attached: Attached) -> Iterator[Source]:
    if given := "\n".join(texts_in(asked.request.input)):
        yield Source("", given)
    for part in attached.parts:
        yield Source(part.name, part.text)
