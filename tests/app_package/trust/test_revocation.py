"""Revocation: asked over HTTPS, remembered within bounds, and unknown is never good (j, and our offline rule)."""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from lime_desktop.app_package.trust import revocation_service
from lime_desktop.app_package.trust.revocation import (
    MAX_CACHE_SECONDS,
    NotRevoked,
    RevocationChecks,
    RevocationState,
    Revoked,
    Unknown,
)
from lime_desktop.app_package.trust.statement import Revocation
from tests.app_package.trust.signed_packages import CLAIMS, outcome, signed, statement_of, verified

STATEMENT = statement_of()
GOOD = {"packageHash": STATEMENT.package_hash, "status": "good"}
REVOKED = GOOD | {"status": "revoked", "reason": "The key was stolen."}


@dataclass
class Service:
    """A publisher's revocation service on this machine."""

    url: str
    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict[str, str])
    asked: list[str] = field(default_factory=list[str])

    def says(self, answer: object) -> None:
        self.body = json.dumps(answer).encode()


@pytest.fixture
def service() -> Iterator[Service]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            running.asked.append(self.path)
            self.send_response(running.status)
            for name, value in running.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(running.body)

        def log_message(self, *_: object, **__: object) -> None:
            """Say nothing: the test's output is for failures."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        running = Service(f"http://127.0.0.1:{server.server_port}/check?tenant=1")
        running.says(GOOD)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        server.shutdown()
        thread.join(5)


@dataclass
class Desk:
    """Checks with a clock in the test's hand."""

    folder: Path
    service: Service
    now_ms: int = 1_800_000_000_000
    cache_seconds: int = 60

    def state(self, *, is_offline: bool = False) -> RevocationState:
        checks = RevocationChecks(
            self.folder, is_offline, lambda: self.now_ms, allows_plain_loopback=True
        )
        return checks.state_of(STATEMENT, Revocation(self.service.url, self.cache_seconds))


@pytest.fixture
def desk(tmp_path: Path, service: Service) -> Desk:
    return Desk(tmp_path / "cache", service)


def test_the_question_names_the_package_and_keeps_the_address(desk: Desk, service: Service) -> None:
    assert desk.state() == NotRevoked(was_remembered=False)
    asked = urlsplit(service.asked[0])
    assert (asked.path, parse_qs(asked.query)) == (
        "/check",
        {
            "tenant": ["1"],
            "name": ["sample-app"],
            "version": ["1.0.0"],
            "packageHash": [STATEMENT.package_hash],
            "publisherId": ["lime-official"],
        },
    )


def test_a_good_answer_holds_for_its_time_and_then_is_asked_again(
    desk: Desk, service: Service
) -> None:
    desk.state()
    desk.now_ms += 60_000
    assert desk.state() == NotRevoked(was_remembered=True)
    desk.now_ms += 1
    assert desk.state() == NotRevoked(was_remembered=False)
    assert len(service.asked) == 2


def test_no_answer_holds_longer_than_a_week(desk: Desk) -> None:
    desk.cache_seconds = 10**9
    desk.state()
    desk.now_ms += MAX_CACHE_SECONDS * 1000 + 1
    assert isinstance(desk.state(is_offline=True), Unknown)


def test_a_clock_set_back_does_not_make_an_answer_younger(desk: Desk) -> None:
    desk.state()
    desk.now_ms -= 1000
    assert isinstance(desk.state(is_offline=True), Unknown)


def test_offline_a_fresh_good_answer_is_enough(desk: Desk, service: Service) -> None:
    desk.state()
    assert desk.state(is_offline=True) == NotRevoked(was_remembered=True)
    assert len(service.asked) == 1


def test_offline_with_a_stale_answer_or_none_is_unknown(desk: Desk, service: Service) -> None:
    assert isinstance(desk.state(is_offline=True), Unknown)
    assert service.asked == []
    desk.state()
    desk.now_ms += 61_000
    assert isinstance(desk.state(is_offline=True), Unknown)


def test_a_stale_good_answer_does_not_help_when_the_service_is_down(
    desk: Desk, service: Service
) -> None:
    desk.state()
    desk.now_ms += 61_000
    service.status = 503
    assert desk.state() == Unknown("The revocation service answered with status 503.")


