"""RuntimeCore: opens the data folder, joins the parts, and closes them in order."""

from collections.abc import Callable
from pathlib import Path

from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.routes import Routes
from lime_desktop.app_server.runtime_core.backend import ExecutionBackend
from lime_desktop.app_server.runtime_core.commands.actions import ActionCommands
from lime_desktop.app_server.runtime_core.commands.compaction import ContextCommands
from lime_desktop.app_server.runtime_core.commands.resuming import ThreadResumption
from lime_desktop.app_server.runtime_core.commands.sessions import SessionCommands
from lime_desktop.app_server.runtime_core.commands.turns import TurnCommands
from lime_desktop.app_server.runtime_core.identities import new_id, now
from lime_desktop.app_server.runtime_core.log.draft import Stamp
from lime_desktop.app_server.runtime_core.log.journal import Journal, Subscriber
from lime_desktop.app_server.runtime_core.log.rows import stored_runtime_id, told_runtime_id
from lime_desktop.app_server.runtime_core.log.schema import RUNTIME
from lime_desktop.app_server.runtime_core.running.driver import DEFAULT_LIMITS, Limits
from lime_desktop.app_server.runtime_core.running.recovery import recover, report_lost_commits
from lime_desktop.app_server.runtime_core.running.running_turns import RunningTurns
from lime_desktop.background.tasks import close_all
from lime_desktop.database.connection import Connection
from lime_desktop.database.database import open_database
from lime_desktop.database.lock import FolderLock
from lime_desktop.protocol.calls import actions, sessions, turns
from lime_desktop.protocol.errors import EngineUnavailable


class RuntimeCore:
    """The owner of every runtime fact. Made by `open_core`; the command groups are its surface."""

    def __init__(
        self,
        journal: Journal,
        store: ContentStore,
        engine: ExecutionBackend,
        limits: Limits,
        runtime_id: str,
    ):
        self._lock: FolderLock | None = None
        self.runtime_id = runtime_id
        self.journal = journal
        self.store = store
        self.engine = engine
        self.running = RunningTurns(journal, store, engine, limits)
        self.actions = ActionCommands(journal, store)
        self.resumption = ThreadResumption(journal, self.actions)
        self.sessions = SessionCommands(journal, store, self.resumption, runtime_id)
        self.turns = TurnCommands(journal, store, engine, self.running)
        self.context = ContextCommands(journal, store, engine)

    def serve(self, routes: Routes) -> None:
        """Answer the methods that are RuntimeCore's alone; a turn's start is looked at by others before."""
        routes.add(sessions.START_SESSION, self.sessions.start)
        routes.add(sessions.LIST_SESSIONS, self.sessions.list)
        routes.add(sessions.READ_SESSION, self.sessions.read)
        routes.add(sessions.APPEND_RUNTIME_EVENTS, self.sessions.append)
        routes.add(sessions.RESUME_THREAD, self.resumption.resume)
        routes.add(sessions.COMPACT_SESSION, self.context.compact)
        routes.add(turns.CANCEL_TURN, self.turns.cancel)
        routes.add(actions.RESPOND_ACTION, self.actions.respond)

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Hear every batch of facts with its app, in order, after it is stored; returns the way out."""
        return self.journal.subscribe(subscriber)

    async def close(self) -> None:
        """End what runs, let the engine go, close the file."""
        await close_all(
            self.running.close, self.engine.close, self.journal.database.close, self._let_go
        )

    def hold(self, lock: FolderLock) -> None:
        """Keep the folder until `close`."""
        self._lock = lock

    def _let_go(self) -> None:
        if self._lock is not None:
            self._lock.release()


async def open_core(
    data_dir: Path,
    engine: ExecutionBackend,
    limits: Limits = DEFAULT_LIMITS,
    *,
    is_product: bool = True,
    is_held: bool = False,
) -> RuntimeCore:
    """Open the folder, close what a dead process left open, and be ready.

    A folder that `is_held` is its holder's to let go: something else of it is still open when this is closed.

    Raises:
        EngineUnavailable: the engine only plays, and this is not a test.
        DatabaseBusy: another process uses the folder.
    """
    if is_product and not engine.describe().is_product:
        raise EngineUnavailable(
            "This engine only plays scripts.", details={"reasonCode": "test_engine"}
        )
    if is_held:
        return await _open(data_dir, engine, limits)
    lock = FolderLock(data_dir)
    try:
        core = await _open(data_dir, engine, limits)
    except BaseException:
        lock.release()
        raise
    core.hold(lock)
    return core


async def _open(data_dir: Path, engine: ExecutionBackend, limits: Limits) -> RuntimeCore:
    stamp = Stamp(runtime_id="", new_id=new_id, now=now)
    journal = Journal(stamp)
    database = open_database(data_dir / "runtime.db", RUNTIME, on_lost_commit=journal.forget)
    try:
        journal.use(database)
        stamp.runtime_id = await database.write(_runtime_id)
        store = ContentStore(data_dir / "content")
        core = RuntimeCore(journal, store, engine, limits, stamp.runtime_id)
        core.subscribe(core.running.on_events)
        await recover(journal, engine, core.running)
        if database.lost_commits:
            await report_lost_commits(journal, database.lost_commits)
    except BaseException:
        database.close()
        raise
    return core


def _runtime_id(connection: Connection) -> str:
    """The same name for as long as the folder lives: what every event is joined by."""
    connection.execute(
        "INSERT INTO runtime VALUES ('runtime_id', ?) ON CONFLICT DO NOTHING", (new_id("runtime"),)
    )
    stored = stored_runtime_id(connection)
    if stored is None:
        # Text no more. The events still say it; without any, nothing is joined by it yet.
        stored = told_runtime_id(connection) or new_id("runtime")
        connection.execute("UPDATE runtime SET value=? WHERE name='runtime_id'", (stored,))
    return stored
