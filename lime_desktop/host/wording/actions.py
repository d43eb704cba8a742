"""What an app did or wants to do, in words: the verb first, then the thing. Never the name of a call, an id or JSON.

One phrase for each call, filled with what its arguments call the thing; where they call it nothing that a person would
say, the phrase does without. Tools have no phrase of their own: they are worded by what they do to the world.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, cast

import msgspec
from pydantic import JsonValue

from lime_desktop.app_package.manifest.operations import SideEffect
from lime_desktop.host.wording.texts import Texts
from lime_desktop.policy.vocabulary import SIDE_EFFECTS, strongest
from lime_desktop.protocol.host_tools import HOST_TOOLS, WEB_FETCH
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.plain_text import address_host, plain_line, plain_name

Verb = Literal[
    "allow",
    "save",
    "delete",
    "open",
    "run",
    "start",
    "stop",
    "send",
    "publish",
    "change",
    "export",
    "import",
    "read",
    "search",
    "use",
    "add",
    "connect",
    "install",
    "download",
    "enable",
    "answer",
    "draft",
    "share",
    "convert",
    "summarize",
    "switch",
    "restore",
]

_MOST_THING = 60


class ActionWording(NamedTuple):
    """What would be done, as the middle of a sentence, and what the button that allows it says."""

    words: str
    verb: str


@dataclass(frozen=True, slots=True)
class _Row:
    verb: Verb
    named_by: tuple[str, ...] = ()
    """The arguments that may name the thing, the best first."""


_CALLS: Mapping[str, _Row] = {
    "lime.ui.registerRoute": _Row("add", ("title",)),
    "lime.ui.openArtifact": _Row("open"),
    "lime.ui.openExternal": _Row("open", ("url",)),
    "lime.ui.download": _Row("save", ("fileName",)),
    "lime.storage.get": _Row("read"),
    "lime.storage.set": _Row("save"),
    "lime.storage.list": _Row("read"),
    "lime.storage.delete": _Row("delete"),
    "lime.storage.tableGet": _Row("read", ("table",)),
    "lime.storage.tableInsert": _Row("add", ("table",)),
    "lime.storage.tableUpdate": _Row("change", ("table",)),
    "lime.storage.tableUpsert": _Row("change", ("table",)),
    "lime.storage.tableDelete": _Row("delete", ("table",)),
    "lime.storage.tableQuery": _Row("read", ("table",)),
    "lime.storage.transaction": _Row("change"),
    "lime.storage.exportData": _Row("export"),
    "lime.storage.importData": _Row("import"),
    "lime.files.readRef": _Row("read", ("path",)),
    "lime.files.parse": _Row("read", ("path",)),
    "lime.files.listFolder": _Row("read", ("path",)),
    "lime.agent.startTask": _Row("start", ("title", "prompt")),
    "lime.agent.cancelTask": _Row("stop"),
    "lime.agent.retryTask": _Row("start"),
    "lime.agent.submitHostResponse": _Row("answer"),
    "lime.agent.respondAction": _Row("answer"),
    "lime.knowledge.search": _Row("search", ("query",)),
    "lime.knowledge.export": _Row("export"),
    "lime.artifacts.create": _Row("save", ("title",)),
    "lime.artifacts.open": _Row("open"),
    "lime.artifacts.export": _Row("export"),
    "lime.workflow.start": _Row("run", ("key", "workflowKey")),
    "lime.workflow.checkpoint": _Row("save"),
    "lime.workflow.awaitHuman": _Row("allow", ("prompt",)),
    "lime.workflow.pause": _Row("stop"),
    "lime.workflow.resume": _Row("run"),
    "lime.workflow.cancel": _Row("stop"),
    "lime.workflow.retry": _Row("run"),
    "lime.workflow.signal": _Row("answer", ("event",)),
    "lime.workflow.fork": _Row("start"),
    "lime.secrets.getRef": _Row("use", ("key",)),
    "lime.secrets.requestBinding": _Row("allow", ("key",)),
    "lime.events.emit": _Row("share", ("topic",)),
    "lime.events.subscribe": _Row("allow", ("topic",)),
    "lime.appUpdates.download": _Row("download", ("version",)),
    "lime.appUpdates.apply": _Row("install", ("version",)),
    "lime.appUpdates.rollback": _Row("restore"),
    "lime.connectors.requestAuth": _Row("connect", ("connectorId",)),
    "lime.connectors.getStatus": _Row("allow", ("connectorId",)),
    "lime.terminal.run": _Row("run"),
    "lime.terminal.write": _Row("run"),
    "lime.terminal.cancel": _Row("stop"),
    "lime.workspace.open": _Row("switch"),
    "lime.workspace.getPathRef": _Row("use", ("path",)),
    "lime.settings.set": _Row("change", ("key",)),
    "lime.skills.bind": _Row("enable", ("skillId",)),
    "lime.skills.invoke": _Row("start", ("skillId",)),
    "lime.tasks.cancel": _Row("stop"),
    "lime.search.query": _Row("search", ("query",)),
    "lime.search.deepResearch": _Row("start", ("query",)),
    "lime.documents.parse": _Row("read"),
    "lime.documents.export": _Row("export"),
    "lime.documents.transform": _Row("convert"),
    "lime.documents.summarize": _Row("summarize"),
    "lime.review.requestDecision": _Row("allow", ("subject",)),
}
"""Calls with a verb of their own, or whose arguments name something; the others are let or not let."""

_LISTED: Mapping[str, tuple[str, ...]] = {
    "lime.storage.set": ("key",),
    "lime.artifacts.create": ("title",),
}
"""Calls whose phrase points at what is shown beside it: in a list nothing is, so there it names the thing."""

_TOOL_CALLS = frozenset({"lime.tools.invoke", "lime.mcp.invoke", "lime.connectors.invoke"})

_VERB_OF_EFFECT: Mapping[str, Verb] = {
    "none": "use",
    "app_storage_write": "save",
    "artifact_create": "save",
    "local_file_write": "save",
    "draftbox_write": "draft",
    "external_write": "send",
    "external_publish": "publish",
    "external_delete": "delete",
    "bulk_update": "change",
}
_NAMES = ("title", "subject", "headline", "name", "fileName", "file_name", "filename", "path")
"""What tools call the thing that they are given."""
_RECIPIENTS = ("to", "recipients", "addresses", "emails")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_a-zA-Z]+|\d+")
_ID = re.compile(r"(?:[a-z]+-)*ref:.*|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.S)
"""What no person would say: references, and the names that the host itself gives."""
_ONE_WORD = re.compile(r"[\w-]+")
_LONG_HEX = re.compile(r"(?=[a-f]*\d)[0-9a-f]{2}(?=\d*[a-f])[0-9a-f]{10,}")
"""Digits and letters mixed. A number alone, or behind the two letters of a country, is an account or a telephone."""
_IN_BRACKETS = re.compile(r"[\[{].*[\]}]", re.S)


def doing_words(action: str, texts: Texts) -> str:
    """An action such as `lime.storage.set` as a person would list it; what is no call of ours stays as it is."""
    name, _, rest = action.partition(" ")
    words = _phrase(_listed(name), "", texts) if name.startswith("lime.") else None
    return action if words is None else f"{words} {rest}".rstrip()


def deed_of(
    action: str,
    arguments: JsonValue,
    texts: Texts,
    *,
    targets: Iterable[str] = (),
    effects: Iterable[str] = (),
    program: tuple[str, ...] = (),
) -> ActionWording:
    """What a call or a tool would do with these arguments, which are shown beside it."""
    if program:
        words = texts("doing.tool.program", program=plain_name(program[0]))
        return ActionWording(words, _verb("run", texts))
    given = arguments if isinstance(arguments, dict) else {}
    call = HOST_TOOLS.get(action, action)
    if call == WEB_FETCH:
        return ActionWording(_fetching(given, texts), _verb("read", texts))
    if call in _TOOL_CALLS or not call.startswith("lime."):
        return _tool_deed(call, given, texts, tuple(targets), effects)
    row = _CALLS.get(call, _Row("allow"))
    words = _phrase(call, thing_in(given, row.named_by), texts) or texts("doing.any")
    return ActionWording(words, _verb(row.verb, texts))


def listed_words(action: str, arguments: JsonValue, texts: Texts) -> str | None:
    """The words of a deed where its arguments are not shown beside it; None where they are the same as there."""
    call = HOST_TOOLS.get(action, action)
    if call not in _LISTED:
        return None
    given = arguments if isinstance(arguments, dict) else {}
    return _phrase(_listed(call), thing_in(given, _LISTED[call]), texts)


def _listed(call: str) -> str:
    return f"{call}.listed" if call in _LISTED else call


def effect_verb(effects: Iterable[str], texts: Texts) -> str:
    """What the button says that allows an operation with these effects, beside its author's title."""
    effect = _strongest(effects)
    # To change something outside may be to send, to save or to book: the title says which.
    return _verb("allow" if effect == "external_write" else _VERB_OF_EFFECT[effect], texts)


