"""Who published a package? Asks the person's trust file, the publisher's revocation service, and what ships here. Blocks."""

from dataclasses import dataclass, field
from pathlib import Path

from lime_desktop.app_package.package import AppPackage
from lime_desktop.app_package.problems import Problem
from lime_desktop.app_package.trust.app_identity import identity_of
from lime_desktop.app_package.trust.revocation import RevocationChecks
from lime_desktop.app_package.trust.trust_store import (
    TrustStore,
    default_trust_file,
    load_trust_store,
)
from lime_desktop.app_package.trust.verdict import Verification
from lime_desktop.app_package.trust.verification import verify
from lime_desktop.host.app_center.packages.bundled import BundledApps


@dataclass(frozen=True)
class TrustCheck:
    """Verifies packages with the trust file as it is at that moment."""

    trust_file: Path = field(default_factory=default_trust_file)
    revocations: RevocationChecks = field(default_factory=RevocationChecks)
    bundled: BundledApps = field(default_factory=BundledApps)

    def __call__(self, package: AppPackage) -> Verification:
        """Verify a package; with a trust file that cannot be read, nobody is trusted."""
        trusted = load_trust_store(self.trust_file) if self.trust_file.exists() else TrustStore()
        store = TrustStore() if isinstance(trusted, Problem) else trusted
        found = verify(package.tree, identity_of(package.manifest), store, self.revocations)
        return self.bundled.verified(package, found)
