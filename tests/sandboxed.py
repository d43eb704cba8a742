"""For tests that run a program of an app: without a sandbox there is none (see tests/app_server/tools/commands)."""

import pytest

from lime_desktop.app_server.tools.commands.sandbox import find_sandbox

NEEDS_SANDBOX = pytest.mark.skipif(
    find_sandbox().mode == "none", reason=f"no program runs here: {find_sandbox().absence}"
)
