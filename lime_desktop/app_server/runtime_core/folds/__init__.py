"""The read models as pure folds: `fold(record, event) -> record`, one record per thing.

The seven read models of the Lime profile are put together from these records (`reading`). A record is
bounded, so an append costs the same in a session of ten events and in one of a million. Folding
a session's whole log again must give the very same records: `rebuild` proves it.
"""

from collections.abc import Mapping

from lime_desktop.app_server.runtime_core.folds import (
    incidents,
    messages,
    session,
    summaries,
    tasks,
    tools,
    turns,
    work,
)
from lime_desktop.app_server.runtime_core.folds.fold import AnyFold
from lime_desktop.protocol.runtime.event_types import REQUIRED_FIELDS
from lime_desktop.protocol.wire import WireModel
from lime_desktop.unique_names import unique_table

ALL_FOLDS: tuple[AnyFold, ...] = (
    *session.FOLDS,
    *turns.FOLDS,
    *messages.FOLDS,
    *tools.FOLDS,
    *tasks.FOLDS,
    *work.FOLDS,
    *incidents.FOLDS,
    *summaries.FOLDS,
)

FOLDS_BY_TYPE: Mapping[str, tuple[AnyFold, ...]] = {
    event_type: tuple(fold for fold in ALL_FOLDS if fold.touches(event_type))
    for event_type in REQUIRED_FIELDS
}

MODEL_BY_KIND: Mapping[str, type[WireModel]] = unique_table(
    ((fold.kind, fold.model) for fold in ALL_FOLDS), of="read model"
)
