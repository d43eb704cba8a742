"""What the host knows itself: its rules, its brand, the workspace, open decisions."""

from tests.host.bridged import Bridged
from tests.host.contracts.contract import Contract, Given, alike


async def _requested(page: Bridged) -> Given:
    review = await page.value(
        "lime.review.requestDecision", subject="draft", payload={"text": "Hi"}
    )
    return {"decisionId": review["decisionId"]}


_DEFAULTS = """\
policy: {defaultModel: small}
permissions: [{key: web, scope: network, domains: [example.com]}]
"""

_CALLS = (
    Contract("lime.policy.check", {"capability": "lime.storage"}, bad={}),
    Contract("lime.policy.requestPermission", {"capability": "lime.policy"}, bad={}),
    Contract("lime.branding.getSnapshot", expect=lambda brand: brand["productName"]),
    Contract("lime.billing.getSnapshot", expect=lambda bill: bill["state"] == "unknown"),
    Contract(
        "lime.cloudSession.getSnapshot", expect=lambda told: told["state"] == "unauthenticated"
    ),
    Contract("lime.cloudSession.requestLogin", bad={"force": "maybe"}),
    Contract("lime.capabilities.list", expect=lambda rows: len(rows) > 30),
    Contract("lime.capabilities.get", {"capability": "lime.ui"}, bad={}),
    Contract("lime.capabilities.getProfile"),
    Contract("lime.workspace.getCurrent", expect=lambda place: place["isCurrent"]),
    Contract("lime.workspace.list", expect=lambda places: len(places) == 1),
    Contract("lime.workspace.open", {"workspaceId": "default"}, bad={}),
    Contract(
        "lime.review.requestDecision", {"subject": "draft", "payload": {"text": "Hi"}}, bad={}
    ),
    Contract(
        "lime.review.submitDecision",
        {"decisionId": "x", "decision": "approve"},
        bad={"decisionId": "x"},
        prepare=_requested,
        expect=lambda review: review["status"] == "pending",
    ),
    Contract(
        "lime.review.listPending",
        bad={"subject": 5},
        prepare=_requested,
        expect=lambda open_: len(open_) == 1,
    ),
)

CONTRACTS = alike(*_CALLS, manifest=_DEFAULTS, needs_server=False)
