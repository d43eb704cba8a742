"""Updates that install themselves: only where the person wants it, and nothing grows; everything else asks (ours)."""

from pathlib import Path

import pytest

from lime_desktop.host.app_center.automatic_updates import AutomaticUpdates
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.changes.app_data import AppData
from lime_desktop.host.app_center.records.update_records import UpdateOutcome
from lime_desktop.protocol.errors import AppServerUnavailable
from tests.host.app_center.opened import center_of, play
from tests.host.app_center.packages import NOTES, WEATHER
from tests.shipping.shops import Shop, buy, sign, trust_publisher
from tests.shipping.vendors import Served

MAIL = "secrets:\n- { key: token, provider: mail }"
PROGRAM = """integrations:
- { key: greet, provider: Greeter, role: greeting, adapter: { kind: cli, command: git status } }"""
SITE = "services:\n- { key: cloud, kind: worker, endpoint: 'https://api.example.org/v1' }"
CAPABILITY = "capabilities: [lime.ui, lime.storage, lime.agent]"


class Household:
    """A person's apps, and what they are doing."""

    def __init__(self, center: AppCenter) -> None:
        self.center = center
        self.open: set[str] = set()
        self.running: set[str] = set()
        self.is_down = False
        self.updates = AutomaticUpdates(center, self.open.__contains__, self._has_runs)

    async def _has_runs(self, app_id: str) -> bool:
        if self.is_down:
            raise AppServerUnavailable("down")
        return app_id in self.running

    async def look(self) -> UpdateOutcome | None:
        await self.updates.run(await self.center.catalog.refresh())
        return self.center.update_policies.outcome("notes")

    @property
    def version(self) -> str:
        (app,) = self.center.installed()
        return app.version


@pytest.fixture
def shop(tmp_path: Path, served: Served) -> Shop:
    trust_publisher(tmp_path, 1, 2)
    made = Shop(tmp_path, served.url)
    made.publish("1.0.0", seed=1)
    return made


async def moved_in(center: AppCenter, shop: Shop) -> Household:
    await buy(center, shop)
    await center.update_policies.choose("notes", "always")
    return Household(center)


def test_an_update_that_gives_nothing_more_installs_itself_and_can_be_undone(
    tmp_path: Path, shop: Shop
) -> None:
    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            home = await moved_in(center, shop)
            grants = center.permissions.grants("notes")
            shop.publish("1.1.0", seed=1, notes={"en": "Finds faster.", "zh-CN": "查找更快。"})
            outcome = await home.look()
            assert outcome is not None
            assert (outcome.kind, outcome.from_version, home.version) == (
                "installed",
                "1.0.0",
                "1.1.0",
            )
            assert outcome.notes["zh-CN"] == "查找更快。"
            assert center.permissions.grants("notes") == grants
            await center.roll_back("notes")
        async with center_of(tmp_path) as center:
            home = Household(center)
            # Undone is undone: it is the person's to install again.
            await home.look()
            assert home.version == "1.0.0"

    play(scenario())


@pytest.mark.parametrize("policy", ["ask", "never"])
def test_without_the_persons_wish_nothing_installs_itself(
    tmp_path: Path, shop: Shop, policy: str
) -> None:
    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            home = await moved_in(center, shop)
            await center.update_policies.choose("*", "always")
            await center.update_policies.choose("notes", "ask" if policy == "ask" else "never")
            shop.publish("1.1.0", seed=1)
            assert await home.look() is None
            assert home.version == "1.0.0"

    play(scenario())


@pytest.mark.parametrize("forced", ["ask", "never"])
def test_an_organization_forces_ask_or_never(tmp_path: Path, shop: Shop, forced: str) -> None:
    office = tmp_path / "office.yaml"
    office.write_text(f"version: 1\nname: Office\napps: {{ updates: {forced} }}\n")

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            home = await moved_in(center, shop)
            await center.membership.join(str(office))
            assert center.update_policies.of("notes") == forced
            shop.publish("1.1.0", seed=1)
            assert await home.look() is None
            assert home.version == "1.0.0"

    play(scenario())


@pytest.mark.parametrize(
    ("permissions", "more", "reason"),
    [
        (NOTES + WEATHER, "", "permission"),
        (NOTES.replace("read-write", "admin"), "", "permission"),
        (NOTES, MAIL, "secret"),
        (NOTES, PROGRAM, "program"),
        (NOTES, SITE, "domain"),
        (NOTES, CAPABILITY, "capability"),
    ],
    ids=["new", "further", "secret", "program", "site", "capability"],
)
def test_an_update_that_wants_more_asks_and_says_why(
    tmp_path: Path, shop: Shop, permissions: str, more: str, reason: str
) -> None:
    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            home = await moved_in(center, shop)
            shop.publish("1.1.0", permissions, more, seed=1)
            outcome = await home.look()
            assert outcome is not None
            assert outcome.kind == "asked"
            assert reason in outcome.reasons
            assert home.version == "1.0.0"

    play(scenario())


