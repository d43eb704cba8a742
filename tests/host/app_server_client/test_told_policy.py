"""What governs an app reaches the App Server in its own words."""

from lime_desktop.host.app_server_client.policy_payload import told_budgets
from lime_desktop.host.apps.app_governance import governance_of
from lime_desktop.overlay.resolve import Resolved
from lime_desktop.policy.policy_file import parse_policy_file
from lime_desktop.protocol.calls.apps import RegisteredBudget

POLICY = """\
version: 1
name: Example Ltd
budgets:
  - { id: month, window: month, limit: 200, text: Two hundred a month. }
  - { id: task, window: task, limit: 0.5, text: Half a dollar a task., soft: true }
"""


def test_what_an_organisation_lets_models_cost_is_told_with_its_name() -> None:
    policy = parse_policy_file(POLICY, layer="organisation", source="policy.yaml")
    told = told_budgets(governance_of([policy], Resolved({}, (), (), (), {})))
    assert told == (
        RegisteredBudget(
            id="organisation.month",
            layer="organisation",
            source="policy.yaml",
            text="Two hundred a month.",
            window="month",
            limit_usd=200,
            scope="everything",
            who="Example Ltd",
        ),
        RegisteredBudget(
            id="organisation.task",
            layer="organisation",
            source="policy.yaml",
            text="Half a dollar a task.",
            window="task",
            limit_usd=0.5,
            is_hard=False,
            scope="everything",
            who="Example Ltd",
        ),
    )
