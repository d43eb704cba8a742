"""The benchmarks of an app, read from the log: what was measured, and what it was compared with. Knows no widget."""

from collections.abc import AsyncGenerator

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.protocol.calls.sessions import (
    LIST_SESSIONS,
    READ_SESSION,
    ListSessionsParams,
    ReadSessionParams,
)
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.runtime.sessions import AgentSession
from lime_desktop.runtime_views.benchmarks import BenchmarkReport, report_in

BENCHMARK = "benchmark"
"""What the session of a benchmark is about; it is named by its suite."""
TRIAL = "benchmark-trial"
"""What the session of one trial is about; it is named by its task."""
_PAGE = 200
_MOST_PAGES = 10
_EVENTS = 5_000
_TIMEOUT_S = 30.0


def is_of_benchmark(session: AgentSession) -> bool:
    """Whether a run was made to measure the app, and is nobody's work."""
    about = session.business_object_ref
    return about is not None and about.kind in {BENCHMARK, TRIAL}


async def newest_reports(call: CallServer, app_id: str, limit: int) -> tuple[BenchmarkReport, ...]:
    """What the latest benchmarks of an app came to, the newest first."""
    found: list[BenchmarkReport] = []
    async for session in _sessions(call, app_id, None):
        report = await _read(call, session)
        if report is not None:
            found.append(report)
        if len(found) >= limit:
            break
    return tuple(found)


async def kept_baseline(call: CallServer, app_id: str, suite: str) -> BenchmarkReport | None:
    """The newest benchmark of a suite that somebody kept to compare with."""
    async for session in _sessions(call, app_id, suite):
        report = await _read(call, session)
        if report is not None and report.role == "baseline":
            return report
    return None


async def _sessions(
    call: CallServer, app_id: str, suite: str | None
) -> AsyncGenerator[AgentSession]:
    cursor: str | None = None
    for _ in range(_MOST_PAGES):
        asked = ListSessionsParams(app_id=AppId(app_id), cursor=cursor, limit=_PAGE)
        page = await call(LIST_SESSIONS, asked, timeout_s=_TIMEOUT_S)
        for session in page.sessions:
            about = session.business_object_ref
            if about is not None and about.kind == BENCHMARK and suite in {None, about.id}:
                yield session
        cursor = page.next_cursor
        if cursor is None:
            return


async def _read(call: CallServer, session: AgentSession) -> BenchmarkReport | None:
    asked = ReadSessionParams(
        session_id=session.session_id, history_limit=0, after_sequence=0, limit=_EVENTS
    )
    read = await call(READ_SESSION, asked, timeout_s=_TIMEOUT_S)
    return report_in(read.events)
