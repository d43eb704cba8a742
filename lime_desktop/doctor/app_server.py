"""Does the App Server start here, are commands of apps kept apart from the machine, and did the program crash?"""

import json
import time
from collections.abc import Iterator
from pathlib import Path

from lime_desktop.app_server.tools.commands.sandbox import find_sandbox
from lime_desktop.doctor import probe
from lime_desktop.doctor.finding import Finding, ill, poor, well
from lime_desktop.durable_files.crash_reports import left_reports

_CHECK = "App Server"

_START = """
import asyncio, json, tempfile
from pathlib import Path
from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.protocol.errors import AppError

async def start(folder):
    try:
        sidecar = await Sidecar.start(app_server_command(Path(folder)))
    except AppError as error:
        lines = error.details.get("lastLines") or [""]
        return [f"{error.code}: {error.message}", lines[-1], error.user_action]
    await sidecar.stop()

with tempfile.TemporaryDirectory(prefix="lime-doctor-") as folder:
    print(json.dumps(asyncio.run(start(folder))))
"""
"""On an empty folder: whether the person's own data can be opened is said of each database."""


def check_app_server() -> Finding:
    """Start one, and end it."""
    answer = probe.ask(_START)
    if answer.failure is not None:
        return ill(_CHECK, f"could not be tried: {answer.failure}", "Install Lime Desktop again")
    failure = json.loads(answer.text)
    if failure is None:
        return well(_CHECK, "starts and answers")
    words, last_line, advice = failure
    return ill(_CHECK, f"cannot start: {words}{f' ({last_line})' if last_line else ''}", advice)


def check_crashes(data: Path) -> Iterator[Finding]:
    """What a crash left that nobody has looked at."""
    for report in left_reports(data / "crashes"):
        moment = time.strftime("%Y-%m-%d %H:%M", time.localtime(report.at_s))
        place = data / "crashes" / f"{report.name}.txt"
        yield poor("crash", f"{report.name} ended unexpectedly, {moment}", f"Its report: {place}")


def check_command_sandbox() -> Finding:
    """The sandbox around command-line tools. It is not the one around pages."""
    sandbox = find_sandbox()
    if sandbox.absence is None:
        return well("command sandbox", f"commands of apps run in {sandbox.mode}")
    fix = sandbox.mend or "lime-desktop apps without-sandbox APP --allow, for an app that you trust"
    told = f"{sandbox.absence} Programs of apps do not run without one."
    return poor("command sandbox", told, fix)