def thing_in(given: Mapping[str, JsonValue], names: Iterable[str]) -> str:
    """What the arguments call the thing; empty where that is nothing that a person would say."""
    for name in names:
        value = given.get(name)
        if isinstance(value, str) and (said := value.strip()) and not is_id(said):
            return _spoken(name, said)
    return ""


def is_id(text: str) -> bool:
    """Whether a text is a name among machines. What people write down as a number is none, however long it is."""
    begin = text[:400]
    if _ID.fullmatch(begin) is not None or _is_json(begin, text):
        return True
    return _ONE_WORD.fullmatch(begin) is not None and _LONG_HEX.search(begin) is not None


def _is_json(begin: str, whole: str) -> bool:
    """Whether it is JSON, as far as it is looked at: a name in brackets is a name."""
    if _IN_BRACKETS.fullmatch(begin) is None:
        return False
    try:
        msgspec.json.decode(whole.encode())
    except (ValueError, RecursionError):
        return False
    return True


def readable_name(name: str) -> str:
    """The name of a tool or a field as words: `publish_article` and `publishArticle` are both *publish article*."""
    words = [each if each.isupper() else each.lower() for each in _WORD.findall(name)]
    return plain_name(" ".join(words) or name, _MOST_THING)


def _spoken(name: str, said: str) -> str:
    if name == "url":
        return _site(said)
    if name in {"path", "fileName", "file_name", "filename"}:
        said = said.replace("\\", "/").rstrip("/").rpartition("/")[2] or said
    first_line = said.partition("\n")[0]
    if name in {"key", "workflowKey", "event", "topic", "table", "connectorId", "skillId"}:
        return readable_name(first_line)
    return plain_name(first_line, _MOST_THING)


