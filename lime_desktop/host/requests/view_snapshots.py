"""What holds for one view of one app right now: the facts policy asks, the snapshot the app is sent, the bundle it gets.

Pure over the registry's app and what surrounds it. Snapshots are built field by field: nothing gets in by being nearby.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict

from lime_desktop import __version__
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.capabilities.table import SERVED_CAPABILITIES
from lime_desktop.host.web_content.origin import origin_of
from lime_desktop.policy.facts import Approval, PolicyFacts
from lime_desktop.policy.vocabulary import ALWAYS_AVAILABLE
from lime_desktop.product import this_product
from lime_desktop.protocol.bridge.snapshot import (
    AppContext,
    CapabilitySummary,
    HostContext,
    HostSnapshot,
    ModelSummary,
    ReadinessSummary,
    SetupFinding,
    Theme,
    WorkspaceContext,
)
from lime_desktop.protocol.capabilities import capability_named
from lime_desktop.protocol.ids import AppId

_NOT_SERVED = "This version of Lime Desktop does not serve it yet."


_UNKNOWN_MODELS = ModelSummary(status="unknown")
_HAVE_TASKS = frozenset({"lime.agent", "lime.models"})


@dataclass(frozen=True, slots=True)
class ViewContext:
    """What an app may know of the place it is shown in."""

    locale: str
    timezone: str
    theme: Theme
    now: datetime
    models: ModelSummary = _UNKNOWN_MODELS
    """Who would answer a task; told to apps that have tasks."""


def policy_facts(
    app: RegisteredApp, now_ms: int, approvals: tuple[Approval, ...] = ()
) -> PolicyFacts:
    """Everything a decision about this app's calls rests on."""
    return PolicyFacts(
        declared=app.declared,
        now_ms=now_ms,
        readiness=app.standing,
        rules=app.rules,
        defaults=app.governing.policy.defaults,
        risk_rules=app.governing.policy.risk_rules,
        ask_from=app.governing.policy.ask_from,
        grants=app.grants,
        approvals=approvals,
        cost_limits=app.cost_limits,
    )


class ViewFacts:
    """What policy goes by for one view: put together anew once anything in it changed or lapsed."""

    def __init__(self) -> None:
        self._app: RegisteredApp | None = None
        self._facts: PolicyFacts
        self._since_ms = self._until_ms = 0.0

    def take(self, app: RegisteredApp, now_ms: int, approvals: tuple[Approval, ...]) -> PolicyFacts:
        """The facts of this moment; their time is that of an earlier one where no decision hangs on it."""
        if (
            app is not self._app
            or not self._since_ms <= now_ms < self._until_ms
            or approvals != self._facts.approvals
        ):
            self._app = app
            self._facts = policy_facts(app, now_ms, approvals)
            self._since_ms, self._until_ms = self._facts.standing_time()
        return self._facts


class ViewSnapshots:
    """What one view's app is told of itself and its host: what hangs on the app is put together once while it stands."""

    def __init__(self, entry_key: str) -> None:
        self._entry_key = entry_key
        self._told: tuple[RegisteredApp, str] | None = None
        self._of_app: _OfApp

    def take(self, app: RegisteredApp, ambience: ViewContext) -> HostSnapshot:
        """The snapshot of this moment."""
        if self._told is None or self._told[0] is not app or self._told[1] != ambience.locale:
            self._told = (app, ambience.locale)
            self._of_app = _of_app(app, self._entry_key, ambience.locale)
        asks = not _HAVE_TASKS.isdisjoint(self._of_app["capabilities"].available)
        return HostSnapshot(
            host=_host(ambience),
            theme=ambience.theme,
            models=ambience.models if asks else None,
            **self._of_app,
        )


def snapshot_of(app: RegisteredApp, entry_key: str, ambience: ViewContext) -> HostSnapshot:
    """What the app is told of itself and its host."""
    return ViewSnapshots(entry_key).take(app, ambience)


class _OfApp(TypedDict):
    app: AppContext
    workspace: WorkspaceContext
    capabilities: CapabilitySummary
    readiness: ReadinessSummary


def _of_app(app: RegisteredApp, entry_key: str, locale: str) -> _OfApp:
    entry = app.projection.entry(entry_key)
    return {
        "app": AppContext(
            app_id=AppId(app.app_id),
            entry_key=entry_key,
            display_name=app.title(locale),
            route=entry.route if entry else None,
            install_mode=this_product().install_mode,
            runtime_origin=origin_of(app.app_id),
            version=app.package.manifest.version,
        ),
        "workspace": WorkspaceContext(workspace_id=app.governing.workspace_id),
        "capabilities": _capabilities(app),
        "readiness": _readiness(app),
    }


def _host(ambience: ViewContext) -> HostContext:
    return HostContext(
        version=__version__,
        locale=ambience.locale,
        timezone=ambience.timezone,
        sent_at=ambience.now.isoformat(timespec="milliseconds"),
    )


def _capabilities(app: RegisteredApp) -> CapabilitySummary:
    names = sorted({*(demand.name for demand in app.projection.capabilities), *ALWAYS_AVAILABLE})
    blocked = tuple(name for name in names if name not in SERVED_CAPABILITIES)
    return CapabilitySummary(
        available=tuple(name for name in names if name in SERVED_CAPABILITIES),
        blocked=blocked,
        reasons={name: _reason(name) for name in blocked},
    )


def _reason(capability: str) -> str:
    known = capability_named(capability)
    return (known.unavailable_reason if known else None) or _NOT_SERVED


def _readiness(app: RegisteredApp) -> ReadinessSummary:
    findings = (check for check in app.readiness.checks if check.severity != "info")
    return ReadinessSummary(
        status=app.readiness.status.value,
        findings=tuple(
            SetupFinding(
                key=check.key, kind=check.kind, severity=check.severity, message=check.message
            )
            for check in findings
        ),
    )
