"""Is this what the publisher signed? Four steps in the standard's order; the first failure ends it.

1. ``hashes``      the files and APP.md are those that the signature file declares
2. ``signature``   someone signed the statement about exactly these
3. ``revocation``  it has not been withdrawn since
4. ``publisher``   that someone is a publisher the user trusts, and owns the domain they claim

Unsigned is a verdict of its own, never a silent pass.
"""

from dataclasses import dataclass, field

from lime_desktop.app_package.files.tree import PackageTree
from lime_desktop.app_package.problem_kinds import trust as kinds
from lime_desktop.app_package.problems import Problem
from lime_desktop.app_package.trust.revocation import RevocationChecks
from lime_desktop.app_package.trust.statement import AppIdentity
from lime_desktop.app_package.trust.trust_store import TrustStore
from lime_desktop.app_package.trust.verdict import (
    STEP_ORDER,
    FoundHashes,
    Step,
    StepStatus,
    Verdict,
    Verification,
)
from lime_desktop.app_package.trust.verification_steps import (
    StepFailedError,
    check_hashes,
    check_publisher,
    check_revocation,
    check_signature,
    find_hashes,
    unsigned,
)

_VERDICTS: dict[str, Verdict] = {
    kinds.PACKAGE_UNSIGNED.code: Verdict.UNSIGNED,
    kinds.PACKAGE_REVOKED.code: Verdict.REVOKED,
    kinds.REVOCATION_UNKNOWN.code: Verdict.REVOCATION_UNKNOWN,
    kinds.PUBLISHER_UNKNOWN.code: Verdict.UNKNOWN_PUBLISHER,
}


@dataclass
class _Progress:
    """What is known so far, so that a failure still shows it."""

    steps: list[Step] = field(default_factory=list[Step])
    hashes: FoundHashes = field(default_factory=FoundHashes)
    signed_at: str | None = None

    def ended(self, status: StepStatus, reason: str, problem: Problem | None = None) -> None:
        """Note how the step under way ended: steps are noted in their order, so its name follows."""
        name = STEP_ORDER[len(self.steps)]
        code, fix = (problem.code, problem.fix) if problem else (None, None)
        self.steps.append(Step(name=name, status=status, reason=reason, code=code, fix=fix))

    def failed(self, problem: Problem) -> Verification:
        """Note the failure; what comes after it is not tried."""
        self.ended(StepStatus.FAILED, problem.message, problem)
        while len(self.steps) < len(STEP_ORDER):
            self.ended(StepStatus.SKIPPED, "Not reached.")
        return Verification(
            verdict=_VERDICTS.get(problem.code, Verdict.FAILED),
            steps=tuple(self.steps),
            hashes=self.hashes,
            signed_at=self.signed_at,
        )


def verify(
    tree: PackageTree,
    app: AppIdentity,
    store: TrustStore,
    revocations: RevocationChecks,
    *,
    bundle: str | None = None,
) -> Verification:
    """Verify a package. Never raises: whatever is wrong is a failed step.

    `bundle` is a sigstore bundle kept outside of the package; it is used instead of the one inside.
    """
    progress = _Progress()
    try:
        return _verified(progress, tree, app, store, revocations, bundle)
    except StepFailedError as failure:
        return progress.failed(failure.problem)


def _verified(
    progress: _Progress,
    tree: PackageTree,
    app: AppIdentity,
    store: TrustStore,
    revocations: RevocationChecks,
    bundle: str | None,
) -> Verification:
    found = progress.hashes = find_hashes(tree)
    file = check_hashes(tree, found)
    if file is None:
        progress.ended(StepStatus.SKIPPED, "The package declares no hashes to compare with.")
        raise unsigned()
    progress.ended(StepStatus.PASSED, "Every file is the one that was signed.")

    hashes = (found.signed_hash or "", found.manifest_hash or "")
    statement = file.statement(app.name, app.version, hashes)
    signed = check_signature(file, statement, store, bundle)
    progress.signed_at = statement.timestamp
    progress.ended(StepStatus.PASSED, f"Signed by {signed.signer}.")

    was_checked, reason = check_revocation(signed, revocations)
    progress.ended(StepStatus.PASSED if was_checked else StepStatus.SKIPPED, reason)

    publisher = check_publisher(signed, app)
    progress.ended(StepStatus.PASSED, f"Published by {publisher.name or publisher.publisher_id}.")
    return Verification(
        verdict=Verdict.VERIFIED,
        steps=tuple(progress.steps),
        hashes=found,
        publisher=publisher,
        signed_at=statement.timestamp,
    )
