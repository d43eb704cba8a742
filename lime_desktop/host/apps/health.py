"""Runs the health checks that a manifest declares: at the app's start, and on their schedule while it is in use.

By the host alone: each reads a signal of the host or of the App Server, and no code of the app runs for it. A check that
this host has no signal for is never tried, and never said to have passed.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from decimal import Decimal

from lime_desktop.durations import parse_duration
from lime_desktop.host.app_server_client.calling import CallServer, call_for_app
from lime_desktop.host.apps.provenance import provenance_of
from lime_desktop.host.apps.registered_app import RegisteredApp
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.calls.knowledge import LIST_KNOWLEDGE, ListKnowledgeParams
from lime_desktop.protocol.calls.models import LIST_MODELS, ListModelsParams
from lime_desktop.protocol.capability_calls.storage import READ_USAGE, StorageUsageResult
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.wire import Empty

Signal = Callable[[CallServer, RegisteredApp], Awaitable[bool]]

_TIMEOUT_S = 5.0
_LONGEST_TIMEOUT_S = 60.0
_INTERVAL_S = 60.0
_SHORTEST_INTERVAL_S = 1.0
_LONGEST_INTERVAL_S = 86_400.0


async def read_usage(call: CallServer, app: RegisteredApp) -> StorageUsageResult:
    """How much an app keeps, and how much it may."""
    caller = AppCaller(provenance=provenance_of(app))
    return await call_for_app(call, caller, READ_USAGE, Empty())


async def _storage_accessible(call: CallServer, app: RegisteredApp) -> bool:
    await read_usage(call, app)
    return True


async def _storage_healthy(call: CallServer, app: RegisteredApp) -> bool:
    usage = await read_usage(call, app)
    return usage.used_bytes < usage.quota_bytes


async def _agents_available(call: CallServer, app: RegisteredApp) -> bool:
    """Whether the runtime answers; that no model is set up is told by a step of its own."""
    del app
    await call(LIST_MODELS, ListModelsParams())
    return True


async def _knowledge_in_sync(call: CallServer, app: RegisteredApp) -> bool:
    listed = await call(LIST_KNOWLEDGE, ListKnowledgeParams(app_id=AppId(app.app_id)))
    return all(each.status != "failed" for each in listed.templates)


SIGNALS: Mapping[str, Signal] = {
    "storage_accessible": _storage_accessible,
    "storage_health": _storage_healthy,
    "agent_runtime_available": _agents_available,
    "knowledge_sync_status": _knowledge_in_sync,
}
"""The standard's checks that this host has a signal for."""
PAGE_CHECKS = frozenset({"sdk_connection", "ui_bundle_loaded"})
"""Those that a page alone can show: tried when one is opened, and passed once it says that it is ready."""


async def try_check(name: str, call: CallServer, app: RegisteredApp, timeout_s: float) -> bool:
    """Whether a check of `SIGNALS` passes now; no answer in time is a no."""
    try:
        async with asyncio.timeout(timeout_s):
            return await SIGNALS[name](call, app)
    except (AppError, TimeoutError):
        return False


async def run_startup_checks(call: CallServer, app: RegisteredApp) -> dict[str, bool]:
    """What came of every check at the start that can be tried, at the same time."""
    health = app.package.manifest.health
    checks = [each for each in (health.startup if health else ()) if each.check in SIGNALS]
    tried = (
        try_check(each.check, call, app, seconds(each.timeout, _TIMEOUT_S, _LONGEST_TIMEOUT_S))
        for each in checks
    )
    found = await asyncio.gather(*tried)
    return {each.check: is_passed for each, is_passed in zip(checks, found, strict=True)}


def intervals(app: RegisteredApp) -> dict[str, float]:
    """Every check while it runs that can be tried, with the seconds between two tries."""
    health = app.package.manifest.health
    return {
        each.check: max(
            seconds(each.interval, _INTERVAL_S, _LONGEST_INTERVAL_S), _SHORTEST_INTERVAL_S
        )
        for each in (health.runtime if health else ())
        if each.check in SIGNALS
    }


def seconds(text: str | None, otherwise: float, most: float) -> float:
    """A time such as `5s` or `2 min`; what cannot be read is the usual one."""
    read = parse_duration(text) if text else None
    return float(min(read, Decimal(most))) if read else otherwise
