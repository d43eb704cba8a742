"""What a call would do, told without doing it: by its own word, its tool's, and those of the operations it carries out."""

from collections.abc import Iterable, Iterator

from lime_desktop.host.requests.asked_call import AskedCall
from lime_desktop.policy.call import Call
from lime_desktop.policy.declared import Declared
from lime_desktop.policy.reading import Reading, read_call
from lime_desktop.policy.vocabulary import strongest
from lime_desktop.protocol.capability_calls.call import DryRunResult


def foresee(asked: AskedCall, page: Call, declared: Declared) -> DryRunResult:
    """Sum up the page's call and, where it leads to a tool, what the tool would do."""
    calls = (page,) if asked.tool is None else (page, asked.tool.own_call(page))
    readings = [read_call(each, declared) for each in calls]
    return DryRunResult(
        call=asked.call.name,
        operation=calls[-1].operation,
        side_effect=strongest(effect for reading in readings for effect in reading.effects),
        reaches=tuple(dict.fromkeys(_reached(readings))),
    )


def _reached(readings: Iterable[Reading]) -> Iterator[str]:
    for reading in readings:
        yield from map(str, reading.call.targets)
        for operation in reading.operations:
            if operation.integration is not None:
                yield f"integration {operation.integration}"
