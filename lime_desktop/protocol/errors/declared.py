"""A failure in its app's own words, as the app's catalogue of errors has it. Knows no package, and imports no models."""

from typing import NamedTuple


class DeclaredFailure(NamedTuple):
    """One row of the catalogue, in one language; None where its author says nothing."""

    name: str
    """The author's name for it, such as `AGENT_TASK_FAILED`."""
    code: str
    message: str | None = None
    user_action: str | None = None
    recovery: str | None = None
    retryable: bool | None = None
    max_retries: int | None = None

    def after(self, attempts: int) -> "DeclaredFailure":
        """The same after so many further attempts: no more are offered than the author allows."""
        is_over = self.max_retries is not None and attempts >= self.max_retries
        return self._replace(retryable=False) if is_over else self

    def to_payload(self) -> dict[str, str | bool | int]:
        """What the log says of it, before whatever the host would say."""
        said = {
            "appErrorCode": self.code,
            "appErrorName": self.name,
            "recoveryHint": self.user_action,
            "retryable": self.retryable,
            "maxRetries": self.max_retries,
        }
        return {name: value for name, value in said.items() if value is not None}
