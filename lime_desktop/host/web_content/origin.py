"""Which origin does an app live at? One per app, stable for as long as the app keeps its id.

An app's id is already a plain name, but a URL's host is read by rules of its own: `1` would become an
address, `a_b` is refused by some parsers. Such ids are spelled in letters that every parser leaves alone.
"""

import base64
import re

SCHEME = "lime-app"
_PLAIN_HOST = re.compile(r"[a-z](?:[a-z0-9-]*[a-z0-9])?\Z")
_SPELLED = "x--"


def host_of(app_id: str) -> str:
    """The host part of an app's origin; different ids never share one."""
    if _PLAIN_HOST.match(app_id) and not app_id.startswith(_SPELLED) and len(app_id) <= 63:
        return app_id
    letters = base64.b32encode(app_id.encode()).decode().rstrip("=").lower()
    labels = [letters[start : start + 60] for start in range(0, len(letters), 60)]
    return ".".join(f"{_SPELLED}{label}" for label in labels)


def origin_of(app_id: str) -> str:
    """The origin, as `event.origin` gives it to a page."""
    return f"{SCHEME}://{host_of(app_id)}"
