"""The trust file says whom the user trusts; half a trust file is none (ours)."""

import os
from pathlib import Path

import pytest

from lime_desktop.app_package.problems import Problem
from lime_desktop.app_package.trust.trust_store import (
    SigstoreIdentity,
    TrustedPublisher,
    TrustStore,
    load_trust_store,
)
from tests.app_package.trust.signed_packages import key

KEY = key().public_key.text


def loaded(path: Path, text: str) -> TrustStore | Problem:
    path.write_text(text, encoding="utf-8")
    path.chmod(0o600)
    return load_trust_store(path)


def code(result: TrustStore | Problem) -> str:
    assert isinstance(result, Problem)
    return result.code


def test_a_trust_file_names_publishers_with_keys_identities_and_domains(tmp_path: Path) -> None:
    text = f"""
publishers:
  lime-official:
    name: Lime Official
    keys: ["{KEY}"]
    sigstore:
      - {{identity: release@lime.example, issuer: https://accounts.example}}
    domains: [lime.example]
  my-team:
    keys: ["{KEY}"]
sigstoreTrustRoot: roots/trusted_root.json
"""
    identity = SigstoreIdentity(identity="release@lime.example", issuer="https://accounts.example")
    official = TrustedPublisher(
        name="Lime Official", keys=(KEY,), sigstore=(identity,), domains=("lime.example",)
    )
    assert loaded(tmp_path / "trust.yaml", text) == TrustStore(
        publishers={"lime-official": official, "my-team": TrustedPublisher(keys=(KEY,))},
        sigstore_trust_root=tmp_path / "roots" / "trusted_root.json",
    )


def test_json_will_do(tmp_path: Path) -> None:
    store = loaded(tmp_path / "trust.json", f'{{"publishers": {{"a": {{"keys": ["{KEY}"]}}}}}}')
    assert store == TrustStore(publishers={"a": TrustedPublisher(keys=(KEY,))})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "publishers: [",
        "publishers: [a]",
        "publisher: {}",
        "publishers: {a: {key: x}}",
        "publishers: {a: {keys: [ed25519:short]}}",
        f"publishers: {{a: {{keys: ['{KEY[:-2]}x=']}}}}",
        f"publishers: {{a: {{keys: '{KEY}'}}}}",
        "publishers: {a: {sigstore: [{identity: me}]}}",
        "publishers: {a: {sigstore: [{identity: me, issuer: ''}]}}",
        "publishers: {a: {}, a: {}}",
        "publishers: {}\n---\npublishers: {}",
    ],
)
def test_any_mistake_refuses_the_whole_file(tmp_path: Path, text: str) -> None:
    assert code(loaded(tmp_path / "trust.yaml", text)) == "TRUST_FILE_INVALID"


def test_a_missing_file_is_a_problem(tmp_path: Path) -> None:
    assert code(load_trust_store(tmp_path / "nowhere.yaml")) == "TRUST_FILE_INVALID"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no mode bits")
@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_may_write_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "trust.yaml"
    path.write_text("publishers: {}", encoding="utf-8")
    path.chmod(mode)
    assert code(load_trust_store(path)) == "TRUST_FILE_WRITABLE_BY_OTHERS"
