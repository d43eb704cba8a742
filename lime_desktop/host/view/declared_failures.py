"""What fails in one view, in the words of its app's own catalogue: told to the page and the person, kept as evidence.

A failure that the app did not declare is told by the host's own words, and is not noted here.
"""

import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from lime_desktop.app_package.declared_errors import DeclaredErrors
from lime_desktop.background.tasks import BackgroundTasks
from lime_desktop.host.bridge.timeline import trace_of_call
from lime_desktop.protocol.capability_calls.evidence import APP_ERROR, RecordEvidenceParams
from lime_desktop.protocol.errors import AppError, ApprovalRequired, InvalidInput
from lime_desktop.protocol.errors.declared import DeclaredFailure

_log = logging.getLogger(__name__)

_MOST_CALLS = 256

KeepEvidence = Callable[[RecordEvidenceParams], Awaitable[object]]


class DeclaredFailures:
    """The failures of one view, and how often in a row each call met one."""

    def __init__(
        self,
        errors: Callable[[], DeclaredErrors],
        locale: Callable[[], str],
        advice: Callable[[str], str | None],
        keep: KeepEvidence,
    ) -> None:
        """`advice` is the host's own: what a person can do about a failure of this code, in their language."""
        self._errors = errors
        self._locale = locale
        self._advice = advice
        self._keep = keep
        self._attempts: OrderedDict[str, tuple[str, int]] = OrderedDict()
        self._tasks = BackgroundTasks(_log, AppError)

    def tell(self, call: str, error: AppError) -> None:
        """Give a failed call words in the person's language: the app's own, else the host's.

        No more retries are offered than the app allows.
        """
        error.translated_action = self._advice(error.code)
        if isinstance(error, ApprovalRequired):
            # Nothing failed: somebody is asked.
            return
        declared = self._errors().find(error.code, self._locale())
        if declared is None:
            return
        code, attempts = self._attempts.get(call, (error.code, 0))
        attempts = attempts if code == error.code else 0
        self._attempts[call] = (error.code, attempts + 1)
        # A page may make up names of calls.
        while len(self._attempts) > _MOST_CALLS:
            self._attempts.popitem(last=False)
        error.declared = declared.after(attempts)
        if attempts == 0:
            self._record(declared, f"{call} failed", error.trace_id)

    def succeeded(self, call: str) -> None:
        """Count anew."""
        if self._attempts:
            self._attempts.pop(call, None)

    def find(self, code: str) -> DeclaredFailure:
        """A failure that the page tells of itself.

        Raises:
            InvalidInput: the app declares no such code.
        """
        declared = self._errors().find(code, self._locale())
        if declared is None:
            raise InvalidInput.at_fields([("code", "undeclared_error")])
        return declared

    def note(self, declared: DeclaredFailure) -> None:
        """Keep that the page told of it."""
        self._record(declared, "The page reported a failure", trace_of_call.get())

    def _record(self, declared: DeclaredFailure, said: str, trace_id: str | None) -> None:
        fact = RecordEvidenceParams(
            kind=APP_ERROR,
            message=f"{said}: {declared.code} {declared.name}",
            subject=declared.code,
            refs=(f"trace:{trace_id}",) if trace_id else (),
        )
        self._tasks.spawn(self._kept(fact))

    async def _kept(self, fact: RecordEvidenceParams) -> None:
        await self._keep(fact)
