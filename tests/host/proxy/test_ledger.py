"""What apps sent and fetched, kept over restarts (ours)."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from lime_desktop.host.proxy import ledger as ledger_module
from lime_desktop.host.proxy.destination import Verdict
from lime_desktop.host.proxy.ledger import CarriedConnection, HostTotal, open_ledger

ROW = CarriedConnection("notes", "api.example.com", 443, Verdict.CARRIED, 5, 100, 1_000, 20)


def test_connections_add_up_by_host_and_verdict_and_stay(tmp_path: Path) -> None:
    async def write() -> None:
        ledger = open_ledger(tmp_path / "network.db")
        await ledger.record(ROW)
        await ledger.record(replace(ROW, started_at_ms=2_000))
        await ledger.record(
            replace(ROW, verdict=Verdict.NOT_GRANTED, bytes_sent=0, bytes_received=0)
        )
        await ledger.record(replace(ROW, app_id="mail"))
        ledger.close()

    async def read() -> tuple[HostTotal, ...]:
        ledger = open_ledger(tmp_path / "network.db")
        totals = await ledger.totals("notes")
        assert [row.started_at_ms for row in await ledger.latest("notes", 2)] == [1_000, 2_000]
        ledger.close()
        return totals

    asyncio.run(write())
    assert asyncio.run(read()) == (
        HostTotal("api.example.com", Verdict.CARRIED, 2, 10, 200, 2_020),
        HostTotal("api.example.com", Verdict.NOT_GRANTED, 1, 0, 0, 1_020),
    )


def test_old_connections_make_room_and_still_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger_module, "KEPT_CONNECTIONS", 3)

    async def scenario() -> None:
        ledger = open_ledger(tmp_path / "network.db")
        for number in range(5):
            await ledger.record(replace(ROW, started_at_ms=number))
        kept = [row.started_at_ms for row in await ledger.latest("notes")]
        (total,) = await ledger.totals("notes")
        ledger.close()
        assert (kept, total.connections) == ([4, 3, 2], 5)

    asyncio.run(scenario())


def test_an_app_that_is_removed_is_forgotten(tmp_path: Path) -> None:
    async def scenario() -> None:
        ledger = open_ledger(tmp_path / "network.db")
        await ledger.record(ROW)
        await ledger.forget("notes")
        assert (await ledger.totals("notes"), await ledger.latest("notes")) == ((), ())
        ledger.close()

    asyncio.run(scenario())
