"""Secrets over real files: kept, used by reference, never in the clear (the standard: no plaintext anywhere)."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from pydantic import SecretStr

from lime_desktop.app_server.secrets.keyring_place import KeyringPlace, find_keyring
from lime_desktop.app_server.secrets.store import SecretStore, open_secret_store
from lime_desktop.protocol.errors import (
    DatabaseDamaged,
    HostActionFailed,
    InvalidInput,
    SecretRequired,
)

VALUE = SecretStr("correct horse battery staple")


class Remembering:
    """A keyring of the system, for as long as the test runs."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}
        self.is_locked = False

    def get_password(self, service: str, username: str) -> str | None:
        self._unlock()
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self._unlock()
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        self._unlock()
        del self.kept[service, username]

    def _unlock(self) -> None:
        if self.is_locked:
            raise RuntimeError("the entry of correct horse is locked")


def with_store(
    folder: Path,
    scene: Callable[[SecretStore], Awaitable[None]],
    keyring: Remembering | None = None,
) -> None:
    async def whole() -> None:
        store = open_secret_store(
            folder, lambda: KeyringPlace(keyring, "lime-desktop") if keyring else None
        )
        try:
            await scene(store)
        finally:
            store.close()

    asyncio.run(whole())


def files_with(folder: Path, text: str) -> list[Path]:
    return [
        path for path in folder.rglob("*") if path.is_file() and text.encode() in path.read_bytes()
    ]


@pytest.mark.parametrize("keyring", [None, Remembering()], ids=["sealed file", "keyring"])
def test_a_secret_is_opened_by_its_reference_after_a_restart(
    tmp_path: Path, keyring: Remembering | None
) -> None:
    refs: list[str] = []

    async def fill(store: SecretStore) -> None:
        refs.append((await store.put("app:notes", "crm", VALUE)).ref)

    async def use(store: SecretStore) -> None:
        assert await store.open(refs[0], "app:notes") == VALUE
        assert [record.slot for record in await store.list("app:notes")] == ["crm"]

    with_store(tmp_path, fill, keyring)
    with_store(tmp_path, use, keyring)
    assert files_with(tmp_path, VALUE.get_secret_value()) == []


def test_only_its_owner_opens_a_secret(tmp_path: Path) -> None:
    async def scene(store: SecretStore) -> None:
        ref = (await store.put("app:notes", "crm", VALUE)).ref
        with pytest.raises(SecretRequired):
            await store.open(ref, "app:other")
        assert await store.list("app:other") == ()

    with_store(tmp_path, scene)


def test_a_new_value_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    keyring = Remembering()

    async def scene(store: SecretStore) -> None:
        old = await store.put("app:notes", "crm", SecretStr("first"))
        new = await store.put("app:notes", "crm", SecretStr("second"))
        assert (await store.open(new.ref, "app:notes")).get_secret_value() == "second"
        with pytest.raises(SecretRequired):
            await store.open(old.ref, "app:notes")
        assert list(keyring.kept.values()) == ["second"]
        assert await store.remove("app:notes", "crm") is True
        assert await store.remove("app:notes", "crm") is False
        assert keyring.kept == {}

    with_store(tmp_path, scene, keyring)


def test_a_keyring_that_refuses_is_reported_without_its_own_words(tmp_path: Path) -> None:
    keyring = Remembering()

    async def scene(store: SecretStore) -> None:
        ref = (await store.put("app:notes", "crm", VALUE)).ref
        keyring.is_locked = True
        with pytest.raises(HostActionFailed) as refused:
            await store.open(ref, "app:notes")
        assert "horse" not in refused.value.message

    with_store(tmp_path, scene, keyring)


def test_a_secret_of_a_keyring_that_is_gone_is_not_looked_for_elsewhere(tmp_path: Path) -> None:
    refs: list[str] = []

    async def fill(store: SecretStore) -> None:
        refs.append((await store.put("app:notes", "crm", VALUE)).ref)

    async def use(store: SecretStore) -> None:
        with pytest.raises(HostActionFailed):
            await store.open(refs[0], "app:notes")

    with_store(tmp_path, fill, Remembering())
    with_store(tmp_path, use)


@pytest.mark.parametrize("text", ["", "x" * 16_385])
def test_what_is_no_secret_is_not_kept(tmp_path: Path, text: str) -> None:
    async def scene(store: SecretStore) -> None:
        with pytest.raises(InvalidInput):
            await store.put("app:notes", "crm", SecretStr(text))

    with_store(tmp_path, scene)


@pytest.mark.skipif(os.name == "nt", reason="files have no modes there")
def test_the_sealed_file_and_its_key_are_for_this_user_alone(tmp_path: Path) -> None:
    async def fill(store: SecretStore) -> None:
        await store.put("app:notes", "crm", VALUE)

    async def refused(store: SecretStore) -> None:
        with pytest.raises(HostActionFailed):
            await store.put("app:notes", "other", VALUE)

    with_store(tmp_path, fill)
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.glob("secrets.[sk]e*")}
    assert modes == dict.fromkeys(("secrets.sealed", "secrets.sealed.lock", "secrets.key"), 0o600)
    (tmp_path / "secrets.key").chmod(0o644)
    with_store(tmp_path, refused)


def test_a_sealed_value_moved_under_another_name_does_not_open(tmp_path: Path) -> None:
    async def scene(store: SecretStore) -> None:
        mine = await store.put("app:notes", "crm", VALUE)
        theirs = await store.put("app:other", "crm", SecretStr("another"))
        sealed = tmp_path / "secrets.sealed"
        text = sealed.read_text()
        swapped = (
            text.replace(mine.id, "-").replace(theirs.id, mine.id).replace('"-"', f'"{theirs.id}"')
        )
        sealed.write_text(swapped)
        with pytest.raises(DatabaseDamaged):
            await store.open(mine.ref, "app:notes")

    with_store(tmp_path, scene)


def test_a_keyring_can_be_switched_off() -> None:
    assert find_keyring({"LIME_DESKTOP_KEYRING": "off"}) is None


def test_a_value_prints_as_stars() -> None:
    assert "horse" not in f"{VALUE!r} {VALUE}"
