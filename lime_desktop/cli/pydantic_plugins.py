"""Pydantic's plugins, turned off: one would see every value that is validated here, secrets too.

The environment says so to pydantic, also in the processes that are started from here. Even then pydantic
imports what it would search for plugins with, and that draws in mail, sockets and archives: 30 ms, a twelfth
of a start. So the search is replaced before it is imported. Should a later pydantic keep it elsewhere, the
plugins stay off and only the 30 ms come back; the test of the cold start tells.
"""

import os
import sys
from types import ModuleType

_SEARCH = "pydantic.plugin._loader"


def turn_off() -> None:
    """Let pydantic neither load plugins nor look for them. Call it before anything imports pydantic."""
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    search = ModuleType(_SEARCH, "Finds no plugins.")
    vars(search)["get_plugins"] = _no_plugins
    sys.modules.setdefault(_SEARCH, search)


def _no_plugins() -> tuple[()]:
    return ()
