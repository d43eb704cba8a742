"""A question is a sentence that a person would say, for everything that can ask, in both languages (ours)."""

import re
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import JsonValue

from lime_desktop.app_package.manifest.operations import SideEffect
from lime_desktop.host.approvals.question import Question, Reason
from lime_desktop.host.approvals.shown_values import (
    FieldTitles,
    ShownAddress,
    ShownDifference,
    ShownFacts,
    ShownPicture,
    ShownTable,
    ShownWords,
    shown_values,
)
from lime_desktop.host.approvals.wording import Wording, word_content, word_question
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.capabilities.table import SERVED_CAPABILITIES
from lime_desktop.host.wording.texts import Texts, read_texts
from lime_desktop.policy.vocabulary import Layer
from lime_desktop.protocol.capability_calls.call import Effect
from lime_desktop.protocol.capability_calls.table import CALLS, AnyCall
from lime_desktop.protocol.runtime.threads import FieldTitle

LOCALES = Path(__file__).parents[3] / "resources/locales"
SERVED = [call for call in CALLS if call.capability in SERVED_CAPABILITIES]
HOST_TOOLS = [
    "artifact_create",
    "artifact_list",
    "artifact_read",
    "file_list",
    "file_parse",
    "file_read",
    "knowledge_search",
    "storage_delete",
    "storage_get",
    "storage_list",
    "storage_query",
    "storage_set",
    "web_fetch",
]
ID = "artifact_0123456789abcdef0123"
RAW = re.compile(r"lime\.|[{}\[\]]|_|ref:|[0-9a-f]{12}|asking\.|doing\.|approval\.|“”|\s\s")
"""What no person would say, and what shows that a text is missing."""


@pytest.fixture(params=["en", "zh-CN"])
def texts(request: pytest.FixtureRequest) -> Texts:
    return read_texts(LOCALES, [request.param])


@pytest.fixture
def english() -> Texts:
    return read_texts(LOCALES, ["en"])


def ask(action: str, arguments: Any = None, **more: Any) -> Question:
    said: dict[str, Any] = {"origin": "call", "kind": "tool_confirmation", **more}
    return Question(question_id="q", app_id="notes", action=action, arguments=arguments, **said)


def everything(call: AnyCall) -> JsonValue:
    """Arguments that are all ids, references and JSON."""
    return {field.alias or name: ID for name, field in call.params.model_fields.items()}


def named(call: AnyCall) -> JsonValue:
    return {field.alias or name: "Spring news" for name, field in call.params.model_fields.items()}


def is_chinese(words: str) -> bool:
    return any("\u4e00" <= letter <= "\u9fff" for letter in words)


def judge(said: Wording, texts: Texts) -> None:
    begins = "notes wants to " if texts.locale == "en" else "“notes”想"
    assert said.sentence.startswith(begins)
    assert len(said.sentence) > len(begins) + 3
    for words in (said.sentence, said.yes, *(row for part in said.content for row in seen(part))):
        assert not RAW.search(words), words
    if texts.locale == "zh-CN":
        assert is_chinese(said.sentence[len(begins) :])
        assert is_chinese(said.yes)


def seen(part: object) -> list[str]:
    """Every word of a part."""
    match part:
        case ShownFacts(rows):
            return [word for row in rows for word in row]
        case ShownWords(name, text):
            return [name, text]
        case _:
            return []


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.name)
def test_every_call_of_the_protocol_is_asked_about_in_a_sentence(
    call: AnyCall, texts: Texts
) -> None:
    for arguments in (None, {}, everything(call), named(call), [ID], ID):
        judge(word_question(ask(call.name, arguments), None, texts), texts)


@pytest.mark.parametrize(
    "call",
    [each for each in SERVED if each.acts or each.effect is Effect.WRITE],
    ids=lambda call: call.name,
)
def test_a_call_that_acts_or_writes_has_words_of_its_own(call: AnyCall, texts: Texts) -> None:
    """The words of its capability would not tell a deletion from a reading."""
    tools = {"lime.tools.invoke", "lime.mcp.invoke", "lime.connectors.invoke"}
    keys = {f"doing.{call.name}", f"doing.{call.name}.bare"}
    assert call.name in tools or any(map(texts.find_own, keys))


