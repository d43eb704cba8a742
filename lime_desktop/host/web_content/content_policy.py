"""What may this app's page load? Builds the response headers that the engine enforces.

The default is nothing but itself. Hosts appear only where the manifest declares a network permission and the
person granted it; each is parsed, not pasted, so a declaration can never add a directive of its own.
"""

import re
from collections.abc import Sequence

from lime_desktop.policy.domain_grants import DomainGrants

# Plain patterns hold nothing else; an IPv6 address, which a policy cannot name, is left out.
_SOURCE = re.compile(r"[a-z0-9_.*-]+\Z")

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


def content_security_policy(
    grants: DomainGrants, script_source: str = "", sockets: Sequence[str] = ()
) -> str:
    """The Content-Security-Policy of one answer; `script_source` lets a page's own inline scripts run."""
    hosts = sorted(pattern for pattern in grants.patterns if _SOURCE.match(pattern))
    remote = "".join(f" https://{host}" for host in hosts)
    live = "".join(f" {source}" for source in (*(f"wss://{host}" for host in hosts), *sockets))
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


def response_headers(
    grants: DomainGrants, script_source: str = "", sockets: Sequence[str] = ()
) -> dict[str, str]:
    """Every header that guards an app's page, beside its own type and length."""
    return {
        "Content-Security-Policy": content_security_policy(grants, script_source, sockets),
        "Permissions-Policy": ", ".join(f"{feature}=()" for feature in SANDBOX_FEATURES),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cache-Control": "no-store",
    }
