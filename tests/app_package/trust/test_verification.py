"""Verification in the standard's order: hashes, signature, revocation, publisher (m.4, m.5, m.9)."""

import base64
import re
import string
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.app_package.files.hashes import manifest_hash, signed_tree_hash, tree_hash
from lime_desktop.app_package.problem_kinds.files import LINK_IN_PACKAGE
from lime_desktop.app_package.trust.signing import Claims
from lime_desktop.app_package.trust.statement import AppIdentity
from lime_desktop.app_package.trust.trust_store import TrustStore
from lime_desktop.app_package.trust.verdict import (
    FoundHashes,
    Step,
    StepStatus,
    Verdict,
    Verification,
    VerifiedPublisher,
)
from tests.app_package.trees import APP_MD, MemoryTree
from tests.app_package.trust.signed_packages import (
    APP,
    CLAIMS,
    CONTENTS,
    SIGNATURE_FILE,
    SIGNED_AT,
    key,
    outcome,
    signed,
    store,
    verified,
)

HASHES_FAIL = ("failed", "hashes", "PACKAGE_HASH_MISMATCH")
SIGNATURE_FAILS = ("failed", "signature", "SIGNATURE_INVALID")


def redeclared(contents: dict[str, bytes]) -> dict[str, bytes]:
    """What a careful attacker does after changing files: write the new hashes into the signature file."""
    tree = MemoryTree(contents)
    file = contents[SIGNATURE_FILE].decode()
    hashes = iter([signed_tree_hash(tree), manifest_hash(tree)])
    file = re.sub(r"sha256:[0-9a-f]{64}", lambda _: next(hashes) or "", file, count=2)
    return contents | {SIGNATURE_FILE: file.encode()}


def edited(contents: dict[str, bytes], old: str, new: str) -> dict[str, bytes]:
    text = contents[SIGNATURE_FILE].decode()
    assert old in text
    return contents | {SIGNATURE_FILE: text.replace(old, new).encode()}


@pytest.mark.requirement("APP-04")
def test_what_the_publisher_sent_is_verified() -> None:
    contents = signed()
    tree = MemoryTree(contents)
    signer = key().public_key.text
    assert verified(contents) == Verification(
        verdict=Verdict.VERIFIED,
        steps=(
            Step(
                name="hashes",
                status=StepStatus.PASSED,
                reason="Every file is the one that was signed.",
            ),
            Step(name="signature", status=StepStatus.PASSED, reason=f"Signed by {signer}."),
            Step(
                name="revocation",
                status=StepStatus.SKIPPED,
                reason="The publisher names no revocation service.",
            ),
            Step(name="publisher", status=StepStatus.PASSED, reason="Published by Lime Official."),
        ),
        hashes=FoundHashes(
            package_hash=tree_hash(tree),
            signed_hash=signed_tree_hash(tree),
            manifest_hash=manifest_hash(tree),
        ),
        publisher=VerifiedPublisher(
            publisher_id="lime-official",
            name="Lime Official",
            domain="lime.example",
            signer=signer,
        ),
        signed_at=SIGNED_AT,
    )


@pytest.mark.requirement("APP-05")
def test_an_unsigned_package_has_a_verdict_of_its_own() -> None:
    result = verified(CONTENTS)
    assert outcome(result) == ("unsigned", "signature", "PACKAGE_UNSIGNED")
    assert [step.status for step in result.steps] == ["skipped", "failed", "skipped", "skipped"]
    assert not result.is_verified


def test_hashes_without_a_signature_are_unsigned_and_still_compared() -> None:
    """The standard's own example names sigstore and carries no bundle."""
    bare = edited(signed(), "signedBy: ed25519", "signedBy: sigstore")
    bare = {k: re.sub(rb"\n +signature: .*", b"", v) for k, v in bare.items()}
    assert outcome(verified(bare)) == ("unsigned", "signature", "PACKAGE_UNSIGNED")
    assert outcome(verified(bare | {"extra": b""})) == HASHES_FAIL


# --- tampering ---


@pytest.mark.requirement("APP-04", "APP-05")
@given(st.sampled_from(sorted(CONTENTS)), st.integers(0, 10_000), st.integers(1, 255))
def test_changing_any_byte_of_any_file_fails_at_the_hashes(path: str, at: int, flip: int) -> None:
    contents = signed()
    data = bytearray(contents[path])
    data[at % len(data)] ^= flip
    assert outcome(verified(contents | {path: bytes(data)})) == HASHES_FAIL


