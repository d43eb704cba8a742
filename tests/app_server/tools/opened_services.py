"""The services of apps as agents reach them, with the host's door beside them."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from lime_desktop.app_server.app_evidence.service import open_evidence
from lime_desktop.app_server.app_services import AppServices, open_app_services
from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.routes import AppCalls, Routes
from lime_desktop.app_server.secrets.store import open_secret_store
from lime_desktop.app_server.server.connection import Services
from lime_desktop.app_server.server.fan_out import FanOut
from lime_desktop.protocol.app_call import APP_CALL
from lime_desktop.protocol.ids import AppId, SessionId


@dataclass(frozen=True, slots=True)
class Opened:
    app_services: AppServices
    connections: Services


async def _nobodys(_session_id: SessionId) -> AppId | None:
    return None


@asynccontextmanager
async def opened_services(data_dir: Path, apps: RegisteredApps) -> AsyncGenerator[Opened]:
    """Open them in a folder, for apps that are registered already."""
    fan_out, routes, calls = FanOut(), Routes(), AppCalls()
    secrets = open_secret_store(data_dir, lambda: None)
    evidence = await open_evidence(data_dir)
    services = open_app_services(data_dir, apps, secrets, evidence, fan_out)
    services.serve(routes, calls, ())
    routes.add(APP_CALL, calls.answer)
    try:
        yield Opened(services, Services(routes, _nobodys, fan_out))
    finally:
        await services.close()
        evidence.close()
        secrets.close()
