"""The last line of an App Server that could not start: why, in the form in which every failure travels.

Written to standard error, since standard output carries nothing but the conversation that never began.
"""

import json
from typing import cast

from lime_desktop.protocol.errors import AppError, error_from_data

_KEY = "startFailed"


def start_failure_line(error: AppError) -> str:
    """The line that a server leaves behind."""
    return json.dumps({_KEY: error.to_data()})


def parse_start_failure(line: str) -> AppError | None:
    """The failure that a line tells of; nothing for every other line."""
    if not line.startswith(f'{{"{_KEY}"'):
        return None
    try:
        told = json.loads(line)
    except ValueError:
        return None
    return error_from_data(cast("dict[str, object]", told)[_KEY])
