"""Read an organisation's or workspace's policy file: text in, rules out.

A policy that is read in part is worse than none, because everybody believes it is in force. So one unknown key or one
rule that can't be read refuses the whole file, and a refused file denies every call until it is repaired.

```yaml
version: 1
name: Rules of Example Ltd
default: ask            # allow (if left out), ask or deny: for calls that no rule below allows
askFrom: low            # ask from this risk on: low or medium (if left out)
rules:
  - id: no-paste-sites
    effect: deny        # deny, ask, audit or allow; deny wins over ask, ask over allow
    text: Nothing goes to paste sites.
    when:               # every line must match; each line holds one or more patterns
      domains: [pastebin.com, "*.pastebin.com"]
  - id: search-is-fine
    effect: allow
    text: The search tool needs no questions.
    when: { tools: [web-search] }
    expires: 2030-01-01T00:00:00Z   # only with allow
risks:
  - { id: crm, level: high, text: The CRM holds customer data., when: { tools: [crm] } }
budgets:
  - { id: month, window: month, limit: 200, text: Two hundred a month. }
```

The lines of `when`: apps, entries, capabilities, methods, operations, sideEffects, scopes, accesses, domains, paths, tools, secrets,
knowledge, workflows, artifacts, events, execution (`local` or `remote`; `unconfined` for a program that runs without a sandbox). Patterns: see `globs`, `domains` and `paths`.

What an organisation allows is not asked about. What a workspace allows is only spared the workspace's own default.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Literal, Protocol, Self

from pydantic import (
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    Strict,
    ValidationError,
    model_validator,
)
from pydantic_core import PydanticCustomError
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import CollectionEndEvent, CollectionStartEvent

from lime_desktop.policy.facts import Budget, DefaultRule, Window
from lime_desktop.policy.rules import (
    Criterion,
    Effect,
    Facet,
    Match,
    RiskRule,
    Rule,
    RuleRef,
    parse_pattern,
)
from lime_desktop.policy.vocabulary import RememberLimit, RiskLevel

LARGEST_FILE = 256 * 1024
DEEPEST_NESTING = 32
GoverningLayer = Literal["organisation", "workspace"]
_Id = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[a-z0-9][a-z0-9._-]*$")]
_Sentence = Annotated[str, Field(min_length=1, max_length=500)]
_Patterns = Annotated[tuple[str, ...], Strict(strict=False), Field(min_length=1, max_length=500)]


class _Written(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _Line(_Written):
    id: _Id
    text: _Sentence
    when: Annotated[dict[Facet, _Patterns], Field(min_length=1)]

    @model_validator(mode="after")
    def _has_readable_patterns(self) -> Self:
        for facet, patterns in self.when.items():
            for pattern in patterns:
                if parse_pattern(facet, pattern) is None:
                    raise _wrong(f"{facet} has the pattern {pattern!r}, which can't be read")
        return self

    @property
    def match(self) -> Match:
        return Match(tuple(Criterion(facet, patterns) for facet, patterns in self.when.items()))


class _RuleLine(_Line):
    effect: Effect
    remember: RememberLimit | None = None
    expires: Annotated[AwareDatetime, Strict(strict=False)] | None = None

    @model_validator(mode="after")
    def _means_something(self) -> Self:
        if self.expires is not None and self.effect != "allow":
            raise _wrong("only a rule that allows may expire")
        if self.remember is not None and self.effect != "ask":
            raise _wrong("remember belongs to rules that ask")
        return self


class _RiskLine(_Line):
    level: RiskLevel


class _BudgetLine(_Written):
    id: _Id
    window: Window
    limit: Annotated[Decimal, Strict(strict=False), Field(ge=0, allow_inf_nan=False)]
    text: _Sentence
    soft: bool = False


class _Document(_Written):
    version: Literal[1]
    name: _Sentence
    default: Literal["allow", "ask", "deny"] = "allow"
    askFrom: Literal["low", "medium"] = "medium"  # noqa: N815 as it is written in the file
    rules: Annotated[tuple[_RuleLine, ...], Strict(strict=False)] = ()
    risks: Annotated[tuple[_RiskLine, ...], Strict(strict=False)] = ()
    budgets: Annotated[tuple[_BudgetLine, ...], Strict(strict=False)] = ()

    @model_validator(mode="after")
    def _names_each_line_once(self) -> Self:
        ids = ["default", *(line.id for line in (*self.rules, *self.risks, *self.budgets))]
        if twice := sorted({each for each in ids if ids.count(each) > 1}):
            raise _wrong(f"used twice as an id: {', '.join(twice)}")
        return self


def _wrong(text: str) -> PydanticCustomError:
    return PydanticCustomError("policy", "{text}", {"text": text})


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyFile:
    """What a file says, ready to be put among the facts."""

    name: str
    rules: tuple[Rule, ...] = ()
    defaults: tuple[DefaultRule, ...] = ()
    risk_rules: tuple[RiskRule, ...] = ()
    budgets: tuple[Budget, ...] = ()
    ask_from: RiskLevel = "medium"
    problems: tuple[str, ...] = ()
    """Why it was refused; where there are any, its one rule denies everything."""

    @property
    def is_refused(self) -> bool:
        """Tell whether the file could not be read as a whole."""
        return bool(self.problems)


def parse_policy_file(text: str, *, layer: GoverningLayer, source: str) -> PolicyFile:
    """Read a policy file, or refuse all of it."""
    if len(text) > LARGEST_FILE:
        return refuse_policy((f"It is larger than {LARGEST_FILE} characters.",), layer, source)
    try:
        document = _Document.model_validate(_load(text))
    except ValidationError as error:
        return refuse_policy(tuple(sorted(_problems_of(error))), layer, source)
    except (YAMLError, ValueError) as error:
        return refuse_policy((_where(error),), layer, source)
    return _build(document, layer, source)


def refuse_policy(problems: tuple[str, ...], layer: GoverningLayer, source: str) -> PolicyFile:
    """The policy that holds in the place of one that can't be read."""
    text = f"The {layer}'s policy file can't be read, so nothing is allowed until it is repaired."
    rule = Rule(RuleRef("policy-file.refused", layer, source, text), "deny")
    return PolicyFile(name="", rules=(rule,), ask_from="low", problems=problems)


