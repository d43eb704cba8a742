"""The proxy that this machine's settings name for an address, if they do."""

from urllib.request import getproxies, proxy_bypass

from lime_desktop.network.hosts import is_local


def system_proxy(scheme: str, host: str) -> str | None:
    """What stands between us and a host. What is near is reached directly: a proxy is for the world outside."""
    if is_local(host) or proxy_bypass(host):
        return None
    known = getproxies()
    found = known.get(scheme) or known.get("all")
    if not found:
        return None
    return found if "://" in found else f"http://{found}"
