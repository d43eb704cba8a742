"""Says so where a call answers with a code that its declaration does not name: the fault is ours, never the app's.

The app gets its answer all the same. Every test fails in which this is logged.
"""

import logging

from lime_desktop.protocol.capability_calls.table import AnyCall, call_of
from lime_desktop.protocol.errors import AppError

log = logging.getLogger(__name__)


def note_failure(call: AnyCall, error: AppError) -> None:
    """Log a failure that is not declared for this call."""
    if not call.may_answer(error):
        log.error(
            "a call failed with a code that is not declared for it",
            extra={"call": call.name, "code": error.code},
        )


def note_failure_of(name: str, error: AppError) -> None:
    """The same for a call by its name; what is no call of any capability has nothing declared."""
    call = call_of(name)
    if call is not None:
        note_failure(call, error)