@pytest.mark.requirement("APP-04", "APP-05")
@given(st.sampled_from(sorted(CONTENTS)), st.integers(0, 10_000), st.integers(1, 255))
def test_changing_any_byte_and_the_declared_hashes_fails_at_the_signature(
    path: str, at: int, flip: int
) -> None:
    contents = signed()
    data = bytearray(contents[path])
    data[at % len(data)] ^= flip
    assert outcome(verified(redeclared(contents | {path: bytes(data)}))) == SIGNATURE_FAILS


@pytest.mark.parametrize("rewrite", [dict[str, bytes], redeclared], ids=["plain", "redeclared"])
@pytest.mark.parametrize("change", ["add", "remove", "rename", "swap"])
def test_adding_removing_renaming_and_swapping_files_fails(
    change: str, rewrite: type[dict[str, bytes]]
) -> None:
    contents = signed()
    match change:
        case "add":
            contents["dist/ui/evil.js"] = b""
        case "remove":
            del contents["locales/zh.json"]
        case "rename":
            contents["locales/en.json"] = contents.pop("locales/zh.json")
        case _:
            first, second = "dist/ui/app.js", "locales/zh.json"
            contents[first], contents[second] = contents[second], contents[first]
    expected = HASHES_FAIL if rewrite is not redeclared else SIGNATURE_FAILS
    assert outcome(verified(rewrite(contents))) == expected


@pytest.mark.requirement("APP-04")
def test_another_apps_manifest_fails() -> None:
    other = {"APP.md": APP_MD.replace(b"sample-app", b"another-app")}
    assert outcome(verified(signed() | other)) == HASHES_FAIL


def test_a_declared_manifest_hash_that_is_wrong_fails_even_if_the_tree_is_right() -> None:
    contents = signed()
    digest = manifest_hash(MemoryTree(contents)) or ""
    result = verified(edited(contents, digest, "sha256:" + "0" * 64))
    assert outcome(result) == ("failed", "hashes", "MANIFEST_HASH_MISMATCH")


def test_a_signature_cannot_be_replayed_onto_another_version() -> None:
    """Only the version differs, outside of APP.md's bytes: the statement names it."""
    assert outcome(verified(signed(), app=replace(APP, version="1.0.1"))) == SIGNATURE_FAILS
    assert outcome(verified(signed(), app=replace(APP, name="other-app"))) == SIGNATURE_FAILS


def test_an_old_signature_on_a_new_release_fails() -> None:
    newer = CONTENTS | {"APP.md": APP_MD.replace(b"1.0.0", b"2.0.0")}
    stale = newer | {SIGNATURE_FILE: signed()[SIGNATURE_FILE]}
    assert outcome(verified(stale, app=replace(APP, version="2.0.0"))) == HASHES_FAIL
    assert (
        outcome(verified(redeclared(stale), app=replace(APP, version="2.0.0"))) == SIGNATURE_FAILS
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("lime-official", "someone-else"),
        ("lime.example", "evil.example"),
        ("https://revoke.lime.example", "https://revoke.evil.example"),
        ("cacheSeconds: 60", "cacheSeconds: 600000"),
        (SIGNED_AT, "2030-01-01T00:00:00Z"),
        (key(1).public_key.text, key(2).public_key.text),
    ],
)
def test_no_claim_in_the_signature_file_can_be_changed(old: str, new: str) -> None:
    """Ours: the file is outside the package hash, so what is acted on must be in the statement."""
    claims = replace(CLAIMS, check_url="https://revoke.lime.example/check", cache_seconds=60)
    assert outcome(verified(edited(signed(claims=claims), old, new))) == SIGNATURE_FAILS


def test_revocation_cannot_be_taken_out() -> None:
    claims = replace(CLAIMS, check_url="https://revoke.lime.example/check", cache_seconds=60)
    contents = edited(signed(claims=claims), "  revocation:", "  disabled:")
    assert outcome(verified(contents)) == SIGNATURE_FAILS


@given(st.integers(0, 10_000), st.binary(max_size=3), st.integers(0, 3))
def test_no_damage_to_the_signature_file_verifies_as_anything_else(
    at: int, inserted: bytes, removed: int
) -> None:
    contents = signed()
    file = bytearray(contents[SIGNATURE_FILE])
    at %= len(file)
    file[at : at + removed] = inserted
    result = verified(contents | {SIGNATURE_FILE: bytes(file)})
    if result.is_verified:
        # A comment or the name for people: nothing that verification acts on.
        honest = verified(contents)
        assert (result.publisher, result.signed_at) == (honest.publisher, honest.signed_at)


@given(st.binary(max_size=200))
def test_any_bytes_as_the_signature_file_give_a_verdict(data: bytes) -> None:
    assert not verified(CONTENTS | {SIGNATURE_FILE: data}).is_verified


