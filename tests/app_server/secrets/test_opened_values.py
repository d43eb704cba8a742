"""What was shown to somebody is taken out of whatever they say, in the ways in which programs write texts down (ours)."""

import json

import pytest
from pydantic import SecretStr

from lime_desktop.app_server.secrets.opened_values import OpenedValues
from tests.security.planted import PLANTED, spellings, traces_in

SECRET = PLANTED["app secret"]


@pytest.mark.parametrize("kind", ["variables", "headers", "files"])
def test_a_value_is_hidden_however_it_is_spelt(kind: str) -> None:
    shown = OpenedValues(**{kind: {"NAME": SecretStr(SECRET)}})
    for spelt in spellings(SECRET):
        if b"\0" not in spelt:
            body = b"before " + spelt + b" after"
            assert traces_in(shown.hide_bytes(body)) == set(), spelt
            assert traces_in(shown.hide(body.decode()).encode()) == set()


def test_a_header_is_hidden_without_what_stands_before_its_value() -> None:
    shown = OpenedValues(headers={"Authorization": SecretStr("Bearer abcdefgh")})
    assert shown.hide("it is abcdefgh") == "it is ***"
    assert shown.hide_in({"a": ["abcdefgh"]}) == {"a": ["***"]}


def test_quotes_and_other_letters_are_hidden_as_json_writes_them() -> None:
    written = 'a"b\\c-密钥-d'
    shown = OpenedValues(variables={"NAME": SecretStr(written)})
    for text in (json.dumps(written), json.dumps(written, ensure_ascii=False), written):
        assert "密钥" not in shown.hide(text)
        assert "***" in shown.hide(text)
    assert "abcdefgh" in OpenedValues().hide("abcdefgh")
