"""The way out: only proven apps, only granted hosts, every byte counted (the standard: declared and granted network only)."""

import pytest

from lime_desktop.host.proxy.access import Credentials
from lime_desktop.host.proxy.destination import Verdict
from tests.host.proxy.conftest import PUBLIC, World, in_world

TUNNEL = "CONNECT api.example.com:443 HTTP/1.1\r\nHost: api.example.com:443"


def test_a_tunnel_to_a_granted_host_carries_and_counts() -> None:
    async def scenario(world: World) -> None:
        answer = await world.ask(TUNNEL, world.admit("api.example.com"), then=b"hello")
        assert answer.endswith(b"echo:hello")

    world = in_world(scenario)
    (row,) = world.recorded
    assert (row.app_id, row.host, row.port) == ("notes", "api.example.com", 443)
    assert (row.verdict, row.bytes_sent, row.bytes_received) == (Verdict.CARRIED, 5, 10)
    assert world.dialed == [(PUBLIC, 443)]


def test_a_plain_request_is_passed_on_without_what_was_meant_for_the_proxy() -> None:
    async def scenario(world: World) -> None:
        head = "GET http://api.example.com/a?b=c HTTP/1.1\r\nHost: api.example.com\r\nProxy-Connection: keep-alive"
        await world.ask(head, world.admit("api.example.com"))

    world = in_world(scenario)
    assert world.heard == [
        b"GET /a?b=c HTTP/1.1\r\nHost: api.example.com\r\nConnection: close\r\n\r\n"
    ]
    assert world.dialed == [(PUBLIC, 80)]


def test_an_app_without_a_grant_has_zero_bytes() -> None:
    async def scenario(world: World) -> None:
        assert (await world.ask(TUNNEL, world.admit())).startswith(b"HTTP/1.1 403")

    world = in_world(scenario)
    (row,) = world.recorded
    assert (row.verdict, row.bytes_sent, row.bytes_received) == (Verdict.NOT_GRANTED, 0, 0)
    assert world.dialed == []


@pytest.mark.parametrize(
    ("addresses", "domain", "verdict"),
    [
        (["127.0.0.1"], "*.example.com", Verdict.PRIVATE_ADDRESS),
        (["10.0.0.8"], "*", Verdict.PRIVATE_ADDRESS),
        ([PUBLIC, "192.168.1.1"], "*.example.com", Verdict.PRIVATE_ADDRESS),
        (["::ffff:169.254.169.254"], "*.example.com", Verdict.PRIVATE_ADDRESS),
        (["fe80::1%eth0"], "*.example.com", Verdict.PRIVATE_ADDRESS),
        (["192.168.1.1"], "api.example.com", Verdict.PRIVATE_ADDRESS),
        (["127.0.0.1"], "api.example.com", Verdict.PRIVATE_ADDRESS),
        (["fec0::1"], "api.example.com", Verdict.PRIVATE_ADDRESS),
        (["::127.0.0.1"], "api.example.com", Verdict.PRIVATE_ADDRESS),
        (["::ffff:0:127.0.0.1"], "api.example.com", Verdict.PRIVATE_ADDRESS),
        (["224.0.0.251"], "api.example.com", Verdict.PRIVATE_ADDRESS),
        (["ff02::1"], "api.example.com", Verdict.PRIVATE_ADDRESS),
        ([], "api.example.com", Verdict.UNKNOWN_HOST),
    ],
)
def test_a_name_of_the_internet_never_leads_into_the_own_network(
    addresses: list[str], domain: str, verdict: Verdict
) -> None:
    async def scenario(world: World) -> None:
        world.addresses = {"api.example.com": addresses}
        await world.ask(TUNNEL, world.admit(domain))

    world = in_world(scenario)
    assert [row.verdict for row in world.recorded] == [verdict]
    assert world.dialed == []


