"""Whether a page may run without Chromium's own sandbox: asked in the page's place, before it is loaded."""

from collections.abc import Callable

from lime_desktop.host.startup.engine_sandbox import is_half_sandboxed, sandbox_gap
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.app_view.view import AppView
from lime_desktop.shell.app_view.watched_view import WatchedView
from lime_desktop.shell.dialogs.input_guard import InputGuard
from lime_desktop.shell.widgets.parts import button
from lime_desktop.shell.window.services import SandboxConsent


class SandboxQuestion:
    """Put to the person once for all apps; until they agree, no page of this view runs."""

    def __init__(
        self,
        consent: SandboxConsent,
        texts: Texts,
        app_title: Callable[[], str],
        view: AppView,
        place: WatchedView,
        load: Callable[[], object],
    ) -> None:
        self._consent = consent
        self._texts = texts
        self._app_title = app_title
        self._view = view
        self._place = place
        self._load = load

    @property
    def is_open(self) -> bool:
        """Whether the person has to agree before the page may run."""
        return self._consent.must_ask

    def check_process(self) -> None:
        """See from the page's own process whether it has the sandbox that nothing spoke against."""
        renderer = self._view.page().renderProcessPid()
        if self._consent.gap is None and sandbox_gap() is None and is_half_sandboxed(renderer):
            self._consent.gap = "namespaces"
            if self.is_open:
                self._place.stop_page()
                self.ask()

    def ask(self) -> None:
        """Put it in the page's place."""
        texts = self._texts
        reason = texts(f"sandbox.reason.{self._consent.gap}")
        agree = button(texts("sandbox.ask.open"), self._open_without)
        title = texts("sandbox.ask.title", app=self._app_title())
        # It takes the page's place, which may have led the pointer here.
        InputGuard(agree, agree.setEnabled)
        self._place.refuse(title, texts("sandbox.ask.text", reason=reason), agree)

    def _open_without(self) -> None:
        self._consent.agree()
        self._load()
