"""What an examination goes by: the package as every other command reads it, and what was seen of the open page."""

from dataclasses import dataclass
from datetime import UTC, datetime

from lime_desktop.app_package.files.tree import PackageTree
from lime_desktop.app_package.package import AppPackage, load_package
from lime_desktop.app_package.problems import Problem
from lime_desktop.app_package.trust.revocation import RevocationChecks
from lime_desktop.app_package.trust.statement import identity_of
from lime_desktop.app_package.trust.trust_store import TrustStore
from lime_desktop.app_package.trust.verdict import Verification
from lime_desktop.app_package.trust.verification import verify
from lime_desktop.projection.document import to_json
from lime_desktop.projection.host_profile import THIS_HOST
from lime_desktop.projection.projection import Projection, project
from lime_desktop.readiness.assess import assess
from lime_desktop.readiness.facts import ReadinessFacts
from lime_desktop.readiness.package_checks import claimed_trust
from lime_desktop.readiness.result import Readiness


@dataclass(frozen=True, slots=True)
class PackageFacts:
    """A package, read, verified, projected and assessed."""

    package: AppPackage
    verification: Verification
    projection: Projection
    documents: tuple[str, str]
    """The projection as a text, from two readings that know nothing of each other."""
    readiness: Readiness
    """As on the day it is installed with everything granted that it asks for."""

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with it."""
        return self.projection.problems


def read_facts(tree: PackageTree, store: TrustStore) -> PackageFacts:
    """Read everything that can be known of a package without running it. Asks nobody over a network."""
    package = load_package(tree)
    projection = project(package, THIS_HOST)
    again = project(load_package(tree), THIS_HOST)
    facts = ReadinessFacts(
        now=datetime.now(UTC),
        package_trust=claimed_trust(projection),
        granted_permissions=frozenset(each.key for each in package.manifest.permissions),
    )
    checks = RevocationChecks(is_offline=True)
    return PackageFacts(
        package=package,
        verification=verify(tree, identity_of(package.manifest), store, checks),
        projection=projection,
        documents=(to_json(projection), to_json(again)),
        readiness=assess(projection, facts),
    )
