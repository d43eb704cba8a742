"""The app center of a folder that a running desktop holds, as a command uses it: read here, changed by the desktop.

A command does the same with it as with a center of its own, so that what it prints and how it ends are the same.
"""

import inspect
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any, Literal

from pydantic import JsonValue

from lime_desktop.app_package.manifest import Manifest
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.packages.fetching import is_url
from lime_desktop.host.app_center.packages.progress import InstallProgress
from lime_desktop.host.app_center.records.offers import Offer
from lime_desktop.host.app_center.records.records import InstalledApp
from lime_desktop.host.app_center.review.install_review import Consent, InstallReview
from lime_desktop.host.startup.center_changes import (
    METHODS,
    Agreed,
    read_answer,
    read_failures,
    written,
)
from lime_desktop.host.startup.running_desktop import RunningDesktop
from lime_desktop.protocol.errors import AppError

_PLACES = frozenset({"catalog.add", "catalog.remove", "membership.join"})
"""Methods whose text is an address, or a path from where the command stands."""
_STANDS: Mapping[str, str] = {
    "membership.join": "membership.organisation",
    "membership.refresh": "membership.organisation",
    "workspaces.open": "workspaces.current",
}
"""Methods that give what the center says from then on."""


def lend(center: AppCenter, desktop: RunningDesktop) -> None:
    """Have every change of a center that looks on made by the desktop which holds it."""
    lent = _LentCenter(center, desktop)
    for name in METHODS:
        _replace(center, name, lent.changing(name))
    _replace(center, "install", lent.install)
    _replace(center, "review_offer", partial(lent.review_offer, center.review_offer))
    _replace(center, "catalog.refresh", lent.refresh_catalogs)
    _replace(center, "overlays.change_value", lent.change_setting)


class _LentCenter:
    def __init__(self, center: AppCenter, desktop: RunningDesktop) -> None:
        self._center = center
        self._desktop = desktop
        self._offers: dict[Path, Offer] = {}
        """What of a catalog was reviewed, by the copy that was read."""

    def changing(self, name: str) -> Callable[..., Awaitable[object]]:
        signature = inspect.signature(attrgetter(name)(self._center))

        async def change(*given: object, **named: object) -> object:
            bound = signature.bind(*given, **named).arguments
            answer = await self._change(
                name, {key: _argument(name, value) for key, value in bound.items()}
            )
            kind = METHODS[name]
            if kind is not None:
                return read_answer(kind, answer)
            return attrgetter(_STANDS[name])(self._center) if name in _STANDS else None

        return change

    async def install(
        self, review: InstallReview, consent: Consent, progress: InstallProgress | None = None
    ) -> InstalledApp:
        del progress
        agreed = Agreed(
            source=Path(review.source),
            consent=consent,
            offer=self._offers.get(review.staged.folder),
            installed=review.installed,
        )
        try:
            asked = {"app_id": written(review.app_id), "agreed": written(agreed)}
            return read_answer(InstalledApp, await self._change("install", asked))
        finally:
            await self._center.discard(review)

    async def review_offer(
        self,
        own: Callable[..., Awaitable[InstallReview]],
        offer: Offer,
        progress: InstallProgress | None = None,
    ) -> InstallReview:
        review = await own(offer, progress)
        self._offers[review.staged.folder] = offer
        return review

    async def refresh_catalogs(self) -> Mapping[str, AppError]:
        failures = read_failures(await self._change("refresh_catalogs", {}))
        await self._center.catalog.read_built_in()
        return failures

    async def change_setting(
        self, manifest: Manifest, layer: Literal["user", "workspace"], key: str, value: JsonValue
    ) -> None:
        asked: dict[str, JsonValue] = {
            "app_id": manifest.name,
            "layer": layer,
            "key": key,
            "value": value,
        }
        await self._change("change_setting", asked)

    async def _change(self, name: str, arguments: Mapping[str, JsonValue]) -> JsonValue:
        try:
            return await self._desktop.change(name, arguments)
        finally:
            await self._center.look_again()


def _argument(name: str, value: object) -> JsonValue:
    if name in _PLACES and isinstance(value, str) and not is_url(value):
        return written(Path(value))
    return written(value)


def _replace(center: AppCenter, name: str, method: Any) -> None:
    owner, _, attribute = name.rpartition(".")
    setattr(attrgetter(owner)(center) if owner else center, attribute, method)
