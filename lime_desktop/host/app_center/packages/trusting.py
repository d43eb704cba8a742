"""Who published a package, and is there a signed one beside it? Blocks.

Asks the person's trust file, the publisher's revocation service, and what ships here.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from lime_desktop.app_package.archive.reader import list_archive
from lime_desktop.app_package.files.hashes import SIGNATURE_FILE
from lime_desktop.app_package.manifest import Manifest
from lime_desktop.app_package.package import AppPackage
from lime_desktop.app_package.problems import Problem, Severity
from lime_desktop.app_package.trust.revocation import RevocationChecks
from lime_desktop.app_package.trust.statement import identity_of
from lime_desktop.app_package.trust.trust_store import (
    TrustStore,
    default_trust_file,
    load_trust_store,
)
from lime_desktop.app_package.trust.verdict import Verification
from lime_desktop.app_package.trust.verification import verify
from lime_desktop.host.app_center.packages.bundled import BundledApps

VerifyPackage = Callable[[AppPackage], Verification]

_MOST_LOOKED_AT = 8


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


def signed_beside(source: Path, manifest: Manifest) -> Path | None:
    """A package file of the same app and version, next to this one, that holds a signature. Blocks.

    Its signature is not checked here: the review of that package does.
    """
    named = f"{manifest.name}-{manifest.version}"
    try:
        beside = sorted(source.resolve().parent.glob("*.lapp"))
    except OSError:
        return None
    found = [each for each in beside if each.name.startswith(named) and each != source.resolve()]
    return next(filter(_is_signed, found[:_MOST_LOOKED_AT]), None)


def _is_signed(path: Path) -> bool:
    listed = list_archive(path)
    is_whole = all(each.severity is not Severity.ERROR for each in listed.problems)
    return is_whole and SIGNATURE_FILE in listed.files
