"""Which kinds of fact an export holds, and where it holds none, why: each kind answers for itself.

A kind that never occurred does not apply. Only what applies and could not be joined is a gap.
"""

from collections import Counter
from dataclasses import dataclass, field

from lime_desktop.protocol.calls.evidence import EvidenceSignal
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.summaries import EvidenceSummary

_FAMILIES: dict[str, tuple[str, ...]] = {
    "timeline": (
        "turn.submitted",
        "turn.started",
        "turn.completed",
        "turn.failed",
        "turn.canceled",
    ),
    "tasks": ("task.created", "task.attempt."),
    "modelRounds": ("model.requested",),
    "toolCalls": ("tool.started",),
    "failedCalls": ("tool.failed",),
    "actions": ("action.required",),
    "permissions": ("permission.",),
    "sandbox": ("sandbox.",),
    "hooks": ("hook.",),
    "processes": ("process.started",),
    "context": ("context.resolved",),
    "compaction": ("context.compaction.completed",),
    "routing": ("routing.",),
    "limits": ("limit.", "quota.", "rate_limit.", "cost."),
    "outputs": ("output.spilled",),
    "artifacts": ("artifact.changed",),
    "subagents": ("subagent.spawned",),
    "jobs": ("job.created",),
    "channels": ("channel.connected",),
    "benchmark": ("benchmark.trial.started",),
}
_JOINED_BY_THEMSELVES = frozenset({"jobs", "channels", "limits"})
"""Facts of the session as a whole: they need no turn and no task."""
_UNSUPPORTED = {
    "claims": "This runtime records facts and makes no claims about texts.",
    "sources": "Sources of claims are not collected.",
}


@dataclass(slots=True)
class SignalTally:
    """Counts kinds of fact while the events go by."""

    found: Counter[str] = field(default_factory=Counter[str])
    unjoined: Counter[str] = field(default_factory=Counter[str])
    turns: int = 0
    untraced_turns: int = 0

    def note(self, event: RuntimeEvent) -> None:
        """Count one event under every kind it belongs to."""
        is_joined = event.turn_id is not None or event.task_id is not None
        for signal, prefixes in _FAMILIES.items():
            if event.type.startswith(prefixes):
                self.found[signal] += 1
                if not is_joined and signal not in _JOINED_BY_THEMSELVES:
                    self.unjoined[signal] += 1
        if event.type == "turn.submitted":
            self.turns += 1
            self.untraced_turns += event.trace_id is None

    def signals(self, summary: EvidenceSummary) -> tuple[EvidenceSignal, ...]:
        """Every kind with its status."""
        return (
            EvidenceSignal(signal="readModels", status="exported", count=1),
            *(self._signal(signal) for signal in _FAMILIES),
            self._telemetry(),
            _counted("verification", len(summary.verification_outcomes)),
            _counted("reviews", len(summary.reviews)),
            *(
                EvidenceSignal(signal=signal, status="unsupported", reason=reason)
                for signal, reason in _UNSUPPORTED.items()
            ),
        )

    def _signal(self, signal: str) -> EvidenceSignal:
        count, unjoined = self.found[signal], self.unjoined[signal]
        if unjoined:
            reason = f"{unjoined} of {count} name neither a turn nor a task."
            return EvidenceSignal(
                signal=signal, status="missing_correlation", count=count, reason=reason
            )
        return _counted(signal, count)

    def _telemetry(self) -> EvidenceSignal:
        if self.untraced_turns:
            return EvidenceSignal(
                signal="telemetry",
                status="missing_correlation",
                count=self.turns,
                reason=f"{self.untraced_turns} of {self.turns} turns name no trace.",
            )
        return _counted("telemetry", self.turns)


def known_gaps(signals: tuple[EvidenceSignal, ...]) -> tuple[str, ...]:
    """What applies and is not joined; nothing that merely does not apply."""
    return tuple(each.signal for each in signals if each.status == "missing_correlation")


def _counted(signal: str, count: int) -> EvidenceSignal:
    status = "exported" if count else "not_applicable"
    return EvidenceSignal(signal=signal, status=status, count=count or None)
