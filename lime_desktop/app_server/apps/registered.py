"""Answers app/*, and whoever asks for an app: its package, and the facts that policy decides on.

Knows what the host said. Whether a call may happen is decided in `policy`, by these facts.
"""

import asyncio
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, cast, get_args

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.background.observers import Observers
from lime_desktop.policy.declared import Declared
from lime_desktop.policy.facts import DefaultRule, Grant, PolicyFacts, Readiness
from lime_desktop.policy.governance import Governance
from lime_desktop.policy.manifest_rules import declared_by, rules_of
from lime_desktop.policy.rules import Criterion, Facet, Match, RiskRule, Rule, RuleRef
from lime_desktop.projection.host_profile import THIS_HOST
from lime_desktop.protocol.calls.apps import (
    RegisterAppParams,
    RegisterAppResult,
    RegisteredLine,
    RegisteredRiskRule,
    RegisteredRule,
    UnregisterAppParams,
)
from lime_desktop.protocol.errors import AppNotInstalled, InvalidInput, PackageInvalid
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.provenance import Provenance
from lime_desktop.protocol.wire import Empty

if TYPE_CHECKING:
    from lime_desktop.app_package.package import AppPackage

_FACETS = frozenset(get_args(Facet))


@dataclass(frozen=True)
class RegisteredApp:
    """One app as the host last described it."""

    registration: RegisterAppParams
    package: "AppPackage"
    governance: Governance
    """What the host sent; the manifest's own rules are added to it."""

    @property
    def app_id(self) -> AppId:
        """The app's name."""
        return self.registration.app_id

    @cached_property
    def provenance(self) -> Provenance:
        """What records say of their origin that are made in the app's name."""
        return Provenance(
            app_id=self.app_id,
            app_name=self.package.name,
            app_version=self.package.manifest.version,
            package_hash=self.registration.package_hash,
            manifest_hash=self.package.manifest_hash or "",
            standard_version=self.package.manifest.manifest_version or THIS_HOST.standard_version,
        )

    @cached_property
    def declared(self) -> Declared:
        """What the manifest declares."""
        return declared_by(self.package.manifest)

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """Every rule that speaks of this app."""
        return (*rules_of(self.package.manifest), *self.governance.rules)

    def policy_facts(self, now_ms: int) -> PolicyFacts:
        """Everything a decision about this app's calls rests on, at a moment."""
        return PolicyFacts(
            declared=self.declared,
            now_ms=now_ms,
            readiness=Readiness(state=self.registration.readiness_state),
            rules=self.rules,
            defaults=self.governance.defaults,
            risk_rules=self.governance.risk_rules,
            ask_from=self.governance.ask_from,
            grants=tuple(
                Grant(permission=grant.permission, expires_at_ms=grant.expires_at_ms)
                for grant in self.registration.grants
            ),
        )


class RegisteredApps:
    """Every app the host told us of, until it takes one back or this process ends."""

    def __init__(self) -> None:
        self._apps: dict[str, RegisteredApp] = {}
        self.registered = Observers[str]()
        """Hear of every app that the host tells of, each time."""
        self.unregistered = Observers[str]()
        """Hear of every app that it takes back."""

    def get(self, app_id: str) -> RegisteredApp:
        """The app of this name.

        Raises:
            AppNotInstalled: the host has not registered it.
        """
        app = self._apps.get(app_id)
        if app is None:
            raise AppNotInstalled("The host has not registered this app")
        return app

    async def wait_for(self, app_id: str) -> None:
        """Wait until the host has told of an app: what is taken up from a dead process is older than what it tells."""
        told = asyncio.Event()
        leave = self.registered.subscribe(lambda _: told.set())
        try:
            while app_id not in self._apps:
                await told.wait()
                told.clear()
        finally:
            leave()

    async def register(self, params: RegisterAppParams, context: CallContext) -> RegisterAppResult:
        """Read the package, check that it is the one the host means, and know the app from now on.

        Raises:
            PackageInvalid: it cannot be read, breaks the standard, or is not what the hash says.
            InvalidInput: a rule cannot be understood.
        """
        del context
        governance = _governance(params)
        package = await self._package(params)
        self._apps[params.app_id] = RegisteredApp(params, package, governance)
        self.registered.notify(params.app_id)
        return RegisterAppResult(
            app_id=params.app_id,
            version=package.manifest.version,
            package_hash=params.package_hash,
        )

    async def unregister(self, params: UnregisterAppParams, context: CallContext) -> Empty:
        """Forget an app; an unknown one is forgotten already."""
        del context
        self._apps.pop(params.app_id, None)
        self.unregistered.notify(params.app_id)
        return Empty()

    async def _package(self, params: RegisterAppParams) -> "AppPackage":
        known = self._apps.get(params.app_id)
        if known and _names_same_bytes(known.registration, params):
            # Only what people and policies say has changed: no need to read the files again.
            return known.package
        return await asyncio.to_thread(_read_package, params)


def _names_same_bytes(known: RegisterAppParams, params: RegisterAppParams) -> bool:
    return (known.package_path, known.package_hash) == (params.package_path, params.package_hash)


def _read_package(params: RegisterAppParams) -> "AppPackage":
    # Imported here, on a thread of its own: the server answers before it knows how packages are read and checked.
    from lime_desktop.app_package.archive.opening import open_package  # noqa: PLC0415
    from lime_desktop.app_package.package import load_package  # noqa: PLC0415

    try:
        package = load_package(open_package(Path(params.package_path)))
        found = package.package_hash
    except OSError:
        raise _unusable("package_unreadable", "The package could not be read") from None
    if not package.is_valid:
        raise _unusable("package_invalid", "The package breaks the standard")
    if package.name != params.app_id:
        raise _unusable("another_app", "The package is another app's")
    if found != params.package_hash:
        raise _unusable("hash_mismatch", "The package is not the one that its hash names")
    return package


def _unusable(reason: str, message: str) -> PackageInvalid:
    return PackageInvalid(message, details={"reasonCode": reason})


def _governance(params: RegisterAppParams) -> Governance:
    return Governance(
        rules=tuple(
            _rule(written, f"rules[{index}]") for index, written in enumerate(params.rules)
        ),
        risk_rules=tuple(
            RiskRule(_ref(written), written.level, _match(written, f"riskRules[{index}]"))
            for index, written in enumerate(params.risk_rules)
        ),
        defaults=tuple(
            DefaultRule(ref=_ref(written), effect=written.effect) for written in params.defaults
        ),
        ask_from=params.ask_from,
    )


def _rule(written: RegisteredRule, place: str) -> Rule:
    match = _match(written, place)
    try:
        return Rule(_ref(written), written.effect, match, written.remember, written.expires_at_ms)
    except ValueError:
        raise _unreadable(place) from None


def _match(written: RegisteredRule | RegisteredRiskRule, place: str) -> Match:
    unknown = [name for name in written.when if name not in _FACETS]
    if unknown:
        raise InvalidInput.at_fields((f"{place}.when.{name}", "unknown_facet") for name in unknown)
    try:
        return Match(
            tuple(Criterion(cast("Facet", name), each) for name, each in written.when.items())
        )
    except ValueError:
        raise _unreadable(place) from None


def _ref(written: RegisteredLine) -> RuleRef:
    return RuleRef(written.id, written.layer, written.source, written.text)


def _unreadable(place: str) -> InvalidInput:
    # A rule that is read in part would be believed and not be in force.
    return InvalidInput.at_fields([(place, "unreadable_rule")])
