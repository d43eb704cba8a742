"""Is there room for a model in memory? Asked before it is loaded: a computer that swaps answers nobody."""

from lime_desktop.app_server.models.catalogue import known_model
from lime_desktop.app_server.models.store import InstalledModel
from lime_desktop.protocol.errors import EngineUnavailable, ProviderFailed

_MEGABYTE = 1_000_000
_BESIDE_WEIGHTS = 200 * _MEGABYTE
"""What the conversation and the program take, for weights that nobody measured."""
_KILLED = frozenset({-9, 137})
_WAY_ON = "Close other programs, or choose a smaller model"


def needed_bytes(model: InstalledModel) -> int:
    """What a model takes while it works, roughly."""
    known = known_model(model.record.model_id)
    return known.memory_mb * _MEGABYTE if known else model.record.size + _BESIDE_WEIGHTS


def require_memory(model: InstalledModel, available: int | None) -> None:
    """Refuse to load a model that would not fit.

    Raises:
        EngineUnavailable: with what it needs and what there is.
    """
    needed = needed_bytes(model)
    if available is None or available >= needed:
        return
    needed_mb, available_mb = needed // _MEGABYTE, available // _MEGABYTE
    raise EngineUnavailable(
        f"{model.record.title} needs about {needed_mb} MB of memory, and {available_mb} MB are free.",
        details={
            "reasonCode": "memory_short",
            "neededMb": needed_mb,
            "availableMb": available_mb,
            "setupAction": _WAY_ON,
        },
    )


def lost(exit_code: int | None) -> ProviderFailed:
    """That a model's process is gone: what the system kills by force was mostly too large for it."""
    if exit_code in _KILLED:
        return ProviderFailed(
            "The system ended the local model, most likely because memory ran out.",
            details={"reasonCode": "model_killed", "setupAction": _WAY_ON},
        )
    return ProviderFailed(
        "The local model's process ended unexpectedly.", details={"reasonCode": "model_crashed"}
    )
