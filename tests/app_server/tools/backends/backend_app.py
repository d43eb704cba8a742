"""An app whose backend is a real program: the template's helper, and methods that do what a test wants."""

import json
from pathlib import Path
from typing import Any

from lime_desktop.resources import resources_folder
from tests.conformance.packages import app_md, write_package
from tests.host.bridged import Bridged

HELPER = "backend-python/services/engine/lime_backend.py"
REQUIRES = (
    "requires: {capabilities: {lime.tools: '>=0.3.0', lime.terminal: '>=0.3.0', lime.evidence: '>=0.3.0',"
    " lime.storage: '>=0.3.0', lime.files: '>=0.3.0'}}\n"
    "storage: {namespace: notes}\n"
)
SERVICE: dict[str, Any] = {
    "key": "engine",
    "kind": "app-backend",
    "executionPlane": "client-local",
    "protocol": "stdio-jsonrpc",
    "command": "python3 services/engine/main.py",
    "network": "deny-by-default",
    "requiredCapabilities": ["lime.storage", "lime.evidence"],
}


def write_backend_app(folder: Path, main: str, more: str = "", /, **service: object) -> Path:
    """The package, with `main` as the program."""
    declared = json.dumps([{**SERVICE, **service}])
    helper = (resources_folder() / "templates" / HELPER).read_text("utf-8")
    return write_package(
        folder,
        {
            "APP.md": app_md(f"{REQUIRES}services: {declared}\n{more}"),
            "services/engine/lime_backend.py": helper,
            "services/engine/main.py": main,
        },
    )


async def ask(page: Bridged, method: str, **given: object) -> dict[str, Any]:
    """Have a method carried out, with a person's yes where one is asked for, and wait for its end."""
    call = {"key": f"engine/{method}", "input": given}
    answer = await page("lime.tools.invoke", **call)
    if not answer["ok"] and answer["details"]["appErrorCode"] == "APP_E010":
        answer = await page.allowed("lime.tools.invoke", **call)
    assert answer["ok"], answer
    return await end_of(page, answer["value"])


async def end_of(page: Bridged, run: dict[str, Any]) -> dict[str, Any]:
    """Look at a run until it has ended; the test's own limit bounds it."""
    while run["status"] == "running":
        run = await page.value("lime.tools.getProgress", invocationId=run["invocationId"])
    return run
