"""What an author suggests for the first start (`quickstart`): steps to set up, an entry to begin with, a workflow to try.

Whether a step is done, and what would do it, is read from readiness; nothing is kept here.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from lime_desktop.app_package.fillable import can_be_filled_in
from lime_desktop.app_package.manifest import Workflow
from lime_desktop.app_package.workflow_files import WorkflowFile
from lime_desktop.host.app_center.review.asked_permissions import in_words
from lime_desktop.host.app_center.review.install_review import step_in_plain_words
from lime_desktop.host.appearance.package_face import text_of
from lime_desktop.host.apps.registered_app import RegisteredApp
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.plain_text import plain_line, plain_name
from lime_desktop.readiness.codes import REMEDIES
from lime_desktop.readiness.findings import Outcome
from lime_desktop.readiness.naming import declared_name, plain_words
from lime_desktop.readiness.result import Check, SetupAction

_KINDS: Mapping[str, str] = {
    "bind knowledge": "knowledge",
    "configure secret": "secret",
    "configure tool": "tool",
    "install tool": "tool",
    "grant permission": "permission",
    "configure overlay": "overlay",
    "apply overlay": "overlay",
    "connect integration": "integration",
    "configure integration": "integration",
}
"""What authors write for a step, as plain words, by the kind of finding that tells whether it is done."""


@dataclass(frozen=True, slots=True)
class FirstStep:
    """One thing to set up."""

    words: str
    is_done: bool | None = None
    """None where nobody but the person can tell."""
    action: SetupAction | None = None
    """What does it, where something here does."""


@dataclass(frozen=True, slots=True)
class SampleWorkflow:
    """A process to see the app at work by."""

    title: str
    states: tuple[str, ...]
    entry_key: str | None
    """The entry that leads to it; None where none does."""
    refusal: str | None
    """Why it cannot run now."""


def first_steps(app: RegisteredApp, texts: Texts) -> tuple[FirstStep, ...]:
    """The author's steps in their order, each as it stands now."""
    quickstart = app.package.manifest.quickstart
    found = (_step(app, step, texts) for step in (quickstart.setup_steps if quickstart else ()))
    return tuple(step for step in found if step.words)


def sample_workflow(app: RegisteredApp, locale: str) -> SampleWorkflow | None:
    """The workflow that the author suggests to try, if the package has it."""
    quickstart = app.package.manifest.quickstart
    named = quickstart.sample_workflow if quickstart else None
    declared = {each.key: each for each in app.package.manifest.workflows}
    if named is not None and named not in declared:
        return _sample_by_entry(app, named, locale)
    if named is None:
        return None
    found = next((each for each in app.package.workflows if each.key == named), None)
    if found is not None and not _can_be_tried(found):
        return None
    file = found.workflow if found else None
    states = file.states if file else ()
    check = _check(app, "workflow", named)
    return SampleWorkflow(
        title=_workflow_title(app, declared[named], file, locale),
        states=tuple(app.step_title(named, each.key, locale) for each in states),
        entry_key=_entry_of(app, declared[named]),
        refusal=check.message if check and not _is_passed(check) else None,
    )


def _can_be_tried(file: WorkflowFile) -> bool:
    """Whether a person can begin it by hand: what it takes, they can fill in. Else its pages or events begin it."""
    definition = file.described.definition
    return definition is None or can_be_filled_in(definition.inputs)


def _sample_by_entry(app: RegisteredApp, named: str, locale: str) -> SampleWorkflow | None:
    """The workflow of an entry, where the author named the entry: its page shows the steps, as far as they are written."""
    entry = app.projection.entry(named)
    path = entry.declared.workflow if entry and entry.declared.kind == "workflow" else None
    if path is None:
        return None
    check = _check(app, "workflow", path)
    return SampleWorkflow(
        title=app.entry_title(named, locale),
        states=(),
        entry_key=named,
        refusal=check.message if check and not _is_passed(check) else None,
    )


def _step(app: RegisteredApp, step: Mapping[str, object], texts: Texts) -> FirstStep:
    written = text_of(step, "title", texts.locale)
    own = plain_line(written) if written else None
    for verb, thing in step.items():
        kind = _KINDS.get(plain_words(verb).lower())
        check = _check(app, kind, thing) if kind and isinstance(thing, str) else None
        if check is not None:
            words = own or texts(f"quickstart.{kind}", thing=_name(app, check, texts))
            return FirstStep(words, _is_passed(check), _action(app, check, words))
    return FirstStep(own or plain_line(step_in_plain_words(step)))


def _check(app: RegisteredApp, kind: str, key: str) -> Check | None:
    return next((c for c in app.readiness.checks if (c.kind, c.key) == (kind, key)), None)


def _is_passed(check: Check) -> bool:
    return check.outcome is Outcome.PASSED


def _name(app: RegisteredApp, check: Check, texts: Texts) -> str:
    manifest, locale = app.package.manifest, texts.locale
    if check.kind == "permission":
        wanted = next(each for each in manifest.permissions if each.key == check.key)
        return in_words(wanted).words(texts)
    return plain_name(declared_name(check.kind, check.key, manifest, locale))


def _action(app: RegisteredApp, check: Check, words: str) -> SetupAction | None:
    """Readiness' own step where it has one; it has none for what is optional."""
    if check.code is None:
        return None
    remedy = REMEDIES[check.code]
    target = remedy.target.replace("{key}", check.key)
    key = f"{remedy.setup}:{target}"
    listed = {action.key: action for action in app.readiness.setup_actions}
    if key in listed or "{" in target:
        return listed.get(key)
    return SetupAction(
        key=key, title=words, description=check.message, kind=remedy.setup, target=target
    )


def _workflow_title(
    app: RegisteredApp, declared: Workflow, file: Workflow | None, locale: str
) -> str:
    written = declared.title or (file.title if file else None)
    translated = app.package.translations.title(locale, "workflows", declared.key)
    return plain_name(translated or written or plain_words(declared.key))


def _entry_of(app: RegisteredApp, declared: Workflow) -> str | None:
    names = {declared.key, declared.path}
    leading = (
        each.key for each in app.projection.entries if each.declared.workflow in names - {None}
    )
    return next(leading, None)