# --- signers and publishers ---


def test_a_stranger_is_an_unknown_publisher() -> None:
    claims = Claims(publisher_id="stranger")
    result = verified(signed(claims=claims, seed=9))
    assert outcome(result) == ("unknown-publisher", "publisher", "PUBLISHER_UNKNOWN")
    assert result.publisher is None


@pytest.mark.requirement("APP-09")
def test_a_stranger_in_a_trusted_publishers_name_fails() -> None:
    result = verified(signed(seed=9))
    assert outcome(result) == ("failed", "publisher", "PUBLISHER_KEY_UNKNOWN")


def test_nobody_is_trusted_by_default() -> None:
    assert outcome(verified(signed(), trust=TrustStore()))[0] == "unknown-publisher"


def test_a_domain_that_the_trust_file_does_not_list_fails() -> None:
    result = verified(signed(), trust=store(domains=("other.example",)))
    assert outcome(result) == ("failed", "publisher", "PUBLISHER_DOMAIN_UNKNOWN")


def test_domains_compare_without_case_and_need_not_be_claimed() -> None:
    assert verified(signed(), trust=store(domains=("LIME.example",))).is_verified
    assert verified(signed(claims=Claims(publisher_id="lime-official"))).is_verified


@pytest.mark.parametrize(
    "app",
    [replace(APP, publisher_id="other"), replace(APP, verified_domain="other.example")],
    ids=["publisher", "domain"],
)
def test_a_manifest_that_names_another_publisher_fails(app: AppIdentity) -> None:
    result = verified(signed(app=app), app=app)
    assert outcome(result) == ("failed", "publisher", "PUBLISHER_MISMATCH")


@pytest.mark.requirement("APP-09")
def test_the_publishers_name_comes_from_the_trust_file_not_from_the_package() -> None:
    contents = edited(signed(), "publisher: Lime Official", "publisher: Your Bank")
    result = verified(contents)
    assert result.publisher is not None
    assert result.publisher.name == "Lime Official"


# --- shapes ---


def test_hashes_may_be_written_with_or_without_prefix_and_in_any_case() -> None:
    """The standard's example has bare hex; other tools write the prefix."""
    text = signed()[SIGNATURE_FILE].decode()
    bare = re.sub(r"sha256:([0-9a-f]{64})", lambda match: match[1].upper(), text)
    assert verified(signed() | {SIGNATURE_FILE: bare.encode()}).is_verified


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("algorithm: sha256", "algorithm: md5", ("failed", "hashes", "HASH_ALGORITHM_UNSUPPORTED")),
        ("signature:\n", "signatures:\n", ("failed", "hashes", "SIGNATURE_FILE_INVALID")),
        ("    timestamp: ", "    timestamp: [", ("failed", "hashes", "SIGNATURE_FILE_INVALID")),
        (
            "signedBy: ed25519",
            "signedBy: pgp",
            ("failed", "signature", "SIGNATURE_KIND_UNSUPPORTED"),
        ),
    ],
)
def test_other_shapes_fail_with_their_own_code(
    old: str, new: str, expected: tuple[str, str, str]
) -> None:
    assert outcome(verified(edited(signed(), old, new))) == expected


def test_a_signature_with_other_spelling_of_the_same_bytes_is_refused() -> None:
    """Ours: one signature has one spelling, or a log of signatures could be fooled."""
    text = signed()[SIGNATURE_FILE].decode()
    signature = re.search(r"  signature: (\S+)", text)
    assert signature is not None
    alphabet = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
    # The last character before the padding carries four bits that decoders ignore.
    last = alphabet[alphabet.index(signature[1][-3]) + 1]
    sloppy = signature[1][:-3] + last + "=="
    assert base64.b64decode(sloppy) == base64.b64decode(signature[1])
    assert outcome(verified(edited(signed(), signature[1], sloppy))) == SIGNATURE_FAILS


def test_a_package_that_cannot_be_read_safely_fails_before_anything_else() -> None:
    link = LINK_IN_PACKAGE.found("A link.")
    tree = MemoryTree(signed(), problems=(link,))
    assert outcome(verified(tree)) == ("failed", "hashes", "PACKAGE_UNREADABLE")


def test_a_file_that_vanishes_is_a_failed_step_not_an_exception() -> None:
    class Vanishing(MemoryTree):
        def pieces(self, path: str) -> Iterator[bytes]:
            raise FileNotFoundError(2, "No such file or directory", path)

    result = verified(Vanishing(signed()))
    assert outcome(result) == ("failed", "hashes", "PACKAGE_UNREADABLE")
