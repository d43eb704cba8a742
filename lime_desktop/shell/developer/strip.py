"""The line below an app that is worked on: that this is no ordinary view, what was last shown anew, what is wrong."""

from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton

from lime_desktop.developer.options import DeveloperOptions
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.widgets.parts import ShortLabel, pill, plain_tip


class DeveloperStrip(QFrame):
    """Drawn by the shell; tools for developers put their buttons here."""

    def __init__(self, texts: Texts, options: DeveloperOptions) -> None:
        super().__init__()
        self._texts = texts
        self.setObjectName("progress")
        self.setAccessibleName(texts("dev.strip"))
        server = options.dev_server
        source = server.origin if server else str(options.package)
        self._news = ShortLabel("", "small", keeps=10)
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(16, 4, 8, 4)
        self._layout.setSpacing(8)
        self._layout.addWidget(pill(texts("dev.mode"), "info"))
        if options.record_file is not None:
            # Whoever looks over the developer's shoulder is in the recording too.
            recording = pill(f"● {texts('dev.recording')}", "danger")
            recording.setToolTip(plain_tip(str(options.record_file)))
            self._layout.addWidget(recording)
        self._layout.addWidget(ShortLabel(source, "small", keeps=16))
        self._layout.addWidget(self._news)
        self._layout.addStretch(1)

    def offer(self, button: QToolButton) -> None:
        """Put a button at the right."""
        self._layout.addWidget(button)

    def say(self, words: str) -> None:
        """Show what happened last."""
        self._news.say(words)
