"""What an uninstall deletes and what it keeps is said in words that do not contradict each other (a bug)."""

from pathlib import Path

import pytest

from lime_desktop.host.app_center.records.removal import RemovalItem
from lime_desktop.host.wording.texts import read_texts
from lime_desktop.shell.widgets.amounts import thing_in_words

LOCALES = Path(__file__).parents[2] / "resources/locales"
PARTS = [
    "storage",
    "artifacts",
    "knowledge",
    "files",
    "secrets",
    "approvals",
    "traffic",
    "webhooks",
    "evidence",
    "skills",
    "checkpoints",
]


@pytest.mark.parametrize(("locale", "word"), [("en", "evidence"), ("zh-CN", "证据")])
def test_evidence_that_goes_is_not_said_to_stay(locale: str, word: str) -> None:
    """The receipt said "Deletes: evidence" and "Keeps: runs, evidence and network records"."""
    texts = read_texts(LOCALES, [locale])
    goes = thing_in_words(RemovalItem(kind="data", name="evidence", items=20), texts)
    stays = thing_in_words(RemovalItem(kind="evidence", name="runtime.db, network.db"), texts)
    assert word in goes
    assert word not in stays.lower()


@pytest.mark.parametrize("part", PARTS)
def test_every_part_of_an_apps_data_has_chinese_words(part: str) -> None:
    """It said 数据：evidence."""
    said = thing_in_words(RemovalItem(kind="data", name=part), read_texts(LOCALES, ["zh-CN"]))
    assert said.isascii() is False
    assert part not in said
