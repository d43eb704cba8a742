"""A link turns to a place and can do nothing else, whoever wrote it (ours)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.host.startup.deep_links import (
    AppLink,
    EntryLink,
    InstallLink,
    RunLink,
    SettingsLink,
    parse_link,
)
from lime_desktop.protocol.errors import UntrustedUrl


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("lime://app/hello-lime", AppLink("hello-lime")),
        ("lime://app/hello-lime/greeting", EntryLink("hello-lime", "greeting")),
        ("lime://install/hello-lime", InstallLink("hello-lime")),
        ("lime://run/session_01", RunLink("session_01")),
        ("lime://settings/privacy", SettingsLink("privacy")),
    ],
)
def test_places_are_understood(text: str, link: object) -> None:
    assert parse_link(text) == link


@pytest.mark.parametrize(
    "text",
    [
        "",
        "lime:",
        "lime://",
        "lime://app",
        "lime://app/",
        "lime://app//greeting",
        "lime://app/../settings",
        "lime://app/hello-lime/greeting/more",
        "lime://install/https:evil",
        "lime://app/hello-lime?grant=all",
        "lime://app/hello-lime#x",
        "lime://user:secret@app/hello-lime",
        "lime://app:80/hello-lime",
        "lime://app/%2e%2e/x",
        "lime://app/a\nb",
        "lime://app/a\x00",
        "lime://app/<script>",
        "lime://app/-rf",
        "lime://app\\evil/x",
        "lime://аpp/hello-lime",
        "lime-app://hello-lime/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "https://example.org/lime://app/x",
        f"lime://app/{'a' * 600}",
        "lime://[::1/x",
    ],
)
def test_hostile_links_are_refused(text: str) -> None:
    with pytest.raises(UntrustedUrl):
        parse_link(text)


@given(st.text(max_size=80).map(lambda text: f"lime://{text}"))
def test_any_text_is_a_place_or_a_refusal(text: str) -> None:
    try:
        link = parse_link(text)
    except UntrustedUrl:
        return
    assert text.startswith(("lime://app/", "lime://run/", "lime://settings/"))
    assert "/" not in str(vars(link) if hasattr(link, "__dict__") else link).replace("lime://", "")
