"""Which sites may an app open in the browser without asking again? Those the person agreed to once, for that app."""

from lime_desktop.network.hosts import parse_host


def site_of(url: str) -> str | None:
    """The host a link leads to, or None where that is open to doubt."""
    return parse_host(url)


def is_agreed(link_sites: tuple[str, ...], app_id: str, url: str) -> bool:
    """Whether the person agreed to this app opening this site."""
    site = site_of(url)
    return site is not None and f"{app_id} {site}" in link_sites


def agreed_sites(link_sites: tuple[str, ...], app_id: str, url: str) -> tuple[str, ...]:
    """The same sites with one more."""
    site = site_of(url)
    if site is None or is_agreed(link_sites, app_id, url):
        return link_sites
    return (*link_sites, f"{app_id} {site}")
