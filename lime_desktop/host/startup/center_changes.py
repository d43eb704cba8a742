"""What a command may have a running desktop do with the app center: one row per change, the same at both ends.

A change is a method of the center, by its name and its arguments as JSON. What a person reads before they agree is made
where they read it; the desktop makes it again, and does nothing where it comes out otherwise.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any, Literal, cast

from pydantic import ConfigDict, JsonValue, TypeAdapter, ValidationError, validate_call
from pydantic_core import to_jsonable_python

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.records.offers import Offer
from lime_desktop.host.app_center.records.records import CatalogSource, InstalledApp
from lime_desktop.host.app_center.records.removal import Receipt
from lime_desktop.host.app_center.review.install_review import Consent, InstallReview
from lime_desktop.protocol.errors import AppError, Conflict, InvalidInput, error_from_data

Change = Callable[..., Awaitable[object]]
Arguments = Mapping[str, JsonValue]

METHODS: Mapping[str, type | None] = {
    # The center's own method: what it answers, where that has to be told and cannot be read in the folder afterwards.
    "enable": None,
    "disable": None,
    "settle": None,
    "choose_source": None,
    "roll_back": InstalledApp,
    "uninstall": Receipt,
    "catalog.add": CatalogSource,
    "catalog.remove": bool,
    "membership.join": None,
    "membership.refresh": None,
    "membership.leave": None,
    "eval_outcomes.keep": None,
    "permissions.grant": None,
    "permissions.revoke": None,
    "permissions.let_run_unconfined": None,
    "permissions.stop_running_unconfined": None,
    "update_policies.choose": None,
    "workspaces.open": None,
    "workspaces.leave": None,
    "workspaces.reread": None,
}
_CLOSES_VIEWS = frozenset({"install", "uninstall", "roll_back"})
"""Before these an app's open pages are shut, as before the same in the window."""
_OWN_TYPES = ConfigDict(arbitrary_types_allowed=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreed:
    """An install or an update that a person read and agreed to."""

    source: Path
    consent: Consent
    offer: Offer | None = None
    """What of a catalog it was, if it was not a package by itself."""
    installed: InstalledApp | None = None
    """What was installed when they read it."""


async def _install(center: AppCenter, app_id: str, agreed: Agreed) -> InstalledApp:
    review = await _reviewed(center, agreed)
    seen = (app_id, agreed.installed, agreed.consent.package_hash)
    if (review.app_id, review.installed, review.staged.package_hash) != seen:
        await center.discard(review)
        raise Conflict("The package or the installed app changed since the review. Review it again")
    return await center.install(review, agreed.consent)


async def _reviewed(center: AppCenter, agreed: Agreed) -> InstallReview:
    if agreed.offer is not None:
        return await center.review_offer(agreed.offer)
    return await center.review(agreed.source)


async def _change_setting(
    center: AppCenter,
    app_id: str,
    layer: Literal["user", "workspace"],
    key: str,
    value: JsonValue,
) -> None:
    manifest = (await center.package(app_id)).manifest
    await center.overlays.change_value(manifest, layer, key, value)


async def _refresh_catalogs(center: AppCenter) -> dict[str, object]:
    return {place: error.to_data() for place, error in (await center.catalog.refresh()).items()}


_MADE: Mapping[str, Change] = {
    "install": _install,
    "change_setting": _change_setting,
    "refresh_catalogs": _refresh_catalogs,
}
"""Changes whose arguments have to be made into the center's own first."""


async def carry_out(
    center: AppCenter, name: str, arguments: Arguments, close_app: Callable[[str], object]
) -> JsonValue:
    """Make one change that a command asks for, and give what it comes to as JSON.

    Raises:
        AppError: the center's own; `InvalidInput` where there is no such change, or its arguments do not fit.
    """
    change = _checked(center, name)
    app_id = arguments.get("app_id")
    if name in _CLOSES_VIEWS and isinstance(app_id, str):
        close_app(app_id)
    try:
        result = await change(**arguments)
    except ValidationError as error:
        raise InvalidInput(f"The arguments of {name} do not fit") from error
    return None if METHODS.get(name, object) is None else to_jsonable_python(result, by_alias=True)


def _checked(center: AppCenter, name: str) -> Change:
    """A change that takes its arguments as JSON and reads them by its own annotations."""
    if name in METHODS:
        return _reading(attrgetter(name)(center))
    if name in _MADE:
        return partial(_reading(_MADE[name]), center)
    raise InvalidInput(f"There is no change named {name}")


def _reading(change: Change) -> Change:
    return validate_call(config=_OWN_TYPES)(change)


def written(value: object) -> JsonValue:
    """An argument as it goes to the desktop, whose own folder is another one: a path says all of itself."""
    whole = str(value.expanduser().absolute()) if isinstance(value, Path) else value
    return cast("JsonValue", to_jsonable_python(whole, by_alias=True))


def read_answer(kind: Any, answer: JsonValue) -> Any:
    """What the desktop answered, as the type that the center's own method gives."""
    return TypeAdapter(kind).validate_python(answer)


def read_failures(answer: JsonValue) -> dict[str, AppError]:
    """What `refresh_catalogs` said of catalogs that could not be read."""
    found = answer if isinstance(answer, dict) else {}
    return {place: error_from_data(each) for place, each in found.items()}