@pytest.mark.parametrize("tool", [*HOST_TOOLS, "mcp__git_hub__create_issue", "publishArticle"])
@pytest.mark.parametrize("effect", get_args(SideEffect))
def test_every_tool_is_asked_about_by_what_it_does(
    tool: str, effect: SideEffect, texts: Texts
) -> None:
    for arguments in (None, {}, {"title": "Spring news", "id": ID}, {"ref": f"file-ref:{ID}"}):
        question = ask(tool, arguments, origin="agent", effects=(effect,))
        judge(word_question(question, None, texts), texts)


@pytest.mark.parametrize("call", ["lime.tools.invoke", "lime.mcp.invoke", "lime.connectors.invoke"])
@pytest.mark.parametrize("effect", get_args(SideEffect))
def test_a_tool_that_a_page_calls_is_named_and_not_its_call(
    call: str, effect: SideEffect, texts: Texts
) -> None:
    whole: JsonValue = {"key": "post_article", "input": {"title": "Spring news"}}
    for arguments, targets in ((whole, ()), ({"title": "Spring news"}, ("post_article",))):
        question = ask(call, arguments, targets=targets, effects=(effect,))
        said = word_question(question, None, texts)
        judge(said, texts)
        assert "post article" in said.sentence


def test_the_sentence_has_verb_thing_target_and_amount(english: Texts) -> None:
    letter: JsonValue = {"subject": "Spring letter", "to": [f"{n}@example.org" for n in range(42)]}
    said = {
        word_question(question, None, english).sentence: word_question(question, None, english).yes
        for question in (
            ask("lime.artifacts.create", {"title": "Report.md", "content": "# Hi", "kind": "x"}),
            ask("send_mail", letter, origin="agent", effects=("external_write",)),
            ask(
                "send_mail", {"to": "ann@example.org"}, origin="agent", effects=("external_write",)
            ),
            ask("web_fetch", {"url": "https://example.org/a?b=c"}, origin="agent"),
            ask("lime.ui.openExternal", {"url": "https://example.org/x"}),
            ask("lime.files.readRef", {"ref": f"file-ref:{ID}", "path": "in/Plan.pdf"}),
            ask("lime.terminal.run", {"command": "x"}, program=("sh", "-c", "echo")),
            ask("lime.agent.startTask", {"prompt": "Write a letter\nto all"}),
        )
    }
    assert said == {
        "notes wants to save “Report.md” as a document": "Save",
        "notes wants to send “Spring letter” with “send mail”, to 42 recipients": "Send",
        "notes wants to send something out with “send mail”, to ann@example.org": "Send",
        "notes wants to read a page of example.org": "Let it read",
        "notes wants to open example.org in your browser": "Open",
        "notes wants to read “Plan.pdf” from what you chose": "Let it read",
        "notes wants to run sh on this computer": "Run",
        "notes wants to have its agent work on “Write a letter”": "Start",
    }


def test_what_leaves_and_what_is_final_is_said_only_if_so(texts: Texts) -> None:
    quiet = word_question(ask("lime.storage.set", {"value": 1}, risk="low"), None, texts)
    assert (quiet.leaves, quiet.final, quiet.is_loud) == ("", "", False)
    out = word_question(
        ask(
            "publish",
            origin="agent",
            effects=("external_publish",),
            leaves_machine=("Data goes to cms.example.",),
        ),
        None,
        texts,
    )
    assert "cms.example" in out.leaves
    assert out.final
    assert out.is_loud


def test_a_folder_that_a_file_is_saved_in_is_changed_and_leaves_nothing(texts: Texts) -> None:
    """A bug: saving a draft "on this computer" was said to leave it, and the folder was named in English to everybody."""
    [draft_desk] = AppRegistry("en").add([LOCALES.parents[1] / "sample_apps/draft-desk"])
    asked = ask("lime.ui.download", leaves_machine=("The folder you publish to is changed.",))
    said = word_question(asked, draft_desk, texts)
    assert said.leaves == ""
    assert (
        said.changes
        == {
            "en": "Changes outside the app: The folder you publish to",
            "zh-CN": "会更改应用以外的内容：你选择的发布文件夹",
        }[texts.locale]
    )
    assert said.is_loud
    # Of an app that is gone since, its author's own words are all that is left.
    assert "The folder you publish to" in word_question(asked, None, texts).changes


