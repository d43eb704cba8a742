"""What is one event of a recording about, in a few words that are the same in every language?"""

from typing import cast

from pydantic import JsonValue

from lime_desktop.developer.recording.lines import (
    FetchFailedLine,
    FetchOpenedLine,
    FromAppLine,
    InputLine,
    Line,
    RouteLine,
    SocketClosedLine,
    SocketMessageLine,
    TimerLine,
    ToAppLine,
)


def subject_of(line: Line) -> str:
    """The call, the element, the route: whatever tells one event from the next of its kind."""
    match line:
        case FromAppLine(message=message) | ToAppLine(message=message):
            return _message(message)
        case InputLine(event=event):
            shown = event.get("value") if event.get("type") == "input" else event.get("key")
            words = (event.get("type"), event.get("label"), shown)
            return " · ".join(str(each) for each in words if each)
        case RouteLine(route=words) | FetchFailedLine(message=words):
            return words
        case SocketMessageLine(text=str(words)) | SocketClosedLine(reason=words):
            return words
        case FetchOpenedLine(status=number) | TimerLine(id=number):
            return str(number)
        case _:
            return ""


def _message(message: JsonValue) -> str:
    if not isinstance(message, dict):
        return ""
    payload = message.get("payload")
    call = cast("dict[str, JsonValue]", payload) if isinstance(payload, dict) else {}
    if "capability" in call and "method" in call:
        return f"{call['capability']}.{call['method']}"
    return str(message.get("type", ""))
