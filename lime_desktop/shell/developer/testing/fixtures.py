"""What a person would set up before an app can run, set up for its tests: data brought up to date, secrets filled.

A secret gets a text that is none; knowledge is bound to `tests/knowledge` of the package.
"""

from lime_desktop.developer.testing.plan import TestPlan
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.apps.setup_facts import SetupReading
from lime_desktop.host.runs.developed_runs import DevelopedRuns
from lime_desktop.protocol.calls.app_data import REMOVE_APP_DATA, RemoveAppDataParams
from lime_desktop.protocol.calls.knowledge import BIND_KNOWLEDGE, BindKnowledgeParams
from lime_desktop.protocol.calls.secrets import BIND_SECRET, BindSecretParams
from lime_desktop.protocol.calls.storage_tables import RUN_MIGRATIONS, RunMigrationsParams
from lime_desktop.protocol.ids import AppId
from lime_desktop.readiness.result import SetupAction

_NO_SECRET = "a text for tests"  # noqa: S105 - that is the point


class AppFixtures:
    """Empties an app's data and sets it up again, once before each test."""

    def __init__(
        self, call: CallServer, registry: AppRegistry, setup: SetupReading, plan: TestPlan
    ) -> None:
        self._call = call
        self._registry = registry
        self._setup = setup
        self._plan = plan

    async def empty(self, app_id: str) -> None:
        """Leave nothing of the app behind."""
        await self._call(REMOVE_APP_DATA, RemoveAppDataParams(app_id=AppId(app_id)))
        # Runs stay on record, whatever is removed: a test begins with none in its app's list.
        await DevelopedRuns(self._call, app_id).leave_earlier()

    async def set_up(self, app_id: str) -> None:
        """Do every step that readiness names and that needs no real person."""
        await self._setup.read(self._call, app_id)
        app = self._registry.app(app_id)
        for action in app.readiness.setup_actions if app else ():
            await self._carry_out(AppId(app_id), action)
        await self._setup.read(self._call, app_id)

    async def _carry_out(self, app_id: AppId, action: SetupAction) -> None:
        match action.kind:
            case "run-migration":
                await self._call(RUN_MIGRATIONS, RunMigrationsParams(app_id=app_id))
            case "configure-secret":
                asked = BindSecretParams(app_id=app_id, slot=action.target, value=_NO_SECRET)
                await self._call(BIND_SECRET, asked)
            case "bind-knowledge" if self._plan.knowledge.is_dir():
                paths = (str(self._plan.knowledge),)
                chosen = BindKnowledgeParams(app_id=app_id, key=action.target, paths=paths)
                await self._call(BIND_KNOWLEDGE, chosen)
            case _:
                pass
