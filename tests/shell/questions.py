"""Questions as they come in real life, for pictures and tests."""

from lime_desktop.host.approvals.question import Question, Reason
from lime_desktop.protocol.approvals import ApprovalKind

OF_EACH_KIND: dict[ApprovalKind, Question] = {
    "tool_confirmation": Question(
        question_id="publish",
        app_id="hello-lime",
        origin="agent",
        kind="tool_confirmation",
        action="publish_article",
        effects=("external_publish",),
        risk="high",
        prompt="The article is ready. Publishing makes it visible to everyone.",
        reasons=(
            Reason("host.risk.outside-change", "It changes an outside system."),
            Reason("operation.publish.approval", "publish is declared to need approval."),
        ),
        leaves_machine=("Data goes to cms.example.",),
        arguments={"title": "Spring news", "channel": "blog", "tags": ["news", "spring"]},
        can_edit=True,
        suggestions=("Preview it first",),
        if_refused=("The article stays a draft.",),
        remember_scopes=("session",),
    ),
    "policy_exception": Question(
        question_id="exception",
        app_id="hello-lime",
        origin="call",
        kind="policy_exception",
        action="lime.tools.invoke",
        targets=("customer_export",),
        risk="medium",
        reasons=(
            Reason(
                "organisation.exports", "Exports of customer data need a reason.", "organisation"
            ),
        ),
        arguments={"key": "customer_export", "input": {"month": "2026-10"}},
        remember_scopes=("session", "workspace"),
        can_be_never=True,
    ),
    "ask_user": Question(
        question_id="ask",
        app_id="hello-lime",
        origin="agent",
        kind="ask_user",
        action="ask_user",
        risk="low",
        prompt="Which of the two drafts do you like better?",
        options=("The short one", "The long one"),
    ),
    "elicitation": Question(
        question_id="form",
        app_id="hello-lime",
        origin="agent",
        kind="elicitation",
        action="book_room",
        risk="low",
        prompt="A few details are needed to book the room.",
        answer_schema={
            "type": "object",
            "properties": {
                "people": {"type": "integer", "title": "How many people"},
                "room": {"type": "string", "enum": ["Oak", "Birch"], "title": "Room"},
                "projector": {"type": "boolean", "title": "With projector"},
                "note": {"type": "string", "title": "Note"},
            },
            "required": ["people"],
        },
    ),
}

OTHERS = tuple(
    Question(
        question_id=f"other-{number}",
        app_id="hello-lime",
        origin="agent",
        kind="tool_confirmation",
        action="publish_article",
        effects=("external_publish",),
        arguments={"number": number},
    )
    for number in range(2)
)
