"""What a backend asks of the host: as a page would, under the same policy, and on record as the backend's."""

from typing import Any

import pytest

from tests.app_server.tools.backends.backend_app import ask
from tests.app_server.tools.backends.conftest import Show
from tests.host.bridged import Bridged
from tests.sandboxed import NEEDS_SANDBOX

pytestmark = NEEDS_SANDBOX


async def lime(page: Bridged, call: str, **params: object) -> dict[str, Any]:
    return (await ask(page, "lime", call=call, params=params))["output"]


@pytest.mark.requirement("APP-44", "APP-62")
def test_it_reaches_its_apps_own_data_and_the_record_names_it(show: Show) -> None:
    async def scene(page: Bridged) -> None:
        await page.value("lime.storage.set", key="k", value={"from": "page"})
        assert await lime(page, "lime.storage.get", key="k") == {"value": {"from": "page"}}
        assert "value" in await lime(page, "lime.storage.set", key="k", value="backend")
        assert await page.value("lime.storage.get", key="k") == "backend"
        await lime(page, "lime.evidence.record", kind="note", message="by the backend")
        kept = await page.value("lime.evidence.list", kind="note")
        assert [each["provenance"]["serviceKey"] for each in kept] == ["engine"]

    show(scene)


def test_what_its_service_does_not_name_is_refused_and_what_acts_is_on_record(show: Show) -> None:
    """The app declares the capability, and the backend does not get it for that."""

    async def scene(page: Bridged) -> None:
        told = await lime(page, "lime.files.listRefs")
        assert told["refused"] == "APP_E005"
        for _ in range(2):
            acting = await lime(page, "lime.terminal.cancel", runId="tool_1")
            assert acting["details"]["reasonCode"] == "not_named_by_service"
        kept = await page.value("lime.evidence.list", kind="capability-call")
        of_backend = [each for each in kept if "service:engine" in each["refs"]]
        assert [each["message"] for each in of_backend] == [
            "lime.terminal.cancel was refused: APP_E005"
        ]

    show(scene)


@pytest.mark.parametrize(
    ("call", "params", "code"),
    [
        ("lime.agent.startTask", {"kind": "x", "input": {}}, "APP_E005"),
        ("lime.files.pick", {}, "APP_E001"),
        ("lime.workflow.start", {"key": "x"}, "APP_E005"),
        ("lime.terminal.run", {"command": "sh"}, "APP_E002"),
        ("lime.nothing.atAll", {}, "APP_E006"),
        ("lime.storage.set", {"key": 1}, "APP_E014"),
    ],
)
def test_what_the_app_may_not_what_needs_a_page_and_what_needs_a_person_is_refused(
    show: Show, call: str, params: dict[str, object], code: str
) -> None:
    """Named by the service, each of them: policy and the host refuse them all the same."""
    named = ["lime.agent", "lime.files", "lime.terminal", "lime.storage"]

    async def scene(page: Bridged) -> None:
        assert (await lime(page, call, **params))["refused"] == code

    show(scene, requiredCapabilities=named)
