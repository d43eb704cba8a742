"""What an app looks for and has read: documents, search, skills, tool servers, models, what its tasks used."""

from tests.host.bridged import Bridged
from tests.host.contracts.agent import ended, start_task
from tests.host.contracts.contract import Contract, Given
from tests.host.contracts.data import ARTIFACTS, made, opened

_SKILL = {
    "skills/greeting/SKILL.md": "---\nname: greeting\ndescription: Greets.\n---\nSay hello.\n"
}
_ANY = {"ref": "x"}
_INTEGRATION = "integrations: [{key: crm, provider: crm, role: customers}]\n"


async def _done(page: Bridged) -> Given:
    task = await start_task(page, "greet")
    await ended(page, task["taskId"])
    return {}


async def _invoked(page: Bridged) -> Given:
    task = await start_task(page, "greet", taskKind="skill:greeting")
    return {"invocationId": task["taskId"]}


async def _researched(page: Bridged) -> Given:
    task = await start_task(page, "greet", taskKind="deep-research")
    return {"runId": task["taskId"]}


CONTRACTS = (
    Contract(
        "lime.documents.parse",
        _ANY,
        bad={},
        prepare=opened(),
        expect=lambda parsed: parsed["parts"][0]["title"] == "Limes",
    ),
    Contract(
        "lime.documents.export",
        {"artifactId": "x", "format": "html"},
        bad={"artifactId": "x"},
        prepare=made,
        manifest=ARTIFACTS,
        expect=lambda file: file["fileName"] == "Q1.html",
    ),
    Contract(
        "lime.documents.transform",
        {**_ANY, "operation": "extract-tables"},
        bad={**_ANY, "operation": 5},
        prepare=opened(),
        expect=lambda file: file["fileName"] == "limes.csv",
    ),
    Contract(
        "lime.documents.summarize",
        {**_ANY, "instruction": "greet"},
        bad={},
        prepare=opened("hi.txt", "Hi"),
        expect=lambda answer: answer["taskId"],
    ),
    Contract("lime.search.query", {"query": "lime"}, bad={"query": ""}),
    Contract(
        "lime.search.deepResearch",
        {"query": "Why?"},
        bad={"query": "Why?", "depth": 9},
        expect=lambda run: run["runId"] == run["taskId"],
    ),
    Contract("lime.search.getRun", {"runId": "x"}, bad={}, prepare=_researched),
    Contract(
        "lime.skills.list",
        {"kind": "bundled"},
        bad={"kind": "magic"},
        files=_SKILL,
        expect=lambda skills: [each["skillId"] for each in skills] == ["greeting"],
    ),
    *(
        Contract(
            f"lime.skills.{method}",
            {"skillId": "greeting"},
            bad={},
            files=_SKILL,
        )
        for method in ("resolve", "bind")
    ),
    Contract("lime.skills.invoke", {"skillId": "greeting"}, bad={}, files=_SKILL),
    Contract(
        "lime.skills.getInvocation",
        {"invocationId": "x"},
        bad={},
        prepare=_invoked,
        expect=lambda run: run["skillId"] == "greeting",
    ),
    Contract("lime.mcp.listServers", expect=lambda servers: servers == []),
    Contract("lime.mcp.listTools", bad={"serverId": 5}, expect=lambda tools: tools == []),
    Contract(
        "lime.models.list",
        bad={"taskKind": 5},
        expect=lambda answer: [each["model"] for each in answer["models"]] == ["scripted"],
    ),
    Contract(
        "lime.models.select",
        {"taskKind": "draft"},
        bad={},
        expect=lambda answer: answer["status"] == "selected",
    ),
    Contract("lime.models.getRouting", bad={"taskKind": 5}),
    Contract("lime.models.estimateCost", {"taskKind": "draft"}, bad={}, prepare=_done),
    Contract(
        "lime.usage.getTokenUsage",
        bad={"window": "year"},
        prepare=_done,
        expect=lambda usage: usage["tasks"] == 1,
    ),
    Contract("lime.usage.getCostSummary", bad={"window": "year"}, prepare=_done),
    Contract(
        "lime.usage.getBudget",
        bad={"scope": "moon"},
        manifest="policy: { costLimit: { monthly: 9, perTask: 1 } }\n",
        expect=lambda told: (
            (told["monthlyLimit"]["amount"], told["perTaskLimit"]["amount"]) == (9, 1)
            and told["remaining"]["amount"] == 9
        ),
    ),
    Contract(
        "lime.modelSettings.getSnapshot", expect=lambda told: "apiKey" not in str(told["providers"])
    ),
    *(
        Contract(
            f"lime.connectors.{method}",
            given,
            bad=bad,
            manifest=_INTEGRATION,
        )
        for method, given, bad in (
            ("list", {}, {"kind": 5}),
            ("getStatus", {"connectorId": "crm"}, {}),
        )
    ),
)
