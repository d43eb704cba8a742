"""What does this host offer to apps? A value, so that another host can be asked about as well."""

import sys
from collections.abc import Mapping

from lime_desktop import __version__
from lime_desktop.product import this_product
from lime_desktop.protocol.capabilities import CAPABILITIES, CONTRACT_VERSIONS
from lime_desktop.protocol.wire import WireModel

SDK_PACKAGE = "@lime/app-sdk"

AGENT_STANDARDS = (
    "agentruntime",
    "agentui",
    "agentcontext",
    "agentknowledge",
    "agentskills",
    "agenttool",
    "agentartifact",
    "agentevidence",
    "agentpolicy",
    "agentqc",
)
"""Neighbouring standards an app may name beside ``lime.*`` capabilities; they are not host services."""


class HostProfile(WireModel):
    """A host as an app meets it: versions, capabilities, targets and the machine it runs on."""

    host_version: str
    """The product's own version; no app can ask for it, but it explains a profile to a person."""
    manifest_versions: tuple[str, ...] = CONTRACT_VERSIONS
    app_runtime_versions: tuple[str, ...] = CONTRACT_VERSIONS
    sdk_versions: Mapping[str, tuple[str, ...]] = {SDK_PACKAGE: CONTRACT_VERSIONS}
    """SDK package → contract versions its calls are served for."""
    capabilities: Mapping[str, tuple[str, ...]] = {}
    """Capability → contract versions this host satisfies."""
    standards: tuple[str, ...] = AGENT_STANDARDS
    runtime_targets: tuple[str, ...] = ("local", "hybrid")
    install_modes: tuple[str, ...] = ("in_lime",)
    service_protocols: tuple[str, ...] = ("stdio-jsonrpc",)
    """How this host talks with a service that it runs for an app; empty where it runs none."""
    adapter_kinds: tuple[str, ...] = ("api", "browser", "cli", "mcp", "webhook")
    """The kinds of connections that a person can set up here."""
    storage_placements: tuple[str, ...] = ("local-sqlite", "host-managed")
    bridge_kinds: tuple[str, ...] = ("app-server-json-rpc",)
    platform: str = "linux"
    """``linux``, ``macos`` or ``windows``."""

    @property
    def standard_version(self) -> str:
        """The newest manifest version this host reads."""
        return self.manifest_versions[-1]


def _this_platform() -> str:
    if sys.platform == "darwin":
        return "macos"
    return "windows" if sys.platform == "win32" else "linux"


THIS_HOST = HostProfile(
    host_version=__version__,
    capabilities={each.name: each.versions for each in CAPABILITIES if each.is_offered},
    install_modes=(this_product().install_mode,),
    platform=_this_platform(),
)
"""The host that this code is. Its locale and its live state are facts, not part of it."""
