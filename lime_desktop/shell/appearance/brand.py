"""Whose name and colours the shell wears: the product's own, or those of the organisation it belongs to."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.governance.branding import Branding, brand_in_force, read_branding
from lime_desktop.host.app_center.governance.organisation import Organisation


class Brand(QObject):
    """The brand in force; says when another organisation's word holds here, or its word changes."""

    changed = Signal()

    def __init__(self, resources: Path) -> None:
        super().__init__()
        self._shipped: Branding = read_branding(resources)
        self.branding: Branding = self._shipped
        self._organisation: Organisation | None = None
        self.picture: bytes | None = None
        """The organisation's logo, where it has one."""

    @property
    def has_own_logo(self) -> bool:
        """Whether an organisation's logo stands in the place of the product's."""
        return self.picture is not None

    def follow(self, center: AppCenter) -> None:
        """Wear the brand of the organisation that an app center knows of, from now on as it changes."""

        def take() -> None:
            membership = center.membership
            found = (membership.organisation, membership.logo)
            if found != (self._organisation, self.picture):
                self._organisation, self.picture = found
                self.branding = brand_in_force(self._shipped, self._organisation)
                self.changed.emit()

        center.watch(take)
        take()
