"""Everything about questions in one place: the queue, those who ask, and the yeses that hold."""

from lime_desktop.background.tasks import close_all
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.approvals.agents import AgentApprovals
from lime_desktop.host.approvals.calls import ApprovalStore, CallApprovals
from lime_desktop.host.approvals.queue import ApprovalQueue
from lime_desktop.host.user_profile.unsaved_decisions import UnsavedDecisions


class Approvals:
    """One for the whole program."""

    def __init__(self, unkept: UnsavedDecisions | None = None) -> None:
        unkept = unkept or UnsavedDecisions()
        self.queue = ApprovalQueue()
        self._given = ApprovalStore(unkept)
        self.agents = AgentApprovals(self.queue, unkept)
        self.calls = CallApprovals(self.queue, self._given, self.agents.follow)
        self.agents.on_resolved = self.calls.settled.notify

    def follow(self, center: AppCenter) -> None:
        """Keep in the app center what is to outlive the program."""
        self._given.follow(center)

    def open_about(self, name: str) -> str | None:
        """The first open question of this name, or that a session or a run of this name asks; None where it is open no more."""
        wanted = {name, *self.agents.asked_by(name)}
        asked = (each.question_id for each in self.queue.open)
        return next((each for each in asked if each in wanted), None)

    async def close(self) -> None:
        """Finish what is on its way."""
        await close_all(self.agents.close, self._given.close)
