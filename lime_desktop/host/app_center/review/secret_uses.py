"""Where does each secret go that the app asks a person for? To which program, tool server, system or site, and how.

Read from what the app declares; the value itself is nowhere near. A system's address is the one that its document says.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from lime_desktop.app_package.manifest.operations import Adapter, Integration
from lime_desktop.app_package.manifest.resources import SecretUse
from lime_desktop.app_package.package import AppPackage
from lime_desktop.host.app_center.review.api_addresses import api_address
from lime_desktop.host.app_center.review.deferred_text import DeferredText

Destination = Literal["program", "server", "system", "site", "unknown", "nowhere"]
Form = Literal["variable", "file", "header", "none"]


@dataclass(frozen=True, slots=True)
class DeclaredSecretUse:
    """One place that one secret goes to."""

    secret: str
    """The slot."""
    destination: Destination
    to: str = ""
    """The program as it would be typed, the tool server's name, or the host that is sent to."""
    form: Form = "none"
    name: str = ""
    """Of the variable or the header."""

    @property
    def words_for_people(self) -> DeferredText:
        """Where it goes, in a sentence."""
        key = f"review.secret.{self.destination}"
        if self.form != "none" and self.destination != "unknown":
            key = f"{key}.{self.form}"
        return DeferredText(key, {"secret": self.secret, "to": self.to, "name": self.name})


def declared_secret_uses(package: AppPackage) -> tuple[DeclaredSecretUse, ...]:
    """Every use of every slot, in the manifest's order; a slot that nothing uses says so. Reads the package."""
    integrations = {each.key: each for each in package.manifest.integrations}
    return tuple(
        found
        for slot in package.manifest.secrets
        for found in (
            *(each for use in slot.use for each in _uses(slot.key, use, integrations, package)),
            *(() if slot.use else (DeclaredSecretUse(slot.key, "nowhere"),)),
        )
    )


def _uses(
    secret: str, use: SecretUse, integrations: dict[str, Integration], package: AppPackage
) -> Iterator[DeclaredSecretUse]:
    form, name = _form(use)
    for domain in use.domains:
        yield DeclaredSecretUse(secret, "site", domain, form, name)
    if use.integration is None:
        return
    integration = integrations.get(use.integration)
    destination, to = _place(integration, use.integration, package)
    yield DeclaredSecretUse(secret, destination, to, form, name)


def _form(use: SecretUse) -> tuple[Form, str]:
    if use.variable is not None:
        return "variable", use.variable
    if use.header is not None:
        return "header", use.header
    return ("file", use.placeholder) if use.placeholder is not None else ("none", "")


def _place(
    integration: Integration | None, key: str, package: AppPackage
) -> tuple[Destination, str]:
    adapter = integration.adapter if integration else None
    match adapter.kind if adapter else None:
        case "cli":
            return "program", (adapter.command if adapter else None) or key
        case "mcp":
            return "server", (adapter.server if adapter else None) or key
        case "api" if adapter is not None:
            return "system", _host(adapter, package) or key
        case _:
            return "unknown", key


def _host(adapter: Adapter, package: AppPackage) -> str | None:
    """The host of a described system."""
    address = api_address(adapter, package)
    return None if address is None else urlsplit(address).hostname
