"""What came of the evals of installed apps: of which bytes, when, and how. Of contents it knows nothing."""

from collections.abc import Mapping

from lime_desktop.database.connection import Connection
from lime_desktop.host.app_center.records.ledger import Ledger
from lime_desktop.host.app_center.records.records import InstalledApp, StoredEvalOutcome
from lime_desktop.host.app_center.records.rows import keep_eval_outcomes, put_eval_outcome
from lime_desktop.protocol.calls.evals import EvalOutcome
from lime_desktop.protocol.errors import AppNotInstalled, Conflict


class EvalOutcomes:
    """Part of the app center. Reads answer from memory; a change is kept when it returns."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def of(self, app: InstalledApp) -> Mapping[str, EvalOutcome]:
        """What came of an app's evals, each as it was run last on the bytes that are installed."""
        kept = self._ledger.state.eval_outcomes.get(app.app_id, ())
        return {
            each.outcome.eval_key: each.outcome
            for each in kept
            if each.package_hash == app.package_hash
        }

    async def keep(self, app_id: str, package_hash: str, outcomes: tuple[EvalOutcome, ...]) -> None:
        """Keep what came of evals that were run on these bytes; that of versions nobody can go back to is forgotten.

        Raises:
            AppNotInstalled: there is no such app.
            Conflict: it has other bytes by now.
        """
        state = self._ledger.state
        app = state.apps.get(app_id)
        if app is None:
            raise AppNotInstalled(f"{app_id} is not installed")
        if app.package_hash != package_hash:
            raise Conflict("The installed app changed since its evals were run. Run them again")
        reachable = {
            package_hash,
            *(each.app.package_hash for each in state.points.get(app_id, ())),
        }
        kept = [
            StoredEvalOutcome(
                app_id=app.app_id, version=app.version, package_hash=package_hash, outcome=each
            )
            for each in outcomes
        ]

        def write(connection: Connection) -> None:
            keep_eval_outcomes(connection, app_id, reachable)
            for each in kept:
                put_eval_outcome(connection, each)

        await self._ledger.change(write)
