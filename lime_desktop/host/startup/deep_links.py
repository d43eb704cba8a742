"""`lime://` links: what a page, a mail or another program may have this one show. Everything else is refused.

A link only turns to something: it installs nothing, grants nothing, starts nothing and carries no data into an app.
A product that an app was made into has a scheme of its own, and hears of no other.

    lime://app/<app-id>                 the page of an app
    lime://app/<app-id>/<entry-key>     one of its entries
    lime://install/<app-id>             the review of an app that a source offers; the person decides
    lime://run/<session-id>             what a task did
    lime://settings/<section>           a section of the settings
"""

import re
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from lime_desktop.product import LIME
from lime_desktop.protocol.errors import UntrustedUrl

MAX_CHARACTERS = 512

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,127}\Z")


@dataclass(frozen=True, slots=True)
class AppLink:
    """To the page of an app."""

    app_id: str


@dataclass(frozen=True, slots=True)
class EntryLink:
    """To one entry of an app."""

    app_id: str
    entry_key: str


@dataclass(frozen=True, slots=True)
class InstallLink:
    """To the review of an app that is on offer."""

    app_id: str


@dataclass(frozen=True, slots=True)
class RunLink:
    """To what a task did."""

    session_id: str


@dataclass(frozen=True, slots=True)
class SettingsLink:
    """To a section of the settings."""

    section: str


DeepLink = AppLink | EntryLink | InstallLink | RunLink | SettingsLink


def parse_link(text: str, scheme: str = LIME.scheme) -> DeepLink:
    """Read a link of a product's scheme.

    Raises:
        UntrustedUrl: it is none of ours, or says more than a link may.
    """
    parts = _split(text, scheme)
    names = parts.path.removeprefix("/").split("/") if parts.path not in {"", "/"} else []
    if not all(_NAME.match(name) for name in names):
        raise UntrustedUrl("The link is not valid")
    match [parts.netloc, *names]:
        case ["app", app_id]:
            return AppLink(app_id)
        case ["app", app_id, entry_key]:
            return EntryLink(app_id, entry_key)
        case ["install", app_id] if ":" not in app_id:
            return InstallLink(app_id)
        case ["run", session_id]:
            return RunLink(session_id)
        case ["settings", section]:
            return SettingsLink(section)
        case _:
            raise UntrustedUrl("The link leads to a page that does not exist")


def _split(text: str, scheme: str) -> SplitResult:
    # Before anything reads it: control characters hide what a link says, and a parser may drop them.
    if len(text) > MAX_CHARACTERS or not text.isascii() or not text.isprintable():
        raise UntrustedUrl("The link is too long or has characters that are not allowed")
    try:
        parts = urlsplit(text)
    except ValueError:
        raise UntrustedUrl("The link is not valid") from None
    if parts.scheme != scheme or parts.query or parts.fragment or "%" in text or "\\" in text:
        raise UntrustedUrl(f"This is not a {scheme}:// link, or it has parts that are not allowed")
    return parts
