"""Which dev servers may stand in for a bundle (ours): those of this machine."""

import pytest

from lime_desktop.developer.dev_server import (
    DevServer,
    NotLoopback,
    parse_dev_server,
    resolver_rules,
)


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("http://localhost:5173", DevServer("localhost", 5173)),
        ("http://127.0.0.1:8080/", DevServer("127.0.0.1", 8080)),
        ("http://[::1]:3000", DevServer("::1", 3000)),
        ("http://localhost", DevServer("localhost", 80)),
    ],
)
def test_a_server_of_this_machine_is_taken(url: str, server: DevServer) -> None:
    assert parse_dev_server(url) == server


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com:5173",
        "http://localhost.example.com",
        "http://192.168.1.4:5173",
        "http://127.0.0.1.nip.io:5173",
        "http://localhost:5173@example.com",
        "http://user@localhost:5173",
        "http://localhost:99999",
        "http://[::2]:5173",
        "https://localhost:5173",
        "ws://localhost:5173",
        "localhost:5173",
        "http://localhost:5173/app",
        "http://localhost:5173?x=1",
        "http://[bad",
        "",
    ],
)
def test_any_other_address_is_refused(url: str) -> None:
    with pytest.raises(NotLoopback):
        parse_dev_server(url)


def test_the_address_is_written_as_engines_read_it() -> None:
    assert DevServer("::1", 3000).origin == "http://[::1]:3000"


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "::1"])
def test_whatever_name_was_written_the_reloader_may_use_another(host: str) -> None:
    server = DevServer(host, 3000)
    assert server.socket_origins == ("ws://localhost:3000", "ws://127.0.0.1:3000")
    rules = resolver_rules(server).split(" , ")
    target = "[::1]:3000" if host == "::1" else "127.0.0.1:3000"
    assert rules == [
        f"MAP localhost:3000 {target}",
        f"MAP 127.0.0.1:3000 {target}",
        f"MAP [::1]:3000 {target}",
    ]
