"""What is known of the web engine: its versions, and whether its own sandbox is on."""

from collections.abc import Callable
from dataclasses import dataclass

from lime_desktop.host.startup.engine_sandbox import SandboxGap
from lime_desktop.host.wording.texts import Texts


@dataclass(frozen=True, slots=True)
class EngineFacts:
    """Facts for the about page and the banner."""

    versions: Callable[[], tuple[str, str]]
    """Chromium's version and its security level."""
    sandbox_off_because: SandboxGap | None = None
    """The key of the reason, or None while the sandbox is on."""

    def sandbox_note(self, texts: Texts) -> str | None:
        """What to tell the person, if anything."""
        if self.sandbox_off_because is None:
            return None
        return texts("sandbox.off", reason=texts(f"sandbox.reason.{self.sandbox_off_because}"))