@pytest.mark.parametrize("seed", [None, 2, 3])
def test_another_signer_or_none_never_installs_itself(
    tmp_path: Path, shop: Shop, seed: int | None
) -> None:
    """Nobody's, another key that is trusted, and a key that is not."""

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            home = await moved_in(center, shop)
            shop.publish("1.1.0", seed=seed)
            outcome = await home.look()
            assert outcome is not None
            assert outcome.kind == "asked"
            assert "publisher" in outcome.reasons
            assert home.version == "1.0.0"

    play(scenario())


def test_a_change_to_data_that_cannot_be_undone_asks(tmp_path: Path, shop: Shop) -> None:
    package = shop.package("1.1.0")
    (package / "storage/migrations").mkdir(parents=True)
    (package / "storage/migrations/001_new.up.sql").write_text("SELECT 1;")
    sign(package)

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            home = await moved_in(center, shop)
            shop.publish("1.1.0")
            outcome = await home.look()
            assert outcome is not None
            assert "migration" in outcome.reasons
            assert home.version == "1.0.0"

    play(scenario())


def test_an_app_that_is_open_or_works_is_left_alone(
    tmp_path: Path, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            home = await moved_in(center, shop)
            shop.publish("1.1.0", seed=1)
            home.open.add("notes")
            assert await home.look() is None
            assert home.updates.waiting == {"notes"}
            home.open.clear()
            home.running.add("notes")
            assert await home.look() is None
            home.running.clear()
            home.is_down = True
            assert await home.look() is None
            home.is_down = False
            _open_at_the_last_moment(monkeypatch, home)
            assert await home.look() is None
            assert (home.version, home.updates.waiting) == ("1.0.0", {"notes"})
            monkeypatch.undo()
            home.open.clear()
            await home.updates.run()
            assert (home.version, home.updates.waiting) == ("1.1.0", frozenset())

    play(scenario())


def _open_at_the_last_moment(monkeypatch: pytest.MonkeyPatch, home: Household) -> None:
    """The person opens the app while its data are being copied."""
    snapshot = AppData.snapshot

    async def opened(data: AppData, app_id: str, point_id: str) -> None:
        await snapshot(data, app_id, point_id)
        home.open.add(app_id)

    monkeypatch.setattr(AppData, "snapshot", opened)


def test_a_failure_is_told_and_not_tried_for_ever(
    tmp_path: Path, shop: Shop, served: Served
) -> None:
    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            home = await moved_in(center, shop)
            shop.publish("1.1.0", seed=1)
            served.answers["packages/notes-1.1.0"] = lambda handler: handler.send_error(500)
            first = await home.look()
            assert first is not None
            assert (first.kind, first.failures, first.is_seen) == ("failed", 1, False)
            await center.update_policies.see("notes")
            second = await home.look()
            assert second is not None
            assert (second.failures, second.is_seen) == (2, True)
            third = await home.look()
            assert third is not None
            assert (third.failures, third.is_given_up, third.is_seen) == (3, True, False)
        async with center_of(tmp_path) as center:
            home = Household(center)
            asked = len(served.asked)
            assert await home.look() == third
            assert not any("notes-1.1.0" in each for each in served.asked[asked:])
            # A newer version is another matter.
            served.answers.clear()
            shop.publish("1.2.0", seed=1)
            done = await home.look()
            assert done is not None
            assert (done.kind, home.version) == ("installed", "1.2.0")

    play(scenario())


def test_a_tampered_package_is_not_tried_twice(tmp_path: Path, shop: Shop) -> None:
    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            home = await moved_in(center, shop)
            shop.publish("1.1.0", seed=1)
            package = tmp_path / "web/packages/notes-1.1.0.lapp"
            package.write_bytes(package.read_bytes() + b"more")
            outcome = await home.look()
            assert outcome is not None
            assert (outcome.kind, outcome.is_given_up, outcome.error) == (
                "failed",
                True,
                "APP_E012",
            )
            assert home.version == "1.0.0"

    play(scenario())


def test_the_choice_goes_with_the_app_and_stays_over_updates(tmp_path: Path, shop: Shop) -> None:
    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            home = await moved_in(center, shop)
            shop.publish("1.1.0", seed=1)
            await home.look()
        async with center_of(tmp_path) as center:
            assert center.update_policies.chosen("notes") == "always"
            assert center.update_policies.of("another") == "ask"
            outcome = center.update_policies.outcome("notes")
            assert outcome is not None
            assert not outcome.is_seen

    play(scenario())
