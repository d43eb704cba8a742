"""lime.storage as a client of the server meets it: by app/call."""

from pathlib import Path

from lime_desktop.app_server.assembly import open_services
from lime_desktop.app_server.execution.unavailable import UnavailableEngine
from tests.app_server.for_apps import envelope, provenance
from tests.app_server.server.door import Client
from tests.app_server.server.test_connection import code_of
from tests.jsonrpc.conversation import run

GREETING = {"key": "greeting", "value": "Hi"}


def test_the_four_calls_over_the_wire(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_services(tmp_path, UnavailableEngine()) as services:
            client = Client(services)
            await client.introduce()

            async def call(name: str, **params: object) -> object:
                asked = envelope("notes", f"lime.storage.{name}", **params)
                return (await client.call("app/call", asked))["result"]

            kept = await call("set", **GREETING)
            assert isinstance(kept, dict)
            assert (kept["value"], kept["provenance"]) == ("Hi", provenance("notes").to_wire())
            assert await call("get", key="greeting") == "Hi"
            assert await call("list") == [kept]
            for was_stored in (True, False):
                assert await call("delete", key="greeting") is was_stored
            assert await call("get", key="greeting") is None

    run(scene())


def test_a_client_bound_to_an_app_reaches_that_app_only(tmp_path: Path) -> None:
    """The standard: an app's data is its own."""

    async def scene() -> None:
        async with open_services(tmp_path, UnavailableEngine()) as services:
            client = Client(services)
            await client.introduce(appId="mine")
            asked = {"key": "greeting"}
            for name, params in {
                "get": asked,
                "set": GREETING,
                "list": {},
                "delete": asked,
            }.items():
                foreign = envelope("other", f"lime.storage.{name}", **params)
                assert code_of(await client.call("app/call", foreign)) == (-32020, "APP_E002")
            own = envelope("mine", "lime.storage.set", **GREETING)
            assert "result" in await client.call("app/call", own)
            forged = {**own, "params": {**GREETING, "provenance": provenance("other").to_wire()}}
            kept = (await client.call("app/call", forged))["result"]
            assert kept["provenance"]["appId"] == "mine"

    run(scene())


def test_a_value_with_a_secret_in_it_is_refused_by_its_code(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_services(tmp_path, UnavailableEngine()) as services:
            client = Client(services)
            await client.introduce()
            asked = envelope("a", "lime.storage.set", key="k", value={"password": "x"})
            answer = await client.call("app/call", asked)
            assert answer["error"]["data"]["code"] == "APP_E208"

    run(scene())
