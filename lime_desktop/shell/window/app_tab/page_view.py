"""The view in which an entry's page runs: made from the app's files, its route, and what the relay carries for it."""

from lime_desktop.host.apps.bundle import bundle_of
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.bridge.limits import relay_rate_limit_of
from lime_desktop.host.web_content.ui_bundle import host_files
from lime_desktop.protocol.ids import AppId
from lime_desktop.shell.app_view.profile import AppProfiles
from lime_desktop.shell.app_view.view import AppView, ViewOf
from lime_desktop.shell.window.services import TabServices


def make_view(
    services: TabServices, app: RegisteredApp, entry_key: str, profiles: AppProfiles
) -> AppView:
    """A view at this entry; nothing is loaded yet."""
    files = bundle_of(app, host_files(services.resources))
    return AppView(_view_of(services, app, entry_key), profiles, files)


def _view_of(services: TabServices, app: RegisteredApp, entry_key: str) -> ViewOf:
    entry = app.projection.entry(entry_key)
    route = entry.route if entry and entry.route else "/"
    relay = (services.resources / "view/relay.js").read_text(encoding="utf-8")
    title, rate_limit = (
        app.title(services.look.texts.locale),
        relay_rate_limit_of(AppId(app.app_id)),
    )
    return ViewOf(app.app_id, title, route, relay, rate_limit)
