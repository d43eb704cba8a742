"""How long and how much: every wait is bounded, every queue has an end."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Defaults where the specifications name none."""

    engine_silence_s: float = 300.0
    """How long an engine may say nothing while it waits on nobody."""
    model_wonder_s: float = 2.5
    """After which silence of a model that was asked the person is told that no answer has come yet."""
    engine_stop_s: float = 2.0
    """How long a cancelled engine may take before its turn is closed without it."""
    action_expiry_s: float = 24 * 3600.0
    """When a question expires that names no moment itself."""
    events_per_turn: int = 200_000
    events_in_flight: int = 256
    """Proposals read ahead of the log; a faster engine waits."""
    events_per_batch: int = 64
    end_retry_s: float = 5.0
    """How long to wait before a turn whose end could not be written is ended again."""
    close_s: float = 5.0
    """How long closing waits for running turns to stop."""


DEFAULT_LIMITS = Limits()
