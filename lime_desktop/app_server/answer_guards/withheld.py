"""What is said in the place of an answer that is not shown."""

from collections.abc import Sequence

from lime_desktop.protocol.errors import AnswerWithheld

_MOST_NAMED = 5

_MESSAGES = {
    "repeats": "The model began to repeat itself, so its answer was stopped.",
    "empty": "The model gave an empty answer.",
    "echo": "The model only repeated the question.",
    "ungrounded": "The model's answer had nothing to do with what was found, so it is not shown.",
    "nothing_found": "Nothing was found to answer from, so no model was asked.",
}


def withheld(reason: str, found: Sequence[str] = ()) -> AnswerWithheld:
    """The catalogue's error for a reason, and what was found instead."""
    message = _MESSAGES[reason]
    named = list(dict.fromkeys(found))[:_MOST_NAMED]
    if named:
        message = f"{message} Found: {', '.join(named)}."
    return AnswerWithheld(message, details={"reasonCode": reason, "found": named})
