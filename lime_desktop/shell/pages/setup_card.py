"""What is to be set up before an app runs as it should: each step with the button that leads to where it is settled."""

from collections.abc import Callable, Collection, Iterator

from PySide6.QtWidgets import QWidget

from lime_desktop.host.app_center.review.asked_permissions import in_words
from lime_desktop.host.apps.fix_places import (
    AGAIN,
    PERMISSIONS,
    REVIEW,
    SKILLS,
    UPDATE,
    can_be_taken,
    eval_of,
    is_hopeless,
    optional_steps_of,
    place_of,
    receiver_of,
    sign_in_of,
    steps_of,
)
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.models.model_status import ModelStatus, needs_model, wants_model
from lime_desktop.readiness.result import SetupAction
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.pages.fixing import is_successor
from lime_desktop.shell.pages.model_offer import set_up_model
from lime_desktop.shell.widgets.parts import button, card, column, label, name_button, row


class SetupCard:
    """The steps of whichever app is shown."""

    def __init__(
        self,
        look: Look,
        models: ModelStatus,
        fix: Callable[[RegisteredApp, SetupAction], None],
        show_settings: Callable[[str], None],
        eval_controls: Callable[[RegisteredApp, str], QWidget],
    ) -> None:
        self._look = look
        self._models = models
        self._fix = fix
        self._show_settings = show_settings
        self._eval_controls = eval_controls

    def parts(self, app: RegisteredApp, *, but: Collection[str] = ()) -> Iterator[QWidget]:
        """The card, where anything is to be done that is not told elsewhere: `but` names those steps."""
        actions = [each for each in steps_of(app) if each.key not in but]
        needed = self._model_steps(app, "page.model") if needs_model(app.package.manifest) else ()
        rows = [*(self._step(app, each) for each in actions), *needed]
        if rows:
            yield card(label(self._look.texts("fix.title"), "heading"), *rows)

    def optional_parts(self, app: RegisteredApp, *, but: Collection[str] = ()) -> Iterator[QWidget]:
        """The card of what the app works without, where a person could give it any."""
        texts = self._look.texts
        actions = [each for each in optional_steps_of(app) if each.key not in but]
        manifest = app.package.manifest
        is_extra = wants_model(manifest) and not needs_model(manifest)
        extra = self._model_steps(app, "page.model.optional") if is_extra else ()
        rows = [*(self._step(app, each) for each in actions), *extra]
        if rows:
            heading = label(texts("fix.optional"), "heading")
            about = label(texts("fix.optional.about"), "muted")
            yield card(heading, about, *rows)

    def doing(self, app: RegisteredApp, action: SetupAction, title: str) -> QWidget | None:
        """What can be done about a step: a button, the word that nobody can, or nothing."""
        texts = self._look.texts
        if is_hopeless(app, action):
            return label(texts("fix.nobody"), "muted")
        if not can_be_taken(app, action):
            return None
        if (eval_key := eval_of(app, action)) is not None:
            return self._eval_controls(app, eval_key)
        doing = button(texts(_doing(app, action)), lambda: self._fix(app, action))
        name_button(doing, texts, title)
        return doing

    def _model_steps(self, app: RegisteredApp, words_key: str) -> Iterator[QWidget]:
        texts = self._look.texts
        gap = self._models.gap(texts)
        if gap is not None:
            words = column(
                label(texts(words_key, app=app.title(texts.locale))),
                label(gap.words, "small"),
                spacing=0,
            )
            yield row(words, set_up_model(texts, self._show_settings, gap), stretch_at=0)

    def _step(self, app: RegisteredApp, action: SetupAction) -> QWidget:
        title = self._title(app, action)
        words = column(label(title), label(action.description, "small"), spacing=0)
        doing = self.doing(app, action, title)
        if doing is None:
            return words
        if is_hopeless(app, action):
            return column(words, doing, spacing=0)
        return row(words, doing, stretch_at=0)

    def _title(self, app: RegisteredApp, action: SetupAction) -> str:
        wanted = {each.key: each for each in app.package.manifest.permissions}
        if action.kind != "grant-permission" or action.target not in wanted:
            return action.title
        what = in_words(wanted[action.target]).words(self._look.texts)
        return self._look.texts("fix.allow", what=what)


def _doing(app: RegisteredApp, action: SetupAction) -> str:
    """The key of the words on a step's button."""
    if is_successor(action):
        return "fix.successor"
    if action.kind == "open-settings" and sign_in_of(app, action) is not None:
        return "fix.connect"
    if action.kind == "open-settings" and receiver_of(app, action) is not None:
        return "fix.receive"
    places = {
        REVIEW: "fix.review",
        UPDATE: "fix.update",
        AGAIN: "fix.again",
        PERMISSIONS: "fix.permissions",
        SKILLS: "skills.add",
    }
    if action.kind == "open-settings" and (place := place_of(app, action)) in places:
        return places[place]
    return f"fix.{action.kind}"
