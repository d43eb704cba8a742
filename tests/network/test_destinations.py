"""A name of the Internet never leads into the own network, and what was judged is what is dialled (ours)."""

import asyncio
from collections.abc import Sequence

import pytest

from lime_desktop.network.destinations import (
    MAX_ADDRESSES,
    PrivateAddress,
    UnknownHost,
    find_destinations,
    judge_addresses,
)

PUBLIC = "93.184.216.34"


@pytest.mark.parametrize(
    ("host", "found"),
    [
        ("api.example.com", ["127.0.0.1"]),
        ("api.example.com", [PUBLIC, "10.0.0.1"]),
        ("api.example.com", ["::ffff:93.184.216.34"]),
        ("api.example.com", ["not an address"]),
        ("93.184.216.34", ["127.0.0.1"]),
        ("a.localhost", [PUBLIC]),
        ("nas.local", ["ff02::fb"]),
    ],
)
def test_however_much_the_asker_allows(host: str, found: list[str]) -> None:
    with pytest.raises(PrivateAddress):
        judge_addresses(host, found, allows_local=True)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "nas.local", "nas"])
def test_a_local_name_is_refused_unless_the_asker_allows_it(host: str) -> None:
    assert judge_addresses(host, ["127.0.0.1"], allows_local=True) == ("127.0.0.1",)
    with pytest.raises(PrivateAddress):
        judge_addresses(host, ["127.0.0.1"])


def test_a_name_with_a_thousand_addresses_is_not_tried_to_its_end() -> None:
    found = [f"93.184.{each // 250}.{each % 250 + 1}" for each in range(1_000)]
    assert judge_addresses("api.example.com", found + found) == tuple(found[:MAX_ADDRESSES])


def test_the_look_up_is_asked_once_and_its_failure_is_an_unknown_host() -> None:
    asked: list[str] = []

    async def look_up(host: str, port: int) -> Sequence[str]:
        asked.append(f"{host}:{port}")
        if host == "gone.example.com":
            raise OSError
        return [PUBLIC] if host == "api.example.com" else []

    async def scenario() -> None:
        assert await find_destinations("api.example.com", 443, look_up=look_up) == (PUBLIC,)
        for unknown in ("gone.example.com", "empty.example.com"):
            with pytest.raises(UnknownHost):
                await find_destinations(unknown, 443, look_up=look_up)

    asyncio.run(scenario())
    assert asked == ["api.example.com:443", "gone.example.com:443", "empty.example.com:443"]
