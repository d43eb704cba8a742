"""What an app's data costs, as ratios to doing the same with nothing in between. Run as a module.

`python -m tests.benchmarks.bench_app_data [rows] [passages]`
"""

import json
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from lime_desktop.app_server.knowledge.passages import Passage
from lime_desktop.app_server.knowledge.rows import SourceFile, put_document, search
from lime_desktop.app_server.knowledge.schema import KNOWLEDGE_INDEX
from lime_desktop.app_server.knowledge.tokens import terms_of
from lime_desktop.app_server.storage.app_tables import read_tables
from lime_desktop.app_server.storage.files import APP_STORAGE
from lime_desktop.app_server.storage.table_files import shape_tables
from lime_desktop.app_server.storage.table_rows import query_rows
from lime_desktop.database.connection import Connection, open_for_writing
from lime_desktop.database.migrations import migrate
from lime_desktop.protocol.capability_calls.storage_tables import QueryRowsParams
from tests.benchmarks.costs import compared, costs_of
from tests.benchmarks.storage_children import ROWS_BY_INDEX, SCHEMA

ROUNDS = 300
TURNS = 3
"""The processes take turns, so that a busy machine is busy for both."""
WORDS = ["lime", "travel", "审批", "报销", *(f"word{number}" for number in range(20_000))]
# As in real texts: the tenth word is a tenth as common as the first.
WEIGHTS = [1 / rank for rank in range(1, len(WORDS) + 1)]
QUESTIONS = {
    "a rare word": "unique42",
    "a rare word and a common one": "unique42 审批",
    "common words": "travel word90 报销流程",
}
BARE_SEARCH = "SELECT rowid FROM word WHERE word MATCH ? ORDER BY rank LIMIT 8"


def through_the_bridge(rows: Path) -> None:
    """lime.storage from a page, against the same statements in a slot of a raw web channel."""
    rounds = [(_measured("bridge", rows), _measured("floor", rows)) for _ in range(TURNS)]
    for name in ("set", "get", "query"):
        ours, bare, ratio = _ratio(rounds, name)
        *_, spent = _ratio(rounds, f"{name} cpu")
        print(
            f"{name} from a page: {ours:.3f} ms, bare {bare:.3f} ms, {ratio:.1f} × (processor time {spent:.1f} ×)"
        )


def _ratio(
    rounds: list[tuple[Mapping[str, float], Mapping[str, float]]], name: str
) -> tuple[float, float, float]:
    ours, bare = (statistics.median(each[side][name] for each in rounds) for side in (0, 1))
    return ours, bare, ours / bare


def _measured(way: str, rows: Path) -> Mapping[str, float]:
    command = [sys.executable, "-m", "tests.benchmarks.storage_children", way, str(rows)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0 or not done.stdout.strip():
        raise RuntimeError(f"{way}: {done.stderr[-500:]}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def _opened(path: Path) -> Connection:
    return open_for_writing(path, trusts_schema=True)


def rows_by_index(file: Path, count: int) -> None:
    """A page of a query over an index, against the statement that a person would write."""
    connection = _opened(file)
    migrate(connection, APP_STORAGE)
    tables = read_tables(SCHEMA)
    connection.execute("BEGIN")
    shape_tables(connection, tables)
    connection.executemany(
        "INSERT INTO note (id, body) VALUES (?, ?)",
        (
            (number, json.dumps({"id": number, "status": f"s{number % 1_000}", "rank": number}))
            for number in range(count)
        ),
    )
    connection.execute("COMMIT")
    query = QueryRowsParams.model_validate(
        {"table": "note", "where": {"status": "s7"}, "order_by": [{"field": "rank"}], "limit": 100}
    )
    ours = costs_of(lambda: query_rows(connection, tables.named("note"), query), ROUNDS)
    bare = costs_of(lambda: connection.execute(ROWS_BY_INDEX, ("s7",)).fetchall(), ROUNDS)
    connection.close()
    print(compared(f"a page of {count} rows by index", ours, "the statement", bare))


def knowledge(file: Path, count: int) -> None:
    """Search over passages in Chinese and English: by words that most have, and by one that few have."""
    connection = _opened(file)
    migrate(connection, KNOWLEDGE_INDEX)
    chance = random.Random(7)  # noqa: S311 - the same texts each time
    connection.execute("BEGIN")
    for number in range(count // 100):
        passages = [
            Passage("", "", " ".join(chance.choices(WORDS, WEIGHTS, k=60)) + f" unique{number}")
            for _ in range(100)
        ]
        put_document(connection, "handbook", SourceFile(str(number), "n.md", 1, 1), passages)
    connection.execute("COMMIT")
    for name, question in QUESTIONS.items():
        terms = terms_of(question)
        query = " OR ".join(terms)
        ours = costs_of(lambda terms=terms: search(connection, terms, None, 8), 10)
        bare = costs_of(
            lambda query=query: connection.execute(BARE_SEARCH, (query,)).fetchall(), 10
        )
        print(compared(f"{name} in {count} passages", ours, "bare full text search", bare))
    connection.close()


def main() -> None:
    """Print every figure, and the ratios."""
    rows, passages = (int(text) for text in (sys.argv[1:] or ["1000000", "100000"]))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        knowledge(folder / "knowledge.db", passages)
        rows_by_index(folder / "rows.db", rows)
        through_the_bridge(folder / "rows.db")


if __name__ == "__main__":
    main()
