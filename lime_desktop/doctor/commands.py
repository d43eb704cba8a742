"""Are commands that apps run kept apart from the rest of this machine?"""

import sys

from lime_desktop.app_server.tools.commands.sandbox import find_sandbox
from lime_desktop.doctor.finding import Finding, poor, well


def check_command_sandbox() -> Finding:
    """The sandbox around command-line tools. It is not the one around pages."""
    sandbox = find_sandbox()
    if sandbox.absence is None:
        return well("command sandbox", f"commands of apps run in {sandbox.mode}")
    fix = (
        "Install the package bubblewrap, and allow user namespaces"
        if sys.platform == "linux"
        else "Approve commands of apps with care: they can reach what you can reach"
    )
    return poor("command sandbox", sandbox.absence, fix)