def test_revoked_is_remembered_for_ever(desk: Desk, service: Service) -> None:
    service.says(REVOKED)
    assert desk.state() == Revoked("The key was stolen.")
    service.says(GOOD)
    desk.now_ms += 10**12
    assert desk.state() == Revoked("The key was stolen.")
    assert desk.state(is_offline=True) == Revoked("The key was stolen.")
    assert len(service.asked) == 1


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"good",
        b"[]",
        b'{"status": "good"}',
        json.dumps(GOOD | {"status": "fine"}).encode(),
        json.dumps(GOOD | {"packageHash": "sha256:" + "0" * 64}).encode(),
        json.dumps(GOOD | {"reason": "x" * revocation_service.MAX_ANSWER_BYTES}).encode(),
        b"\xff\xfe",
    ],
    ids=["nothing", "text", "list", "no-hash", "other-word", "other-package", "too-long", "bytes"],
)
def test_anything_but_the_expected_answer_is_unknown(
    desk: Desk, service: Service, body: bytes
) -> None:
    service.body = body
    assert isinstance(desk.state(), Unknown)
    service.says(GOOD)
    assert desk.state() == NotRevoked(was_remembered=False)


def test_a_redirect_within_the_host_is_followed(desk: Desk, service: Service) -> None:
    service.status, service.headers = 302, {"location": "/elsewhere"}
    assert desk.state() == Unknown("The revocation service redirects too often.")
    assert len(service.asked) == 4
    assert service.asked[1] == "/elsewhere"


@pytest.mark.parametrize(
    "location",
    ["https://evil.example/", "//evil.example/x", "http://127.0.0.1:1/x", "http://localhost/"],
)
def test_a_redirect_to_another_host_is_not_followed(
    desk: Desk, service: Service, location: str
) -> None:
    service.status, service.headers = 302, {"location": location}
    assert desk.state() == Unknown("The revocation service redirects to another host.")


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:1/check",
        "http://revoke.lime.example/",
        "ftp://revoke.lime.example/",
        "file:///etc/passwd",
        "https://user:word@revoke.lime.example/",
        "https://",
        "https://[",
        "revoke.lime.example",
        "",
    ],
)
def test_only_https_addresses_are_asked(tmp_path: Path, url: str) -> None:
    """Plain HTTP to this machine needs a switch that only tests throw."""
    state = RevocationChecks(tmp_path).state_of(STATEMENT, Revocation(url, 60))
    assert state == Unknown("The revocation address is not an https:// address.")


def test_a_service_that_cannot_be_reached_is_unknown(tmp_path: Path) -> None:
    checks = RevocationChecks(tmp_path, allows_plain_loopback=True)
    state = checks.state_of(STATEMENT, Revocation("http://127.0.0.1:1/check", 60))
    assert state == Unknown("The revocation service could not be reached.")


def test_a_slow_service_is_given_up_on(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(revocation_service, "MAX_WAIT_S", -1.0)
    assert desk.state() == Unknown("The revocation service takes too long to answer.")


@pytest.mark.parametrize("damage", [b"", b"{}", b"\xff", b'{"status": "good"}'])
def test_a_damaged_memory_is_no_memory(desk: Desk, damage: bytes) -> None:
    desk.state()
    (remembered,) = desk.folder.iterdir()
    remembered.write_bytes(damage)
    assert isinstance(desk.state(is_offline=True), Unknown)
    assert desk.state() == NotRevoked(was_remembered=False)


def test_an_answer_counts_even_if_it_cannot_be_remembered(tmp_path: Path, service: Service) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert Desk(tmp_path / "file" / "cache", service).state() == NotRevoked(was_remembered=False)


# --- as a step of verification ---

Checked = Callable[[], tuple[str, str | None, str | None]]


@pytest.fixture
def check_package(tmp_path: Path, service: Service) -> Checked:
    claims = replace(CLAIMS, check_url=service.url, cache_seconds=60)
    checks = RevocationChecks(tmp_path / "cache", allows_plain_loopback=True)
    return lambda: outcome(verified(signed(claims=claims), checks=checks))


def test_a_package_that_was_not_withdrawn_is_verified(check_package: Checked) -> None:
    assert check_package() == ("verified", None, None)


@pytest.mark.requirement("APP-05")
def test_a_withdrawn_package_is_revoked_before_its_publisher_is_looked_at(
    check_package: Checked, service: Service
) -> None:
    service.says(GOOD | {"status": "revoked"})
    assert check_package() == ("revoked", "revocation", "PACKAGE_REVOKED")


def test_an_unknown_state_fails_closed_and_says_so(
    check_package: Checked, service: Service
) -> None:
    service.status = 500
    assert check_package() == ("revocation-unknown", "revocation", "REVOCATION_UNKNOWN")


def test_a_strangers_package_makes_no_call(tmp_path: Path, service: Service) -> None:
    """Ours: otherwise opening a stranger's package would tell them so, or reach into the local network."""
    claims = replace(CLAIMS, publisher_id="stranger", check_url=service.url)
    checks = RevocationChecks(tmp_path / "cache", allows_plain_loopback=True)
    result = verified(signed(claims=claims, seed=9), checks=checks)
    assert outcome(result) == ("unknown-publisher", "publisher", "PUBLISHER_UNKNOWN")
    assert service.asked == []
