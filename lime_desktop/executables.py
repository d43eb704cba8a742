"""The executables of a release: what they are called, and whether this process is one.

Plain Python: whoever builds a release reads it before anything is installed.
"""

import sys

WITH_WINDOW = "lime-desktop"
WITHOUT_WINDOW = "lime-app-server"
"""The one that knows no Qt: the App Server, the commands of the terminal and every child that reads a stranger's bytes."""


def is_frozen() -> bool:
    """Whether this is a release that brings its own Python inside."""
    return bool(getattr(sys, "frozen", False))
