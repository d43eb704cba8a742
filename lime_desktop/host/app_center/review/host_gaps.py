"""What an app wants and this host cannot offer, whatever anybody sets up: said before the app is installed.

The same checks as later on the app's page, before anything is granted or set up; only what no setup here changes is told.
"""

from dataclasses import dataclass
from datetime import UTC, datetime

from lime_desktop.app_package.manifest import Manifest
from lime_desktop.app_package.package import AppPackage
from lime_desktop.product import this_product
from lime_desktop.projection.projection import Projection
from lime_desktop.readiness.assess import assess
from lime_desktop.readiness.codes import Code
from lime_desktop.readiness.facts import ReadinessFacts
from lime_desktop.readiness.host_facts import host_facts

_BEYOND_SETUP = frozenset(
    {
        Code.MANIFEST_VERSION_UNSUPPORTED,
        Code.RUNTIME_TARGET_UNSUPPORTED,
        Code.HOST_VERSION_UNSUPPORTED,
        Code.SDK_VERSION_UNSUPPORTED,
        Code.APP_OUTDATED,
        Code.PLATFORM_UNSUPPORTED,
        Code.RUNTIME_BRIDGE_UNSUPPORTED,
        Code.CAPABILITY_MISSING,
        Code.CAPABILITY_VERSION_UNSUPPORTED,
        Code.STANDARD_UNSUPPORTED,
        Code.STORAGE_DECLARED_BUT_DISABLED,
        Code.STORAGE_PLACEMENT_UNSUPPORTED,
        Code.TOOL_UNSUPPORTED,
        Code.SERVICE_REQUIRED,
        Code.WORKFLOW_NOT_EXECUTABLE,
        Code.INTEGRATION_BLOCKED,
        Code.INTEGRATION_UNDESCRIBED,
        Code.INTEGRATION_UNSUPPORTED,
    }
)
"""The findings that say something of this host, and nothing of what a person has done."""


@dataclass(frozen=True, slots=True)
class HostGap:
    """One thing that is not to be had here."""

    code: Code
    words: str
    is_blocking: bool
    """Whether the app cannot start without it; else a part of it does not work."""


def host_gaps(package: AppPackage, projection: Projection, locale: str) -> tuple[HostGap, ...]:
    """Every gap once, what keeps the app from starting first."""
    facts = ReadinessFacts(
        now=datetime.now(UTC),
        locale=locale,
        install_mode=this_product().install_mode,
        **host_facts(package),
    )
    found = {
        each.message: HostGap(each.code, each.message, each.blocking)
        for each in assess(projection, facts).checks
        if each.code is not None
        and each.code in _BEYOND_SETUP
        and each.key not in _by_host(package.manifest)
    }
    return tuple(sorted(found.values(), key=lambda gap: not gap.is_blocking))


def _by_host(manifest: Manifest) -> frozenset[str]:
    """The connections that go through a capability and need no adapter, and what is done through them."""
    own = {each.key for each in manifest.integrations if each.adapter is None}
    return frozenset(own | {each.key for each in manifest.operations if each.integration in own})
