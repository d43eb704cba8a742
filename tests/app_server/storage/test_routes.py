"""storage/* as a client of the server meets it."""

from pathlib import Path
from typing import Any

from lime_desktop.app_server.assembly import open_services
from lime_desktop.app_server.execution.unavailable import UnavailableEngine
from tests.app_server.server.door import Client
from tests.app_server.server.test_connection import code_of
from tests.app_server.storage.kept import provenance
from tests.jsonrpc.conversation import run


def written(app_id: str, **more: object) -> dict[str, Any]:
    return {
        "appId": app_id,
        "key": "greeting",
        "valueJson": '"Hi"',
        "provenance": provenance(app_id).to_wire(),
        **more,
    }


def test_the_four_calls_over_the_wire(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_services(tmp_path, UnavailableEngine()) as services:
            client = Client(services)
            await client.introduce()
            kept = (await client.call("storage/set", written("notes")))["result"]["entry"]
            assert kept["valueJson"] == '"Hi"'
            asked = {"appId": "notes", "key": "greeting"}
            assert (await client.call("storage/get", asked))["result"] == {"entry": kept}
            listed = await client.call("storage/list", {"appId": "notes"})
            assert listed["result"] == {"entries": [kept]}
            for was_stored in (True, False):
                deleted = await client.call("storage/delete", asked)
                assert deleted["result"] == {"wasStored": was_stored}
            assert (await client.call("storage/get", asked))["result"] == {}

    run(scene())


def test_a_client_bound_to_an_app_reaches_that_app_only(tmp_path: Path) -> None:
    """The standard: an app's data is its own."""

    async def scene() -> None:
        async with open_services(tmp_path, UnavailableEngine()) as services:
            client = Client(services)
            await client.introduce(appId="mine")
            asked = {"appId": "other", "key": "greeting"}
            for method, params in {
                "storage/get": asked,
                "storage/set": written("other"),
                "storage/list": {"appId": "other"},
                "storage/delete": asked,
            }.items():
                assert code_of(await client.call(method, params)) == (-32020, "APP_E002")
            assert "result" in await client.call("storage/set", written("mine"))
            forged = written("mine", provenance=provenance("other").to_wire())
            assert "error" in await client.call("storage/set", forged)

    run(scene())


def test_a_value_with_a_secret_in_it_is_refused_by_its_code(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_services(tmp_path, UnavailableEngine()) as services:
            client = Client(services)
            await client.introduce()
            answer = await client.call("storage/set", written("a", valueJson='{"password":"x"}'))
            assert answer["error"]["data"]["code"] == "APP_E208"

    run(scene())
