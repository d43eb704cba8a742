"""May this event be stored? Every gate is pure and closed: what no gate lets pass is not written.

`judge` asks the gates in the order below; the first objection is the answer. A batch is judged event
by event against the state its own earlier events lead to, and stored whole or not at all (`log.draft`).
"""

from lime_desktop.app_server.runtime_core.gates.approvals import check_approval
from lime_desktop.app_server.runtime_core.gates.hygiene import check_hygiene
from lime_desktop.app_server.runtime_core.gates.ids import check_ids
from lime_desktop.app_server.runtime_core.gates.owners import check_owner
from lime_desktop.app_server.runtime_core.gates.tasks import check_task
from lime_desktop.app_server.runtime_core.gates.tools import check_tool
from lime_desktop.app_server.runtime_core.gates.turns import check_turn
from lime_desktop.app_server.runtime_core.gates.verdict import Gate, Lookup, Origin, Rejection
from lime_desktop.app_server.runtime_core.state import SessionState
from lime_desktop.protocol.runtime.events import ProposedEvent

GATES: tuple[Gate, ...] = (
    check_ids,
    check_hygiene,
    check_turn,
    check_tool,
    check_approval,
    check_owner,
    check_task,
)


def judge(
    state: SessionState, event: ProposedEvent, origin: Origin, lookup: Lookup
) -> Rejection | None:
    """The first gate's objection, or ``None``."""
    for gate in GATES:
        if rejection := gate(state, event, origin, lookup):
            return rejection
    return None
