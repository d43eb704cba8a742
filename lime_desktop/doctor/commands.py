"""Are commands that apps run kept apart from the rest of this machine?"""

from lime_desktop.app_server.tools.commands.sandbox import find_sandbox
from lime_desktop.doctor.finding import Finding, poor, well


def check_command_sandbox() -> Finding:
    """The sandbox around command-line tools. It is not the one around pages."""
    sandbox = find_sandbox()
    if sandbox.absence is None:
        return well("command sandbox", f"commands of apps run in {sandbox.mode}")
    fix = sandbox.mend or "lime-desktop apps without-sandbox APP --allow, for an app that you trust"
    told = f"{sandbox.absence} Programs of apps do not run without one."
    return poor("command sandbox", told, fix)
