"""Signed packages for tests: what a publisher would send, before anyone has touched it."""

from collections.abc import Mapping
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from lime_desktop.app_package.files.tree import PackageTree
from lime_desktop.app_package.problems import Problem
from lime_desktop.app_package.trust.revocation import RevocationChecks
from lime_desktop.app_package.trust.signing import Claims, key_signature_file, make_statement
from lime_desktop.app_package.trust.signing_key import SigningKey
from lime_desktop.app_package.trust.statement import AppIdentity, Statement
from lime_desktop.app_package.trust.trust_store import TrustedPublisher, TrustStore
from lime_desktop.app_package.trust.verdict import StepStatus, Verification
from lime_desktop.app_package.trust.verification import verify
from tests.app_package.trees import APP_MD, MemoryTree

SIGNATURE_FILE = "app.signature.yaml"
SIGNED_AT = "2026-05-16T00:00:00Z"
APP = AppIdentity("sample-app", "1.0.0")
CLAIMS = Claims(
    publisher_id="lime-official", publisher_name="Lime Official", verified_domain="lime.example"
)
CONTENTS = {"APP.md": APP_MD, "dist/ui/app.js": b"run()", "locales/zh.json": b"{}"}


def key(seed: int = 1) -> SigningKey:
    return SigningKey(Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32))


def store(*, domains: tuple[str, ...] = ("lime.example",), seed: int = 1) -> TrustStore:
    publisher = TrustedPublisher(
        name="Lime Official", keys=(key(seed).public_key.text,), domains=domains
    )
    return TrustStore(publishers={"lime-official": publisher})


def statement_of(
    contents: Mapping[str, bytes] = CONTENTS, app: AppIdentity = APP, claims: Claims = CLAIMS
) -> Statement:
    statement = make_statement(MemoryTree(contents), app, claims, SIGNED_AT)
    assert not isinstance(statement, Problem)
    return statement


def signed(
    contents: Mapping[str, bytes] = CONTENTS,
    app: AppIdentity = APP,
    claims: Claims = CLAIMS,
    seed: int = 1,
) -> dict[str, bytes]:
    statement = statement_of(contents, app, claims)
    file = key_signature_file(MemoryTree(contents), statement, key(seed), claims.publisher_name)
    return {**contents, SIGNATURE_FILE: file}


def verified(
    contents: Mapping[str, bytes] | PackageTree,
    app: AppIdentity = APP,
    trust: TrustStore | None = None,
    checks: RevocationChecks | None = None,
    bundle: str | None = None,
) -> Verification:
    tree = MemoryTree(contents) if isinstance(contents, Mapping) else contents
    # Offline, and a cache that is never there: a test that forgets to say otherwise asks nobody.
    checks = checks or RevocationChecks(Path("/nonexistent"), is_offline=True)
    return verify(tree, app, trust or store(), checks, bundle=bundle)


def outcome(result: Verification) -> tuple[str, str | None, str | None]:
    """Verdict, and the step that failed with its code."""
    failed = next((each for each in result.steps if each.status is StepStatus.FAILED), None)
    return (result.verdict, failed and failed.name, failed and failed.code)
