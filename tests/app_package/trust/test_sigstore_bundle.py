"""Sigstore bundles are checked by the library, offline, for identities the user named (j, and ours)."""

import base64
import json
import socket
import sys
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lime_desktop.app_package.trust.signing import bundle_signature_file
from lime_desktop.app_package.trust.trust_store import (
    SigstoreIdentity,
    TrustedPublisher,
    TrustStore,
)
from lime_desktop.app_package.trust.verdict import Verification
from tests.app_package.trees import MemoryTree
from tests.app_package.trust.signed_packages import (
    CONTENTS,
    SIGNATURE_FILE,
    outcome,
    statement_of,
    verified,
)
from tests.app_package.trust.throwaway_sigstore import ThrowawaySigstore

pytest.importorskip(
    "sigstore", reason="the sigstore extra is not installed: bundles can't be checked"
)

IDENTITY, ISSUER = "release@lime.example", "https://accounts.example"
STATEMENT = statement_of()
SIGSTORE = ThrowawaySigstore()
BUNDLE = SIGSTORE.sign(STATEMENT.to_bytes(), identity=IDENTITY, issuer=ISSUER)
INVALID = ("failed", "signature", "SIGNATURE_INVALID")


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> NoReturn:
        raise AssertionError("verification went to the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.fixture(scope="session")
def trust_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return SIGSTORE.write_trust_root(tmp_path_factory.mktemp("sigstore") / "trusted_root.json")


def trusting(root: Path | None, identity: str = IDENTITY, issuer: str = ISSUER) -> TrustStore:
    publisher = TrustedPublisher(
        name="Lime Official",
        sigstore=(SigstoreIdentity(identity=identity, issuer=issuer),),
        domains=("lime.example",),
    )
    return TrustStore(publishers={"lime-official": publisher}, sigstore_trust_root=root)


def packaged(bundle: str) -> dict[str, bytes]:
    file = bundle_signature_file(MemoryTree(CONTENTS), STATEMENT, bundle)
    return CONTENTS | {SIGNATURE_FILE: file}


def checked(bundle: str, root: Path) -> Verification:
    return verified(packaged(bundle), trust=trusting(root))


def test_the_named_identity_is_verified(trust_root: Path) -> None:
    result = checked(BUNDLE, trust_root)
    assert outcome(result) == ("verified", None, None)
    assert result.publisher is not None
    assert result.publisher.signer == IDENTITY


def test_a_bundle_kept_outside_of_the_package_will_do(trust_root: Path) -> None:
    bare = packaged("")
    result = verified(bare, trust=trusting(trust_root), bundle=BUNDLE)
    assert outcome(result) == ("verified", None, None)


@pytest.mark.parametrize(
    ("identity", "issuer"),
    [("someone@else.example", ISSUER), (IDENTITY, "https://other.example")],
    ids=["identity", "issuer"],
)
def test_another_identity_or_issuer_is_refused(
    trust_root: Path, identity: str, issuer: str
) -> None:
    result = verified(packaged(BUNDLE), trust=trusting(trust_root, identity, issuer))
    assert outcome(result) == ("failed", "signature", "SIGNER_IDENTITY_UNKNOWN")


def test_a_publisher_without_identities_is_never_verified_by_sigstore(trust_root: Path) -> None:
    store = TrustStore(
        publishers={"lime-official": TrustedPublisher()}, sigstore_trust_root=trust_root
    )
    result = verified(packaged(BUNDLE), trust=store)
    assert outcome(result) == ("failed", "signature", "SIGNER_IDENTITY_UNKNOWN")


def test_an_unknown_publishers_bundle_is_not_checked_at_all(trust_root: Path) -> None:
    store = TrustStore(sigstore_trust_root=trust_root)
    result = verified(packaged(BUNDLE), trust=store)
    assert outcome(result) == ("unknown-publisher", "signature", "PUBLISHER_UNKNOWN")


def test_another_sigstores_bundle_is_refused(trust_root: Path) -> None:
    stranger = ThrowawaySigstore()
    bundle = stranger.sign(STATEMENT.to_bytes(), identity=IDENTITY, issuer=ISSUER)
    assert outcome(checked(bundle, trust_root)) == INVALID


@pytest.mark.parametrize("service", ["authority", "certificate_log", "signature_log"])
def test_each_service_must_be_the_trusted_one(trust_root: Path, service: str) -> None:
    keys = {name: getattr(SIGSTORE, name) for name in vars(SIGSTORE)}
    keys[f"{service}_key"] = ThrowawaySigstore().authority_key
    bundle = ThrowawaySigstore(**keys).sign(STATEMENT.to_bytes(), identity=IDENTITY, issuer=ISSUER)
    assert outcome(checked(bundle, trust_root)) == INVALID


def test_the_librarys_own_trust_root_is_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It knows the public services, so it refuses ours: that it was read at all is the point."""
    for variable in ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path))
    assert outcome(verified(packaged(BUNDLE), trust=trusting(None))) == INVALID


def test_a_bundle_for_another_statement_is_refused(trust_root: Path) -> None:
    other = statement_of(CONTENTS | {"dist/ui/app.js": b"other"})
    bundle = SIGSTORE.sign(other.to_bytes(), identity=IDENTITY, issuer=ISSUER)
    assert outcome(checked(bundle, trust_root)) == INVALID


def test_a_log_entry_of_another_signature_is_refused(trust_root: Path) -> None:
    """The substance of CVE-2022-36056: every part is genuine, but they do not belong together."""
    mixed: Any = json.loads(BUNDLE)
    other: Any = json.loads(SIGSTORE.sign(b"other", identity=IDENTITY, issuer=ISSUER))
    entries = other["verificationMaterial"]["tlogEntries"]
    mixed["verificationMaterial"]["tlogEntries"] = entries
    assert outcome(checked(json.dumps(mixed), trust_root)) == INVALID


@pytest.mark.parametrize("part", ["inclusionProof", "inclusionPromise", "canonicalizedBody"])
def test_a_log_entry_with_a_part_missing_is_refused(trust_root: Path, part: str) -> None:
    bundle: Any = json.loads(BUNDLE)
    del bundle["verificationMaterial"]["tlogEntries"][0][part]
    assert not checked(json.dumps(bundle), trust_root).is_verified


@pytest.mark.parametrize("bundle", ["{}", "[]", "not json", '{"mediaType": 1}', "{" * 50, "\x00"])
def test_a_malformed_bundle_has_its_own_code(trust_root: Path, bundle: str) -> None:
    result = verified(packaged("x"), trust=trusting(trust_root), bundle=bundle)
    assert outcome(result) == ("failed", "signature", "SIGSTORE_BUNDLE_INVALID")


LOG_ENTRY = ("verificationMaterial", "tlogEntries", 0)
BINARY_FIELDS = [
    ("verificationMaterial", "certificate", "rawBytes"),
    ("messageSignature", "signature"),
    ("messageSignature", "messageDigest", "digest"),
    (*LOG_ENTRY, "logId", "keyId"),
    (*LOG_ENTRY, "canonicalizedBody"),
    (*LOG_ENTRY, "inclusionProof", "rootHash"),
    (*LOG_ENTRY, "inclusionPromise", "signedEntryTimestamp"),
]


def holder_of(bundle: Any, path: tuple[str | int, ...]) -> Any:
    for part in path[:-1]:
        bundle = bundle[part]
    return bundle


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(BINARY_FIELDS), st.integers(0, 10_000), st.integers(1, 255))
def test_no_changed_byte_in_a_bundle_verifies_or_raises(
    trust_root: Path, path: tuple[str | int, ...], at: int, flip: int
) -> None:
    bundle: Any = json.loads(BUNDLE)
    holder = holder_of(bundle, path)
    data = bytearray(base64.b64decode(holder[path[-1]]))
    data[at % len(data)] ^= flip
    holder[path[-1]] = base64.b64encode(data).decode()
    assert not checked(json.dumps(bundle), trust_root).is_verified


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from([*BINARY_FIELDS, LOG_ENTRY, ("mediaType",), (*LOG_ENTRY, "integratedTime")]),
    st.one_of(st.none(), st.integers(), st.text(max_size=20), st.just(["x"]), st.just({"x": 1})),
)
def test_no_other_value_in_a_bundle_verifies_as_someone_else_or_raises(
    trust_root: Path, path: tuple[str | int, ...], value: object
) -> None:
    bundle: Any = json.loads(BUNDLE)
    holder_of(bundle, path)[path[-1]] = value
    result = checked(json.dumps(bundle), trust_root)
    assert not result.is_verified or result.publisher == checked(BUNDLE, trust_root).publisher


@pytest.mark.parametrize("content", ["", "{}", '{"mediaType": "x"}', "\xff"])
def test_a_trust_root_that_cannot_be_read_has_its_own_code(tmp_path: Path, content: str) -> None:
    root = tmp_path / "root.json"
    root.write_text(content, encoding="latin-1")
    expected = ("failed", "signature", "SIGSTORE_TRUST_ROOT_INVALID")
    assert outcome(checked(BUNDLE, root)) == expected
    assert outcome(checked(BUNDLE, tmp_path / "nowhere")) == expected


def test_without_the_library_the_answer_says_what_to_install(
    trust_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sigstore.errors", None)
    monkeypatch.delitem(
        sys.modules, "lime_desktop.app_package.trust.sigstore_bundle", raising=False
    )
    result = checked(BUNDLE, trust_root)
    assert outcome(result) == ("failed", "signature", "SIGSTORE_MISSING")
    assert result.steps[1].fix == "pip install 'lime-desktop[sigstore]'"
