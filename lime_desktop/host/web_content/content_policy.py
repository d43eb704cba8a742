"""What may this app's page load? Builds the response headers that the engine enforces.

The default is nothing but itself. Hosts appear only where the manifest declares a network permission and the
person granted it; each is parsed, not pasted, so a declaration can never add a directive of its own.
"""

import re
import secrets
from collections.abc import Sequence

from lime_desktop.app_package.text.html_text import StartTag, read_html
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

_NAME_LENGTH = len("<script")


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


def mark_scripts(html: bytes) -> tuple[bytes, str]:
    """The page with a fresh nonce on each of its inline script tags, and the policy's source for it.

    A bundle's HTML was reviewed with the rest of the package, so its inline scripts (import maps above all) are as
    trusted as its files; injected ones are not. Scripts that are files need no nonce, and get none: what a marked script
    imports passes for marked, wherever it comes from. Hashes in the policy would leave the page untouched, but the
    engine turns header values of a custom scheme to lower case, and a hash does not survive that.

    What the nonce promises: nothing runs that came into the page as markup or as an event handler, because it is another
    at every load, is guessed by nobody, and is hidden from markup and styles. What it does not promise: to be a secret
    from the page's own scripts. Those run already, may read it, and may make scripts of their own words with it; what
    they can never do with it is bring code from elsewhere: that is refused where requests are made, whatever the policy
    says.
    """
    nonce = secrets.token_hex(16)
    mark = f' nonce="{nonce}"'.encode()
    pieces: list[bytes] = []
    done = 0
    # Latin-1 keeps one character a byte, so positions in the text are positions in the bytes.
    for token in read_html(html.decode("latin-1")):
        if isinstance(token, StartTag) and token.name == "script" and "src" not in token.attributes:
            name_end = token.at + _NAME_LENGTH
            pieces += (html[done:name_end], mark)
            done = name_end
    return b"".join((*pieces, html[done:])), f"'nonce-{nonce}'"
