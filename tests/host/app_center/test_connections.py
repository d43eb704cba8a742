"""The review names every way by which the outside reaches an app, and a command shows what waits (the issue)."""

import asyncio
import time
from pathlib import Path

from lime_desktop.app_server.tools.webhooks.queue import Incoming, QueueKey, open_webhook_queue
from lime_desktop.host.user_profile.user_paths import app_server_folder
from tests.cli.test_app_commands import AGREED, Terminal
from tests.conformance.packages import app_md, write_package
from tests.host.view.test_webhooks import MANIFEST

BROWSER = "  - {key: portal, provider: Portal, role: site, adapter: {kind: browser}}\n"
HOOK = QueueKey("notes", "orders")


async def _receive(data: Path) -> str:
    """Put a message into the queue, as a server did that was then killed."""
    queue = open_webhook_queue(app_server_folder(data))
    await queue.switch_on(HOOK, "hash")
    message = Incoming("json", b'{"order": 7}', {}, time.time_ns() // 1_000_000)
    name = await queue.add(HOOK, message)
    queue.close()
    assert name
    return name


def test_the_review_names_a_webhook_and_a_browser_and_the_command_shows_what_waits(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    terminal = Terminal(data)
    package = write_package(tmp_path, {"APP.md": app_md(MANIFEST + BROWSER)})
    review = terminal.run("install", package, "--review")["review"]
    named, browser = review["connections"]
    assert (browser["key"], browser["kind"]) == ("portal", "browser")
    assert "web pages of Portal" in browser["text"]
    assert (named["key"], named["kind"]) == ("orders", "webhook")
    assert "Receives messages from Shop" in named["text"]
    assert named["text"] in review["can"]
    terminal.run("install", package, *AGREED)
    empty = terminal.run("apps", "webhooks", "notes")
    assert empty["webhooks"] == [{"connectorId": "orders", "isOn": False, "refused": 0}]
    name = asyncio.run(_receive(data))
    full = terminal.run("apps", "webhooks", "notes")
    assert full["webhooks"][0]["isOn"]
    [entry] = full["entries"]
    assert (entry["id"], entry["sizeBytes"]) == (name, 12)
    assert "bodyBase64" not in entry
    assert '{"order": 7}' in terminal.read("apps", "webhooks", "notes", "--bodies")
    assert terminal.run("apps", "webhooks", "nobody", expected=1)["code"] == "APP_E031"
