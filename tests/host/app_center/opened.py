"""The app center of a folder, opened and closed around a scenario."""

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from lime_desktop.app_package.trust.revocation import RevocationChecks
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.opening import open_center
from lime_desktop.host.app_center.packages.trusting import TrustCheck
from lime_desktop.host.app_center.records.records import InstalledApp
from lime_desktop.host.app_center.review.install_review import Consent, InstallReview
from lime_desktop.host.app_server_client.sidecar import Sidecar
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor
from tests.app_server.twin import ServerTwin, server_twin

T = TypeVar("T")


def play(scenario: Coroutine[Any, Any, T]) -> T:
    """Run a scenario on a loop of its own."""
    return asyncio.run(scenario)


@asynccontextmanager
async def center_of(folder: Path) -> AsyncGenerator[AppCenter]:
    """An app center beside an App Server, both on real files."""
    async with opened(folder) as (center, _):
        yield center


@asynccontextmanager
async def opened(folder: Path) -> AsyncGenerator[tuple[AppCenter, ServerTwin]]:
    """The same, with the server to ask."""
    trust = TrustCheck(folder / "trust.yaml", RevocationChecks(folder / "revocation"))
    async with server_twin(folder / "data/app-server") as server:
        center = await open_center(folder / "data", server, trust)
        try:
            yield center, server
        finally:
            await center.close()


@asynccontextmanager
async def center_without_server(folder: Path) -> AsyncGenerator[AppCenter]:
    """An app center while the App Server is down."""
    stopped = AppServerSupervisor(lambda: Sidecar.start(()))
    center = await open_center(folder / "data", stopped.call)
    try:
        yield center
    finally:
        await center.close()


def consent_to(review: InstallReview, *granted: str) -> Consent:
    return Consent(
        package_hash=review.staged.package_hash,
        granted=frozenset(granted),
        accepts_unverified=True,
    )


async def installed(center: AppCenter, package: Path, *granted: str) -> InstalledApp:
    review = await center.review(package)
    return await center.install(review, consent_to(review, *granted))