class _YamlReader(Protocol):
    def parse(self, stream: str, /) -> Iterable[object]: ...
    def load(self, stream: str, /) -> object: ...


def _yaml() -> _YamlReader:
    return YAML(typ="safe", pure=True)


def _load(text: str) -> object:
    depth = 0
    for event in _yaml().parse(text):
        depth += isinstance(event, CollectionStartEvent) - isinstance(event, CollectionEndEvent)
        # Aliases let a few lines stand for millions of values; a policy has no use for them.
        if depth > DEEPEST_NESTING or getattr(event, "anchor", None) is not None:
            raise YAMLError("Anchors, aliases and deep nesting are not allowed here.")
    return _yaml().load(text)


def _where(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    line = f"Line {mark.line + 1}: " if mark is not None else ""
    return f"{line}{getattr(error, 'problem', None) or error}"


def _problems_of(error: ValidationError) -> Iterable[str]:
    for each in error.errors(include_input=False, include_url=False):
        path = ".".join(str(part) for part in each["loc"]) or "the file"
        text = each["msg"] if each["type"] == "policy" else each["type"].replace("_", " ")
        yield f"{path}: {text}"


def _build(document: _Document, layer: GoverningLayer, source: str) -> PolicyFile:
    def ref(line_id: str, text: str) -> RuleRef:
        return RuleRef(f"{layer}.{line_id}", layer, source, text)

    default = ref("default", f"{document.name}: only what a rule allows goes unasked.")
    return PolicyFile(
        name=document.name,
        rules=tuple(_rule(line, ref(line.id, line.text)) for line in document.rules),
        defaults=()
        if document.default == "allow"
        else (DefaultRule(ref=default, effect=document.default),),
        risk_rules=tuple(
            RiskRule(ref(line.id, line.text), line.level, line.match) for line in document.risks
        ),
        budgets=tuple(
            _budget(line, ref(line.id, line.text), document.name) for line in document.budgets
        ),
        ask_from=document.askFrom,
    )


def _rule(line: _RuleLine, ref: RuleRef) -> Rule:
    expires_at_ms = None if line.expires is None else int(line.expires.timestamp() * 1000)
    return Rule(ref, line.effect, line.match, line.remember or "workspace", expires_at_ms)


def _budget(line: _BudgetLine, ref: RuleRef, who: str) -> Budget:
    is_hard = not line.soft
    return Budget(ref=ref, window=line.window, limit=line.limit, is_hard=is_hard, who=who)