def _phrase(call: str, thing: str, texts: Texts) -> str | None:
    """The words of a call, else those of its capability; None where there are none."""
    capability = call.rpartition(".")[0]
    bare = (f"doing.{call}.bare", f"doing.{call}", f"doing.{capability}")
    for key in (f"doing.{call}", *bare) if thing else bare:
        if texts(key) != key:
            return texts(key, thing=thing)
    return None


def _tool_deed(
    call: str, given: JsonObject, texts: Texts, targets: tuple[str, ...], effects: Iterable[str]
) -> ActionWording:
    tool, handed = _tool_and_input(call, given, targets)
    effect = _strongest(effects)
    thing = thing_in(handed, _NAMES)
    key = f"doing.tool.{effect}.thing" if thing else f"doing.tool.{effect}"
    words = texts(key, tool=tool or texts("doing.tool.unnamed"), thing=thing)
    return ActionWording(_addressed(words, handed, texts), _verb(_VERB_OF_EFFECT[effect], texts))


def _strongest(effects: Iterable[str]) -> SideEffect:
    known = frozenset(effects)
    return strongest(each for each in SIDE_EFFECTS if each in known)


def _tool_and_input(
    call: str, given: JsonObject, targets: tuple[str, ...]
) -> tuple[str, JsonObject]:
    """The tool as a person would call it, and what it is given: beside the tool's name, or all there is."""
    named = next((str(given[each]) for each in ("action", "tool", "key") if given.get(each)), "")
    handed = given.get("input") if call in _TOOL_CALLS and named and "input" in given else given
    tool = named if handed is not given else next(iter(targets), "")
    if call not in _TOOL_CALLS:
        tool = call
    plain = tool.rpartition("__")[2] or tool
    name = "" if is_id(plain) else readable_name(plain)
    return name, cast("JsonObject", handed) if isinstance(handed, dict) else {}


def _addressed(words: str, handed: Mapping[str, JsonValue], texts: Texts) -> str:
    """To how many people something goes, where that is said."""
    for name in _RECIPIENTS:
        value = handed.get(name)
        if isinstance(value, str) and "@" in value:
            value = [each for each in re.split(r"[,;]\s*", value) if each]
        if isinstance(value, list) and value:
            first = plain_line(str(value[0]), _MOST_THING) if isinstance(value[0], str) else ""
            return texts("doing.recipients", doing=words, count=len(value), name=first)
    return words


def _fetching(given: Mapping[str, JsonValue], texts: Texts) -> str:
    site = thing_in(given, ("url",))
    return texts("doing.tool.fetch", thing=site) if site else texts("doing.tool.fetch.bare")


def _site(url: str) -> str:
    try:
        return address_host(url) or plain_line(url, _MOST_THING)
    except ValueError:
        return plain_line(url, _MOST_THING)


def _verb(verb: Verb, texts: Texts) -> str:
    return texts(f"approval.verb.{verb}")