@pytest.mark.parametrize("layer", get_args(Layer))
def test_an_exception_names_the_rule_who_set_it_and_who_can_change_it(
    layer: str, texts: Texts
) -> None:
    reason = Reason("x.exports", "Exports need a reason.", layer)
    said = word_question(ask("t", kind="policy_exception", reasons=(reason,)), None, texts)
    [rule] = said.rules
    assert "Exports need a reason." in rule
    assert not RAW.search(rule)


def test_a_consent_of_a_page_is_a_yes_and_no_words_are_wanted(english: Texts) -> None:
    """A bug: a page's call that wanted a permission was asked about with a field to type an answer into."""
    question = ask("lime.storage.set", {"value": 1}, kind="ask_user")
    assert not question.wants_words
    assert word_question(question, None, english).yes == "Save"
    assert ask("ask_user", kind="ask_user", origin="agent").wants_words


def test_content_is_shown_as_what_it_is(english: Texts) -> None:
    pixel = "data:image/png;base64,iVBORw0KGgo="
    value: JsonValue = {
        "markdown": "# Dear all\n\nit is spring.",
        "rows": [{"name": "Ann", "sum": 3}, {"name": "Bo", "isPaid": True}],
        "change": {"before": "a\nb", "after": "a\nc"},
        "link": "https://example.org/x",
        "picture": pixel,
        "dueAt": "Monday",
        "tags": ["a", "b"],
        "file": f"file-ref:{ID}",
        "deep": {"x": {"y": 1}},
        "isDraft": False,
        "nothing": None,
    }
    assert shown_values(value, FieldTitles(english)) == (
        ShownWords("Text", "# Dear all\n\nit is spring."),
        ShownTable("Rows", ("Name", "Sum", "Is paid"), (("Ann", "3", ""), ("Bo", "", "Yes"))),
        ShownDifference(
            "Change",
            (("same", "a"), ("removed", "b"), ("added", "c")),
        ),
        ShownAddress("Link", "https://example.org/x"),
        ShownPicture("Picture", b"\x89PNG\r\n\x1a\n"),
        ShownFacts(
            (
                ("Due at", "Monday"),
                ("Tags", "a, b"),
                ("File", "a file you chose"),
                ("Deep", "1 value (see Exact values)"),
                ("Is draft", "No"),
            )
        ),
    )
    wrapped: JsonValue = {"key": "party", "value": {"title": "Invitation", "body": "# Come\n\nall"}}
    question = ask("lime.storage.set", wrapped)
    assert word_question(question, None, english).content == (
        ShownFacts((("Title", "Invitation"),)),
        ShownWords("Body", "# Come\n\nall"),
    )
    assert shown_values("Limes are **green**.", FieldTitles(english)) == (
        ShownWords("", "Limes are **green**."),
    )
    assert shown_values({"old": "x", "new": "y"}, FieldTitles(english))[0] == ShownDifference(
        "", (("removed", "x"), ("added", "y"))
    )


@pytest.mark.parametrize(
    "number",
    [
        "DE89370400440532013000",
        "de89370400440532013000",
        "GB29NWBK60161331926819",
        "004915112345678",
        "1Z999AA10123456784",
        "2026-000000000003",
        "[Acme]",
    ],
)
def test_an_account_is_shown_to_whoever_decides_on_it(english: Texts, number: str) -> None:
    """A bug: any twelve digits were taken for a name among machines, and a review hid where the money goes."""
    shown = shown_values({"account": number}, FieldTitles(english))
    assert shown == (ShownFacts((("Account", number),)),)


@pytest.mark.parametrize(
    "name", [ID, "0123456789abcdef0123456789abcdef", "123e4567-e89b-12d3-a456-426614174000"]
)
def test_a_name_among_machines_is_not_shown_first(english: Texts, name: str) -> None:
    [facts] = shown_values({"kept": name}, FieldTitles(english))
    assert facts == ShownFacts((("Kept", "something stored here"),))


