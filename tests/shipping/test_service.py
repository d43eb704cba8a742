"""Updates as a window uses them: off its thread, told to whoever looks, and stopped when asked (ours)."""

import asyncio

import pytest

from lime_desktop.shipping.refusals import UpdateCode
from lime_desktop.shipping.service import UpdateService
from lime_desktop.shipping.states import (
    Available,
    Checking,
    Downloading,
    Idle,
    Ready,
    Refused,
    UpdateState,
    UpToDate,
)
from tests.shipping.launching import launch
from tests.shipping.vendors import Customer, Vendor, steady_bytes


@pytest.fixture
def customer(vendor: Vendor) -> Customer:
    vendor.publish("1.0.0")
    customer = vendor.install("1.0.0")
    files = {f"new/{number}": steady_bytes(3_000, seed=number) for number in range(20, 26)}
    vendor.publish("1.1.0", vendor.tree("1.1.0", files, is_healthy=False))
    return customer


def test_everybody_who_looks_sees_an_update_from_the_question_to_the_restart(
    customer: Customer,
) -> None:
    seen: list[UpdateState] = []

    async def update() -> None:
        service = UpdateService(customer.updates())
        assert service.state == Idle()
        service.observers.subscribe(seen.append)
        found = await service.check()
        assert isinstance(found, Available)
        assert await service.download(found.release.version) == Ready("1.1.0")
        assert service.status().pending == "1.1.0"

    asyncio.run(update())
    assert seen[0] == Checking()
    assert isinstance(seen[1], Available)
    progress = [each.progress.done_bytes for each in seen[2:-1] if isinstance(each, Downloading)]
    assert progress == sorted(progress)
    assert len(progress) == len(seen) - 3
    assert seen[-1] == Ready("1.1.0")
    assert UpdateService(customer.updates()).state == Ready("1.1.0")


def test_a_download_that_is_cancelled_ends_with_its_code_and_can_be_begun_again(
    customer: Customer,
) -> None:
    async def update() -> None:
        service = UpdateService(customer.updates())

        def stop(state: UpdateState) -> None:
            if isinstance(state, Downloading) and state.progress.done_bytes:
                service.cancel()

        stop_hearing = service.observers.subscribe(stop)
        result = await service.download("1.1.0")
        stop_hearing()
        assert isinstance(result, Refused | Ready)
        if isinstance(result, Refused):
            assert result.code is UpdateCode.CANCELLED
        assert await service.download("1.1.0") == Ready("1.1.0")

    asyncio.run(update())


def test_a_version_is_confirmed_and_gone_back_from(customer: Customer) -> None:
    async def update() -> None:
        service = UpdateService(customer.updates())
        assert await service.choose_channel("stable") == await service.check()
        await service.download("1.1.0")
        assert launch(customer).version == "1.1.0"
        customer.confirm()
        assert service.status().previous == "1.0.0"
        assert await service.roll_back() == Ready("1.0.0")
        assert launch(customer).version == "1.0.0"
        assert isinstance(await service.choose_channel("../beta"), Refused)

    asyncio.run(update())
    assert isinstance(customer.updates().check(), Available | UpToDate)
