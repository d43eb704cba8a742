"""A deliverable on sheets or as a picture: drawn by a child that has Qt, with little room, for the server itself has none."""

import asyncio
import json
import subprocess
from typing import Literal

from lime_desktop.app_server.children.leashed_process import LeashedProcess, Streams
from lime_desktop.child_limits import bare_environment
from lime_desktop.own_programs import qt_module_command
from lime_desktop.protocol.errors import CapabilityNotAvailable, InvalidInput, TimedOut

PrintedForm = Literal["pdf", "png"]

DEADLINE_S = 120.0
_CHILD = "lime_desktop.shell.pictures.page_child"
_TOO_LONG = 3
"""How the child ends where a page is too long for a picture."""
_FONTS = ("FONTCONFIG_FILE", "FONTCONFIG_PATH", "HOME", "XDG_DATA_HOME", "XDG_DATA_DIRS")
"""Where fonts are looked for: without those of the person, their script may have none."""


async def print_page(page: str, form: PrintedForm) -> bytes:
    """Print a page of HTML. Nothing that it refers to is loaded.

    Raises:
        CapabilityNotAvailable: there is no Qt here.
        InvalidInput: it is too long for a picture.
        TimedOut: it took too long.
    """
    child = await LeashedProcess.start(
        qt_module_command(_CHILD),
        environment=bare_environment(*_FONTS),
        streams=Streams(subprocess.PIPE, subprocess.PIPE),
    )
    head = json.dumps({"form": form}).encode() + b"\n"
    try:
        async with asyncio.timeout(DEADLINE_S):
            body, _ = await child.process.communicate(head + page.encode("utf-8", "replace"))
    except TimeoutError:
        raise TimedOut("Printing the document took too long") from None
    finally:
        await asyncio.shield(child.stop())
    if child.process.returncode == _TOO_LONG:
        raise InvalidInput.at_fields([("content", "too_long_for_a_picture")])
    if child.process.returncode or not body:
        raise CapabilityNotAvailable(f"This host can't write {form}: its Qt did not start")
    return body
