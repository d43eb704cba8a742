"""Every app has an origin of its own (the standard: one namespace per app)."""

from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.host.web_content.origin import host_of, origin_of

APP_IDS = st.from_regex(r"[a-z0-9][a-z0-9\-_.]{0,63}", fullmatch=True)


def test_a_plain_id_is_its_own_host() -> None:
    assert origin_of("notes-app") == "lime-app://notes-app"


@pytest.mark.parametrize(
    "app_id", ["1", "127.0.0.1", "0x7f", "a_b", "a.", "x--abc", "a-", "a" * 64]
)
def test_an_id_that_a_url_would_read_otherwise_is_spelled_out(app_id: str) -> None:
    assert host_of(app_id) != app_id
    assert host_of(app_id).startswith("x--")


@given(APP_IDS, APP_IDS)
def test_two_apps_never_share_a_host(first: str, second: str) -> None:
    assert (host_of(first) == host_of(second)) == (first == second)


@given(APP_IDS)
def test_every_host_is_read_back_unchanged(app_id: str) -> None:
    host = host_of(app_id)
    assert urlsplit(origin_of(app_id)).hostname == host
    assert all(0 < len(label) <= 63 for label in host.split("."))
