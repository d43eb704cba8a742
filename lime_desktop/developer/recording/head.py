"""The head of a recording: what has to be the same for a replay to be one."""

import hashlib
import secrets

from lime_desktop import __version__
from lime_desktop.developer.recording.lines import Head
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.web_content.ui_bundle import UiBundle


def head_of(
    app: RegisteredApp, entry_key: str, bundle: UiBundle, *, locale: str, timezone: str
) -> Head:
    """Describe a view that is about to be recorded."""
    entry = app.projection.entry(entry_key)
    return Head(
        app_id=app.app_id,
        app_version=app.package.manifest.version,
        entry_key=entry_key,
        route=entry.route if entry and entry.route else "/",
        package=str(app.path),
        package_hash=app.package.package_hash,
        bundle_hash=bundle_hash(bundle),
        granted=tuple(sorted(app.granted)),
        locale=locale,
        timezone=timezone,
        seed=secrets.randbits(31),
        host_version=__version__,
    )


def bundle_hash(bundle: UiBundle) -> str:
    """The hash of everything that an app's origin serves of its own."""
    digest = hashlib.sha256()
    for path in sorted(each for each in bundle.files.files if each.startswith(f"{bundle.root}/")):
        digest.update(path.encode() + b"\0" + hashlib.sha256(bundle.files.read(path)).digest())
    return f"sha256:{digest.hexdigest()}"