@pytest.mark.parametrize(
    ("host", "addresses", "domain", "verdict"),
    [
        ("nas.local", ["192.168.1.9"], "nas.local", Verdict.CARRIED),
        ("nas.local", ["192.168.1.9"], "*", Verdict.NOT_GRANTED),
        ("localhost", ["127.0.0.1"], "localhost", Verdict.CARRIED),
        ("localhost", ["192.168.1.9"], "localhost", Verdict.PRIVATE_ADDRESS),
        ("127.0.0.1", ["127.0.0.1"], "127.0.0.1", Verdict.CARRIED),
        ("nas.local", ["0.0.0.0"], "nas.local", Verdict.PRIVATE_ADDRESS),  # noqa: S104 - judged, not listened on
        ("nas.local", ["64:ff9b::7f00:1"], "nas.local", Verdict.PRIVATE_ADDRESS),
    ],
)
def test_a_local_name_must_be_named_itself(
    host: str, addresses: list[str], domain: str, verdict: Verdict
) -> None:
    async def scenario(world: World) -> None:
        world.addresses = {host: addresses}
        then = b"x" if verdict is Verdict.CARRIED else b""
        await world.ask(f"CONNECT {host}:443 HTTP/1.1\r\nHost: {host}", world.admit(domain), then)

    assert [row.verdict for row in in_world(scenario).recorded] == [verdict]


def test_a_name_that_answers_differently_the_second_time_gains_nothing() -> None:
    """What was judged is what is dialled: there is no second look."""

    async def scenario(world: World) -> None:
        answers = iter([[PUBLIC], ["127.0.0.1"]])

        async def rebinding(host: str, port: int) -> list[str]:
            del host, port
            return next(answers)

        world.look_up_with = rebinding
        proof = world.admit("api.example.com")
        await world.ask(TUNNEL, proof, then=b"hello")
        await world.ask(TUNNEL, proof)

    world = in_world(scenario)
    assert [row.verdict for row in world.recorded] == [Verdict.CARRIED, Verdict.PRIVATE_ADDRESS]
    assert world.dialed == [(PUBLIC, 443)]


def test_the_next_address_is_tried_where_the_first_does_not_answer() -> None:
    async def scenario(world: World) -> None:
        world.addresses = {"api.example.com": ["2606:2800:220:1::1", PUBLIC]}
        world.silent = {"2606:2800:220:1::1"}
        await world.ask(TUNNEL, world.admit("api.example.com"), then=b"hello")

    assert [row.verdict for row in in_world(scenario).recorded] == [Verdict.CARRIED]


def test_a_name_nobody_knows_and_a_port_that_is_not_the_webs() -> None:
    async def scenario(world: World) -> None:
        proof = world.admit("*")
        await world.ask("CONNECT gone.example.com:443 HTTP/1.1\r\nHost: x", proof)
        await world.ask("CONNECT api.example.com:25 HTTP/1.1\r\nHost: x", proof)

    verdicts = [row.verdict for row in in_world(scenario).recorded]
    assert verdicts == [Verdict.UNKNOWN_HOST, Verdict.NOT_GRANTED]


@pytest.mark.parametrize("proof", [None, Credentials("notes", "wrong"), Credentials("mail", "")])
def test_without_a_proof_the_proxy_only_asks_for_one(proof: Credentials | None) -> None:
    async def scenario(world: World) -> None:
        world.admit("api.example.com")
        assert (await world.ask(TUNNEL, proof)).startswith(b"HTTP/1.1 407")

    world = in_world(scenario)
    assert (world.recorded, world.dialed) == ([], [])


def test_one_app_cannot_use_the_grants_of_another() -> None:
    async def scenario(world: World) -> None:
        world.admit("api.example.com", app_id="mail")
        await world.ask(TUNNEL, world.admit("other.example.com"))

    (row,) = in_world(scenario).recorded
    assert (row.app_id, row.verdict) == ("notes", Verdict.NOT_GRANTED)


def test_a_grant_that_was_taken_back_holds_no_longer() -> None:
    async def scenario(world: World) -> None:
        proof = world.admit("api.example.com")
        assert world.admit() == proof
        await world.ask(TUNNEL, proof)

    assert [row.verdict for row in in_world(scenario).recorded] == [Verdict.NOT_GRANTED]


@pytest.mark.parametrize(
    "head",
    [
        "nonsense",
        "CONNECT api.example.com HTTP/1.1",
        "CONNECT a@b.example.com:443 HTTP/1.1",
        "CONNECT 0x7f.1:443 HTTP/1.1",
        "GET /relative HTTP/1.1",
        "GET https://api.example.com/ HTTP/1.1",
        "GET http://api.example.com/ HTTP/1.1\r\n folded: header",
        "GET http:// HTTP/1.1",
        "CONNECT api.example.com:999999 HTTP/1.1",
    ],
)
def test_what_no_engine_would_send_is_refused_unread(head: str) -> None:
    async def scenario(world: World) -> None:
        answer = await world.ask(head, world.admit("*"))
        assert answer.startswith(b"HTTP/1.1 400")

    world = in_world(scenario)
    assert (world.recorded, world.dialed) == ([], [])
