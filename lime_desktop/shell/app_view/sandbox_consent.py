"""Do pages have Chromium's own sandbox, and if not, has the person agreed to do without?"""

from lime_desktop.host.startup.engine_sandbox import SandboxGap, must_ask
from lime_desktop.shell.appearance.settings_store import SettingsStore


class SandboxConsent:
    """What is missing of the sandbox, and the person's word on it."""

    def __init__(self, settings: SettingsStore, gap: SandboxGap | None = None) -> None:
        self._settings = settings
        self.gap: SandboxGap | None = gap
        """Why pages lack the sandbox, if they do; the first page may show that they do."""

    @property
    def must_ask(self) -> bool:
        """Whether no app may open before the person agrees to do without the sandbox."""
        return must_ask(self.gap, is_agreed=self._settings.current.opens_without_sandbox)

    def agree(self) -> None:
        """The person opens apps without it, now and later."""
        self._settings.change(opens_without_sandbox=True)
