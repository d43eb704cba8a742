"""Which model or agent does what names none: the person's own choice among all that could."""

from PySide6.QtWidgets import QWidget

from lime_desktop.host.wording.joining import sentences
from lime_desktop.host.wording.models import about_answering, full_name, obstacle_words
from lime_desktop.protocol.calls.models import (
    LIST_MODELS,
    PREFER_MODEL,
    ListModelsParams,
    ListModelsResult,
    ModelChoice,
    ModelDescription,
    PreferModelParams,
)
from lime_desktop.shell.settings.section import SectionContext, group, refill, setting
from lime_desktop.shell.widgets.parts import column, combo_box, label

_CALL_S = 30.0
_CHOICE_WIDTH = 340


class PreferredModel:
    """A choice, and what is to be known of whoever answers by it."""

    def __init__(self, context: SectionContext) -> None:
        self._context = context
        texts = context.look.texts
        self._values: list[ModelChoice | None] = []
        # One box from the start, which is only filled anew: the keyboard begins here, and stays.
        self._box = combo_box()
        self._box.addItem(texts("settings.models.asking"))
        self._box.setMinimumWidth(_CHOICE_WIDTH)
        self._box.activated.connect(self._take)
        about = texts("settings.models.prefer.about")
        self._said = column()
        self.widget = group(
            texts("settings.models.prefer"),
            setting(texts("settings.models.prefer.which"), about, self._box),
            self._said,
        )
        context.work.start(self.read())
        # Somebody may set a model up, or take it away, in a terminal while this is open.
        context.work.start_whenever(context.services.models.watch, self.read)

    async def read(self) -> None:
        """Show who could answer now."""
        asked = ListModelsParams()
        self._show(await self._context.call(LIST_MODELS, asked, timeout_s=_CALL_S))

    def _show(self, found: ListModelsResult) -> None:
        texts, default = self._context.look.texts, found.default_model
        first = "settings.models.prefer.best" if default else "settings.models.prefer.nobody"
        usable = [each for each in found.models if each.obstacle is None or _is_chosen(each, found)]
        # Always in the same order: one that moves when it is chosen runs from under the arrow keys.
        usable.sort(key=lambda each: full_name(each).casefold())
        names = {None: texts(first), **{_choice(each): full_name(each) for each in usable}}
        chosen = found.preferred_model
        if chosen is not None:
            names.setdefault(chosen, f"{chosen.model_id} · {chosen.provider_id}")
        self._values = [*names]
        self._box.clear()
        self._box.addItems([*names.values()])
        self._box.setCurrentIndex(self._values.index(chosen))
        refill(self._said, *map(_small, self._notes(found)))

    def _notes(self, found: ListModelsResult) -> list[str]:
        """Why the choice does not hold now, and who answers."""
        texts, default = self._context.look.texts, found.default_model
        notes: list[str] = []
        if found.preferred_model and not (default and found.preferred_model.means(default)):
            chosen = next((each for each in found.models if _is_chosen(each, found)), None)
            obstacle = chosen.obstacle if chosen else None
            reason = obstacle_words(
                texts,
                obstacle.reason_code if obstacle else "model_not_set_up",
                obstacle.message if obstacle else "",
            )
            notes.append(texts("settings.models.prefer.away", reason=reason))
        if default is None:
            return [*notes, texts("settings.models.prefer.none")]
        answering = texts("settings.models.prefer.now", model=default.title)
        return [*notes, sentences(texts, answering, about_answering(texts, default))]

    def _take(self, at: int) -> None:
        if not self._values:
            return
        model = self._values[at]

        async def prefer() -> None:
            params = PreferModelParams(model=model)
            self._show(await self._context.call(PREFER_MODEL, params, timeout_s=_CALL_S))

        self._context.work.start(prefer())


def _choice(model: ModelDescription) -> ModelChoice:
    return ModelChoice(provider_id=model.provider_id, model_id=model.model_id)


def _is_chosen(model: ModelDescription, found: ListModelsResult) -> bool:
    return found.preferred_model is not None and found.preferred_model.means(model)


def _small(words: str) -> QWidget:
    return label(words, "small")
