"""The questions that are open, in the order in which they are shown.

Silence is never an answer: a question leaves the queue by a decision, or because whoever asked no longer waits.
"""

from collections.abc import Callable, Iterable

from lime_desktop.background.observers import Observers, notify_all
from lime_desktop.host.approvals.question import Answer, Question

MAX_OPEN_PER_APP = 50
"""An app that asks more at once is refused further questions, not listened to longer."""

HearAnswer = Callable[[Answer], None]


class ApprovalQueue:
    """What is open now; watchers hear of every change."""

    def __init__(self) -> None:
        self._open: dict[str, tuple[Question, HearAnswer]] = {}
        self._times: dict[str, int] = {}
        """Of questions that stand for several identical requests: for how many."""
        self._watchers = Observers[()]()

    @property
    def open(self) -> tuple[Question, ...]:
        """Every open question, the next one to show first."""
        return tuple(question for question, _ in self._open.values())

    @property
    def waiting(self) -> int:
        """How many requests wait for an answer; identical ones count each."""
        return sum(map(self.times, self._open))

    def times(self, question_id: str) -> int:
        """For how many identical requests an open question stands."""
        return self._times.get(question_id, 1)

    def stand_for(self, question_id: str, times: int) -> None:
        """Let an open question stand for so many identical requests."""
        if question_id in self._open and times != self.times(question_id):
            self._times[question_id] = times
            self._notify()

    def has_room(self, app_id: str) -> bool:
        """Tell whether an app may ask one more."""
        asked = sum(question.app_id == app_id for question in self.open)
        return asked < MAX_OPEN_PER_APP

    def is_open(self, question_id: str) -> bool:
        """Tell whether a question still waits."""
        return question_id in self._open

    def watch(self, watcher: Callable[[], None]) -> Callable[[], None]:
        """Hear of every change; the returned function ends it."""
        return self._watchers.subscribe(watcher)

    def ask(self, question: Question, hear: HearAnswer) -> None:
        """Put a question; one that is open already is left as it is."""
        if question.question_id not in self._open:
            self._open[question.question_id] = (question, hear)
            self._notify()

    def answer(self, question_ids: Iterable[str], answer: Answer) -> None:
        """Decide one question or several alike; one that nobody waits for any more is passed over."""
        taken = [self._take(each) for each in dict.fromkeys(question_ids)]
        heard = [each[1] for each in taken if each is not None]
        notify_all(heard, answer)
        if heard:
            self._notify()

    def defer(self, question_id: str) -> None:
        """Put a question behind the others; it stays open."""
        if question_id in self._open:
            self._open[question_id] = self._open.pop(question_id)
            self._notify()

    def bring_forward(self, question_id: str) -> None:
        """Put a question before the others: the person wants to see this one."""
        if question_id in self._open and next(iter(self._open)) != question_id:
            self._open = {question_id: self._open.pop(question_id), **self._open}
            self._notify()

    def withdraw(self, question_ids: Iterable[str]) -> None:
        """Nobody waits for these answers any more."""
        gone = [self._take(each) for each in question_ids]
        if any(gone):
            self._notify()

    def _take(self, question_id: str) -> tuple[Question, HearAnswer] | None:
        self._times.pop(question_id, None)
        return self._open.pop(question_id, None)

    def _notify(self) -> None:
        self._watchers.notify()
