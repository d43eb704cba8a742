"""What does an app's origin serve, and which hosts may its pages and agents reach? Pure over the registry's app."""

from collections.abc import Iterator, Mapping

from lime_desktop.app_package.manifest.root import Manifest
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.web_content.ui_bundle import UiBundle
from lime_desktop.policy.domain_grants import DomainGrants, denied_domains

_USUAL_BUNDLE = "dist/ui"


def bundle_of(app: RegisteredApp, host_files: Mapping[str, bytes]) -> UiBundle:
    """The app's files as its origin serves them, with the domains that were granted."""
    root = bundle_root(app.package.manifest)
    return UiBundle(app.package.tree, root, host_files, domain_grants(app))


def bundle_root(manifest: Manifest) -> str:
    """The folder of the bundle inside the package, without a slash at its end."""
    declared = manifest.runtime_package
    path = declared.ui.path if declared and declared.ui else _USUAL_BUNDLE
    return path.removeprefix("./").rstrip("/")


def domain_grants(app: RegisteredApp) -> DomainGrants:
    """The hosts that its manifest declares and the person granted, as far as nobody who governs shut them off."""
    denied = denied_domains(app.governing.policy.rules, app.app_id)
    return DomainGrants.of(_granted_hosts(app), denied)


def command_domains(app: RegisteredApp) -> DomainGrants:
    """The same for programs that run for it: what is shut off for commands is shut off for them too."""
    denied = denied_domains(app.governing.policy.rules, app.app_id, "lime.terminal")
    return DomainGrants.of(_granted_hosts(app), denied)


def _granted_hosts(app: RegisteredApp) -> Iterator[str]:
    for permission in app.package.manifest.permissions:
        if permission.scope == "network" and permission.key in app.granted:
            yield from permission.domains or ()


def declared_domains(app: RegisteredApp) -> DomainGrants:
    """The hosts that its manifest declares, granted or not; a network permission that names none means all public ones."""
    declared = (
        domain
        for permission in app.declared.permissions
        if permission.scope == "network"
        for domain in (("*",) if permission.domains is None else permission.domains)
    )
    return DomainGrants.of(declared, denied_domains(app.governing.policy.rules, app.app_id))
