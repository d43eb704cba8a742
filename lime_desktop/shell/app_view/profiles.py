"""Which profile does an app's view use? One per app while any of its views is open: two would fight over one folder."""

from pathlib import Path

from PySide6.QtCore import QObject

from lime_desktop.host.proxy.access import ProxyAccess
from lime_desktop.host.web_content.origin import host_of, view_storage
from lime_desktop.host.web_content.ui_bundle import UiBundle
from lime_desktop.policy.domain_grants import DomainGrants
from lime_desktop.shell.app_view.profile import AppProfile


class AppProfiles(QObject):
    """The profiles in use. Whoever opens one lets go of it when the page that used it is gone."""

    def __init__(self, folder: Path, access: ProxyAccess, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder = folder
        self._access = access
        self._open: dict[str, AppProfile] = {}
        self._views: dict[str, int] = {}

    def open(self, app_id: str, bundle: UiBundle) -> AppProfile:
        """The app's profile, serving this bundle from now on."""
        profile = self._open.get(app_id)
        if profile is None:
            profile = AppProfile(host_of(app_id), view_storage(self._folder, app_id), self)
            self._open[app_id] = profile
        self._views[app_id] = self._views.get(app_id, 0) + 1
        self.serve(app_id, bundle)
        return profile

    def serve(self, app_id: str, bundle: UiBundle) -> None:
        """Let an app that is open be served by another bundle from now on, with the hosts granted to it."""
        profile = self._open[app_id]
        profile.serve(bundle)
        profile.reach(bundle.grants)
        profile.prove_with(self._access.admit(app_id, bundle.grants))

    def reach(self, app_id: str, grants: DomainGrants) -> None:
        """Let an app's open pages reach these hosts from now on, and no others; one that is not open is left alone."""
        profile = self._open.get(app_id)
        if profile is not None:
            profile.reach(grants)
            self._access.admit(app_id, grants)

    def let_go(self, app_id: str) -> None:
        """One page less uses the app's profile; the last one takes it along."""
        self._views[app_id] -= 1
        if self._views[app_id] == 0:
            del self._views[app_id]
            self._open.pop(app_id).deleteLater()
