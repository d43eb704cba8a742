"""How the program itself stands with updates: what is new, having it, going back, and the channel it follows."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication, QFrame, QProgressBar, QWidget

from lime_desktop.shell.markdown.message_text import MessageText
from lime_desktop.shell.settings.section import SectionContext, choice, group, refill, setting
from lime_desktop.shell.widgets.amounts import size_in_words
from lime_desktop.shell.widgets.parts import button, column, label, row
from lime_desktop.shipping.refusals import UpdateRefused
from lime_desktop.shipping.states import Available, Checking, Downloading, Idle, Ready, UpdateState
from lime_desktop.shipping.wording import refusal_key, told

if TYPE_CHECKING:
    # What fetches and checks updates takes a while to load: it is made when somebody asks for it.
    from lime_desktop.shipping.service import UpdateService

_CHANNELS = ("stable", "beta")
_STEPS = 1_000


def update_card(context: SectionContext) -> QFrame:
    """The card; where the program is none that updates itself, it says who does."""
    texts = context.look.texts
    try:
        service = context.services.updates()
    except UpdateRefused as refused:
        return group(texts("self-update.title"), label(texts(refusal_key(refused.code))))
    return _UpdateCard(context, service).card


class _UpdateCard:
    """Draws the service's state anew whenever that has become another."""

    def __init__(self, context: SectionContext, service: "UpdateService") -> None:
        self._texts = context.look.texts
        self._service = service
        self._body = column(spacing=12)
        self._bar = self._progress_bar()
        self._said = label("")
        self._drawn: type[UpdateState] | None = None
        self._had_keyboard = False
        self.card: QFrame = group(
            self._texts("self-update.title"), self._body, about=self._texts("self-update.about")
        )
        self._draw(service.state)
        self._body.destroyed.connect(service.observers.subscribe(self._draw))

    def _draw(self, state: UpdateState) -> None:
        if isinstance(state, Downloading) and self._drawn is Downloading:
            # In place: a button that is being pressed must stay.
            self._show_progress(state)
            return
        self._drawn = type(state)
        self._said = label(self._sentence(state))
        parts: list[QWidget] = [self._said]
        if isinstance(state, Downloading):
            self._bar = self._progress_bar()
            parts.append(self._bar)
            self._show_progress(state)
        if isinstance(state, Available):
            parts += self._notes(state)
        is_busy = isinstance(state, Checking | Downloading)
        buttons = self._buttons(state)
        focused = QApplication.focusWidget()
        self._had_keyboard |= focused is not None and self._body.isAncestorOf(focused)
        refill(self._body, *parts, row(*buttons), self._channel(is_busy=is_busy))
        if self._had_keyboard and buttons[0].isEnabled():
            # The button that was pressed is gone; whoever pressed it by keyboard goes on from its place.
            self._had_keyboard = False
            buttons[0].setFocus()

    def _sentence(self, state: UpdateState) -> str:
        texts = self._texts
        match state:
            case Idle():
                return self._standing()
            case Checking():
                return texts("self-update.checking")
            case Downloading():
                done, total = state.progress.done_bytes, state.progress.total_bytes
                sizes = {"done": size_in_words(done, texts), "total": size_in_words(total, texts)}
                return texts("self-update.downloading", **sizes)
            case _:
                key, values = told(state, lambda size: size_in_words(size, texts))
                return texts(key, **values)

    def _standing(self) -> str:
        """What is known without asking anybody."""
        status = self._service.status()
        if status.returned:
            return self._texts("self-update.came-back", version=status.returned)
        return self._texts("self-update.idle", version=status.version)

    def _notes(self, found: Available) -> list[QWidget]:
        texts, parts = self._texts, list[QWidget]()
        if found.was_left:
            parts.append(label(texts("self-update.available.left"), "muted"))
        if notes := found.release.notes_in(texts.locale):
            shown = MessageText(texts("self-update.notes"))
            shown.show_words(notes)
            parts += [label(texts("self-update.notes"), "strong"), shown]
        return parts

    def _buttons(self, state: UpdateState) -> list[QWidget]:
        texts, service = self._texts, self._service
        if isinstance(state, Downloading):
            return [button(texts("self-update.stop"), service.cancel)]
        made = list[QWidget]()
        if isinstance(state, Available):
            version = state.release.version
            made.append(
                button(
                    texts("self-update.install"),
                    lambda: service.begin(service.download(version)),
                    "primary",
                )
            )
        check = button(texts("self-update.check"), lambda: service.begin(service.check()))
        made.append(check)
        status = service.status()
        # While a version waits, going back means staying with this one.
        earlier = status.version if isinstance(state, Ready) and status.pending else status.previous
        if earlier:
            words = texts("self-update.roll-back", version=earlier)
            made.append(button(words, lambda: service.begin(service.roll_back())))
        for each in made:
            each.setEnabled(not isinstance(state, Checking))
        return made

    def _channel(self, *, is_busy: bool) -> QWidget:
        texts, followed = self._texts, self._service.status().channel
        names = dict.fromkeys((*_CHANNELS, followed))
        options = [
            (name, texts(f"self-update.channel.{name}") if name in _CHANNELS else name)
            for name in names
        ]
        box = choice(
            options,
            followed,
            lambda name: self._service.begin(self._service.choose_channel(str(name))),
        )
        box.setEnabled(not is_busy)
        return setting(texts("self-update.follows"), texts("self-update.follows.about"), box)

    def _progress_bar(self) -> QProgressBar:
        made = QProgressBar()
        made.setRange(0, _STEPS)
        made.setTextVisible(False)
        made.setAccessibleName(self._texts("self-update.title"))
        return made

    def _show_progress(self, state: Downloading) -> None:
        self._said.setText(self._sentence(state))
        done, total = state.progress.done_bytes, state.progress.total_bytes
        self._bar.setValue(_STEPS * done // max(1, total))
