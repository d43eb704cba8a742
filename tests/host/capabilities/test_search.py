"""lime.search: one question to everything the app may read, and to nothing else."""

from pathlib import Path

from tests.app_server.apps.packages import write_app
from tests.host.bridged import Bridged, play
from tests.host.contracts.data import ARTIFACTS, KNOWLEDGE, bound, made, opened

ALL = "{lime.search: '>=0.3.0', lime.storage: '>=0.3.0', lime.files: '>=0.3.0', lime.knowledge: '>=0.3.0', lime.artifacts: '>=0.3.0'}"
MORE = f"storage: {{namespace: notes}}\n{KNOWLEDGE}{ARTIFACTS}"


async def _everything(page: Bridged) -> None:
    await bound(page)
    await opened("q1 limes.txt")(page)
    await made(page)


def test_everything_the_app_may_read_is_searched_at_once(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        await _everything(page)
        await page.value("lime.storage.set", key="note", value={"text": "Limes in Q1"})
        hits = (await page.value("lime.search.query", query="limes"))["hits"]
        assert {(hit["kind"], hit["title"]) for hit in hits} == {
            ("knowledge", "limes.md"),
            ("storage", "note"),
            ("file", "limes.md"),
            ("file", "q1 limes.txt"),
        }
        [hit, *_] = (await page.value("lime.search.query", query="q1"))["hits"]
        assert (hit["kind"], hit["title"]) == ("artifact", "Q1")

    play(tmp_path / "data", write_app(tmp_path, capabilities=ALL, more=MORE), scene)


def test_what_an_app_did_not_declare_is_not_searched_for_it(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        await _everything(page)
        assert (await page.value("lime.search.query", query="limes"))["hits"] == []

    wanted = "{lime.search: '>=0.3.0'}"
    play(tmp_path / "data", write_app(tmp_path, capabilities=wanted, more=MORE), scene)
