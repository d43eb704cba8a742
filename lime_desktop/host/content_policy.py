"""What may this app's page load? Builds the response headers that the engine enforces.

The default is nothing but itself. Hosts appear only where the manifest declares a network permission and the
person granted it; each is parsed, not pasted, so a declaration can never add a directive of its own.
"""

import re
from collections.abc import Iterable

_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_HOST = re.compile(rf"(?:\*\.)?{_LABEL}(?:\.{_LABEL})+\Z")
_PORT = re.compile(r"[0-9]{1,5}\Z")

SANDBOX_FEATURES = (
    "accelerometer",
    "autoplay",
    "browsing-topics",
    "camera",
    "clipboard-read",
    "display-capture",
    "encrypted-media",
    "fullscreen",
    "geolocation",
    "gyroscope",
    "hid",
    "identity-credentials-get",
    "idle-detection",
    "keyboard-map",
    "local-fonts",
    "magnetometer",
    "microphone",
    "midi",
    "picture-in-picture",
    "publickey-credentials-create",
    "publickey-credentials-get",
    "screen-wake-lock",
    "serial",
    "storage-access",
    "window-management",
    "xr-spatial-tracking",
)


def granted_host(domain: str) -> str | None:
    """The host a declared domain names, or None if it is not plainly one.

    Accepts `example.com`, `*.example.com`, `https://example.com` and a port. Refuses paths, user names, addresses,
    single labels, wildcards elsewhere, and anything that is not plain ASCII: an international name is written in its
    ASCII form, so that a look-alike can be seen.
    """
    name = domain.strip().lower().removeprefix("https://").removesuffix("/").removesuffix(".")
    host, colon, port = name.partition(":")
    if colon and not (_PORT.match(port) and 0 < int(port) <= 65535):
        return None
    if not _HOST.match(host) or host.rsplit(".", 1)[-1].isdigit():
        return None
    return name


def content_security_policy(granted_domains: Iterable[str], script_source: str = "") -> str:
    """The Content-Security-Policy of one answer; `script_source` lets a page's own inline scripts run."""
    hosts = sorted({host for domain in granted_domains if (host := granted_host(domain))})
    remote = "".join(f" https://{host}" for host in hosts)
    live = "".join(f" wss://{host}" for host in hosts)
    directives = {
        "default-src": "'self'",
        "script-src": f"'self' 'wasm-unsafe-eval' {script_source}".rstrip(),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": f"'self' data: blob:{remote}",
        "media-src": f"'self' data: blob:{remote}",
        "font-src": f"'self' data:{remote}",
        "connect-src": f"'self' data: blob:{remote}{live}",
        "worker-src": "'self' blob:",
        "frame-src": "'self' blob:",
        "frame-ancestors": "'self'",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "manifest-src": "'none'",
    }
    return "; ".join(f"{name} {sources}" for name, sources in directives.items())


def response_headers(granted_domains: Iterable[str], script_source: str = "") -> dict[str, str]:
    """Every header that guards an app's page, beside its own type and length."""
    return {
        "Content-Security-Policy": content_security_policy(granted_domains, script_source),
        "Permissions-Policy": ", ".join(f"{feature}=()" for feature in SANDBOX_FEATURES),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cache-Control": "no-store",
    }
