"""What the host knows of a page's call of a tool, and the tool does not. Agents' calls have nothing of it."""

from dataclasses import dataclass, replace

from lime_desktop.policy.call import DryRun, PolicyCall


@dataclass(frozen=True, slots=True, kw_only=True)
class PageCallFacts:
    """What the host says of a page's call, beyond what the tool and its arguments show."""

    entry: str | None = None
    operation: str | None = None
    has_idempotency_key: bool = False
    is_dry_run_done: bool = False

    def added_to(self, call: PolicyCall) -> PolicyCall:
        """The call with these facts filled in."""
        return replace(
            call,
            entry=self.entry,
            operation=call.operation or self.operation,
            has_idempotency_key=call.has_idempotency_key or self.has_idempotency_key,
            dry_run=DryRun.DONE if self.is_dry_run_done else call.dry_run,
        )


NO_PAGE_FACTS = PageCallFacts()
