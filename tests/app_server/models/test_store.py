"""A model is there whole or not at all, and nobody names a path (ours)."""

import asyncio
from pathlib import Path

import pytest

from lime_desktop.app_server.models.catalogue import KNOWN_MODELS, RANK_OF_OWN_FILES
from lime_desktop.app_server.models.installation import install_file, install_known
from lime_desktop.app_server.models.listing import list_models
from lime_desktop.app_server.models.store import ModelStore, default_folder
from tests.app_server.models.wheels import WheelIndex, gguf


@pytest.mark.parametrize("name", ["", ".", "..", "../models", "/etc", ".incoming", "a/b"])
def test_a_name_is_no_path(store: ModelStore, name: str) -> None:
    (store.folder / ".incoming").mkdir(parents=True)
    assert store.find(name) is None
    assert store.remove(name) is False
    assert (store.folder / ".incoming").is_dir()


def test_a_damaged_record_is_no_model(index: WheelIndex, store: ModelStore) -> None:
    asyncio.run(install_known(store, index.publish("tiny", gguf()), lambda _: None))
    (store.folder / "tiny" / "model.json").write_text('{"model_id": "other"', encoding="utf-8")
    assert store.installed() == ()


def test_removing_takes_what_is_here_of_a_model(index: WheelIndex, store: ModelStore) -> None:
    asyncio.run(install_known(store, index.publish("tiny", gguf()), lambda _: None))
    with store.incoming("tiny") as partial:
        partial.write_bytes(b"half")
    assert store.remove("tiny") is True
    assert (store.installed(), store.partial_size("tiny")) == ((), 0)
    assert store.remove("tiny") is False


def test_what_the_user_chose_comes_before_what_we_know(store: ModelStore, tmp_path: Path) -> None:
    own = tmp_path / "own.gguf"
    own.write_bytes(gguf())
    asyncio.run(install_file(store, own, lambda _: None))
    listed = list_models(store)
    assert [(m.model_id, m.state, m.is_default) for m in listed] == [
        ("file-own", "installed", True),
        ("smollm2-135m", "available", False),
        ("qwen2.5-coder-1.5b", "available", False),
    ]
    assert max(model.rank for model in KNOWN_MODELS) < RANK_OF_OWN_FILES


def test_an_install_that_did_not_finish_is_told(store: ModelStore) -> None:
    with store.incoming("qwen2.5-coder-1.5b") as partial:
        partial.write_bytes(b"half")
    [qwen] = [m for m in list_models(store) if m.model_id == "qwen2.5-coder-1.5b"]
    assert (qwen.state, qwen.done_bytes) == ("paused", 4)


def test_the_folder_can_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LIME_DESKTOP_MODELS", str(tmp_path))
    assert default_folder() == tmp_path
    monkeypatch.delenv("LIME_DESKTOP_MODELS")
    assert default_folder().name == "models"


def test_the_parts_of_every_known_model_make_up_its_file() -> None:
    sizes = {model.model_id: model.size for model in KNOWN_MODELS}
    assert sizes == {"smollm2-135m": 98_362_432, "qwen2.5-coder-1.5b": 1_117_320_768}
    for model in KNOWN_MODELS:
        assert len({part.wheel_sha256 for part in model.parts}) == len(model.parts)
        assert all(part.size > 0 for part in model.parts)
