"""Every model a person can choose from, here or not, as it is told on the wire. Pure over the store."""

from importlib.util import find_spec

from lime_desktop.app_server.models import catalogue
from lime_desktop.app_server.models.catalogue import KnownModel, known_model
from lime_desktop.app_server.models.store import InstalledModel, ModelStore
from lime_desktop.protocol.calls.local_models import LocalModel

ABOUT_OWN_FILES = "A file of your own. How good it is, its makers know."


def list_models(store: ModelStore) -> tuple[LocalModel, ...]:
    """Installed models, the best first, then those to be had."""
    installed = store.installed()
    here = [
        describe_installed(model, is_default=index == 0) for index, model in enumerate(installed)
    ]
    names = {model.model_id for model in here}
    others = (model for model in catalogue.KNOWN_MODELS if model.model_id not in names)
    return (*here, *(describe_known(model, store) for model in others))


def describe_known(model: KnownModel, store: ModelStore) -> LocalModel:
    """A model of the catalogue that is not installed."""
    here = store.partial_size(model.model_id)
    return LocalModel(
        model_id=model.model_id,
        title=model.title,
        about=model.about,
        license=model.license,
        size_bytes=model.size,
        memory_mb=model.memory_mb,
        sha256=model.sha256,
        quality=model.quality,
        state="paused" if here else "available",
        done_bytes=here,
    )


def describe_installed(model: InstalledModel, *, is_default: bool) -> LocalModel:
    """A model that can be used."""
    record = model.record
    known = known_model(record.model_id)
    return LocalModel(
        model_id=record.model_id,
        title=record.title,
        about=known.about if known else ABOUT_OWN_FILES,
        license=known.license if known else None,
        size_bytes=record.size,
        memory_mb=known.memory_mb if known else None,
        context_tokens=record.context_tokens,
        sha256=record.sha256,
        quality=model.quality,
        state="installed",
        done_bytes=record.size,
        is_own_file=known is None,
        is_default=is_default,
    )


def engine_problem() -> str | None:
    """Why weights could not be used here, if so."""
    if find_spec("xllamacpp") is None:
        return "The part that runs models (xllamacpp) is not installed."
    return None
