"""A backend's way out: none, or the host's proxy to the sites that a person granted, counted in the app's name."""

from pathlib import Path

import pytest

from lime_desktop.host.proxy.destination import Verdict
from tests.app_server.tools.backends.backend_app import ask, write_backend_app
from tests.app_server.tools.carried import a_site, page
from tests.host.bridged import bridged, run
from tests.sandboxed import NEEDS_SANDBOX

pytestmark = NEEDS_SANDBOX

HOST = "api.example.com"
FETCHER = """
import urllib.request
from lime_backend import Backend

backend = Backend()


@backend.method
def fetch(call, input):
    try:
        with urllib.request.urlopen(input["url"], timeout=10) as answer:
            return answer.read().decode()
    except OSError as error:
        return "refused: " + type(error).__name__


backend.serve()
"""
PERMISSION = f"permissions: [{{key: web, scope: network, access: read, domains: [{HOST}]}}]\n"


@pytest.mark.parametrize(
    ("network", "got"), [("host-mediated", "hello"), (None, "refused: URLError")]
)
def test_it_reaches_a_granted_site_by_the_proxy_if_it_said_so_and_nothing_else(
    tmp_path: Path, network: str | None, got: str
) -> None:
    package = write_backend_app(tmp_path, FETCHER, PERMISSION, network=network)

    async def whole() -> None:
        async with (
            a_site({"/": page(b"hello")}) as site,
            bridged(tmp_path / "data", package, network=site.agents()) as desk,
        ):
            assert (await ask(desk, "fetch", url=f"http://{HOST}/"))["output"] == got
            elsewhere = await ask(desk, "fetch", url="http://elsewhere.test/")
            assert elsewhere["output"].startswith("refused: ")
            assert site.asked == (["/"] if network else [])
            if network:
                row = await site.carried.get()
                assert (row.app_id, row.host, row.verdict) == ("notes", HOST, Verdict.CARRIED)

    run(whole)
