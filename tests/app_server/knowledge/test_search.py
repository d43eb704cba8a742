"""Searching an index of many passages."""

from pathlib import Path

import pytest

from lime_desktop.app_server.knowledge.passages import Passage
from lime_desktop.app_server.knowledge.rows import SourceFile, put_document, search
from lime_desktop.app_server.knowledge.schema import KNOWLEDGE_INDEX
from lime_desktop.app_server.knowledge.tokens import terms_of
from lime_desktop.database.connection import open_for_writing
from lime_desktop.database.migrations import migrate

MANY = 5_000


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("审批 lime", ["审批 lime"]),
        ("审批 missing", ["审批"] * 3),
        ("审批", ["审批"] * 3),
    ],
)
def test_words_of_most_passages_are_looked_for_only_where_nothing_else_is_found(
    tmp_path: Path, question: str, texts: list[str]
) -> None:
    """Bug: a rare word took a second at 100,000 passages where a common one stood beside it."""
    connection = open_for_writing(tmp_path / "index.db", trusts_schema=True)
    migrate(connection, KNOWLEDGE_INDEX)
    passages = [Passage("", "", text) for text in ["审批"] * MANY + ["审批 lime"]]
    connection.execute("BEGIN")
    put_document(connection, "handbook", SourceFile("/a.md", "a.md", 1, 1), passages)
    connection.execute("COMMIT")
    for binding in (None, "handbook"):
        hits = search(connection, terms_of(question), binding, 3)
        assert [hit.text for hit in hits] == texts
    connection.close()