def test_what_a_run_asks_is_not_said_to_be_asked_by_an_agent(texts: Texts) -> None:
    """A bug: so was what a schedule started, where no agent had a part."""
    said = word_question(ask("write", origin="agent", workflow="Weekly report"), None, texts)
    assert (
        said.who
        == {
            "en": "notes · asked by its workflow “Weekly report”",
            "zh-CN": "notes · 由其工作流“Weekly report”请求",
        }[texts.locale]
    )


def test_handles_and_what_is_off_are_left_to_the_exact_values(english: Texts) -> None:
    """A bug: beside "save Report.md" stood "Ref: a file you chose" and "Unpack: No"."""
    given: JsonValue = {"ref": "file-ref:1", "fileName": "Report.md", "unpack": False}
    asked = ask("lime.ui.download", arguments=given)
    assert word_content(asked, english) == ()


def test_a_line_of_markdown_is_drawn_and_a_field_has_a_title(english: Texts) -> None:
    """Bug: a short draft was shown as "markdown: ## Bring a coat"."""
    outline: JsonValue = {"headline": "A trip", "markdown": "## Bring a coat"}
    assert shown_values(outline, FieldTitles(english)) == (
        ShownFacts((("Headline", "A trip"),)),
        ShownWords("Text", "## Bring a coat"),
    )
    told: JsonValue = {"openingLine": "**All** are here", "seat": "#12", "sum": "2 * 3 ** 4"}
    assert shown_values(told, FieldTitles(english)) == (
        ShownWords("Opening line", "**All** are here"),
        ShownFacts((("Seat", "#12"), ("Sum", "2 * 3 ** 4"))),
    )


def test_content_of_any_size_is_shown_within_bounds(english: Texts) -> None:
    wide: JsonValue = {f"field{n}": "x" * 10_000 for n in range(1_000)}
    assert len(shown_values(wide, FieldTitles(english))) <= 24
    rows: JsonValue = [{f"c{n}": n for n in range(30)} for _ in range(5_000)]
    [table] = shown_values(rows, FieldTitles(english))
    assert isinstance(table, ShownTable)
    assert (len(table.head), len(table.rows), table.left_out) == (8, 50, 4_950)
    patch = "--- a\n+++ b\n" + "+x\n" * 5_000
    [difference] = shown_values(patch, FieldTitles(english))
    assert isinstance(difference, ShownDifference)
    assert len(difference.lines) == 401


def test_titles_of_a_schema_name_columns_and_what_is_wrapped(english: Texts) -> None:
    given = (
        FieldTitle(path="trip/dep", title="Departure"),
        FieldTitle(path="trip/stops/p", title="Pier"),
        FieldTitle(path="dep", title="Of another field"),
    )
    value: JsonValue = {"trip": {"dep": "Hven", "stops": [{"p": 4, "hour": 8}]}}
    assert shown_values(value, FieldTitles(english, given)) == (
        ShownFacts((("Departure", "Hven"),)),
        ShownTable("Stops", ("Pier", "Hour"), (("4", "8"),)),
    )


def test_what_the_author_calls_an_operation_leads_and_what_the_host_knows_follows(
    texts: Texts,
) -> None:
    """A bug: an operation called "Publish a draft" was asked about as "save this", and its reason named the raw key."""
    [draft_desk] = AppRegistry("en").add([LOCALES.parents[1] / "sample_apps/draft-desk"])
    asked = ask(
        "lime.storage.set",
        {"key": "x", "value": "X1"},
        operation="publish_draft",
        effects=("app_storage_write", "external_write"),
        leaves_machine=("An outside system is changed.",),
        reasons=(Reason("operation.publish_draft.approval", ""),),
    )
    said = word_question(asked, draft_desk, texts)
    shown = {
        "en": ("Publish a draft", "Allow", "save this in its own storage", "an outside system"),
        "zh-CN": ("发布文稿", "允许", "把这些内容保存到自己的存储", "一个外部系统"),
    }[texts.locale]
    title, verb, deed, system = shown
    assert title in said.sentence
    assert said.yes == verb
    assert deed in said.deed
    assert said.changes.endswith(system)
    assert title in said.reasons[0]
    assert not [each for each in (said.sentence, said.deed, *said.reasons) if RAW.search(each)]
    [facts] = said.content
    assert isinstance(facts, ShownFacts)
    assert facts.rows[0][0] == {"en": "Value", "zh-CN": "值"}[texts.locale]
