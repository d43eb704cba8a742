"""Earlier runs as a list shows them: what was asked, how it stands, how long it took and what it cost.

Knows the App Server's methods; knows no widget. A cost is told only where it is that of the whole run.
"""

from dataclasses import dataclass

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.protocol.calls.sessions import READ_SESSION, ReadSessionParams
from lime_desktop.protocol.runtime.sessions import AgentSession, AgentTurn
from lime_desktop.protocol.task_events import Cost
from lime_desktop.runtime_views.costs import stated_cost
from lime_desktop.runtime_views.story.times import seconds_between

_TIMEOUT_S = 30.0


@dataclass(frozen=True, slots=True)
class PastRun:
    """One run."""

    session: AgentSession
    seconds: float | None = None
    """How long its turns took, once all of them are over."""
    cost: Cost | None = None


async def read_run(call: CallServer, session: AgentSession) -> PastRun:
    """What is known of a run beside its outline."""
    asked = ReadSessionParams(session_id=session.session_id, history_limit=0)
    found = await call(READ_SESSION, asked, timeout_s=_TIMEOUT_S)
    stated = found.snapshot.routing_limit_summary.cost
    is_known = stated is not None and stated.get("state") != "unknown"
    cost = stated_cost(stated) if is_known and found.turn_count == 1 else None
    return PastRun(session, _seconds(found.turns, found.turn_count), cost)


def _seconds(turns: tuple[AgentTurn, ...], count: int) -> float | None:
    times = [(turn.started_at, turn.completed_at) for turn in turns]
    if len(turns) != count or not turns:
        return None
    known = [seconds_between(begin, end) for begin, end in times if begin and end]
    return sum(known) if len(known) == count else None
