"""Payloads hold no keys and no large bodies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.payload_rules import (
    MAX_PAYLOAD_CHARACTERS,
    is_key_like,
    is_oversized,
    key_like_paths,
)

KEY_LIKE = [
    "pAssWord",
    "ｐassword",
    "apiKey",
    "api_key",
    "API_KEY",
    "x-api-key",
    "apikey",
    "openaiApiKey",
    "token",
    "accessToken",
    "refresh_token",
    "authToken",
    "secret",
    "clientSecret",
    "secretRef",
    "password",
    "dbPassword",
    "Authorization",
    "credential",
    "credentialHandle",
    "privateKey",
    "Set-Cookie",
    "bearer",
    "accesstoken",
    "APIKEY",
    "clientsecret",
    "用户密码",
]
HARMLESS = [
    "tokens",
    "inputTokens",
    "tokenCount",
    "token_usage",
    "maxTokens",
    "resumeTokenRef",
    "key",
    "",
    "_",
    "键",
    "entryKey",
    "labelKey",
    "idempotencyKey",
    "keyboard",
    "providerPreference",
    "secretary",
    "author",
    "authorisedBy",
]


@pytest.mark.parametrize("name", KEY_LIKE)
def test_names_that_could_hold_a_secret_are_found(name: str) -> None:
    """The standard: no provider key, token, secret or credential handle in a payload."""
    assert is_key_like(name)


@pytest.mark.parametrize("name", HARMLESS)
def test_amounts_and_ordinary_names_pass(name: str) -> None:
    """Ours: usage counts tokens, and forms have keys."""
    assert not is_key_like(name)


def test_a_key_is_found_at_any_depth_and_named_by_its_path() -> None:
    """Ours: a finding names a path and never repeats a value."""
    payload: JsonObject = {"a": [{"b": {"apiKey": "sk-1"}}, {"ok": [1, [{"password": "x"}]]}]}
    assert list(key_like_paths(payload)) == ["a[0].b.apiKey", "a[1].ok[1][0].password"]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(HARMLESS), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(st.dictionaries(st.sampled_from(HARMLESS), json_values, max_size=4))
def test_a_payload_without_key_like_names_is_clean(payload: JsonObject) -> None:
    """Ours: only names are judged, whatever the values are."""
    assert not list(key_like_paths(payload))


@given(st.sampled_from(KEY_LIKE), st.lists(st.sampled_from(["list", "object"]), max_size=6))
def test_wrapping_never_hides_a_key(name: str, wrappers: list[str]) -> None:
    """Ours: depth and kind of container make no difference."""
    payload: JsonObject = {name: "value"}
    for wrapper in wrappers:
        payload = {"in": [payload]} if wrapper == "list" else {"in": payload}
    assert len(list(key_like_paths(payload))) == 1


def test_the_ceiling_counts_characters_not_bytes() -> None:
    """The standard's ceiling is 32,000 characters of serialised payload; Chinese text has three bytes each."""
    frame = len('{"t":""}')
    assert not is_oversized({"t": "青" * (MAX_PAYLOAD_CHARACTERS - frame)})
    assert is_oversized({"t": "青" * (MAX_PAYLOAD_CHARACTERS - frame + 1)})
    assert is_oversized({"t": "a" * (MAX_PAYLOAD_CHARACTERS - frame + 1)})
