"""What the catalog has for somebody who looks at their apps: updates, apps that could be, and what was left behind."""

from dataclasses import dataclass

from lime_desktop.host.app_center.catalog.search import Found
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.records.records import KeptData


@dataclass(frozen=True, slots=True)
class Offered:
    """Nothing, until the app center is open."""

    updates: tuple[Found, ...] = ()
    """Newer versions of what is installed, but for apps that are never to be updated."""
    fresh: tuple[Found, ...] = ()
    """Apps that are not."""
    kept: tuple[KeptData, ...] = ()
    """Data that outlived their apps."""
    built_in: frozenset[str] = frozenset()
    """The places of what comes with the product."""
    given: frozenset[str] = frozenset()
    """The places that the organisation gives."""


def offered_by(center: AppCenter | None, query: str) -> Offered:
    """What there is for these words."""
    if center is None:
        return Offered()
    catalog, new = center.catalog, center.catalog.new_offers
    found = [each for each in catalog.search(query) if each.offer in new]
    here = {app.app_id for app in center.installed()}
    never = {app_id for app_id in here if center.update_policies.of(app_id) == "never"}
    return Offered(
        tuple(each for each in found if each.offer.app_id in here - never),
        tuple(each for each in found if each.offer.app_id not in here),
        center.kept_data(),
        frozenset(each.location for each in catalog.built_in),
        frozenset(each.location for each in catalog.sources if each.is_given),
    )
